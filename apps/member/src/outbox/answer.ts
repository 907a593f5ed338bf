import type { ApiRefusal } from '@munshi/web';
import type { Sent } from './outbox.ts';

type Answered = { readonly ok: true } | { readonly ok: false; readonly refusal: ApiRefusal };

/** What became of an attempt, by its answer; undefined: there was none. */
export function answerOf(outcome: Answered | undefined): Sent {
  if (outcome === undefined) return { is: 'unreachable' };
  if (outcome.ok) return { is: 'done' };
  const { status, code = '' } = outcome.refusal;
  const later = status === 401 || status === 429 || status >= 500 || code === 'csrf-token-invalid';
  return later ? { is: 'unreachable' } : { is: 'refused', refusal: code };
}
