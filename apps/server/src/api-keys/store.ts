import type { Instant } from '@munshi/core';
import type pg from 'pg';
import {
  answers,
  type Columns,
  columns,
  from,
  insertion,
  only,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { bytesArray, plainArray, runPipeline } from '../platform/database/pipeline.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  PAGE,
  query,
  readsAll,
  readsOne,
  statement,
  unprepared,
  writes,
} from '../platform/database/statement.ts';
import type { SealedSecret } from '../platform/vault.ts';
import type { SigningKey } from './sign-webhook.ts';

const SEALED = {
  merchantId: t.uuid,
  keyId: t.uuid,
  sealed: from('sealed_secret', t.bytes),
  sealKeyId: t.text,
};
const NEW = insertion('api_keys', {
  ...SEALED,
  /** SHA-256 of the key, in hex. */
  keyHash: t.hex,
  prefix: t.text,
  createdAt: t.instant,
});

const API_KEY = columns('', {
  keyId: t.uuid,
  prefix: t.text,
  createdAt: t.instant,
  revokedAt: orNull(t.instant),
});
/** What may be shown of a key after it was issued. */
export type ApiKeyRecord = RecordOf<typeof API_KEY>;

export const insertApiKey = writes('insert-api-key', NEW.into, NEW.valuesOf);

/** Revokes every active key of a merchant; answers their ids. */
export const revokeApiKeys = readsAll(
  'revoke-api-keys',
  `update api_keys
   set revoked_at = $2
   where merchant_id = $1 and revoked_at is null
   returning key_id`,
  only('keyId', t.uuid),
  (merchantId: string, at: Instant) => [merchantId, time(at)],
);

/** Revokes one key; a revoked one keeps its time. Undefined when the merchant has no such key. */
export const revokeApiKey = readsOne(
  'revoke-api-key',
  `update api_keys
   set revoked_at = coalesce(revoked_at, $3)
   where merchant_id = $1 and key_id = $2
   returning ${API_KEY.list}`,
  API_KEY,
  (merchantId: string, keyId: string, at: Instant) => [merchantId, keyId, time(at)],
);

/** Revokes every API key whose secret none of these seals has sealed; answers how many. */
export const revokeKeysSealedOtherwise = writes(
  'revoke-keys-sealed-otherwise',
  `update api_keys
   set revoked_at = $2
   where revoked_at is null
     and sealed_secret is not null
     and seal_key_id <> all($1::text[])`,
  (sealKeyIds: readonly string[], at: Instant) => [sealKeyIds, time(at)],
);

const SECRET = columns('', SEALED);

/**
 * Secrets of active API keys that another master key than the one named has sealed, at most
 * `limit` of them. Nobody asks for those of revoked keys.
 */
export const readSecretsSealedOtherwise = readsAll(
  'secrets-sealed-otherwise',
  `select ${SECRET.list}
   from api_keys
   where seal_key_id <> $1 and revoked_at is null
   order by key_id
   limit $2`,
  SECRET,
  (sealKeyId: string, limit: number) => [sealKeyId, limit],
);

/** Encrypts each secret again and replaces it. */
export const putSealedSecrets = writes(
  'put-sealed-secrets',
  `update api_keys k
   set sealed_secret = row.sealed,
     seal_key_id = row.seal_key_id
   from unnest($1::uuid[], $2::bytea[], $3::text[]) as row (key_id, sealed, seal_key_id)
   where k.key_id = row.key_id`,
  (secrets: readonly ({ readonly keyId: string } & SealedSecret)[]) => [
    secrets.map(({ keyId }) => keyId),
    secrets.map(({ sealed }) => sealed),
    secrets.map(({ sealKeyId }) => sealKeyId),
  ],
);

/** A merchant's keys, the newest first: their ids sort by time. */
export const listApiKeys = lists(
  'list-api-keys',
  `select ${API_KEY.list}
   from api_keys
   where merchant_id = $1
     and ($2::uuid is null or key_id < $2)
   order by key_id desc
   limit $3`,
  API_KEY,
  parameters({ merchantId: t.uuid, ...PAGE }),
);

const LAST_ORDERS = unprepared(
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
  answers({ apiKeyId: t.uuid, lastAt: t.instant }),
);

