import type pg from 'pg';
import { fly, plainArray } from './flight.ts';
import type { Row } from './rows.ts';

/** The API key whose secret signs an attempt. `sealedSecret` is null on legacy keys. */
export interface SigningKey {
  readonly merchantId: string;
  readonly keyId: string;
  readonly prefix: string;
  readonly sealedSecret: Buffer | null;
  readonly sealKeyId: string | null;
}

/**
 * The key that signs: the one that created the order while it is active, else the merchant's newest
 * active one (spec: Signing secret used).
 */
export type KeyOf = (delivery: {
  readonly merchantId: string;
  readonly apiKeyId: string;
}) => SigningKey | undefined;

export interface SigningKeys {
  /**
   * The keys of these merchants, read only where this version of them (`terms_version`) is not
   * known yet.
   */
  read(lane: pg.Client, version: string, merchantIds: Iterable<string>): Promise<KeyOf>;
}

const KEYS = `select merchant_id, key_id, prefix, sealed_secret, seal_key_id from api_keys
  where merchant_id = any($1::uuid[]) and revoked_at is null order by merchant_id, created_at desc, key_id desc`;

/** With more merchants than this all are forgotten. */
const MERCHANTS_MAX = 50_000;

export function createSigningKeys(): SigningKeys {
  /** Each merchant's active keys, the newest first. */
  let known = new Map<string, readonly SigningKey[]>();
  let knownVersion = '';

  return {
    async read(lane, version, merchantIds) {
      if (version !== knownVersion || known.size > MERCHANTS_MAX) known = new Map();
      knownVersion = version;
      const keys = known;
      const missing = [...new Set(merchantIds)].filter((merchantId) => !keys.has(merchantId));
      if (missing.length > 0) {
        const [rows = []] = await fly(lane, [
          { name: 'signing-keys', text: KEYS, values: [plainArray(missing)] },
        ]);
        const byMerchant = Map.groupBy(rows, (row) => row['merchant_id'] as string);
        for (const merchantId of missing)
          keys.set(merchantId, (byMerchant.get(merchantId) ?? []).map(readKey));
      }
      return ({ merchantId, apiKeyId }) => {
        const own = keys.get(merchantId) ?? [];
        return own.find(({ keyId }) => keyId === apiKeyId) ?? own[0];
      };
    },
  };
}

const readKey = (row: Row): SigningKey => ({
  merchantId: row['merchant_id'],
  keyId: row['key_id'],
  prefix: row['prefix'],
  sealedSecret: row['sealed_secret'],
  sealKeyId: row['seal_key_id'],
});
