import { timingSafeEqual } from 'node:crypto';
import cookie from '@fastify/cookie';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createCallerAddress, networkOf } from '../platform/http/caller.ts';
import { Refused, TooManyTries } from '../platform/refusals.ts';
import type { Deps } from './deps.ts';
import {
  type Begun,
  changeOwnPassword,
  findSession,
  recordUse,
  requirePassword,
  type Session,
  type SessionRules,
  type SignIn,
  type SignInOrigin,
  signIn,
  signOut,
} from './sessions.service.ts';

/** The sessions of one face: cookies, anti-forgery tokens and the limit on tries. */
export interface Sessions<Principal> {
  /**
   * Who sends this request: by `Authorization: Bearer`, else by the cookie. Throws `not-signed-in`,
   * `suspended`, and `csrf-token-invalid` for a write by cookie without the anti-forgery token.
   */
  authenticate(request: FastifyRequest): Promise<Session<Principal>>;
  /** Signs in and sets the cookies. Throws as the service does. */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    credentials: {
      readonly username: string;
      readonly password: string;
      readonly oneTimeCode?: string;
    },
  ): Promise<SignIn>;
  /** Throws FieldErrors for `currentPassword`, as if it were a sign-in that failed. */
  requirePassword(request: FastifyRequest, username: string, password: string): Promise<void>;
  /** Changes one's own password and sets the cookies. Throws as the service does. */
  changePassword(
    request: FastifyRequest,
    reply: FastifyReply,
    who: { readonly principalId: string; readonly username: string },
    passwords: { readonly currentPassword: string; readonly newPassword: string },
  ): Promise<SignIn>;
  /** Ends the session and clears its cookie. */
  signOut(reply: FastifyReply, session: Session<Principal>): Promise<void>;
}

interface CookieRules {
  readonly cookieName: string;
  /** The face's prefix: browsers send the cookie nowhere else. */
  readonly path: string;
}

/** Browsers keep a cookie no longer; the stored session says when it ends. */
const COOKIE_SECONDS_MAX = 400 * 24 * 60 * 60;
/** How long a browser is remembered in which somebody has signed in. */
const KNOWN_SECONDS = 365 * 24 * 60 * 60;
/** Tries for one username from one network in a minute of real time; as many in known browsers. */
const TRIES_MAX = 10;
const TRIES_WINDOW_MS = 60_000;
const USER_AGENT_MAX = 300;
/** Marks requests that a page sends by itself, which do not keep a session alive. */
const UNATTENDED = 'x-unattended';
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The token of `Authorization: Bearer …`. */
export const bearerToken = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

/** Call it in the face's own scope, before its routes: it brings in cookies. */
export async function createSessions<Principal>(
  app: FastifyInstance,
  deps: Deps,
  rules: SessionRules<Principal> & CookieRules,
): Promise<Sessions<Principal>> {
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  const { cookieName } = rules;
  const callerAddress = createCallerAddress(deps.trustedProxies);
  const cookies = createCookies(deps, rules);

  /** What the try of a request counts by. */
  const triedBy = new WeakMap<FastifyRequest, string>();
  const countTry = app.createRateLimit({
    max: TRIES_MAX,
    timeWindow: TRIES_WINDOW_MS,
    keyGenerator: (request: FastifyRequest) => triedBy.get(request) ?? '',
  });

  function originOf(request: FastifyRequest, username: string): SignInOrigin {
    const address = callerAddress(request.raw);
    const network = networkOf(address);
    return {
      address,
      userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
      network,
      isKnown: (passwordHash) => cookies.isKnown(request, username, passwordHash),
      replaces: request.cookies[cookieName],
      async count(known) {
        // A null character separates them: neither holds one.
        triedBy.set(request, `${known ? 'known ' : ''}${network}\0${username}`);
        const tries = await countTry(request);
        if (!tries.isAllowed && tries.isExceeded) throw new TooManyTries(tries.ttlInSeconds);
      },
    };
  }

  return {
    async authenticate(request) {
      const bearer = bearerToken(request);
      const token = bearer ?? request.cookies[cookieName];
      if (token === undefined)
        throw new Refused('not-signed-in', 'Sign in, or send Authorization: Bearer <token>.');
      const session = await findSession(deps, rules, token);
      if (bearer === undefined) requireCsrfToken(request, session.csrfToken);
      if (request.headers[UNATTENDED] === undefined) recordUse(deps, rules, session);
      return session;
    },
    async signIn(request, reply, credentials) {
      const { username } = credentials;
      const begun = await signIn(deps, rules, credentials, originOf(request, username));
      cookies.set(reply, username, begun);
      return begun.signIn;
    },
    async requirePassword(request, username, password) {
      await requirePassword(deps, rules, { username, password }, originOf(request, username));
    },
    async changePassword(request, reply, who, passwords) {
      const origin = originOf(request, who.username);
      const begun = await changeOwnPassword(deps, rules, who, passwords, origin);
      cookies.set(reply, who.username, begun);
      return begun.signIn;
    },
    async signOut(reply, { tokenHash }) {
      await signOut(deps, tokenHash);
      cookies.clear(reply);
    },
  };
}

/** The cookie of a session, and one by which a browser is known that has signed somebody in. */
function createCookies<Principal>(
  { vault, pathPrefix, secureCookies }: Deps,
  { kind, cookieName, path, fromLastUse }: SessionRules<Principal> & CookieRules,
) {
  const options = {
    path: pathPrefix + path,
    httpOnly: true,
    sameSite: 'strict',
    secure: secureCookies,
  } as const;
  const knownCookie = `${cookieName}_known`;
  /** Another password makes other marks: it is changed because somebody else may have them. */
  const marksOf = (username: string, passwordHash: string | null) =>
    vault
      .requestDigests(`known to ${kind} ${username}\0${passwordHash}`)
      .map((mark) => mark.toString('base64url'));
  return {
    /**
     * What strangers try with a name does not hold up the browsers of its owner. As much work for a
     * name that nobody has, of whom no browser has a mark.
     */
    isKnown({ cookies }: FastifyRequest, username: string, passwordHash: string | null) {
      const mark = marksOf(username, passwordHash).find((one) => isSame(cookies[knownCookie], one));
      return mark !== undefined && passwordHash !== null;
    },
    set(reply: FastifyReply, username: string, { signIn: { token }, passwordHash }: Begun) {
      const maxAge = fromLastUse ? { maxAge: COOKIE_SECONDS_MAX } : {};
      reply.setCookie(cookieName, token, { ...options, ...maxAge });
      const [mark] = marksOf(username, passwordHash) as [string];
      reply.setCookie(knownCookie, mark, { ...options, maxAge: KNOWN_SECONDS });
    },
    clear: (reply: FastifyReply) => reply.clearCookie(cookieName, options),
  };
}

/** A write that a browser sends with its cookie shows that it comes from our own pages. */
function requireCsrfToken({ method, headers }: FastifyRequest, csrfToken: string | null): void {
  if (SAFE_METHODS.has(method) || isSame(headers['x-csrf-token'], csrfToken)) return;
  throw new Refused(
    'csrf-token-invalid',
    'The X-CSRF-Token header must carry the csrfToken that the sign-in answered.',
  );
}

function isSame(given: string | string[] | undefined, expected: string | null): boolean {
  if (typeof given !== 'string' || expected === null) return false;
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
