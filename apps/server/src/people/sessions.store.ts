import {
  type ActiveOrSuspended,
  type Instant,
  type MemberId,
  OPERATORS_MAY,
  type OperatorRole,
  PORTAL_USERS_MAY,
  type PortalRole,
} from '@munshi/core';
import type pg from 'pg';
import {
  type Columns,
  columns,
  from,
  insertion,
  made,
  only,
  optional,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { bytesArray, plainArray, runPipeline } from '../platform/database/pipeline.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  type Page,
  queryOne,
  readsOne,
  statement,
  writes,
  writesOne,
} from '../platform/database/statement.ts';
import { PERSON_KINDS } from '../platform/sign-in/person-kinds.ts';
import { byPersonKind, CODE_KINDS, type CodeKind, rolesWith } from './person-tables.ts';

/** `operator-token`: a script token. */
export const SESSION_KINDS = [...PERSON_KINDS, 'operator-token'] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

const NEW = insertion('sessions', {
  /** SHA-256 of the token, in hex; the token itself is never stored. */
  tokenHash: t.hex,
  kind: t.oneOf<SessionKind>(),
  principalId: t.uuid,
  csrfToken: orNull(t.text),
  /** What a script token is for. */
  name: orNull(t.text),
  createdAt: t.instant,
  expiresAt: t.instant,
  /** Names it without its token; ids of one principal sort by time. */
  sessionId: t.uuid,
  /** From where, and by which browser; null of script tokens. */
  address: orNull(t.text),
  userAgent: orNull(t.text),
  previousSignInAt: orNull(t.instant),
  previousSignInAddress: orNull(t.text),
  madeBy: orNull(t.text),
});
type Stored = Parameters<typeof NEW.valuesOf>[0];
interface NewSession extends Omit<Stored, 'previousSignInAt' | 'previousSignInAddress' | 'madeBy'> {
  /** The sign-in before this one. */
  readonly previous: SignInPlace | null;
  /** By whom a script token was made, if not on the server. */
  readonly madeBy?: string | null;
}

/** When and from where somebody signed in. */
export interface SignInPlace {
  readonly at: Instant;
  readonly address: string;
}

/** A session that has not ended, with the state of its person. */
export interface FoundSession<Principal> {
  readonly principal: Principal;
  readonly status: ActiveOrSuspended;
  readonly kind: SessionKind;
  readonly csrfToken: string | null;
  /** To some minutes; a sign-in is a use. */
  readonly lastUsedAt: Instant | null;
  readonly expiresAt: Instant;
  readonly sessionId: string;
  readonly previous: SignInPlace | null;
}

/** When and from where, of columns `<name>_at` and `<name>_address`; null where it is not known. */
export const signInPlace = (alias: string, name: string) =>
  optional(
    columns(alias, {
      at: from(`${name}_at`, t.instant),
      address: from(`coalesce(${alias}.${name}_address, '')`, t.text),
    }),
    'at',
  );

/** Of the tables s, and that of the principal under its alias. */
const sessionOf = <Principal>(alias: string, principal: Columns<Principal>) =>
  columns('s', {
    principal,
    status: from(`${alias}.status`, t.oneOf<ActiveOrSuspended>()),
    kind: t.oneOf<SessionKind>(),
    csrfToken: orNull(t.text),
    lastUsedAt: from(
      `case
       when s.kind = 'operator-token' then s.last_used_at
       else coalesce(s.last_used_at, s.created_at)
     end`,
      orNull(t.instant),
    ),
    expiresAt: t.instant,
    sessionId: t.uuid,
    previous: signInPlace('s', 'previous_sign_in'),
  });

const bytea = (hex: string) => `\\x${hex}`;

export const insertSession = writes(
  'insert-session',
  NEW.into,
  ({ previous, madeBy = null, ...session }: NewSession) =>
    NEW.valuesOf({
      ...session,
      madeBy,
      previousSignInAt: previous?.at ?? null,
      previousSignInAddress: previous?.address ?? null,
    }),
);

const OPERATOR_SESSION = sessionOf(
  'o',
  columns('o', {
    id: from('o.operator_id', t.uuid),
    username: t.text,
    name: t.text,
    role: t.oneOf<OperatorRole>(),
    capabilities: made(from('o.role', t.oneOf<OperatorRole>()), OPERATORS_MAY.of),
    /** Admins need a one-time code here, and this one has none: they can only set it up. */
    mustSetUpCode: from(
      `s.kind = 'operator' and o.role in ${rolesWith('administer')} and p.require_one_time_code
       and not exists (
         select from operator_codes c
         where c.operator_id = o.operator_id and c.confirmed_at is not null
       )`,
      t.boolean,
    ),
  }),
);
export type OperatorPrincipal = RecordOf<typeof OPERATOR_SESSION>['principal'];

