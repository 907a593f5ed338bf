import { answers, only, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { lockFor, query, readsAll, writes } from '../platform/database/statement.ts';

/** What distinguishes master keys, and one of the secrets that each has sealed. */

const LOCK_CHECKS = lockFor('lock-master-key-checks', `'munshi master keys'`);

/** Until the end of the transaction nobody else compares or changes the checks. */
export async function lockMasterKeyChecks(db: Queryable): Promise<void> {
  await query(db, LOCK_CHECKS);
}

/** A value of each master key that the database knows; none in a new database. */
export const readMasterKeyChecks = readsAll(
  'read-master-key-checks',
  `select check_value
   from master_key_checks
   order by check_value
   limit 100`,
  only('checkValue', t.text),
);

export const insertMasterKeyCheck = writes(
  'insert-master-key-check',
  `insert into master_key_checks (check_value)
   values ($1)
   on conflict do nothing`,
  (checkValue: string) => [checkValue],
);

/** Forgets every master key but this one. */
export const keepMasterKeyCheck = writes(
  'delete-other-master-key-checks',
  `delete from master_key_checks
   where check_value <> $1`,
  (checkValue: string) => [checkValue],
);

const SECRET = answers({
  merchantId: t.text,
  keyId: t.text,
  sealed: t.bytes,
  sealKeyId: t.text,
});

/**
 * Of every master key that has sealed the secret of an active API key, one such secret; the same of
 * one-time codes; and every other secret that is sealed: the key of masked terms, the private key
 * of Web Push, the headers of alert channels.
 */
export const readSecretOfEachSeal = readsAll(
  'secret-of-each-seal',
  `(
     select distinct on (seal_key_id) merchant_id::text, key_id::text, sealed_secret as sealed,
       seal_key_id
     from api_keys
     where revoked_at is null and sealed_secret is not null
     order by seal_key_id, key_id
     limit 100
   )
   union all
   (
     select distinct on (seal_key_id) 'operator', operator_id::text, sealed_secret, seal_key_id
     from operator_codes
     order by seal_key_id, operator_id
     limit 100
   )
   union all
   (
     select distinct on (seal_key_id) 'portal', portal_user_id::text, sealed_secret, seal_key_id
     from portal_codes
     order by seal_key_id, portal_user_id
     limit 100
   )
   union all
   select 'platform', 'terms', sealed_key, seal_key_id
   from terms_key
   union all
   select 'platform', 'push', sealed_private_key, seal_key_id
   from push_keys
   union all
   select 'platform', 'alert-' || position, sealed_headers, seal_key_id
   from alert_channels`,
  SECRET,
);
