import { hash, randomBytes } from 'node:crypto';
import { type Instant, SUSPENDED } from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import { inTransaction } from '../platform/database/db.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { fieldError, Refused, TooManyTries } from '../platform/refusals.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import { verifyPassword } from '../platform/sign-in/passwords.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { refuseGuessed } from '../platform/sign-in/refuse-guessed.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  findByUsername,
  holdPassword,
  type SignInCandidate,
  updatePassword,
} from './passwords.store.ts';
import {
  deleteAllSessionsOf,
  deleteEndedSessions,
  deleteOldestSessions,
  deleteSession,
  type FoundSession,
  insertSession,
  type SignInPlace,
  updateLastUse,
} from './sessions.store.ts';
import type { SignInFailures } from './sign-in-failures.service.ts';

export interface SessionDeps
  extends Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'notices'>,
    Guarded {
  readonly signInFailures: SignInFailures;
  readonly log: { warn(detail: object, message: string): void };
}

/** What distinguishes the sessions of one face from those of another. */
export interface SessionRules<Principal> {
  readonly kind: PersonKind;
  readonly lifetimeMs: number;
  /** Whether it counts from the last use, and not from the sign-in. */
  readonly fromLastUse: boolean;
  findSession(
    db: Queryable,
    tokenHash: string,
    now: Instant,
  ): Promise<FoundSession<Principal> | undefined>;
  /** How often a use is written down, in milliseconds. */
  readonly useRecordedMs: number;
  /** Looks at the second factor once the password was right. Throws what is wrong with it. */
  checkCode?(
    principalId: string,
    oneTimeCode: string | undefined,
  ): Promise<'recovery' | 'none' | 'right'>;
  /** Written in the transaction of the sign-in; answers the sign-in before. */
  recordSignIn?(
    client: pg.PoolClient,
    by: RecordedAct & { readonly oneTimeCode: 'recovery' | 'none' | 'right' },
  ): Promise<SignInPlace | null>;
  /** Written in the transaction of a new password that its owner has chosen. */
  recordPassword(client: pg.PoolClient, by: RecordedAct): Promise<void>;
}

export interface RecordedAct {
  readonly principalId: string;
  readonly address: string;
  readonly at: Instant;
  readonly ids: Ids;
}

/** The sender of a request, known by a session. */
export interface Session<Principal> extends FoundSession<Principal> {
  readonly tokenHash: string;
}

/** Where a password is tried from. */
export interface SignInOrigin {
  readonly address: string;
  readonly userAgent: string | null;
  /** The address, or the /64 of an IPv6 one. */
  readonly network: string;
  /** Whether the browser has signed this username in, by the password that is stored so. */
  isKnown(passwordHash: string | null): boolean;
  /** The token of the session that the browser had; it ends. */
  readonly replaces: string | undefined;
  /** Counts the try of a browser that is known, or not. Throws TooManyTries. */
  count(known: boolean): Promise<void>;
}

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly oneTimeCode?: string | undefined;
}

/**
 * What a sign-in gives: the token is shown this once; a browser keeps it in its cookie and needs
 * only `csrfToken`.
 */
export interface SignIn {
  readonly principalId: string;
  readonly token: string;
  /** Sent as `X-CSRF-Token` with every write that carries the cookie. */
  readonly csrfToken: string;
  readonly expiresAt: Instant;
}

/** A sign-in, and the password as it is stored by then, which no answer has. */
export interface Begun {
  readonly signIn: SignIn;
  readonly passwordHash: string | null;
}

/** Of somebody at once: the oldest ends where there would be more. */
const SESSIONS_MAX = 100;

const newToken = () => randomBytes(32).toString('base64url');

/** How tokens are stored and looked up: SHA-256, in hex. */
export const hashToken = (token: string): string => hash('sha256', token);

