import { hash, randomInt } from 'node:crypto';
import { type AuditActor, formatMoney, type Instant, refuseOwnKeys } from '@munshi/core';
import type pg from 'pg';
import { findWallet } from '../engine/rows/wallets.ts';
import { alertToKey } from '../merchant-alerts/service.ts';
import {
  findMerchant,
  lockMerchant,
  type MerchantRecord,
  updateOwnKeys,
} from '../merchants/store.ts';
import { requireCode } from '../people/one-time-codes.service.ts';
import { type AdminAccess, readAdminAccess } from '../people/portal-users.store.ts';
import { found, Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import type { Caller, WithSecrets, Work } from '../writes/write.ts';
import { type ApiKeyRecord, insertApiKey, revokeApiKey, revokeApiKeys } from './store.ts';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_START = 'mk_live_';
const KEY_LENGTH = 32;
const SECRET_START = 'sksec_';
const SECRET_LENGTH = 40;
const PREFIX_LENGTH = 8;

const alphanumerics = (length: number) =>
  Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');

export interface NewKey {
  readonly merchantId: string;
  readonly revokesOthers: boolean;
}

export interface MadeKey {
  readonly keyId: string;
  readonly prefix: string;
}

/**
 * What a second operator is shown of a key: from where it can be used, and what it can pay out.
 * Throws `not-found`.
 */
export async function explainKey(
  client: pg.PoolClient,
  { merchantId, revokesOthers }: NewKey,
): Promise<Explained> {
  const { name, ipWhitelist } = found(await lockMerchant(client, merchantId), 'Merchant');
  const { balance } = found(await findWallet(client, merchantId), 'Merchant');
  return {
    target: merchantId,
    shown: {
      merchantId,
      merchant: name,
      revokesOthers,
      ipWhitelist: whitelistText(ipWhitelist),
    },
    beside: { balance: formatMoney(balance) },
  };
}

const whitelistText = ({ enabled, entries }: MerchantRecord['ipWhitelist']): string => {
  if (!enabled) return 'off';
  const listed = entries.map(({ address, scope }) => `${address} (${scope})`).join(', ');
  return listed === '' ? 'no address' : listed;
};

/**
 * Issues an API key with its signing secret, both shown once: the key is stored as a hash, the
 * secret sealed (merchant-api.md#credentials). The merchant is alerted. Throws `not-found` where
 * there is no such merchant.
 */
export async function issueKey(
  client: pg.PoolClient,
  now: Instant,
  { merchantId, revokesOthers }: NewKey,
  { vault, ids }: Pick<ServiceDeps, 'vault' | 'ids'>,
): Promise<
  WithSecrets<MadeKey> & {
    readonly secrets: { readonly apiKey: string; readonly signingSecret: string };
  }
> {
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
  await alertToKey(client, { merchantId, prefix }, { now, ids });
  return {
    result: { keyId, prefix },
    secrets: { apiKey, signingSecret },
    action: revokesOthers ? 'api-key.regenerate' : 'api-key.create',
    target: merchantId,
    detail: { keyId, prefix, revoked: revoked.join(', ') },
  };
}

/** Revokes a key at once; one that is revoked already keeps its time. */
export const revokeKey =
  ({
    merchantId,
    keyId,
  }: {
    readonly merchantId: string;
    readonly keyId: string;
  }): Work<ApiKeyRecord> =>
  async (client, now) => {
    const result = found(await revokeApiKey(client, merchantId, keyId, now), 'API key');
    return {
      result,
      action: 'api-key.revoke',
      target: merchantId,
      detail: { keyId, prefix: result.prefix },
    };
  };

/** Of a merchant's own admin, with a one-time code. */
export interface OwnKeyCaller {
  readonly caller: Caller<AuditActor & { readonly kind: 'portal' }>;
  readonly merchantId: string;
  readonly oneTimeCode: string;
}

type OwnKeyDeps = Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'vault'>;

/**
 * Issues a key to one of the merchant's own admins. Throws `wrong-state` where the operator does not
 * allow it, `one-time-code-set-up`, and FieldErrors for a wrong code.
 */
export async function issueOwnKey(
  deps: OwnKeyDeps,
  { caller, merchantId, oneTimeCode }: OwnKeyCaller,
  { revokesOthers }: { readonly revokesOthers: boolean },
): Promise<Work<MadeKey>> {
  await requireOwnKeys(deps, { caller, merchantId, oneTimeCode });
  return async (client, now) => {
    refuseOn(refuseOwnKeys(found(await lockMerchant(client, merchantId), 'Merchant')));
    return issueKey(client, now, { merchantId, revokesOthers }, deps);
  };
}

/** Revokes one of them. Throws as above, and `not-found`. */
export async function revokeOwnKey(
  deps: OwnKeyDeps,
  by: OwnKeyCaller,
  keyId: string,
): Promise<Work<ApiKeyRecord>> {
  await requireOwnKeys(deps, by);
  return revokeKey({ merchantId: by.merchantId, keyId });
}

async function requireOwnKeys(
  deps: OwnKeyDeps,
  { caller, merchantId, oneTimeCode }: OwnKeyCaller,
): Promise<void> {
  refuseOn(refuseOwnKeys(found(await findMerchant(deps.database.pool, merchantId), 'Merchant')));
  await requireKeyCode(deps, caller.actor, oneTimeCode);
}

/** Throws `one-time-code-set-up`, and FieldErrors for a wrong code. */
export async function requireKeyCode(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'vault'>,
  { id: principalId }: OwnKeyCaller['caller']['actor'],
  oneTimeCode: string,
): Promise<void> {
  const off = new Refused(
    'one-time-code-set-up',
    'Keys are issued and revoked with a one-time code. Set yours up first.',
  );
  await requireCode(deps, { kind: 'portal', principalId }, oneTimeCode, off);
}

interface OwnKeys {
  readonly merchantId: string;
  readonly allowed: boolean;
}

/**
 * What a second operator is shown of it: who could issue keys then. When these change, it is asked
 * for again. Throws `not-found`.
 */
export async function explainOwnKeys(
  client: pg.PoolClient,
  { merchantId, allowed }: OwnKeys,
  now: Instant,
): Promise<Explained> {
  const { name } = found(await lockMerchant(client, merchantId), 'Merchant');
  const shown = { merchantId, merchant: name, allowed };
  if (!allowed) return { target: merchantId, shown };
  const people = await readAdminAccess(client, merchantId, now);
  const named = (which: (one: AdminAccess) => boolean) =>
    people
      .filter(which)
      .map(({ username }) => username)
      .join(', ') || null;
  return {
    target: merchantId,
    shown: {
      ...shown,
      admins: named(({ invited }) => !invited),
      invited: named(({ invited }) => invited),
      openLinks: named(({ hasLink }) => hasLink),
    },
  };
}

/** Allows a merchant to issue its own keys, or no more. */
export async function allowOwnKeys(client: pg.PoolClient, { merchantId, allowed }: OwnKeys) {
  const before = found(await lockMerchant(client, merchantId), 'Merchant');
  await updateOwnKeys(client, merchantId, allowed);
  return {
    result: { ...before, ownKeysAllowed: allowed },
    action: 'merchant.own-keys' as const,
    target: merchantId,
    detail: { allowed, allowedBefore: before.ownKeysAllowed },
  };
}
