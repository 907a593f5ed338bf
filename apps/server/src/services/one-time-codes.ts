import { hash, randomBytes } from 'node:crypto';
import type { Actor, Instant } from '@munshi/core';
import type pg from 'pg';
import QRCode from 'qrcode';
import { codeUri, newCodeSecret, stepOfCode } from '../one-time-codes.ts';
import { insertAudit } from '../storage/audit-log.ts';
import { inTransaction } from '../storage/db.ts';
import {
  type CodeRecord,
  deleteCode,
  lockCode,
  putCode,
  putRecoveryCodes,
  updateCode,
  useRecoveryCode,
} from '../storage/one-time-codes.ts';
import { deleteOtherSignIns } from '../storage/sessions.ts';
import type { Vault } from '../vault.ts';
import type { ServiceDeps } from './deps.ts';
import { fieldError, found, Refused } from './refusals.ts';
import { auditEntry } from './write.ts';

/** One-time codes of operators: set up, confirmed, asked for at sign-in, turned off (D159). */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'vault'>;

/** Whose codes they are. */
export interface CodeOwner {
  readonly operatorId: string;
  readonly username: string;
}

const ISSUER = 'Munshi';
const RECOVERY_CODES = 10;
/** 80 bits as 16 letters: too many to try, so that a plain hash is enough. */
const RECOVERY_BYTES = 10;
/** Then only a recovery code is taken: a million codes must not be tried one by one. */
const WRONG_IN_A_ROW_MAX = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The row of `operator_codes` in which a seal opens. */
export const codeSealOwner = (operatorId: string) => ({
  merchantId: 'operator',
  keyId: operatorId,
});

/** What an app needs to make codes; shown until the first code confirms it. */
export interface CodeSetUp {
  /** In base32, to be typed in where no camera is. */
  readonly secret: string;
  readonly uri: string;
  /** The same as a picture, SVG. */
  readonly qrSvg: string;
}

/** Begins a set-up, or begins it anew. Throws `wrong-state` while codes are on. */
export async function setUpCode(
  { database, clock, ids, vault }: Deps,
  actor: Actor,
  { operatorId, username }: CodeOwner,
): Promise<CodeSetUp> {
  const secret = newCodeSecret();
  const now = clock.now();
  await inTransaction(database.pool, async (client) => {
    if (((await lockCode(client, operatorId))?.confirmedAt ?? null) !== null)
      throw new Refused('wrong-state', 'One-time codes are on. Turn them off first.');
    await putCode(client, operatorId, vault.seal(secret, codeSealOwner(operatorId)), now);
    const entry = { action: 'operator.one-time-code-set-up', target: operatorId, detail: {} };
    await insertAudit(client, auditEntry(ids, actor, entry, now));
  });
  const uri = codeUri(secret, { issuer: ISSUER, label: username });
  return { secret, uri, qrSvg: await QRCode.toString(uri, { type: 'svg', margin: 2 }) };
}

/**
 * Turns codes on by a first code, and answers the recovery codes, this once. All other sign-ins of
 * the operator end: they were made without a code. Throws `wrong-state` without a set-up, and
 * FieldErrors for a wrong code.
 */
export function confirmCode(
  deps: Deps,
  actor: Actor,
  { operatorId }: CodeOwner,
  { code, keep }: { readonly code: string; readonly keep: string },
): Promise<readonly string[]> {
  return withCode(deps, operatorId, async (client, record, now) => {
    if (record.confirmedAt !== null)
      throw new Refused('wrong-state', 'One-time codes are on already.');
    const step = stepOfCode(open(deps.vault, record), code, now);
    if (step === undefined) throw fieldError('oneTimeCode', WRONG_CODE);
    await updateCode(client, { ...record, confirmedAt: now, lastStep: step, wrongInARow: 0 });
    await deleteOtherSignIns(client, operatorId, keep);
    const entry = { action: 'operator.one-time-code-on', target: operatorId, detail: {} };
    await insertAudit(client, auditEntry(deps.ids, actor, entry, now));
    return newRecoveryCodes(client, operatorId);
  });
}

/**
 * Takes a code of somebody's app, or one of their recovery codes, once. Undefined where they have
 * none; else whether it was right. A wrong one is counted.
 */
export async function takeCode(
  { database, clock, vault }: Pick<Deps, 'database' | 'clock' | 'vault'>,
  operatorId: string,
  code: string | undefined,
): Promise<'none' | 'missing' | 'right' | 'recovery' | 'wrong' | 'worn-out'> {
  return inTransaction(database.pool, async (client) => {
    const record = await lockCode(client, operatorId);
    if (record === undefined || record.confirmedAt === null) return 'none';
    if (code === undefined || code === '') return 'missing';
    const now = clock.now();
    if (await isRecoveryCode(client, operatorId, code, now)) {
      await updateCode(client, { ...record, wrongInARow: 0 });
      return 'recovery';
    }
    if (record.wrongInARow >= WRONG_IN_A_ROW_MAX) return 'worn-out';
    const step = stepOfCode(open(vault, record), code, now);
    const right = step !== undefined && step > record.lastStep;
    await updateCode(
      client,
      right
        ? { ...record, lastStep: step, wrongInARow: 0 }
        : { ...record, wrongInARow: record.wrongInARow + 1 },
    );
    return right ? 'right' : 'wrong';
  });
}

