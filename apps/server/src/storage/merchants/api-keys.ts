import type { Instant } from '@munshi/core';
import type pg from 'pg';
import type { SigningKey } from '../../sign-webhook.ts';
import type { SealedSecret } from '../../vault.ts';
import type { Queryable } from '../db.ts';
import { bytesArray, plainArray, runPipeline } from '../pipeline.ts';
import { type Row, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';

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

const readRecord = (row: Row): ApiKeyRecord => ({
  keyId: row['key_id'],
  prefix: row['prefix'],
  createdAt: row['created_at'],
  revokedAt: row['revoked_at'],
});

const INSERT = statement(
  'insert-api-key',
  `insert into api_keys
     (merchant_id, key_id, key_hash, prefix, sealed_secret, seal_key_id, created_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<void> {
  const { merchantId, keyId, keyHash, prefix, sealed, sealKeyId, createdAt } = key;
  const hash = `\\x${keyHash}`;
  await execute(db, INSERT, [merchantId, keyId, hash, prefix, sealed, sealKeyId, time(createdAt)]);
}

const REVOKE_ALL = statement<{ readonly key_id: string }>(
  'revoke-api-keys',
  `update api_keys
   set revoked_at = $2
   where merchant_id = $1 and revoked_at is null
   returning key_id`,
);

/** Revokes every active key of a merchant; answers their ids. */
export async function revokeApiKeys(
  db: Queryable,
  merchantId: string,
  at: Instant,
): Promise<readonly string[]> {
  const rows = await query(db, REVOKE_ALL, [merchantId, time(at)]);
  return rows.map((row) => row.key_id);
}

const REVOKE = statement(
  'revoke-api-key',
  `update api_keys
   set revoked_at = coalesce(revoked_at, $3)
   where merchant_id = $1 and key_id = $2
   returning key_id, prefix, created_at, revoked_at`,
);

/** Revokes one key; a revoked one keeps its time. Undefined when the merchant has no such key. */
export async function revokeApiKey(
  db: Queryable,
  merchantId: string,
  keyId: string,
  at: Instant,
): Promise<ApiKeyRecord | undefined> {
  const [row] = await query(db, REVOKE, [merchantId, keyId, time(at)]);
  return row && readRecord(row);
}

const LIST = unprepared(
  'list-api-keys',
  `select key_id, prefix, created_at, revoked_at
   from api_keys
   where merchant_id = $1
     and ($2::uuid is null or key_id < $2)
   order by key_id desc
   limit $3`,
);

/** A merchant's keys, the newest first: their ids sort by time. */
export async function listApiKeys(
  db: Queryable,
  { merchantId, after, limit }: Page & { readonly merchantId: string },
): Promise<readonly ApiKeyRecord[]> {
  return (await query(db, LIST, [merchantId, after, limit])).map(readRecord);
}

const LAST_ORDERS = unprepared<{ readonly api_key_id: string; readonly last_at: Instant }>(
  'last-orders-of-api-keys',
  `select api_key_id, max(created_at) as last_at
   from (
     select api_key_id, created_at
     from orders
     where merchant_id = $1
       and order_id >= '00000000-0000-0000-0000-000000000000'
     order by order_id desc
     limit $2
   ) newest
   group by api_key_id`,
);

/** When each key made its last order, among the merchant's newest `limit`. */
export async function readLastOrdersOfKeys(
  db: Queryable,
  merchantId: string,
  limit: number,
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await query(db, LAST_ORDERS, [merchantId, limit]);
  return new Map(rows.map((row) => [row.api_key_id, row.last_at]));
}

const KEY_USES = statement<{
  readonly key_id: string;
  readonly last_used_at: Instant;
  readonly address: string;
}>(
  'uses-of-api-keys',
  `select u.key_id, u.last_used_at, u.address
   from api_keys k
   join api_key_uses u on u.key_id = k.key_id
   where k.merchant_id = $1`,
);

/** When and from where each key of a merchant was last used. */
export async function readKeyUses(
  db: Queryable,
  merchantId: string,
): Promise<ReadonlyMap<string, { readonly at: Instant; readonly address: string }>> {
  const rows = await query(db, KEY_USES, [merchantId]);
  return new Map(
    rows.map(({ key_id, last_used_at, address }) => [key_id, { at: last_used_at, address }]),
  );
}

const ACTIVE_KEY = statement<{ readonly key_id: string; readonly hash: string }>(
  'active-api-key',
  `select key_id, encode(key_hash, 'hex') as hash
   from api_keys
   where merchant_id = $1 and revoked_at is null
   order by key_id desc
   limit 1`,
);

/** A merchant's newest active key, with its SHA-256 in hex; undefined where there is none. */
export async function findActiveKey(
  db: Queryable,
  merchantId: string,
): Promise<{ readonly keyId: string; readonly apiKeyHash: string } | undefined> {
  const [row] = await query(db, ACTIVE_KEY, [merchantId]);
  return row && { keyId: row.key_id, apiKeyHash: row.hash };
}

/** An API key as found by its hash. `sealedSecret` is null on legacy keys. */
export type ApiKeyAnswer =
  | {
      readonly keyId: string;
      readonly merchantId: string;
      readonly sealedSecret: Buffer | null;
      readonly sealKeyId: string | null;
    }
  | 'key-not-active';

const BY_HASH = statement(
  'api-keys-by-hash',
  `select encode(key_hash, 'hex') as hash, merchant_id, key_id, sealed_secret, seal_key_id
   from api_keys
   where key_hash = any($1::bytea[]) and revoked_at is null`,
);

/** Each by the SHA-256 of the key, in hex. */
export async function readApiKeys(
  lane: pg.Client,
  hashes: readonly string[],
): Promise<readonly ApiKeyAnswer[]> {
  const [rows = []] = await runPipeline(lane, [{ ...BY_HASH, values: [bytesArray(hashes)] }]);
  const byHash = new Map(rows.map((row) => [row['hash'] as string, row]));
  return hashes.map((hash) => {
    const row = byHash.get(hash);
    if (row === undefined) return 'key-not-active';
    return {
      keyId: row['key_id'],
      merchantId: row['merchant_id'],
      sealedSecret: row['sealed_secret'],
      sealKeyId: row['seal_key_id'],
    };
  });
}

/** From a row with the columns of a key that sealing needs. */
export const readSigningKey = (row: Row): SigningKey => ({
  merchantId: row['merchant_id'],
  keyId: row['key_id'],
  prefix: row['prefix'],
  sealedSecret: row['sealed_secret'],
  sealKeyId: row['seal_key_id'],
});

const SIGNING = statement(
  'signing-keys',
  `select merchant_id, key_id, prefix, sealed_secret, seal_key_id
   from api_keys
   where merchant_id = any($1::uuid[]) and revoked_at is null
   order by merchant_id, created_at desc, key_id desc`,
);

/** The active keys of these merchants, by merchant, each one's newest first. */
async function readSigningKeys(
  lane: pg.Client,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SigningKey[]>> {
  const [rows = []] = await runPipeline(lane, [{ ...SIGNING, values: [plainArray(merchantIds)] }]);
  return Map.groupBy(rows.map(readSigningKey), ({ merchantId }) => merchantId);
}

/**
 * The key that signs: the one that created the order while it is active, else the merchant's newest
 * active one (webhooks.md#which-secret).
 */
export type KeyOf = (delivery: {
  readonly merchantId: string;
  readonly apiKeyId: string;
}) => SigningKey | undefined;

export interface SigningKeys {
  /** Reads the keys of these merchants where they are not known in this `terms_version`. */
  read(lane: pg.Client, version: string, merchantIds: Iterable<string>): Promise<KeyOf>;
}

/** With more merchants than this all are forgotten. */
const MERCHANTS_MAX = 50_000;

export function createSigningKeys(): SigningKeys {
  let known = new Map<string, readonly SigningKey[]>();
  let knownVersion = '';

  return {
    async read(lane, version, merchantIds) {
      if (version !== knownVersion || known.size > MERCHANTS_MAX) known = new Map();
      knownVersion = version;
      const keys = known;
      const missing = [...new Set(merchantIds)].filter((merchantId) => !keys.has(merchantId));
      if (missing.length > 0) {
        const found = await readSigningKeys(lane, missing);
        for (const merchantId of missing) keys.set(merchantId, found.get(merchantId) ?? []);
      }
      return ({ merchantId, apiKeyId }) => {
        const own = keys.get(merchantId) ?? [];
        return own.find(({ keyId }) => keyId === apiKeyId) ?? own[0];
      };
    },
  };
}
