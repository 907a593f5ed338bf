import {
  dayOf,
  formatMoney,
  type Instant,
  type MemberAccount,
  type Money,
  refuseAccountApproval,
  SUSPENDED,
  usedOn,
  wrongQrPayload,
} from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from '../storage/db.ts';
import {
  type AccountLimits,
  type AccountRecord,
  findAccountOwner,
  insertAccount,
  lockAccountsOf,
  setAccountLimits,
  setQrAmount,
} from '../storage/member-accounts.ts';
import { findMember, holdActive, lockMember } from '../storage/members.ts';
import { readPlatformSettings } from '../storage/settings.ts';
import type { ServiceDeps } from './deps.ts';
import { updateMember } from './members.ts';
import { accepted, fieldError, found, Refused, refuseOn } from './refusals.ts';
import { type Caller, changesOf, type Once, type OperatorCaller, recordedWrite } from './write.ts';

/** Accounts of a member's own adding that may wait for an operator at once. */
const PENDING_MAX = 20;

export interface AccountFields
  extends Pick<MemberAccount, 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'> {
  /** 0 or more; the other two above 0. Null: no limit. Wallet currency. */
  readonly minimumPerOrder: Money | null;
  readonly maximumPerOrder: Money | null;
  readonly maximumPerDay: Money | null;
  readonly qrAmount: boolean;
}

/**
 * Adds an account to a member, pending until an operator approves it (D112). Throws FieldErrors;
 * `not-found` without such a member; `already-exists` where they have that account. Members
 * who add their own are refused while suspended (`suspended`), and where many of theirs
 * wait (`too-many`).
 */
export async function addAccount(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: Caller,
  memberId: string,
  fields: AccountFields,
  show: (account: AccountRecord) => unknown,
): Promise<AccountRecord> {
  checkFields(fields);
  const { actor } = caller;
  const { walletType } = fields;
  const [accountNumber, accountTitle] = [fields.accountNumber.trim(), fields.accountTitle.trim()];
  return recordedWrite(
    deps,
    caller,
    async (client, now, ids) => {
      await lockAccountsOf(client, memberId);
      if (actor.kind === 'member' && !(await holdActive(client, memberId)))
        throw new Refused('suspended', SUSPENDED);
      const { accounts } = found(await findMember(client, memberId), 'Member');
      const isSame = (other: MemberAccount) =>
        other.walletType === walletType && other.accountNumber === accountNumber;
      if (accounts.some(isSame))
        throw new Refused('already-exists', `This ${walletType} account has been added already.`);
      if (actor.kind === 'member') refuseMany(accounts);
      const account = { ...fields, accountId: ids.uuid(now), accountNumber, accountTitle };
      const createdBy = actor.kind === 'operator' ? actor.id : null;
      await insertAccount(client, { ...account, memberId, createdAt: now, createdBy });
      return {
        result: {
          ...account,
          status: 'pending' as const,
          paused: false,
          day: 0,
          dayAmount: 0n,
          createdBy,
        },
        action: 'account.create',
        target: account.accountId,
        detail: { memberId, walletType },
      };
    },
    show,
  );
}

function checkLimits({ minimumPerOrder, maximumPerOrder }: AccountLimits): void {
  if (minimumPerOrder !== null && maximumPerOrder !== null && minimumPerOrder > maximumPerOrder)
    throw fieldError('maximumPerOrder', 'must not be less than minimumPerOrder.');
}

function checkFields({ qrPayload, ...limits }: AccountFields): void {
  checkLimits(limits);
  const wrongCode = qrPayload === null ? undefined : wrongQrPayload(qrPayload);
  if (wrongCode !== undefined) throw fieldError('qrPayload', wrongCode);
}

function refuseMany(accounts: readonly MemberAccount[]): void {
  if (accounts.filter(({ status }) => status === 'pending').length < PENDING_MAX) return;
  throw new Refused(
    'too-many',
    `${PENDING_MAX} of your accounts wait for approval. Wait for the operator before you add more.`,
  );
}

/** What can be changed of an account; what is not there stays. */
type AccountChange = Partial<AccountLimits & Pick<AccountFields, 'qrAmount'>>;