/** For who is signed in: throws FieldErrors for a wrong code, `wrong-state` where codes are off. */
async function requireCode(deps: Deps, operatorId: string, code: string): Promise<void> {
  const taken = await takeCode(deps, operatorId, code);
  if (taken === 'none') throw new Refused('wrong-state', 'One-time codes are off.');
  if (taken === 'worn-out') throw fieldError('oneTimeCode', WORN_OUT);
  if (taken === 'missing' || taken === 'wrong') throw fieldError('oneTimeCode', WRONG_CODE);
}

/** For who signs in: throws the refusal that goes with what became of a code. */
export function refuseCode(taken: Awaited<ReturnType<typeof takeCode>>): void {
  if (taken === 'missing')
    throw new Refused('one-time-code-required', 'Enter the one-time code of your app.');
  if (taken === 'wrong') throw new Refused('one-time-code-wrong', `The code ${WRONG_CODE}`);
  if (taken === 'worn-out') throw new Refused('one-time-code-wrong', `The code ${WORN_OUT}`);
}

const WRONG_CODE = 'is wrong, or was used before. Wait for the next one.';
const WORN_OUT =
  'is not taken: there were too many wrong ones. Use a recovery code, or ask an admin for a recovery link.';

/** Recovery codes in place of those before, shown this once; by a code. */
export async function renewRecoveryCodes(
  deps: Deps,
  actor: Actor,
  { operatorId }: CodeOwner,
  code: string,
): Promise<readonly string[]> {
  await requireCode(deps, operatorId, code);
  return withCode(deps, operatorId, async (client, _, now) => {
    const entry = { action: 'operator.recovery-codes', target: operatorId, detail: {} };
    await insertAudit(client, auditEntry(deps.ids, actor, entry, now));
    return newRecoveryCodes(client, operatorId);
  });
}

/** Turns one's own codes off, by a code. */
export async function turnCodeOff(
  deps: Deps,
  actor: Actor,
  { operatorId }: CodeOwner,
  code: string,
): Promise<void> {
  await requireCode(deps, operatorId, code);
  await withCode(deps, operatorId, async (client, _, now) => {
    await deleteCode(client, operatorId);
    const entry = { action: 'operator.one-time-code-off', target: operatorId, detail: {} };
    await insertAudit(client, auditEntry(deps.ids, actor, entry, now));
  });
}

/** Does `work` with somebody's codes locked. Throws `wrong-state` where there are none. */
function withCode<T>(
  { database, clock }: Deps,
  operatorId: string,
  work: (client: pg.PoolClient, record: CodeRecord, now: Instant) => Promise<T>,
): Promise<T> {
  return inTransaction(database.pool, async (client) => {
    const record = await lockCode(client, operatorId);
    if (record === undefined) throw new Refused('wrong-state', 'Set one-time codes up first.');
    return work(client, record, clock.now());
  });
}

const open = (vault: Pick<Vault, 'open'>, { operatorId, sealed, sealKeyId }: CodeRecord): string =>
  vault.open({ sealed, sealKeyId, ...codeSealOwner(operatorId) });

async function newRecoveryCodes(client: pg.PoolClient, operatorId: string) {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await putRecoveryCodes(client, operatorId, codes.map(hashRecoveryCode));
  return codes;
}

/** `ABCD-EFGH-IJKL-MNOP`. */
function newRecoveryCode(): string {
  let bits = BigInt(`0x${randomBytes(RECOVERY_BYTES).toString('hex')}`);
  let text = '';
  for (let at = 0; at < 16; at += 1) {
    text = BASE32[Number(bits & 31n)] + text;
    bits >>= 5n;
  }
  return (text.match(/.{4}/g) ?? []).join('-');
}

/** However it was written down: in small letters, with or without its dashes. */
const hashRecoveryCode = (code: string): Buffer =>
  hash('sha256', code.replaceAll(/[\s-]/g, '').toUpperCase(), 'buffer');

const isRecoveryCode = async (
  client: pg.PoolClient,
  operatorId: string,
  code: string,
  now: Instant,
): Promise<boolean> =>
  code.length > 6 && useRecoveryCode(client, operatorId, hashRecoveryCode(code), now);

/** Turns somebody else's off, in a transaction; their sign-ins end. Throws `not-found`. */
export async function removeCode(client: pg.PoolClient, operatorId: string) {
  found((await deleteCode(client, operatorId)) || undefined, 'One-time code');
  await deleteOtherSignIns(client, operatorId, null);
  return {
    result: { removed: true as const },
    action: 'operator.one-time-code-remove',
    target: operatorId,
  };
}