/** When each key made its last order, among the merchant's newest `limit`. */
export async function readLastOrdersOfKeys(
  db: Queryable,
  merchantId: string,
  limit: number,
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await query(db, LAST_ORDERS, [merchantId, limit]);
  return new Map(rows.map(({ apiKeyId, lastAt }) => [apiKeyId, lastAt]));
}

const KEY_USES = statement(
  'uses-of-api-keys',
  `select u.key_id, u.last_used_at as at, u.address
   from api_keys k
   join api_key_uses u on u.key_id = k.key_id
   where k.merchant_id = $1`,
  answers({ keyId: t.uuid, at: t.instant, address: t.text }),
);

/** When and from where each key of a merchant was last used. */
export async function readKeyUses(
  db: Queryable,
  merchantId: string,
): Promise<ReadonlyMap<string, { readonly at: Instant; readonly address: string }>> {
  const rows = await query(db, KEY_USES, [merchantId]);
  return new Map(rows.map(({ keyId, ...use }) => [keyId, use]));
}

/** A merchant's newest active key, with its SHA-256 in hex; undefined where there is none. */
export const findActiveKey = readsOne(
  'active-api-key',
  `select key_id, encode(key_hash, 'hex') as api_key_hash
   from api_keys
   where merchant_id = $1 and revoked_at is null
   order by key_id desc
   limit 1`,
  answers({ keyId: t.uuid, apiKeyHash: t.text }),
  (merchantId: string) => [merchantId],
);

const KEY_SEALED = {
  merchantId: t.uuid,
  keyId: t.uuid,
  /** Null on legacy keys. */
  sealedSecret: orNull(t.bytes),
  sealKeyId: orNull(t.text),
};
const FOUND = columns('', { hash: from(`encode(key_hash, 'hex')`, t.text), ...KEY_SEALED });
/** An API key as found by its hash. */
export type ApiKeyAnswer = Omit<RecordOf<typeof FOUND>, 'hash'> | 'key-not-active';

const BY_HASH = statement(
  'api-keys-by-hash',
  `select ${FOUND.list}
   from api_keys
   where key_hash = any($1::bytea[]) and revoked_at is null`,
  FOUND,
);

export interface ApiKeyReader {
  /** By the SHA-256 of the key, in hex. */
  apiKey(hash: string): Promise<ApiKeyAnswer>;
}

/** Each by the SHA-256 of the key, in hex. */
export async function readApiKeys(
  lane: pg.Client,
  hashes: readonly string[],
): Promise<readonly ApiKeyAnswer[]> {
  const [found] = await runPipeline(lane, [{ ...BY_HASH, values: [bytesArray(hashes)] }]);
  const byHash = new Map(found.map(({ hash, ...key }) => [hash, key]));
  return hashes.map((hash) => byHash.get(hash) ?? 'key-not-active');
}

/** What sealing and signing need of a key. */
export const signingKeyOf = (alias: string): Columns<SigningKey> =>
  columns(alias, { ...KEY_SEALED, prefix: t.text });
const SIGNING_KEY = signingKeyOf('');

const SIGNING = statement(
  'signing-keys',
  `select ${SIGNING_KEY.list}
   from api_keys
   where merchant_id = any($1::uuid[]) and revoked_at is null
   order by merchant_id, created_at desc, key_id desc`,
  SIGNING_KEY,
);

/** The active keys of these merchants, by merchant, each one's newest first. */
async function readSigningKeys(
  lane: pg.Client,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SigningKey[]>> {
  const [keys] = await runPipeline(lane, [{ ...SIGNING, values: [plainArray(merchantIds)] }]);
  return Map.groupBy(keys, ({ merchantId }) => merchantId);
}

const chooseKey = (keys: readonly SigningKey[], apiKeyId: string): SigningKey | undefined =>
  keys.find(({ keyId }) => keyId === apiKeyId) ?? keys[0];

/** The key that signs now, of each of a merchant's deliveries. */
export async function readKeyOf(
  db: Queryable,
  merchantId: string,
): Promise<(delivery: { readonly apiKeyId: string }) => SigningKey | undefined> {
  const keys = await query(db, SIGNING, [[merchantId]]);
  return ({ apiKeyId }) => chooseKey(keys, apiKeyId);
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
      return ({ merchantId, apiKeyId }) => chooseKey(keys.get(merchantId) ?? [], apiKeyId);
    },
  };
}