/** Throws `not-signed-in` where the session has ended, `suspended` where its owner is. */
export async function findSession<Principal>(
  { database, clock }: SessionDeps,
  rules: SessionRules<Principal>,
  token: string,
): Promise<Session<Principal>> {
  const tokenHash = hashToken(token);
  const session = await rules.findSession(database.pool, tokenHash, clock.now());
  if (session === undefined)
    throw new Refused(
      'not-signed-in',
      'The session has ended or the token is not known. Sign in again.',
    );
  if (session.status !== 'active') throw new Refused('suspended', SUSPENDED);
  return { ...session, tokenHash };
}

/** Sessions whose last use is being written. */
const recording = new Set<string>();

/**
 * Records that a session is used, where the use before is some minutes older: no request has a
 * write of its own. Nobody waits for it.
 */
export function recordUse<Principal>(
  { database, clock, log }: SessionDeps,
  { kind, fromLastUse, lifetimeMs, useRecordedMs }: SessionRules<Principal>,
  session: Session<Principal>,
): void {
  const { tokenHash, lastUsedAt } = session;
  const now = clock.now();
  if ((lastUsedAt !== null && now - lastUsedAt < useRecordedMs) || recording.has(tokenHash)) return;
  recording.add(tokenHash);
  const expiresAt = fromLastUse && session.kind === kind ? now + lifetimeMs : null;
  updateLastUse(database.pool, tokenHash, { at: now, expiresAt })
    .catch((error) =>
      log.warn({ err: error }, 'the last use of a session could not be written; the next one is'),
    )
    .finally(() => recording.delete(tokenHash));
}

/**
 * Starts a session of a person who knows the password, and has the one-time code where one is asked
 * for. Throws `wrong-credentials`, with the same work for unknown usernames, `suspended`,
 * TooManyTries, and what is wrong with the code.
 */
export async function signIn<Principal>(
  deps: SessionDeps,
  rules: SessionRules<Principal>,
  credentials: Credentials,
  origin: SignInOrigin,
): Promise<Begun> {
  const owner = await checkPassword(deps, rules, credentials, origin);
  if (owner === undefined) throw wrongCredentials();
  if (owner.status !== 'active') throw new Refused('suspended', SUSPENDED);
  const { principalId, passwordHash } = owner;
  const oneTimeCode = await checkCode(deps, rules, principalId, credentials, origin);
  const by = { principalId, address: origin.address, at: deps.clock.now(), ids: deps.ids };
  const begun = await inTransaction(deps.database.pool, async (client) => {
    // While they waited for the check, the password may have changed.
    if ((await holdPassword(client, rules.kind, principalId)) !== passwordHash)
      throw wrongCredentials();
    const previous = (await rules.recordSignIn?.(client, { ...by, oneTimeCode })) ?? null;
    return begin(client, rules, by, origin, previous);
  });
  if (begun.replaced !== undefined) deps.notices.sessionsEnded(begun.replaced);
  return { signIn: begun.signIn, passwordHash };
}

/**
 * Changes the password of somebody who knows the present one. All their sessions and script tokens
 * end; they go on in a new session (security.md#sign-ins-and-sessions). Throws `wrong-state`
 * without a password, TooManyTries, and FieldErrors: a wrong present password counts as a sign-in
 * that failed.
 */
export async function changeOwnPassword<Principal>(
  deps: SessionDeps,
  rules: SessionRules<Principal>,
  { principalId, username }: { readonly principalId: string; readonly username: string },
  { currentPassword, newPassword }: Readonly<Record<'currentPassword' | 'newPassword', string>>,
  origin: SignInOrigin,
): Promise<Begun> {
  const { pool } = deps.database;
  refuseGuessed('newPassword', newPassword);
  if ((await findByUsername(pool, rules.kind, username))?.passwordHash === null)
    throw new Refused('wrong-state', 'You have no password yet. An admin can give you one.');
  const owner = await checkPassword(deps, rules, { username, password: currentPassword }, origin);
  if (owner?.principalId !== principalId) throw wrongPassword();
  if (newPassword.normalize('NFC') === currentPassword.normalize('NFC'))
    throw fieldError('newPassword', 'must be another one than the present one.');
  const chosen = { by: principalId, network: origin.network, known: true };
  const to = await deps.signInGuard.hash(newPassword, chosen);
  const change = { principalId, from: owner.passwordHash, to };
  const by = { principalId, address: origin.address, at: deps.clock.now(), ids: deps.ids };
  const begun = await inTransaction(pool, async (client) => {
    if (!(await updatePassword(client, rules.kind, change))) throw wrongPassword();
    await deleteAllSessionsOf(client, principalId);
    await rules.recordPassword(client, by);
    return begin(client, rules, by, origin, null);
  });
  for (const whose of new Set([principalId, begun.replaced ?? principalId]))
    deps.notices.sessionsEnded(whose);
  return { signIn: begun.signIn, passwordHash: to };
}

