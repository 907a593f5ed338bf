import type { Instant } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from './db.ts';
import { bytesArray, fly, plainArray } from './flight.ts';
import { type Row, time } from './rows.ts';

/** `operator-token`: a script token. */
export type SessionKind = 'operator' | 'operator-token' | 'member';

export interface NewSession {
  /** Names it without its token; ids of one principal sort by time. */
  readonly sessionId: string;
  /** SHA-256 of the token, in hex; the token itself is never stored. */
  readonly tokenHash: string;
  readonly kind: SessionKind;
  readonly principalId: string;
  readonly csrfToken: string | null;
  /** What a script token is for. */
  readonly name: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A session that has not ended, with the state of whoever it belongs to. */
export interface FoundSession<Principal> {
  readonly principal: Principal;
  readonly status: 'active' | 'suspended';
  readonly kind: SessionKind;
  readonly csrfToken: string | null;
  /** To some minutes; a sign-in is a use. */
  readonly lastUsedAt: Instant | null;
  readonly expiresAt: Instant;
}

const SESSION_COLUMNS = `s.kind, s.csrf_token, s.expires_at,
  case when s.kind = 'operator-token' then s.last_used_at else coalesce(s.last_used_at, s.created_at) end as last_used_at`;

const readSession = <Principal>(row: Row, principal: Principal): FoundSession<Principal> => ({
  principal,
  status: row['status'],
  kind: row['kind'],
  csrfToken: row['csrf_token'],
  lastUsedAt: row['last_used_at'],
  expiresAt: row['expires_at'],
});

export type OperatorRole = 'viewer' | 'support' | 'admin';

export interface OperatorPrincipal {
  readonly operatorId: string;
  readonly username: string;
  readonly name: string;
  readonly role: OperatorRole;
}

export interface MemberPrincipal {
  readonly memberId: string;
  readonly username: string;
  readonly name: string;
}

/** How long a script token works that nobody gives another end. */
export const TOKEN_DAYS = 90;
export const DAY_MS = 24 * 60 * 60 * 1000;

const bytea = (hex: string) => `\\x${hex}`;

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  const text = `insert into sessions (token_hash, kind, principal_id, csrf_token, name, created_at, expires_at, session_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`;
  const { sessionId, tokenHash, kind, principalId, csrfToken, name, createdAt, expiresAt } =
    session;
  const values = [
    bytea(tokenHash),
    kind,
    principalId,
    csrfToken,
    name,
    time(createdAt),
    time(expiresAt),
    sessionId,
  ];
  await db.query({ name: 'insert-session', text, values });
}

