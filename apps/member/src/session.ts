import { type AnswerOf, MEMBER_SIGN_OUT, MEMBER_WHO_AM_I } from '@munshi/api';
import { signal } from '@preact/signals';
import { database } from './kept.ts';
import { forgetAll, keep, readKept } from './outbox/indexed-db.ts';
import { api, hasToken, keepToken, onSignedOut } from './service.ts';

type SessionAnswer = AnswerOf<typeof MEMBER_WHO_AM_I>['data'];
export type Member = SessionAnswer['member'];

export type Session =
  | { readonly is: 'loading' }
  /** Nobody has signed in on this phone, and the service does not answer. */
  | { readonly is: 'unreachable' }
  | { readonly is: 'signed out' }
  /** `ended`: the screen stays as it is, and whoever is back goes on with it. */
  | { readonly is: 'signed in'; readonly member: Member; readonly ended: boolean };

export const session = signal<Session>({ is: 'loading' });

onSignedOut(() => {
  keepToken(null);
  const known = session.value;
  if (known.is === 'signed in') session.value = { ...known, ended: true };
});

/** Asks who is signed in; without network it is whoever was. */
export async function lookAtSession(): Promise<void> {
  const outcome = await api.call(MEMBER_WHO_AM_I, {}).catch(() => undefined);
  if (outcome?.ok) return begin(outcome.answer.data);
  const refused = outcome !== undefined && outcome.refusal.status < 500;
  const kept = await readKept<Member>(await database, 'member');
  if (refused) session.value = { is: 'signed out' };
  else if (kept === null) session.value = { is: 'unreachable' };
  else session.value = { is: 'signed in', member: kept, ended: false };
}

/** Somebody has signed in. What another member left on this phone is forgotten. */
export async function begin({ member, csrfToken }: SessionAnswer): Promise<void> {
  const kept = await readKept<Member>(await database, 'member');
  if (kept !== null && kept.memberId !== member.memberId) await forgetAll(await database);
  await keep(await database, 'member', member);
  keepToken(csrfToken);
  session.value = { is: 'signed in', member, ended: false };
}

/** Writes need a token, which an app that was opened without network has not got yet. */
export async function ensureToken(): Promise<boolean> {
  if (!hasToken()) await lookAtSession();
  return hasToken();
}

/** Ends the session, and forgets what the phone has kept of it. */
export async function signOut(): Promise<void> {
  await api.call(MEMBER_SIGN_OUT, {});
  await forgetAll(await database);
  keepToken(null);
  session.value = { is: 'signed out' };
}
