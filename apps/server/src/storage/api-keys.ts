import type { Instant } from '@munshi/core';
import type { SealedSecret, SecretOwner } from '../vault.ts';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';

export interface NewApiKey extends SealedSecret {
  readonly merchantId: string;
  readonly keyId: string;
  /** SHA-256 of the key, in hex. */
  readonly keyHash: string;
  readonly prefix: string;
  readonly createdAt: Instant;
}

/** What may be shown of a key after it was issued. */
export interface ApiKeyRecord {
  readonly keyId: string;
  readonly prefix: string;
  readonly createdAt: Instant;
  readonly revokedAt: Instant | null;
}

const readKey = (row: Row): ApiKeyRecord => ({
  keyId: row['key_id'],
  prefix: row['prefix'],
  createdAt: row['created_at'],
  revokedAt: row['revoked_at'],
});

export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<void> {
  const text = `insert into api_keys (merchant_id, key_id, key_hash, prefix, sealed_secret, seal_key_id, created_at) values ($1, $2, $3, $4, $5, $6, $7)`;
  const { merchantId, keyId, keyHash, prefix, sealed, sealKeyId, createdAt } = key;
  await db.query({
    text,
    values: [merchantId, keyId, `\\x${keyHash}`, prefix, sealed, sealKeyId, time(createdAt)],
  });
}

/** Revokes every active key of a merchant; answers their ids. */
export async function revokeApiKeys(
  db: Queryable,
  merchantId: string,
  at: Instant,
): Promise<readonly string[]> {
  const text =
    'update api_keys set revoked_at = $2 where merchant_id = $1 and revoked_at is null returning key_id';
  const { rows } = await db.query({ text, values: [merchantId, time(at)] });
  return rows.map((row) => row.key_id);
}

/** Revokes one key; a revoked one keeps its time. Undefined when the merchant has no such key. */
export async function revokeApiKey(
  db: Queryable,
  merchantId: string,
  keyId: string,
  at: Instant,
): Promise<ApiKeyRecord | undefined> {
  const text = `update api_keys set revoked_at = coalesce(revoked_at, $3) where merchant_id = $1 and key_id = $2
    returning key_id, prefix, created_at, revoked_at`;
  const { rows } = await db.query({ text, values: [merchantId, keyId, time(at)] });
  return rows[0] && readKey(rows[0]);
}

/** A merchant's keys, the newest first: their ids sort by time. */
export async function listApiKeys(
  db: Queryable,
  {
    merchantId,
    after,
    limit,
  }: { readonly merchantId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly ApiKeyRecord[]> {
  const text = `select key_id, prefix, created_at, revoked_at from api_keys
    where merchant_id = $1 and ($2::uuid is null or key_id < $2) order by key_id desc limit $3`;
  const { rows } = await db.query({ text, values: [merchantId, after, limit] });
  return rows.map(readKey);
}

/**
 * Signing secrets of active API keys that another master key than the one named has sealed, at most
 * `limit` of them. Nobody asks for those of revoked keys.
 */
export async function readSecretsSealedOtherwise(
  db: Queryable,
  sealKeyId: string,
  limit: number,
): Promise<readonly (SecretOwner & SealedSecret)[]> {
  const text =
    'select merchant_id, key_id, sealed_secret, seal_key_id from api_keys where seal_key_id <> $1 and revoked_at is null order by key_id limit $2';
  const { rows } = await db.query({ text, values: [sealKeyId, limit] });
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    keyId: row.key_id,
    sealed: row.sealed_secret,
    sealKeyId: row.seal_key_id,
  }));
}

/** Puts the same secret, sealed anew, in the place of each. */
export async function putSealedSecrets(
  db: Queryable,
  secrets: readonly ({ readonly keyId: string } & SealedSecret)[],
): Promise<void> {
  const text = `update api_keys k set sealed_secret = row.sealed, seal_key_id = row.seal_key_id
    from unnest($1::uuid[], $2::bytea[], $3::text[]) as row (key_id, sealed, seal_key_id) where k.key_id = row.key_id`;
  await db.query({
    text,
    values: [
      secrets.map(({ keyId }) => keyId),
      secrets.map(({ sealed }) => sealed),
      secrets.map(({ sealKeyId }) => sealKeyId),
    ],
  });
}
