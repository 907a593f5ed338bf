import type { Instant } from '@munshi/core';
import { only, t } from '../platform/database/columns.ts';
import { time } from '../platform/database/rows.ts';
import { readsOne, writes } from '../platform/database/statement.ts';

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

/** The picture with this SHA-256, in hex, as WebP. */
export const findLogo = readsOne(
  'find-logo',
  `select webp
   from logos
   where hash = $1`,
  only('webp', t.bytes),
  (hash: string) => [hash],
);
