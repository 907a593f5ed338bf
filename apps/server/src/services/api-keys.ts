import { hash, randomInt } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type pg from 'pg';
import {
  type ApiKeyRecord,
  insertApiKey,
  revokeApiKey,
  revokeApiKeys,
} from '../storage/api-keys.ts';
import { lockMerchant } from '../storage/merchants.ts';
import type { ServiceDeps } from './deps.ts';
import { found } from './refusals.ts';
import { type Caller, recordedWrite, type WithSecrets } from './write.ts';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_START = 'mk_live_';
const KEY_LENGTH = 32;
const SECRET_START = 'sksec_';
const SECRET_LENGTH = 40;
const PREFIX_LENGTH = 8;

const alphanumerics = (length: number) =>
  Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');

/**
 * Issues an API key with its signing secret, both shown once: the key is stored as a hash, the
 * secret sealed (merchant-api.md#credentials). Throws `not-found` where there is no such merchant.
 */
export async function issueKey(
  client: pg.PoolClient,
  now: Instant,
  { merchantId, revokesOthers }: { readonly merchantId: string; readonly revokesOthers: boolean },
  { vault, ids }: Pick<ServiceDeps, 'vault' | 'ids'>,
): Promise<WithSecrets<{ readonly keyId: string; readonly prefix: string }>> {
  const apiKey = `${KEY_START}${alphanumerics(KEY_LENGTH)}`;
  const signingSecret = `${SECRET_START}${alphanumerics(SECRET_LENGTH)}`;
  const prefix = apiKey.slice(KEY_START.length, KEY_START.length + PREFIX_LENGTH);
  found(await lockMerchant(client, merchantId), 'Merchant');
  const revoked = revokesOthers ? await revokeApiKeys(client, merchantId, now) : [];
  const keyId = ids.uuid(now);
  await insertApiKey(client, {
    merchantId,
    keyId,
    keyHash: hash('sha256', apiKey),
    prefix,
    createdAt: now,
    ...vault.seal(signingSecret, { merchantId, keyId }),
  });
  return {
    result: { keyId, prefix },
    secrets: { apiKey, signingSecret },
    action: revokesOthers ? 'api-key.regenerate' : 'api-key.create',
    target: merchantId,
    detail: { keyId, prefix, revoked: revoked.join(', ') },
  };
}

/** Revokes a key at once (D25); one that is revoked already keeps its time. */
export function revokeKey(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: Caller,
  { merchantId, keyId }: { readonly merchantId: string; readonly keyId: string },
  show: (key: ApiKeyRecord) => unknown,
): Promise<ApiKeyRecord> {
  const revoke = async (client: pg.PoolClient, now: Instant) => {
    const result = found(await revokeApiKey(client, merchantId, keyId, now), 'API key');
    return {
      result,
      action: 'api-key.revoke',
      target: merchantId,
      detail: { keyId, prefix: result.prefix },
    };
  };
  return recordedWrite(deps, caller, revoke, show);
}
