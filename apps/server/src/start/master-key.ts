import type { Instant } from '@munshi/core';
import { revokeKeysSealedOtherwise } from '../api-keys/store.ts';
import { createIds } from '../engine/ids.ts';
import { forgetTermsKeySealedOtherwise } from '../engine/rows/terms-key.ts';
import { forgetChannelsSealedOtherwise } from '../member-alerts/channels.store.ts';
import { forgetPushKeysSealedOtherwise } from '../member-alerts/push.store.ts';
import { COMMAND_LINE } from '../operators/service.ts';
import { deleteCodesSealedOtherwise } from '../people/one-time-codes.store.ts';
import { ConfigError } from '../platform/config.ts';
import { type Database, inTransaction } from '../platform/database/db.ts';
import { isBound, type SealedSecret, type SecretOwner, type Vault } from '../platform/vault.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import {
  insertMasterKeyCheck,
  keepMasterKeyCheck,
  lockMasterKeyChecks,
  readMasterKeyChecks,
  readSecretOfEachSeal,
} from './master-key.store.ts';

type Checked = Pick<Vault, 'checkValues' | 'openToReseal'>;

/**
 * Holds MASTER_KEY against the database (operate/install.md#what-it-needs): one of its keys must be
 * known there, and every active signing secret must open. The first one is remembered, so that a
 * database that is new, or older than these checks, knows its key from then on. Throws ConfigError
 * where the key is another one.
 */
export async function checkMasterKey(
  { pool }: Database,
  vault: Checked,
  { resealing = false } = {},
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockMasterKeyChecks(client);
    const known = await readMasterKeyChecks(client);
    const isKnown = known.length === 0 || vault.checkValues.some((value) => known.includes(value));
    const sealed = await readSecretOfEachSeal(client);
    if (!isKnown || !sealed.every((secret) => opens(vault, secret))) {
      throw new ConfigError(
        'MASTER_KEY is not the one that this database was made with, or lacks one that signing secrets are sealed with. Set it to that key (for the embedded Postgres: the file ' +
          'master-key in DATA_DIR). To change the key list both, the new one first: docs/operate/rotate.md, "The master key", which says too what to do when it is lost.',
      );
    }
    if (!resealing && !sealed.every(isBound)) {
      throw new ConfigError(
        'Signing secrets of an earlier version have to be sealed anew: run npm run munshi -- reseal, then start again.',
      );
    }
    await insertMasterKeyCheck(client, vault.checkValues[0]);
  });
}

function opens(vault: Pick<Vault, 'openToReseal'>, secret: SealedSecret & SecretOwner): boolean {
  try {
    vault.openToReseal(secret);
    return true;
  } catch {
    return false;
  }
}

/**
 * Where the master key is lost: the one that is set becomes the database's. API keys whose secrets
 * nobody can open any more are revoked, and such one-time codes turned off. Answers how many keys.
 */
export async function adoptMasterKey(
  { pool }: Database,
  vault: Pick<Vault, 'checkValues' | 'sealKeyIds'>,
  now: Instant,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    await lockMasterKeyChecks(client);
    const revoked = await revokeKeysSealedOtherwise(client, vault.sealKeyIds, now);
    const codesOff = await deleteCodesSealedOtherwise(client, vault.sealKeyIds);
    await forgetPushKeysSealedOtherwise(client, vault.sealKeyIds);
    await forgetChannelsSealedOtherwise(client, vault.sealKeyIds);
    await forgetTermsKeySealedOtherwise(client, vault.sealKeyIds);
    await insertMasterKeyCheck(client, vault.checkValues[0]);
    await keepMasterKeyCheck(client, vault.checkValues[0]);
    const entry = {
      auditId: createIds().uuid(now),
      actor: COMMAND_LINE,
      action: 'adopt-master-key',
      target: 'api-keys',
      detail: { revoked, codesOff },
      at: now,
    } as const;
    await insertAudit(client, entry);
    return revoked;
  });
}
