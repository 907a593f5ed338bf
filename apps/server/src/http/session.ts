import { randomBytes, timingSafeEqual } from 'node:crypto';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { Code } from '@munshi/api';
import { type Instant, SUSPENDED } from '@munshi/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { uuidV7 } from '../engine/ids.ts';
import { hashPassword, verifyPassword } from '../passwords.ts';
import { refuseGuessed } from '../services/passwords.ts';
import { hashToken } from '../services/sessions.ts';
import { inTransaction, type Queryable } from '../storage/db.ts';
import { holdPassword, type SignInCandidate, updatePassword } from '../storage/passwords.ts';
import {
  deleteAllSessionsOf,
  deleteEndedSessions,
  deleteOldestSessions,
  deleteSession,
  type FoundSession,
  insertSession,
  type SessionKind,
  updateLastUse,
} from '../storage/sessions.ts';
import { createCallerAddress, networkOf } from './caller.ts';
import type { Deps } from './deps.ts';
import { fieldError, jsonTime, Refused } from './json.ts';

/** What tells one face's sign-ins from another's. */
export interface SessionRules<Principal> {
  readonly kind: 'operator' | 'member';
  readonly cookieName: string;
  /** The face's prefix: browsers send the cookie nowhere else. */
  readonly path: string;
  readonly lifetimeMs: number;
  /** Whether it counts from the last use, and not from the sign-in. */
  readonly fromLastUse: boolean;
  findSession(
    db: Queryable,
    tokenHash: string,
    now: Instant,
  ): Promise<FoundSession<Principal> | undefined>;
  findByUsername(db: Queryable, username: string): Promise<SignInCandidate | undefined>;
  /** Written in the transaction of the sign-in. */
  recordSignIn?(client: pg.PoolClient, by: RecordedAct): Promise<void>;
  /** Written in the transaction of a new password that its owner has chosen. */
  recordPassword(client: pg.PoolClient, by: RecordedAct): Promise<void>;
}

export interface RecordedAct {
  readonly principalId: string;
  readonly address: string;
  readonly at: Instant;
}