/** A sign-in to the console or the portal that nobody has used for so long has ended. */
const IDLE_MS = 30 * 60 * 1000;

/** An operator's sign-in or script token that has not ended by `now`. */
export const findOperatorSession = readsOne(
  'operator-session',
  `select ${OPERATOR_SESSION.list}
   from sessions s
   join operators o on o.operator_id = s.principal_id
   cross join settings p
   where s.token_hash = $1
     and s.kind in ('operator', 'operator-token')
     and s.expires_at > $2
     and (s.kind <> 'operator' or coalesce(s.last_used_at, s.created_at) > $3)`,
  OPERATOR_SESSION,
  (tokenHash: string, now: Instant) => [bytea(tokenHash), time(now), time(now - IDLE_MS)],
);

const PORTAL_SESSION = sessionOf(
  'u',
  columns('u', {
    portalUserId: t.uuid,
    username: t.text,
    name: t.text,
    role: t.oneOf<PortalRole>(),
    capabilities: made(from('u.role', t.oneOf<PortalRole>()), PORTAL_USERS_MAY.of),
    merchantId: t.uuid,
    merchantName: from('m.name', t.text),
  }),
);
/** One of a merchant's own people. */
export type PortalPrincipal = RecordOf<typeof PORTAL_SESSION>['principal'];

/** A portal user's sign-in that has not ended by `now`. */
export const findPortalSession = readsOne(
  'portal-session',
  `select ${PORTAL_SESSION.list}
   from sessions s
   join portal_users u on u.portal_user_id = s.principal_id
   join merchants m on m.merchant_id = u.merchant_id
   where s.token_hash = $1
     and s.kind = 'portal'
     and s.expires_at > $2
     and coalesce(s.last_used_at, s.created_at) > $3`,
  PORTAL_SESSION,
  (tokenHash: string, now: Instant) => [bytea(tokenHash), time(now), time(now - IDLE_MS)],
);

export interface SessionQuestion {
  readonly tokenHash: string;
  readonly now: Instant;
}

const MEMBER_SESSION = sessionOf(
  'm',
  columns('m', { memberId: t.id<MemberId>(), username: t.text, name: t.text }),
);
export type MemberPrincipal = RecordOf<typeof MEMBER_SESSION>['principal'];

const OF_MEMBERS = statement(
  'member-sessions',
  `select ${MEMBER_SESSION.list}
   from unnest($1::bytea[], $2::timestamptz[]) with ordinality as q (token_hash, now, n)
   left join sessions s
     on s.token_hash = q.token_hash
     and s.token_hash = any($1::bytea[])
     and s.kind = 'member'
     and s.expires_at > q.now
   left join members m on m.member_id = s.principal_id
   order by q.n`,
  optional(MEMBER_SESSION, 'status'),
);

export interface MemberSessionReader {
  memberSession(question: SessionQuestion): Promise<FoundSession<MemberPrincipal> | undefined>;
}

/** Members' sign-ins that have not ended by `now`. */
export async function readMemberSessions(
  lane: pg.Client,
  questions: readonly SessionQuestion[],
): Promise<readonly (FoundSession<MemberPrincipal> | undefined)[]> {
  const values = [
    bytesArray(questions.map(({ tokenHash }) => tokenHash)),
    plainArray(questions.map(({ now }) => time(now))),
  ];
  const [sessions] = await runPipeline(lane, [{ ...OF_MEMBERS, values }]);
  return sessions.map((session) => session ?? undefined);
}

const BEFORE = columns('before', { place: signInPlace('before', 'last_sign_in') });
const RECORD_SIGN_IN = byPersonKind(
  (kind, { table, id }) =>
    statement(
      `record-${kind}-sign-in`,
      `update ${table} p
       set last_sign_in_at = $2,
         last_sign_in_address = $3
       from ${table} before
       where p.${id} = $1 and before.${id} = p.${id}
       returning ${BEFORE.list}`,
      BEFORE,
    ),
  CODE_KINDS,
);

/** Writes down a sign-in; answers the one before. */
export async function recordSignIn(
  db: Queryable,
  kind: CodeKind,
  principalId: string,
  { at, address }: SignInPlace,
): Promise<SignInPlace | null> {
  const before = await queryOne(db, RECORD_SIGN_IN[kind], [principalId, time(at), address]);
  return before?.place ?? null;
}