const LIMITS = ['minimumPerOrder', 'maximumPerOrder', 'maximumPerDay'] as const;

/**
 * Changes what can be changed of an account. Throws `not-found`, also where a member asks for
 * another one's; FieldErrors where the limits contradict each other; `unprocessable` where the
 * day's is below what was taken on today.
 */
export async function changeAccount(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: Caller,
  accountId: string,
  asked: AccountChange,
  show: (owned: OwnedAccount) => unknown,
): Promise<OwnedAccount> {
  const { actor } = caller;
  const { qrAmount } = asked;
  const change = async (client: pg.PoolClient, now: Instant) => {
    const memberId = found(await findAccountOwner(client, accountId), 'Account');
    if (actor.kind === 'member' && actor.id !== memberId)
      throw new Refused('not-found', 'Account not found.');
    if (qrAmount !== undefined) await setQrAmount(client, accountId, qrAmount);
    const limits = await changeLimits(client, { memberId, accountId }, asked, now);
    return {
      result: { memberId, account: await findOwned(client, memberId, accountId) },
      action: 'account.update',
      target: accountId,
      detail: { memberId, ...(qrAmount !== undefined && { qrAmount }), ...limits },
    };
  };
  return recordedWrite(deps, caller, change, show);
}

/** What has changed, for the audit log. */
async function changeLimits(
  client: pg.PoolClient,
  { memberId, accountId }: { readonly memberId: string; readonly accountId: string },
  asked: AccountChange,
  now: Instant,
) {
  if (LIMITS.every((limit) => asked[limit] === undefined)) return {};
  await lockMember(client, memberId);
  const before = await findOwned(client, memberId, accountId);
  const after = { ...before, ...asked };
  checkLimits(after);
  const used = usedOn(before, now);
  if (asked.maximumPerDay != null && asked.maximumPerDay < used)
    throw new Refused(
      'unprocessable',
      `PKR ${formatMoney(used)} was taken on today already: the day’s limit cannot be below it. Suspend the account to stop it.`,
    );
  await setAccountLimits(client, accountId, after, { day: dayOf(now), dayAmount: used });
  return changesOf(before, after, LIMITS);
}

export interface OwnedAccount {
  readonly memberId: string;
  readonly account: AccountRecord;
}

async function findOwned(db: Queryable, memberId: string, accountId: string) {
  const { accounts } = found(await findMember(db, memberId), 'Member');
  return found(
    accounts.find((account) => account.accountId === accountId),
    'Account',
  );
}

/**
 * Approves or suspends an account; with the latter, unpaid deposits to it leave it. Throws
 * `not-found`, and `second-operator` where a second one is required and the caller added it (D66).
 */
export async function setAccountStatus(
  deps: Pick<ServiceDeps, 'database' | 'engine' | 'log' | 'notices'>,
  caller: OperatorCaller,
  accountId: string,
  status: 'approved' | 'suspended',
): Promise<OwnedAccount> {
  const { pool } = deps.database;
  const memberId = found(await findAccountOwner(pool, accountId), 'Account');
  const findOne = () => findOwned(pool, memberId, accountId);
  if (status === 'approved')
    refuseOn(
      refuseAccountApproval(await findOne(), caller.actor, await readPlatformSettings(pool)),
    );
  await updateMember(deps, caller, memberId, { account: { accountId, status } });
  // Read again: deposits that have left the account gave its day back.
  return { memberId, account: await findOne() };
}

/**
 * A member takes no new orders on an account of theirs, or takes them again. Throws `not-found` and
 * `suspended`.
 */
export async function pauseAccount(
  { database, engine }: Pick<ServiceDeps, 'database' | 'engine'>,
  once: Once,
  account: { readonly memberId: string; readonly accountId: string; readonly paused: boolean },
): Promise<AccountRecord> {
  const { memberId, accountId, paused } = account;
  const actor = { kind: 'member', id: memberId } as const;
  const { commandId } = once;
  const change = { commandId, memberId, account: { accountId, paused }, actor };
  accepted(await engine.submit({ kind: 'update-member', ...change }, once));
  return findOwned(database.pool, memberId, accountId);
}
