import { hash, randomBytes } from 'node:crypto';
import { type AuditActor, type Instant, refuseCodeRemoval } from '@munshi/core';
import type pg from 'pg';
import QRCode from 'qrcode';
import { inTransaction } from '../platform/database/db.ts';
import { fieldError, found, Refused, refuseOn } from '../platform/refusals.ts';
import { codeUri, newCodeSecret, stepOfCode } from '../platform/sign-in/totp.ts';
import type { Vault } from '../platform/vault.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import { auditEntry } from '../writes/write.ts';
import { setGiver } from './credentials.store.ts';
import {
  type CodeHolder,
  type CodeRecord,
  deleteCode,
  lockCode,
  putCode,
  putRecoveryCodes,
  updateCode,
  useRecoveryCode,
} from './one-time-codes.store.ts';
import { findOperator } from './operators.store.ts';
import { deleteByAnother, deleteOtherSignIns } from './sessions.store.ts';

/**
 * One-time codes of operators and of merchants' people: set up, confirmed, asked for at sign-in,
 * turned off (security.md#sign-ins-and-sessions).
 */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'vault'>;

/** Whose codes they are, and who acts for them in the audit log. */
export interface CodeOwner extends CodeHolder {
  readonly username: string;
  readonly actor: AuditActor;
}

/** Actions of the audit log. */
const ACTIONS = {
  operator: {
    setUp: 'operator.one-time-code-set-up',
    on: 'operator.one-time-code-on',
    recoveryCodes: 'operator.recovery-codes',
    off: 'operator.one-time-code-off',
  },
  portal: {
    setUp: 'portal-user.one-time-code-set-up',
    on: 'portal-user.one-time-code-on',
    recoveryCodes: 'portal-user.recovery-codes',
    off: 'portal-user.one-time-code-off',
  },
} as const;

const ISSUER = 'Munshi';
const RECOVERY_CODES = 10;
/** 80 bits as 16 letters: too many to try, so that a plain hash is enough. */
const RECOVERY_BYTES = 10;
/** Then only a recovery code is taken: a million codes must not be tried one by one. */
const WRONG_IN_A_ROW_MAX = 10;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The row in which a seal opens. */
export const codeSealOwner = ({ kind, principalId }: CodeHolder) => ({
  merchantId: kind,
  keyId: principalId,
});

/** What an app needs to make codes; shown until the first code confirms it. */
export interface CodeSetUp {
  /** In base32, to be typed in where no camera is. */
  readonly secret: string;
  readonly uri: string;
  /** The same as a picture, SVG. */
  readonly qrSvg: string;
}

/** Begins a set-up, or restarts it. Throws `wrong-state` while codes are on. */
export async function setUpCode(
  { database, clock, ids, vault }: Deps,
  owner: CodeOwner,
): Promise<CodeSetUp> {
  const secret = newCodeSecret();
  const now = clock.now();
  await inTransaction(database.pool, async (client) => {
    if (((await lockCode(client, owner))?.confirmedAt ?? null) !== null)
      throw new Refused('wrong-state', 'One-time codes are on. Turn them off first.');
    await putCode(client, owner, vault.seal(secret, codeSealOwner(owner)), now);
    await record(client, ids, owner, 'setUp', now);
  });
  const uri = codeUri(secret, { issuer: ISSUER, label: owner.username });
  return { secret, uri, qrSvg: await QRCode.toString(uri, { type: 'svg', margin: 2 }) };
}

/**
 * Turns codes on by a first code, and answers the recovery codes, this once. All other sign-ins of
 * theirs end: they were made without a code. Throws `wrong-state` without a set-up, and
 * FieldErrors for a wrong code.
 */
export function confirmCode(
  deps: Deps,
  owner: CodeOwner,
  { code, keep }: { readonly code: string; readonly keep: string },
): Promise<readonly string[]> {
  return withCode(deps, owner, async (client, held, now) => {
    if (held.confirmedAt !== null)
      throw new Refused('wrong-state', 'One-time codes are on already.');
    const step = stepOfCode(open(deps.vault, held), code, now);
    if (step === undefined) throw fieldError('oneTimeCode', WRONG_CODE);
    await updateCode(client, { ...held, confirmedAt: now, lastStep: step, wrongInARow: 0 });
    await deleteOtherSignIns(client, owner.principalId, keep);
    await record(client, deps.ids, owner, 'on', now);
    return newRecoveryCodes(client, owner);
  });
}

/**
 * Takes a code of somebody's app, or one of their recovery codes, once. Undefined where they have
 * none; else whether it was right. A wrong one is counted.
 */
async function takeCode(
  { database, clock, vault }: Pick<Deps, 'database' | 'clock' | 'vault'>,
  holder: CodeHolder,
  code: string | undefined,
): Promise<'none' | 'missing' | 'right' | 'recovery' | 'wrong' | 'worn-out'> {
  return inTransaction(database.pool, async (client) => {
    const held = await lockCode(client, holder);
    if (held === undefined || held.confirmedAt === null) return 'none';
    if (code === undefined || code === '') return 'missing';
    const now = clock.now();
    if (await isRecoveryCode(client, holder, code, now)) {
      await updateCode(client, { ...held, wrongInARow: 0 });
      return 'recovery';
    }
    if (held.wrongInARow >= WRONG_IN_A_ROW_MAX) return 'worn-out';
    const step = stepOfCode(open(vault, held), code, now);
    const right = step !== undefined && step > held.lastStep;
    await updateCode(
      client,
      right
        ? { ...held, lastStep: step, wrongInARow: 0 }
        : { ...held, wrongInARow: held.wrongInARow + 1 },
    );
    return right ? 'right' : 'wrong';
  });
}

