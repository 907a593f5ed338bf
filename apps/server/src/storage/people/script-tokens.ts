import type { Instant } from '@munshi/core';
import { answers, orNull, t } from '../columns.ts';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { type Page, query, statement, unprepared } from '../statement.ts';

/** Script tokens of operators are rows of `sessions` with a name. */

/** How long a script token works that nobody gives another end. */
export const TOKEN_DAYS = 90;
export const DAY_MS = 24 * 60 * 60 * 1000;

/** A script token that is in force. */
export interface TokenRecord {
  readonly tokenId: string;
  readonly name: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** To some minutes; null: never. */
  readonly lastUsedAt: Instant | null;
}

const readToken = (row: Row): TokenRecord => ({
  tokenId: row['session_id'],
  name: row['name'] ?? '',
  createdAt: row['created_at'],
  expiresAt: row['expires_at'],
  lastUsedAt: row['last_used_at'],
});

const LIST = unprepared(
  'list-tokens',
  `select session_id, name, created_at, expires_at, last_used_at
   from sessions
   where principal_id = $1
     and kind = 'operator-token'
     and expires_at > $2
     and ($3::uuid is null or session_id < $3)
   order by session_id desc
   limit $4`,
);

/** The script tokens of an operator that have not ended by `now`, the newest first. */
export async function listTokens(
  db: Queryable,
  { operatorId, now, after, limit }: Page & { readonly operatorId: string; readonly now: Instant },
): Promise<readonly TokenRecord[]> {
  return (await query(db, LIST, [operatorId, time(now), after, limit])).map(readToken);
}

const DELETE = statement(
  'delete-tokens',
  `delete from sessions
   where principal_id = $1
     and kind = 'operator-token'
     and ($2::uuid is null or session_id = $2)
     and expires_at > $3
   returning name`,
  answers({ name: orNull(t.text) }),
);

/** Ends one script token of an operator that is in force, or all; answers their names. */
export async function deleteTokens(
  db: Queryable,
  {
    operatorId,
    tokenId,
    now,
  }: { readonly operatorId: string; readonly tokenId: string | null; readonly now: Instant },
): Promise<readonly string[]> {
  const rows = await query(db, DELETE, [operatorId, tokenId, time(now)]);
  return rows.map(({ name }) => name ?? '');
}
