import { type AnswerOf, type Endpoint, MEMBER_SIGN_OUT, MEMBER_WHO_AM_I } from '@munshi/api';
import type { Outcome, RequestOf } from '@munshi/web';
import { signal } from '@preact/signals';
import { forgetNotices } from './alerts/notices.ts';
import { database } from './kept.ts';
import { forgetMember, forgetRead, keep, keepMember, readKept } from './outbox/indexed-db.ts';
import { api, hasToken, keepToken, onSignedOut } from './service.ts';

type SessionAnswer = AnswerOf<typeof MEMBER_WHO_AM_I>['data'];
export type Member = SessionAnswer['member'];

export type Session =
  | { readonly is: 'loading' }
  /** Nobody has signed in on this phone, and the service does not answer. */
  | { readonly is: 'unreachable' }
  | { readonly is: 'signed out' }
  /** `ended`: the screen stays as it is, and a member who is back goes on with it. */
  | { readonly is: 'signed in'; readonly member: Member; readonly ended: boolean };

export const session = signal<Session>({ is: 'loading' });
export const memberId = (): string | undefined =>
  session.value.is === 'signed in' ? session.value.member.memberId : undefined;

onSignedOut(end);

/** The app has no sign-in any more, but the screen of a member who had one stays. */
function end(): void {
  keepToken(null);
  const { value } = session;
  session.value = value.is === 'signed in' ? { ...value, ended: true } : { is: 'signed out' };
}

/**
 * Asks who is signed in; without network it is the last one. The outbox has it ask too, at any
 * time: what a member has before them stays, also where the answer is that nobody is signed in.
 */
export async function lookAtSession(): Promise<void> {
  const outcome = await read(MEMBER_WHO_AM_I, {});
  if (outcome?.ok) return begin(outcome.answer.data);
  const status = outcome?.refusal.status;
  // Ended elsewhere, perhaps because the phone is lost: only what was not sent yet stays on it.
  if (status === 401) await forgetRead(database).catch(() => {});
  if (status !== undefined && status < 500 && status !== 429) return end();
  if (session.value.is === 'signed in') return;
  const kept = await readKept<Member>(database, 'member');
  session.value =
    kept === null ? { is: 'unreachable' } : { is: 'signed in', member: kept, ended: false };
}

/** Somebody has signed in. Of another member only what was not sent yet stays on this phone. */
export async function begin({ member, csrfToken }: SessionAnswer): Promise<void> {
  await keepMember(database, member).catch(() => {});
  keepToken(csrfToken);
  session.value = { is: 'signed in', member, ended: false };
}

/** What the phone has kept of the member signed in, and of nobody else. */
export const readOwn = <Value>(name: string): Promise<Value | null> =>
  readKept(database, name, memberId() ?? '');
export const keepOwn = (name: string, value: unknown): Promise<void> =>
  keep(database, name, value, memberId() ?? '');

/**
 * Writes need a token, which an app that was opened without network has not got yet. False also
 * where it turns out to be another member's than `by`: two windows share one sign-in.
 */
async function ensureToken(by: string | undefined): Promise<boolean> {
  if (!hasToken()) await lookAtSession();
  return hasToken() && (by ?? memberId()) === memberId();
}

/** A question to the service. Undefined: it cannot be reached. */
export const read = <E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
): Promise<Outcome<E> | undefined> => api.call(endpoint, request).catch(() => undefined);

/**
 * A write of the member signed in. Undefined: the service cannot be reached, or that is not `by`
 * any more.
 */
export async function write<E extends Endpoint>(
  endpoint: E,
  request: RequestOf<E>,
  by?: string,
): Promise<Outcome<E> | undefined> {
  if (!(await ensureToken(by))) return undefined;
  const outcome = await read(endpoint, request);
  if (outcome?.ok !== false || outcome.refusal.code !== 'csrf-token-invalid') return outcome;
  // Another window has signed in again, and the cookie is of that.
  keepToken(null);
  return (await ensureToken(by)) ? read(endpoint, request) : undefined;
}

const otherWindows = new BroadcastChannel('munshi-member session');
otherWindows.onmessage = ({ data }) => void leave(data);

/**
 * Ends the session, and forgets what the phone has kept of it. False: the service cannot be
 * reached, and would go on calling this phone.
 */
export async function signOut(): Promise<boolean> {
  const outcome = await write(MEMBER_SIGN_OUT, {});
  if (outcome === undefined || (!outcome.ok && outcome.refusal.status !== 401)) return false;
  const own = memberId();
  await leave(own);
  otherWindows.postMessage(own);
  return true;
}

/** `own`: who has signed out, perhaps in a window that shows another member. */
async function leave(own: string | undefined): Promise<void> {
  keepToken(null);
  session.value = { is: 'signed out' };
  await forgetMember(database, own).catch(() => {});
  await forgetNotices();
}
