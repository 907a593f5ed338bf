import type { Instant } from '@munshi/core';
import type { SealedSecret, SecretOwner } from '../vault.ts';
import type { Queryable } from './db.ts';
import { time } from './rows.ts';

/** Until the end of the transaction nobody else compares or changes the checks. */
export async function lockMasterKeyChecks(db: Queryable): Promise<void> {
  await db.query('select pg_advisory_xact_lock(7240502)');
}

/**
 * A value of each master key that the database knows; none in one that is new, or older than these
 * checks.
 */
export async function readMasterKeyChecks(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db.query<{ check_value: string }>(
    'select check_value from master_key_checks order by check_value limit 100',
  );
  return rows.map((row) => row.check_value);
}

export async function insertMasterKeyCheck(db: Queryable, checkValue: string): Promise<void> {
  await db.query('insert into master_key_checks (check_value) values ($1) on conflict do nothing', [
    checkValue,
  ]);
}

/** Forgets every master key but this one. */
export async function keepMasterKeyCheck(db: Queryable, checkValue: string): Promise<void> {
  await db.query('delete from master_key_checks where check_value <> $1', [checkValue]);
}

/** Of every master key that has sealed the secret of an active API key, one such secret. */
export async function readSecretOfEachSeal(
  db: Queryable,
): Promise<readonly (SecretOwner & SealedSecret)[]> {
  const text = `select distinct on (seal_key_id) merchant_id, key_id, sealed_secret, seal_key_id from api_keys
    where revoked_at is null and sealed_secret is not null order by seal_key_id, key_id limit 100`;
  const { rows } = await db.query({ text });
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    keyId: row.key_id,
    sealed: row.sealed_secret,
    sealKeyId: row.seal_key_id,
  }));
}

/** Revokes every API key whose secret none of these seals has sealed; answers how many. */
export async function revokeKeysSealedOtherwise(
  db: Queryable,
  sealKeyIds: readonly string[],
  at: Instant,
): Promise<number> {
  const text = `update api_keys set revoked_at = $2 where revoked_at is null and sealed_secret is not null and seal_key_id <> all($1::text[])`;
  const { rowCount } = await db.query({ text, values: [sealKeyIds, time(at)] });
  return rowCount ?? 0;
}