/** Whoever sends a request, known by a session. */
export interface Session<Principal> {
  readonly principal: Principal;
  readonly tokenHash: string;
  readonly kind: SessionKind;
  readonly csrfToken: string | null;
  readonly expiresAt: Instant;
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

export interface AccessRefusal {
  readonly ok: false;
  readonly refusal: { readonly code: Code; readonly message: string };
}
const refused = (code: Code, message: string): AccessRefusal => ({
  ok: false,
  refusal: { code, message },
});

/** What a sign-in gave. Throws Refused where it was refused. */
export function admitted<Admission extends { readonly ok: true }>(
  access: Admission | AccessRefusal,
): Admission {
  if (!access.ok) throw new Refused(access.refusal.code, access.refusal.message);
  return access;
}

/** What whoever has signed in is answered. */
export const showSignIn = ({ token, csrfToken, expiresAt }: SignIn) => ({
  token,
  csrfToken,
  expiresAt: jsonTime(expiresAt),
});

export interface Sessions<Principal> {
  /**
   * Who sends this request: by `Authorization: Bearer`, else by the cookie. A write by cookie needs
   * the anti-forgery token too. Refused: no session, an ended or unknown one (401), a suspended
   * principal or a wrong anti-forgery token (403).
   */
  authenticate(
    request: FastifyRequest,
  ): Promise<{ readonly ok: true; readonly session: Session<Principal> } | AccessRefusal>;
  /**
   * Checks a username and password and starts a session with a new token; the one that the browser
   * had before ends. Refused: wrong credentials (401, the same answer and work for unknown
   * usernames), a suspended principal (403), too many tries (429).
   */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    credentials: { readonly username: string; readonly password: string },
  ): Promise<({ readonly ok: true } & SignIn) | AccessRefusal>;
  /**
   * Changes the password of somebody who knows the present one. All their sessions end, and script
   * tokens with them; they go on in a new session. Refused: too many tries (429). A wrong password
   * counts as a sign-in that failed, and is told by its field (400).
   */
  changePassword(
    request: FastifyRequest,
    reply: FastifyReply,
    who: { readonly principalId: string; readonly username: string },
    passwords: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<({ readonly ok: true } & SignIn) | AccessRefusal>;
  /** Ends the session. */
  signOut(reply: FastifyReply, session: Session<Principal>): Promise<void>;
}

/**
 * A use is written down when the one before is older than this: no request has a write of its own.
 */
const USE_RECORDED_MS = 5 * 60 * 1000;
/** Browsers keep a cookie no longer; the stored session says when it ends. */
const COOKIE_SECONDS_MAX = 400 * 24 * 60 * 60;
/** Tries for one username from one address in a minute of real time. */
const TRIES_MAX = 10;
const TRIES_WINDOW_MS = 60_000;
/** Of somebody at once: the oldest ends where there would be more. */
const SESSIONS_MAX = 100;
/** How long a browser is remembered in which somebody has signed in. */
const KNOWN_SECONDS = 365 * 24 * 60 * 60;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const newToken = () => randomBytes(32).toString('base64url');

/** The token of `Authorization: Bearer …`. */
export const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

type SessionDeps = Pick<
  Deps,
  | 'database'
  | 'clock'
  | 'vault'
  | 'secureCookies'
  | 'pathPrefix'
  | 'trustedProxies'
  | 'signInGuard'
  | 'signInFailures'
  | 'notices'
  | 'log'
>;

/**
 * The sign-ins of one face. Call it in the face's own scope, before its routes: it brings in
 * cookies and the limit on tries.
 */
export async function createSessions<Principal>(
  app: FastifyInstance,
  {
    database,
    clock,
    vault,
    secureCookies,
    pathPrefix,
    trustedProxies,
    signInGuard,
    signInFailures,
    notices,
    log,
  }: SessionDeps,
  rules: SessionRules<Principal>,
): Promise<Sessions<Principal>> {
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  const callerAddress = createCallerAddress(trustedProxies);
  const cookieOptions = {
    path: pathPrefix + rules.path,
    httpOnly: true,
    sameSite: 'strict',
    secure: secureCookies,
  } as const;
  const countTry = app.createRateLimit({
    max: TRIES_MAX,
    timeWindow: TRIES_WINDOW_MS,
    keyGenerator: tryKey,
  });

  /** Whose password a request tries. */
  const triedNames = new WeakMap<FastifyRequest, string>();
  /** Addresses and usernames are kept apart by a character that neither has. */
  function tryKey(request: FastifyRequest): string {
    const name = triedNames.get(request) ?? '';
    return `${isKnown(request, name) ? 'known' : networkOf(callerAddress(request.raw))}\0${name}`;
  }

  // A browser in which somebody has signed in before is not held up by what strangers try with
  // their name.
  const knownCookie = `${rules.cookieName}_known`;
  const marksOf = (username: string) =>
    vault
      .requestDigests(`known to ${rules.kind} ${username}`)
      .map((mark) => mark.toString('base64url'));
  const isKnown = ({ cookies }: FastifyRequest, username: string) =>
    marksOf(username).some((mark) => isSame(cookies[knownCookie], mark));

  /**
   * Checks a password under the limits of sign-ins; answers whose it is, undefined where it is
   * wrong.
   */
  async function checkPassword(
    request: FastifyRequest,
    reply: FastifyReply,
    { username, password }: { readonly username: string; readonly password: string },
  ): Promise<{ readonly ok: true; readonly owner: SignInCandidate | undefined } | AccessRefusal> {
    triedNames.set(request, username);
    const tries = await countTry(request);
    if (!tries.isAllowed && tries.isExceeded) return tooManyTries(reply, tries.ttlInSeconds);
    const candidate = await rules.findByUsername(database.pool, username);
    const address = callerAddress(request.raw);
    const tried = {
      account: `${rules.kind} ${username}`,
      network: networkOf(address),
      known: isKnown(request, username),
    };
    const checked = await signInGuard.check(tried, () =>
      verifyPassword(password, candidate?.passwordHash ?? null),
    );
    if (!checked.ok) return tooManyTries(reply, checked.retryAfterSeconds);
    if (checked.verified && candidate !== undefined) return { ok: true, owner: candidate };
    signInFailures.note({ face: rules.kind, principalId: candidate?.principalId ?? null, address });
    return { ok: true, owner: undefined };
  }

  /** A new session, in place of the one that the browser had; `replaced` tells whose that was. */
  async function begin(
    client: pg.PoolClient,
    request: FastifyRequest,
    principalId: string,
    now: Instant,
  ) {
    const [token, csrfToken] = [newToken(), newToken()];
    const expiresAt = now + rules.lifetimeMs;
    const before = request.cookies[rules.cookieName];
    await deleteEndedSessions(client, principalId, now);
    const replaced =
      before === undefined ? undefined : await deleteSession(client, hashToken(before));
    await insertSession(client, {
      sessionId: uuidV7(now),
      tokenHash: hashToken(token),
      kind: rules.kind,
      principalId,
      csrfToken,
      name: null,
      createdAt: now,
      expiresAt,
    });
    await deleteOldestSessions(client, { principalId, kind: rules.kind, keep: SESSIONS_MAX });
    return { replaced, signIn: { principalId, token, csrfToken, expiresAt } };
  }

  function setCookies(reply: FastifyReply, username: string, { token }: SignIn): void {
    reply.setCookie(rules.cookieName, token, {
      ...cookieOptions,
      ...(rules.fromLastUse && { maxAge: COOKIE_SECONDS_MAX }),
    });
    reply.setCookie(knownCookie, marksOf(username)[0] as string, {
      ...cookieOptions,
      maxAge: KNOWN_SECONDS,
    });
  }

  /** Sessions whose last use is being written. */
  const recording = new Set<string>();
  /** Nobody waits for it. */
  function recordUse(
    tokenHash: string,
    { kind, lastUsedAt }: FoundSession<Principal>,
    now: Instant,
  ): void {
    if ((lastUsedAt !== null && now - lastUsedAt < USE_RECORDED_MS) || recording.has(tokenHash))
      return;
    recording.add(tokenHash);
    const expiresAt = rules.fromLastUse && kind === rules.kind ? now + rules.lifetimeMs : null;
    updateLastUse(database.pool, tokenHash, { at: now, expiresAt })
      .catch((error) =>
        log.warn({ err: error }, 'the last use of a session could not be written; the next one is'),
      )
      .finally(() => recording.delete(tokenHash));
  }

  return {
    async authenticate(request) {
      const bearer = bearerToken(request);
      const token = bearer ?? request.cookies[rules.cookieName];
      if (token === undefined)
        return refused('not-signed-in', 'Sign in, or send Authorization: Bearer <token>.');
      const tokenHash = hashToken(token);
      const now = clock.now();
      const found = await rules.findSession(database.pool, tokenHash, now);
      if (found === undefined)
        return refused(
          'not-signed-in',
          'The session has ended or the token is not known. Sign in again.',
        );
      if (found.status !== 'active') return refused('suspended', SUSPENDED);
      if (
        bearer === undefined &&
        !SAFE_METHODS.has(request.method) &&
        !isSame(request.headers['x-csrf-token'], found.csrfToken)
      ) {
        return refused(
          'csrf-token-invalid',
          'The X-CSRF-Token header must carry the csrfToken that the sign-in answered.',
        );
      }
      recordUse(tokenHash, found, now);
      const { principal, kind, csrfToken, expiresAt } = found;
      return { ok: true, session: { principal, tokenHash, kind, csrfToken, expiresAt } };
    },

    async signIn(request, reply, credentials) {
      const checked = await checkPassword(request, reply, credentials);
      if (!checked.ok) return checked;
      const { owner } = checked;
      if (owner === undefined) return WRONG;
      if (owner.status !== 'active') return refused('suspended', SUSPENDED);
      const { principalId, passwordHash } = owner;
      const [now, address] = [clock.now(), callerAddress(request.raw)];
      const begun = await inTransaction(database.pool, async (client) => {
        // Whoever waited for the check may have proven a password that is no longer the one.
        if ((await holdPassword(client, rules.kind, principalId)) !== passwordHash)
          return undefined;
        const session = await begin(client, request, principalId, now);
        await rules.recordSignIn?.(client, { principalId, address, at: now });
        return session;
      });
      if (begun === undefined) return WRONG;
      if (begun.replaced !== undefined) notices.sessionsEnded(begun.replaced);
      setCookies(reply, credentials.username, begun.signIn);
      return { ok: true, ...begun.signIn };
    },

    async changePassword(
      request,
      reply,
      { principalId, username },
      { currentPassword, newPassword },
    ) {
      refuseGuessed('newPassword', newPassword);
      if ((await rules.findByUsername(database.pool, username))?.passwordHash === null)
        throw new Refused('wrong-state', NO_PASSWORD);
      const checked = await checkPassword(request, reply, { username, password: currentPassword });
      if (!checked.ok) return checked;
      const { owner } = checked;
      if (owner === undefined || owner.principalId !== principalId) throw wrongPassword();
      if (newPassword.normalize('NFC') === currentPassword.normalize('NFC'))
        throw fieldError('newPassword', 'must be another one than the present one.');
      const to = await hashPassword(newPassword);
      const now = clock.now();
      const { replaced, signIn } = await inTransaction(database.pool, async (client) => {
        if (
          !(await updatePassword(client, rules.kind, { principalId, from: owner.passwordHash, to }))
        )
          throw wrongPassword();
        await deleteAllSessionsOf(client, principalId);
        await rules.recordPassword(client, {
          principalId,
          address: callerAddress(request.raw),
          at: now,
        });
        return begin(client, request, principalId, now);
      });
      for (const whose of new Set([principalId, replaced ?? principalId]))
        notices.sessionsEnded(whose);
      setCookies(reply, username, signIn);
      return { ok: true, ...signIn };
    },

    async signOut(reply, { tokenHash }) {
      await deleteSession(database.pool, tokenHash);
      reply.clearCookie(rules.cookieName, cookieOptions);
    },
  };
}

const WRONG = refused('wrong-credentials', 'The username or password is wrong.');
const NO_PASSWORD = 'You have no password yet. An admin can give you one.';
const wrongPassword = () => fieldError('currentPassword', 'is not your password.');

function tooManyTries(reply: FastifyReply, seconds: number): AccessRefusal {
  reply.header('retry-after', String(seconds));
  return refused(
    'too-many-tries',
    `Too many tries to sign in. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  );
}

function isSame(given: string | string[] | undefined, expected: string | null): boolean {
  if (typeof given !== 'string' || expected === null) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
