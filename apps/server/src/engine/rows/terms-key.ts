import type { Instant } from '@munshi/core';
import { answers, t } from '../../platform/database/columns.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { time } from '../../platform/database/rows.ts';
import { execute, query, statement } from '../../platform/database/statement.ts';
import type { SealedSecret } from '../../platform/vault.ts';

/** The key of the hashes that stand in place of the compared terms of masked orders. */

const READ = statement(
  'read-terms-key',
  `select sealed_key, seal_key_id
   from terms_key`,
  answers({ sealedKey: t.bytes, sealKeyId: t.text }),
);

export async function readTermsKey(db: Queryable): Promise<SealedSecret | undefined> {
  const [row] = await query(db, READ);
  return row && { sealed: row.sealedKey, sealKeyId: row.sealKeyId };
}

const KEEP = statement(
  'keep-terms-key',
  `insert into terms_key (sealed_key, seal_key_id, created_at)
   values ($1, $2, $3)
   on conflict do nothing`,
);

/** The first key stays: hashes are made with it. */
export async function keepTermsKey(
  db: Queryable,
  { sealed, sealKeyId }: SealedSecret,
  now: Instant,
): Promise<void> {
  await execute(db, KEEP, [sealed, sealKeyId, time(now)]);
}

const RESEAL = statement(
  'reseal-terms-key',
  `update terms_key
   set sealed_key = $1,
     seal_key_id = $2`,
);

export async function resealTermsKey(
  db: Queryable,
  { sealed, sealKeyId }: SealedSecret,
): Promise<void> {
  await execute(db, RESEAL, [sealed, sealKeyId]);
}

const FORGET = statement(
  'forget-terms-key-sealed-otherwise',
  `delete from terms_key
   where seal_key_id <> all($1::text[])`,
);

/** Forgets a key that none of these seals has sealed. */
export async function forgetTermsKeySealedOtherwise(
  db: Queryable,
  sealKeyIds: readonly string[],
): Promise<void> {
  await execute(db, FORGET, [sealKeyIds]);
}
