import { MEMBER_MONEY_SEEN, MEMBER_NOTE, MEMBER_SENDING } from '@munshi/api';
import { texts } from '../language.ts';
import { refusalText } from '../refusals.ts';
import { api } from '../service.ts';
import { ensureToken } from '../session.ts';
import { learnOrder } from '../work/known.ts';
import type { Order } from '../work/orders.ts';

/** What operators are told and what changes neither money nor status: at once, and not kept. */

type Told =
  | { readonly kind: 'otherAmount'; readonly amount: string }
  | { readonly kind: 'moneySeen' | 'sending' };

/** Answers what went wrong, in the member's language; null: they know. */
export async function tell({ orderId }: Order, told: Told): Promise<string | null> {
  if (!(await ensureToken())) return texts.value.signIn.unreachable;
  const outcome = await ask({ orderId }, told).catch(() => undefined);
  if (outcome === undefined) return texts.value.signIn.unreachable;
  if (!outcome.ok) return refusalText(outcome.refusal.code);
  learnOrder(outcome.answer.data);
  return null;
}

function ask(params: { readonly orderId: string }, told: Told) {
  if (told.kind === 'otherAmount')
    return api.call(MEMBER_NOTE, { params, body: { receivedAmount: told.amount } });
  if (told.kind === 'moneySeen') return api.call(MEMBER_MONEY_SEEN, { params, body: {} });
  return api.call(MEMBER_SENDING, { params });
}