/**
 * For who is signed in: throws FieldErrors for a missing or wrong code, and `off`, if any, where
 * codes are off.
 */
export async function requireCode(
  deps: Pick<Deps, 'database' | 'clock' | 'vault'>,
  holder: CodeHolder,
  code: string | undefined,
  off: Refused | null = new Refused('wrong-state', 'One-time codes are off.'),
): Promise<void> {
  const taken = await takeCode(deps, holder, code);
  if (taken === 'none' && off === null) return;
  if (taken === 'none') throw off;
  if (taken === 'worn-out') throw fieldError('oneTimeCode', WORN_OUT);
  if (taken === 'missing') throw fieldError('oneTimeCode', MISSING_CODE);
  if (taken === 'wrong') throw fieldError('oneTimeCode', WRONG_CODE);
}

/** For who signs in: what a code was; throws what is wrong with it. */
export async function checkSignInCode(
  deps: Pick<Deps, 'database' | 'clock' | 'vault'>,
  holder: CodeHolder,
  code: string | undefined,
): Promise<'none' | 'right' | 'recovery'> {
  const taken = await takeCode(deps, holder, code);
  if (taken === 'missing')
    throw new Refused('one-time-code-required', 'Enter the one-time code of your app.');
  if (taken === 'wrong') throw new Refused('one-time-code-wrong', `The code ${WRONG_CODE}`);
  if (taken === 'worn-out') throw new Refused('one-time-code-wrong', `The code ${WORN_OUT}`);
  return taken;
}

const MISSING_CODE = 'is missing. Enter the code of your authenticator app.';
const WRONG_CODE = 'is wrong, or was used before. Wait for the next one.';
const WORN_OUT =
  'is not taken: there were too many wrong ones. Use a recovery code, or ask an admin for a recovery link.';

/** Recovery codes in place of those before, shown this once; by a code. */
export async function renewRecoveryCodes(
  deps: Deps,
  owner: CodeOwner,
  code: string,
): Promise<readonly string[]> {
  await requireCode(deps, owner, code);
  return withCode(deps, owner, async (client, _, now) => {
    await record(client, deps.ids, owner, 'recoveryCodes', now);
    return newRecoveryCodes(client, owner);
  });
}

/** Turns one's own codes off, by a code. */
export async function turnCodeOff(deps: Deps, owner: CodeOwner, code: string): Promise<void> {
  await requireCode(deps, owner, code);
  await withCode(deps, owner, async (client, _, now) => {
    await deleteCode(client, owner);
    await record(client, deps.ids, owner, 'off', now);
  });
}

/** What somebody did about their own codes, for the audit log. */
async function record(
  client: pg.PoolClient,
  ids: Deps['ids'],
  { kind, principalId, actor }: CodeOwner,
  what: keyof (typeof ACTIONS)['operator'],
  now: Instant,
): Promise<void> {
  const entry = { action: ACTIONS[kind][what], target: principalId, detail: {} };
  await insertAudit(client, auditEntry(ids, actor, entry, now));
}

/** Does `work` with somebody's codes locked. Throws `wrong-state` where there are none. */
function withCode<T>(
  { database, clock }: Deps,
  holder: CodeHolder,
  work: (client: pg.PoolClient, held: CodeRecord, now: Instant) => Promise<T>,
): Promise<T> {
  return inTransaction(database.pool, async (client) => {
    const held = await lockCode(client, holder);
    if (held === undefined) throw new Refused('wrong-state', 'Set one-time codes up first.');
    return work(client, held, clock.now());
  });
}

const open = (vault: Pick<Vault, 'open'>, held: CodeRecord): string =>
  vault.open({ sealed: held.sealed, sealKeyId: held.sealKeyId, ...codeSealOwner(held) });

async function newRecoveryCodes(client: pg.PoolClient, holder: CodeHolder) {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await putRecoveryCodes(client, holder, codes.map(hashRecoveryCode));
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
  holder: CodeHolder,
  code: string,
  now: Instant,
): Promise<boolean> =>
  code.length > 6 && useRecoveryCode(client, holder, hashRecoveryCode(code), now);

/** What a second operator is shown of it. Throws `not-found` and `wrong-state`. */
export async function explainCodeRemoval(
  client: pg.PoolClient,
  operatorId: string,
  now: Instant,
  who: { readonly id: string },
): Promise<Explained> {
  const operator = found(await findOperator(client, operatorId, now), 'Operator');
  refuseOn(refuseCodeRemoval(operator, who));
  return { target: operatorId, shown: { operatorId, username: operator.username } };
}

/** Turns another operator's off, in a transaction; their sign-ins end. Throws `not-found`. */
export async function removeCode(
  client: pg.PoolClient,
  operatorId: string,
  by: { readonly id: string },
) {
  found(
    (await deleteCode(client, { kind: 'operator', principalId: operatorId })) || undefined,
    'One-time code',
  );
  await deleteByAnother(client, operatorId);
  await setGiver(client, 'operator', operatorId, { kind: 'operator', id: by.id });
  return {
    result: { removed: true as const },
    action: 'operator.one-time-code-remove' as const,
    target: operatorId,
    endsSessionsOf: operatorId,
  };
}