/** Throws FieldErrors where a password that is asked for once more is wrong, and TooManyTries. */
export async function requirePassword<Principal>(
  deps: SessionDeps,
  rules: SessionRules<Principal>,
  credentials: Credentials,
  origin: SignInOrigin,
): Promise<void> {
  if ((await checkPassword(deps, rules, credentials, origin)) === undefined) throw wrongPassword();
}

/** Ends a session. */
export async function signOut(
  { database, notices }: Pick<SessionDeps, 'database' | 'notices'>,
  tokenHash: string,
): Promise<void> {
  const principalId = await deleteSession(database.pool, tokenHash);
  if (principalId !== undefined) notices.sessionsEnded(principalId);
}

const wrongCredentials = () =>
  new Refused('wrong-credentials', 'The username or password is wrong.');
const wrongPassword = () => fieldError('currentPassword', 'is not your password.');

/** Whose password it is; undefined where it is wrong. */
async function checkPassword<Principal>(
  { database, signInGuard, signInFailures }: SessionDeps,
  { kind }: SessionRules<Principal>,
  { username, password }: Credentials,
  { address, network, isKnown, count }: SignInOrigin,
): Promise<SignInCandidate | undefined> {
  const candidate = await findByUsername(database.pool, kind, username);
  const passwordHash = candidate?.passwordHash ?? null;
  const known = isKnown(passwordHash);
  await count(known);
  const tried = { account: `${kind} ${username}`, network, known };
  const checked = await signInGuard.check(tried, () => verifyPassword(password, passwordHash));
  if (!checked.ok) throw new TooManyTries(checked.retryAfterSeconds);
  if (checked.verified && candidate !== undefined) return candidate;
  signInFailures.note({ face: kind, principalId: candidate?.principalId ?? null, address });
  return undefined;
}

/** The second factor; a wrong one counts as a sign-in that failed. */
async function checkCode<Principal>(
  { signInFailures }: SessionDeps,
  rules: SessionRules<Principal>,
  principalId: string,
  { oneTimeCode }: Credentials,
  { address }: SignInOrigin,
) {
  try {
    return (await rules.checkCode?.(principalId, oneTimeCode)) ?? 'none';
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'one-time-code-wrong')
      signInFailures.note({ face: rules.kind, principalId, address });
    throw error;
  }
}

/** A new session, in place of the one that the browser had; `replaced` says whose that was. */
async function begin<Principal>(
  client: pg.PoolClient,
  { kind, lifetimeMs }: SessionRules<Principal>,
  { principalId, at: now, ids }: RecordedAct,
  { address, userAgent, replaces }: SignInOrigin,
  previous: SignInPlace | null,
) {
  const [token, csrfToken] = [newToken(), newToken()];
  const expiresAt = now + lifetimeMs;
  await deleteEndedSessions(client, principalId, now);
  const replaced =
    replaces === undefined ? undefined : await deleteSession(client, hashToken(replaces));
  await insertSession(client, {
    sessionId: ids.uuid(now),
    tokenHash: hashToken(token),
    kind,
    principalId,
    csrfToken,
    name: null,
    createdAt: now,
    expiresAt,
    address,
    userAgent,
    previous,
  });
  await deleteOldestSessions(client, { principalId, kind, keep: SESSIONS_MAX });
  return { replaced, signIn: { principalId, token, csrfToken, expiresAt } };
}
