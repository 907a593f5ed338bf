import type { Instant } from '@munshi/core';
import { answers, t } from '../../platform/database/columns.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { time } from '../../platform/database/rows.ts';
import { query, statement, writes } from '../../platform/database/statement.ts';
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

/** The first key stays: hashes are made with it. */
export const keepTermsKey = writes(
  'keep-terms-key',
  `insert into terms_key (sealed_key, seal_key_id, created_at)
   values ($1, $2, $3)
   on conflict do nothing`,
  ({ sealed, sealKeyId }: SealedSecret, now: Instant) => [sealed, sealKeyId, time(now)],
);

export const resealTermsKey = writes(
  'reseal-terms-key',
  `update terms_key
   set sealed_key = $1,
     seal_key_id = $2`,
  ({ sealed, sealKeyId }: SealedSecret) => [sealed, sealKeyId],
);

/** Forgets a key that none of these seals has sealed. */
export const forgetTermsKeySealedOtherwise = writes(
  'forget-terms-key-sealed-otherwise',
  `delete from terms_key
   where seal_key_id <> all($1::text[])`,
  (sealKeyIds: readonly string[]) => [sealKeyIds],
);
