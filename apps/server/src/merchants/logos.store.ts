import { insertion, only, t } from '../platform/database/columns.ts';
import { readsOne, writes } from '../platform/database/statement.ts';

const NEW = insertion('logos', { hash: t.text, webp: t.bytes, createdAt: t.instant });

/** Keeps a picture under its SHA-256, in hex. It is there for as long as the database. */
export const keepLogo = writes(
  'keep-logo',
  `${NEW.into}
   on conflict do nothing`,
  NEW.valuesOf,
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
