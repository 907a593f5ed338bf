import type { Instant } from '@munshi/core';
import { columns, from, t } from '../../platform/database/columns.ts';
import { time } from '../../platform/database/rows.ts';
import { readsOne, writes } from '../../platform/database/statement.ts';
import type { SealedSecret } from '../../platform/vault.ts';

/** The key of the hashes that stand in place of the compared terms of masked orders. */

const KEY = columns('', { sealed: from('sealed_key', t.bytes), sealKeyId: t.text });

export const readTermsKey = readsOne(
  'read-terms-key',
  `select ${KEY.list}
   from terms_key`,
  KEY,
);

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