/** Writes down a use; with `expiresAt` the session ends then. One that has ended stays ended. */
export const updateLastUse = writes(
  'update-last-use',
  `update sessions
   set last_used_at = $2,
     expires_at = coalesce($3, expires_at)
   where token_hash = $1 and expires_at > $2`,
  (
    tokenHash: string,
    { at, expiresAt }: { readonly at: Instant; readonly expiresAt: Instant | null },
  ) => [bytea(tokenHash), time(at), time(expiresAt)],
);

/** Ends one session; answers whose it was. */
export const deleteSession = readsOne(
  'delete-session',
  `delete from sessions
   where token_hash = $1
   returning principal_id`,
  only('principalId', t.uuid),
  (tokenHash: string) => [bytea(tokenHash)],
);

/** Ends every sign-in and script token of somebody, when their password changes. */
export const deleteAllSessionsOf = writes(
  'delete-all-sessions-of',
  `delete from sessions
   where principal_id = $1`,
  (principalId: string) => [principalId],
);

/**
 * Ends the sign-ins of an operator, and the script tokens that they made, for themselves or for
 * others: where another operator takes away what they signed in by.
 */
export const deleteByAnother = writes(
  'delete-sessions-by-another',
  `delete from sessions
   where (principal_id = $1::uuid and kind <> 'operator-token') or made_by = $1::text`,
  (principalId: string) => [principalId],
);

/** Ends the script tokens that other operators made for this one. */
export const deleteGivenTokens = writes(
  'delete-given-tokens',
  `delete from sessions
   where principal_id = $1::uuid
     and kind = 'operator-token'
     and made_by <> $1::text`,
  (principalId: string) => [principalId],
);

/** Ends the script tokens that an operator made for others. */
export const deleteLentTokens = writes(
  'delete-lent-tokens',
  `delete from sessions
   where made_by = $1::text and principal_id <> $1::uuid`,
  (principalId: string) => [principalId],
);

/** Ends every sign-in and script token of everybody; answers how many. */
export const deleteEverySession = writes('delete-every-session', `delete from sessions`, () => []);

/** Forgets the sign-ins of somebody that have ended by themselves. */
export const deleteEndedSessions = writes(
  'delete-ended-sessions',
  `delete from sessions
   where principal_id = $1 and expires_at <= $2`,
  (principalId: string, now: Instant) => [principalId, time(now)],
);

/** Ends all but the newest sign-ins of somebody. */
export const deleteOldestSessions = writes(
  'delete-oldest-sessions',
  `delete from sessions
   where token_hash in (
     select token_hash
     from sessions
     where principal_id = $1 and kind = $2
     order by created_at desc, token_hash
     offset $3
   )`,
  parameters({ principalId: t.uuid, kind: t.oneOf<SessionKind>(), keep: t.integer }),
);

/** Ends somebody's sign-ins, but for one of them, and no script token; answers how many. */
export const deleteOtherSignIns = writes(
  'delete-other-sign-ins',
  `delete from sessions
   where principal_id = $1
     and kind <> 'operator-token'
     and ($2::bytea is null or token_hash <> $2)`,
  (principalId: string, keep: string | null) => [principalId, keep && bytea(keep)],
);

const SIGN_IN = columns('', {
  sessionId: t.uuid,
  createdAt: t.instant,
  /** To some minutes. */
  lastUsedAt: from('coalesce(last_used_at, created_at)', t.instant),
  expiresAt: t.instant,
  address: orNull(t.text),
  userAgent: orNull(t.text),
});
/** A sign-in as its owner sees it. */
export type SignInRecord = RecordOf<typeof SIGN_IN>;

/** Somebody's sign-ins in force, the newest first. */
export const listSignIns = lists(
  'list-sign-ins',
  `select ${SIGN_IN.list}
   from sessions
   where principal_id = $1
     and kind <> 'operator-token'
     and expires_at > $2
     and (
       kind not in ('operator', 'portal')
       or coalesce(last_used_at, created_at) > $3
     )
     and ($4::uuid is null or session_id < $4)
   order by session_id desc
   limit $5`,
  SIGN_IN,
  ({
    principalId,
    now,
    after,
    limit,
  }: Page & { readonly principalId: string; readonly now: Instant }) => [
    principalId,
    time(now),
    time(now - IDLE_MS),
    after,
    limit,
  ],
);

/** Ends one of somebody's sign-ins; answers whether there was such a one. */
export const deleteSignIn = writesOne(
  'delete-sign-in',
  `delete from sessions
   where principal_id = $1 and session_id = $2 and kind <> 'operator-token'`,
  (principalId: string, sessionId: string) => [principalId, sessionId],
);
