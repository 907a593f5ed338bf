import type { Instant } from '@munshi/core';
import { answers, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, statement, writes } from '../platform/database/statement.ts';

/** Keeps a picture under its SHA-256, in hex. It is there for as long as the database. */
export const keepLogo = writes(
  'keep-logo',
  `insert into logos (hash, webp, created_at)
   values ($1, $2, $3)
   on conflict do nothing`,
  (logo: { readonly hash: string; readonly webp: Buffer; readonly createdAt: Instant }) => [
    logo.hash,
    logo.webp,
    time(logo.createdAt),
  ],
);

const FIND = statement(
  'find-logo',
  `select webp
   from logos
   where hash = $1`,
  answers({ webp: t.bytes }),
);

/** The picture with this SHA-256, in hex, as WebP. */
export async function findLogo(db: Queryable, hash: string): Promise<Buffer | undefined> {
  const [row] = await query(db, FIND, [hash]);
  return row?.webp;
}
