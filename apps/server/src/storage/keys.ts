import type pg from 'pg';
import { bytesArray, fly } from './flight.ts';

/** An API key as found by its hash. `sealedSecret` is null on legacy keys. */
export type ApiKeyAnswer =
  | {
      readonly keyId: string;
      readonly merchantId: string;
      readonly sealedSecret: Buffer | null;
      readonly sealKeyId: string | null;
    }
  | 'key-not-active';

const API_KEYS = `select k.merchant_id, k.key_id, k.sealed_secret, k.seal_key_id
  from unnest($1::bytea[]) with ordinality as q (key_hash, n)
  left join lateral (select * from api_keys where key_hash = q.key_hash and revoked_at is null limit 1) k on true order by q.n`;

export async function readApiKeys(
  lane: pg.Client,
  hashes: readonly string[],
): Promise<readonly ApiKeyAnswer[]> {
  const [rows = []] = await fly(lane, [
    { name: 'api-keys-by-hash', text: API_KEYS, values: [bytesArray(hashes)] },
  ]);
  return rows.map((row) =>
    row['key_id'] === null
      ? 'key-not-active'
      : {
          keyId: row['key_id'],
          merchantId: row['merchant_id'],
          sealedSecret: row['sealed_secret'],
          sealKeyId: row['seal_key_id'],
        },
  );
}
