import { createHmac, randomBytes } from 'node:crypto';
import type { Context, Instant } from '@munshi/core';
import type { Database } from '../platform/database/db.ts';
import { found } from '../platform/refusals.ts';
import type { Vault } from '../platform/vault.ts';
import { keepTermsKey, readTermsKey, resealTermsKey } from './rows/terms-key.ts';

/** In which row the key opens. */
const SEAL_OWNER = { merchantId: 'platform', keyId: 'terms' } as const;

/**
 * The keyed hash of compared terms, under a key of the installation that the first process
 * to start makes. It is not the master key's, whose rotation would leave every masked order without
 * a comparison (decision 20).
 */
export async function provideKeyedDigest(
  { pool }: Database,
  vault: Vault,
  now: Instant,
): Promise<Context['keyedDigest']> {
  if ((await readTermsKey(pool)) === undefined)
    await keepTermsKey(pool, vault.seal(randomBytes(32).toString('hex'), SEAL_OWNER), now);
  const sealed = found(await readTermsKey(pool), 'Terms key');
  const key = Buffer.from(vault.open({ ...sealed, ...SEAL_OWNER }), 'hex');
  return (termsDigest) => createHmac('sha256', key).update(termsDigest).digest('hex');
}

/** Seals the key under the first of the master keys. */
export async function resealTerms({ pool }: Database, vault: Vault): Promise<void> {
  const sealed = await readTermsKey(pool);
  if (sealed === undefined) return;
  const secret = vault.open({ ...sealed, ...SEAL_OWNER });
  await resealTermsKey(pool, vault.seal(secret, SEAL_OWNER));
}
