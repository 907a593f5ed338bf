import type { Instant, OperatorRole } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from './db.ts';
import { bytesArray, plainArray, runPipeline } from './pipeline.ts';
import { type Row, time } from './rows.ts';
import { execute, query, statement } from './statement.ts';

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

const SESSION_COLUMNS = `s.kind, s.csrf_token, s.expires_at,
     case
       when s.kind = 'operator-token' then s.last_used_at
       else coalesce(s.last_used_at, s.created_at)
     end as last_used_at`;

const readSession = <Principal>(row: Row, principal: Principal): FoundSession<Principal> => ({
  principal,
  status: row['status'],
  kind: row['kind'],
  csrfToken: row['csrf_token'],
  lastUsedAt: row['last_used_at'],
  expiresAt: row['expires_at'],
});

const bytea = (hex: string) => `\\x${hex}`;

const INSERT = statement(
  'insert-session',
  `insert into sessions (
     token_hash, kind, principal_id, csrf_token, name, created_at, expires_at, session_id
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await execute(db, INSERT, [
    bytea(session.tokenHash),
    session.kind,
    session.principalId,
    session.csrfToken,
    session.name,
    time(session.createdAt),
    time(session.expiresAt),
    session.sessionId,
  ]);
}

const OF_OPERATOR = statement(
  'operator-session',
  `select ${SESSION_COLUMNS}, o.operator_id, o.username, o.name, o.role, o.status
   from sessions s
   join operators o on o.operator_id = s.principal_id
   where s.token_hash = $1
     and s.kind in ('operator', 'operator-token')
     and s.expires_at > $2`,
);

/** An operator's sign-in or script token that has not ended by `now`. */
export async function findOperatorSession(
  db: Queryable,
  tokenHash: string,
  now: Instant,
): Promise<FoundSession<OperatorPrincipal> | undefined> {
  const [row] = await query(db, OF_OPERATOR, [bytea(tokenHash), time(now)]);
  if (row === undefined) return undefined;
  return readSession(row, {
    operatorId: row['operator_id'],
    username: row['username'],
    name: row['name'],
    role: row['role'],
  });
}

export interface SessionQuestion {
  readonly tokenHash: string;
  readonly now: Instant;
}

const OF_MEMBERS = statement(
  'member-sessions',
  `select ${SESSION_COLUMNS}, m.member_id, m.username, m.name, m.status
   from unnest($1::bytea[], $2::timestamptz[]) with ordinality as q (token_hash, now, n)
   left join sessions s
     on s.token_hash = q.token_hash
     and s.token_hash = any($1::bytea[])
     and s.kind = 'member'
     and s.expires_at > q.now
   left join members m on m.member_id = s.principal_id
   order by q.n`,
);

/** Members' sign-ins that have not ended by `now`. */
export async function readMemberSessions(
  lane: pg.Client,
  questions: readonly SessionQuestion[],
): Promise<readonly (FoundSession<MemberPrincipal> | undefined)[]> {
  const values = [
    bytesArray(questions.map(({ tokenHash }) => tokenHash)),
    plainArray(questions.map(({ now }) => time(now))),
  ];
  const [rows = []] = await runPipeline(lane, [{ ...OF_MEMBERS, values }]);
  return rows.map((row) => {
    if (row['member_id'] === null) return undefined;
    const principal = { memberId: row['member_id'], username: row['username'], name: row['name'] };
    return readSession(row, principal);
  });
}

const UPDATE_LAST_USE = statement(
  'update-last-use',
  `update sessions
   set last_used_at = $2,
     expires_at = coalesce($3, expires_at)
   where token_hash = $1 and expires_at > $2`,
);

/** Writes down a use; with `expiresAt` the session ends then. One that has ended stays ended. */
export async function updateLastUse(
  db: Queryable,
  tokenHash: string,
  { at, expiresAt }: { readonly at: Instant; readonly expiresAt: Instant | null },
): Promise<void> {
  await execute(db, UPDATE_LAST_USE, [bytea(tokenHash), time(at), time(expiresAt)]);
}

const DELETE = statement<{ readonly principal_id: string }>(
  'delete-session',
  `delete from sessions
   where token_hash = $1
   returning principal_id`,
);

/** Ends one session; answers whose it was. */
export async function deleteSession(db: Queryable, tokenHash: string): Promise<string | undefined> {
  const [row] = await query(db, DELETE, [bytea(tokenHash)]);
  return row?.principal_id;
}

const DELETE_ALL = statement(
  'delete-all-sessions-of',
  `delete from sessions
   where principal_id = $1`,
);

/** Ends every sign-in and script token of somebody, when their password changes. */
export async function deleteAllSessionsOf(db: Queryable, principalId: string): Promise<void> {
  await execute(db, DELETE_ALL, [principalId]);
}

const DELETE_ENDED = statement(
  'delete-ended-sessions',
  `delete from sessions
   where principal_id = $1 and expires_at <= $2`,
);

/** Forgets the sign-ins of somebody that have ended by themselves. */
export async function deleteEndedSessions(
  db: Queryable,
  principalId: string,
  now: Instant,
): Promise<void> {
  await execute(db, DELETE_ENDED, [principalId, time(now)]);
}

const DELETE_OLDEST = statement(
  'delete-oldest-sessions',
  `delete from sessions
   where token_hash in (
     select token_hash
     from sessions
     where principal_id = $1 and kind = $2
     order by created_at desc, token_hash
     offset $3
   )`,
);

/** Ends all but the newest sign-ins of somebody. */
export async function deleteOldestSessions(
  db: Queryable,
  {
    principalId,
    kind,
    keep,
  }: { readonly principalId: string; readonly kind: SessionKind; readonly keep: number },
): Promise<void> {
  await execute(db, DELETE_OLDEST, [principalId, kind, keep]);
}