/** An operator's sign-in or script token that has not ended by `now`. */
export async function findOperatorSession(
  db: Queryable,
  tokenHash: string,
  now: Instant,
): Promise<FoundSession<OperatorPrincipal> | undefined> {
  const text = `select ${SESSION_COLUMNS}, o.operator_id, o.username, o.name, o.role, o.status
    from sessions s join operators o on o.operator_id = s.principal_id
    where s.token_hash = $1 and s.kind in ('operator', 'operator-token') and s.expires_at > $2`;
  const { rows } = await db.query({
    name: 'operator-session',
    text,
    values: [bytea(tokenHash), time(now)],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const principal = {
    operatorId: row.operator_id,
    username: row.username,
    name: row.name,
    role: row.role,
  };
  return readSession(row, principal);
}

export interface SessionQuestion {
  readonly tokenHash: string;
  readonly now: Instant;
}

const MEMBER_SESSIONS = `select ${SESSION_COLUMNS}, m.member_id, m.username, m.name, m.status
  from unnest($1::bytea[], $2::timestamptz[]) with ordinality as q (token_hash, now, n)
  left join lateral (select * from sessions where token_hash = q.token_hash and kind = 'member' and expires_at > q.now limit 1) s on true
  left join lateral (select * from members where member_id = s.principal_id limit 1) m on true order by q.n`;

/** Members' sign-ins that have not ended by `now`. */
export async function readMemberSessions(
  lane: pg.Client,
  questions: readonly SessionQuestion[],
): Promise<readonly (FoundSession<MemberPrincipal> | undefined)[]> {
  const values = [
    bytesArray(questions.map(({ tokenHash }) => tokenHash)),
    plainArray(questions.map(({ now }) => time(now))),
  ];
  const [rows = []] = await fly(lane, [{ name: 'member-sessions', text: MEMBER_SESSIONS, values }]);
  return rows.map((row) => {
    if (row['member_id'] === null) return undefined;
    const principal = { memberId: row['member_id'], username: row['username'], name: row['name'] };
    return readSession(row, principal);
  });
}

/** Ends one session; answers whose it was. */
export async function deleteSession(db: Queryable, tokenHash: string): Promise<string | undefined> {
  const text = 'delete from sessions where token_hash = $1 returning principal_id';
  const { rows } = await db.query({ name: 'delete-session', text, values: [bytea(tokenHash)] });
  return rows[0]?.principal_id;
}

/** Writes down a use; with `expiresAt` the session ends then. One that has ended stays ended. */
export async function updateLastUse(
  db: Queryable,
  tokenHash: string,
  { at, expiresAt }: { readonly at: Instant; readonly expiresAt: Instant | null },
): Promise<void> {
  const text =
    'update sessions set last_used_at = $2, expires_at = coalesce($3, expires_at) where token_hash = $1 and expires_at > $2';
  await db.query({ name: 'last-use', text, values: [bytea(tokenHash), time(at), time(expiresAt)] });
}

/** Ends every sign-in and script token of somebody, when their password changes. */
export async function deleteAllSessionsOf(db: Queryable, principalId: string): Promise<void> {
  await db.query({
    name: 'delete-all-sessions-of',
    text: 'delete from sessions where principal_id = $1',
    values: [principalId],
  });
}

/** A script token that is in force. */
export interface TokenRecord {
  readonly tokenId: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** To some minutes; null: never. */
  readonly lastUsedAt: Instant | null;
}

/**
 * The script tokens of an operator that have not ended by `now`, the newest first, older than
 * `after`.
 */
export async function listTokens(
  db: Queryable,
  {
    operatorId,
    now,
    after,
    limit,
  }: {
    readonly operatorId: string;
    readonly now: Instant;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<readonly TokenRecord[]> {
  const text = `select session_id, name, created_at, expires_at, last_used_at from sessions
    where principal_id = $1 and kind = 'operator-token' and expires_at > $2 and ($3::uuid is null or session_id < $3) order by session_id desc limit $4`;
  const { rows } = await db.query({ text, values: [operatorId, time(now), after, limit] });
  return rows.map((row) => ({
    tokenId: row.session_id,
    name: row.name ?? '',
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }));
}

/** Ends one script token of an operator that is in force, or all; answers their names. */
export async function deleteTokens(
  db: Queryable,
  {
    operatorId,
    tokenId,
    now,
  }: { readonly operatorId: string; readonly tokenId: string | null; readonly now: Instant },
): Promise<readonly string[]> {
  const text = `delete from sessions
    where principal_id = $1 and kind = 'operator-token' and ($2::uuid is null or session_id = $2) and expires_at > $3 returning name`;
  const { rows } = await db.query({ text, values: [operatorId, tokenId, time(now)] });
  return rows.map(({ name }) => name ?? '');
}

/** Forgets the sign-ins of somebody that have ended by themselves. */
export async function deleteEndedSessions(
  db: Queryable,
  principalId: string,
  now: Instant,
): Promise<void> {
  const text = 'delete from sessions where principal_id = $1 and expires_at <= $2';
  await db.query({ name: 'delete-ended-sessions', text, values: [principalId, time(now)] });
}

/** Ends all but the newest sign-ins of somebody. */
export async function deleteOldestSessions(
  db: Queryable,
  {
    principalId,
    kind,
    keep,
  }: { readonly principalId: string; readonly kind: SessionKind; readonly keep: number },
): Promise<void> {
  const text = `delete from sessions where token_hash in (
    select token_hash from sessions where principal_id = $1 and kind = $2 order by created_at desc, token_hash offset $3)`;
  await db.query({ name: 'delete-oldest-sessions', text, values: [principalId, kind, keep] });
}

/** Who signs in with a username: what is needed to check the password. */
export interface SignInCandidate {
  readonly principalId: string;
  /** Null for operators who work by script token alone. */
  readonly passwordHash: string | null;
  readonly status: 'active' | 'suspended';
}

const candidate = (
  row: { id: string; password_hash: string | null; status: 'active' | 'suspended' } | undefined,
): SignInCandidate | undefined =>
  row && { principalId: row.id, passwordHash: row.password_hash, status: row.status };

/**
 * The stored hash of somebody's password, which stays as it is until the transaction ends: who has
 * proven the one before is not let in after a change. Null without a password; undefined for
 * nobody.
 */
export async function holdPassword(
  client: pg.PoolClient,
  kind: 'operator' | 'member',
  principalId: string,
): Promise<string | null | undefined> {
  const { rows } = await client.query({ ...HOLD_PASSWORD[kind], values: [principalId] });
  return rows[0]?.password_hash;
}
const HOLD_PASSWORD = {
  operator: {
    name: 'hold-operator-password',
    text: 'select password_hash from operators where operator_id = $1 for share',
  },
  member: {
    name: 'hold-member-password',
    text: 'select password_hash from members where member_id = $1 for share',
  },
};

/** Changes a password that is still the one which was checked; answers whether it was. */
export async function updatePassword(
  db: Queryable,
  kind: 'operator' | 'member',
  {
    principalId,
    from,
    to,
  }: { readonly principalId: string; readonly from: string | null; readonly to: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    ...UPDATE_PASSWORD[kind],
    values: [principalId, from, to],
  });
  return rowCount === 1;
}
const UPDATE_PASSWORD = {
  operator: {
    name: 'update-operator-password',
    text: 'update operators set password_hash = $3 where operator_id = $1 and password_hash = $2',
  },
  member: {
    name: 'update-member-password',
    text: 'update members set password_hash = $3 where member_id = $1 and password_hash = $2',
  },
};

export async function findOperatorByUsername(
  db: Queryable,
  username: string,
): Promise<SignInCandidate | undefined> {
  const text = 'select operator_id as id, password_hash, status from operators where username = $1';
  const { rows } = await db.query({ name: 'operator-by-username', text, values: [username] });
  return candidate(rows[0]);
}

export async function findMemberByUsername(
  db: Queryable,
  username: string,
): Promise<SignInCandidate | undefined> {
  const text = 'select member_id as id, password_hash, status from members where username = $1';
  const { rows } = await db.query({ name: 'member-by-username', text, values: [username] });
  return candidate(rows[0]);
}
