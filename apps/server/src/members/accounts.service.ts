import { type AccountChange, APPROVE_ACCOUNT, CHANGE_ACCOUNT, type Given } from '@munshi/api';
import type { Actor, AskingOperator } from '@munshi/core';
import {
  type AccountLimits,
  accountKey,
  dayOf,
  type Instant,
  type MemberAccount,
  moneyText,
  SUSPENDED,
  WALLET_CURRENCY,
  wrongQrPayload,
} from '@munshi/core';
import type pg from 'pg';
import { readOrigin } from '../people/credentials.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { accepted, fieldError, found, Refused } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { By, Explained } from '../writes/waiting-writes.ts';
import type { Done, Work } from '../writes/write.ts';
import { changesOf, type Once, shownOf, type Written } from '../writes/write.ts';
import {
  ACCOUNT_FIELDS,
  type AccountFields,
  type AccountRecord,
  findAccountOwner,
  insertAccount,
  lockAccountsOf,
  updateAccount,
} from './accounts.store.ts';
import { type MemberDeps, updateMember } from './service.ts';
import { findMember, holdActive, lockMember, type MemberRecord } from './store.ts';
import { withdrawDeposits } from './withdrawn-deposits.service.ts';

/** Accounts of a member's own adding that may wait for an operator at once. */
const PENDING_MAX = 20;
/** A member with as many, stopped ones too, adds none by themselves. */
const ACCOUNTS_MAX = 100;

/**
 * Adds an account to a member, pending until an operator approves it
 * (apis.md#merchants-members-and-money). Of its limits the least may be 0, the other two are above
 * it. Throws FieldErrors; `not-found` without such a member; `already-exists` where they have that
 * account. Members who add their own are refused while suspended (`suspended`), and where many of
 * theirs wait (`too-many`).
 */
export function addAccount(
  actor: Actor,
  memberId: string,
  fields: AccountFields,
): Work<AccountRecord> {
  checkFields(fields);
  const { walletType } = fields;
  const [accountNumber, accountTitle] = [fields.accountNumber.trim(), fields.accountTitle.trim()];
  return async (client, now, ids) => {
    await lockAccountsOf(client, memberId);
    if (actor.kind === 'member' && !(await holdActive(client, memberId)))
      throw new Refused('suspended', SUSPENDED);
    const { accounts } = found(await findMember(client, memberId), 'Member');
    const isSame = (other: MemberAccount) =>
      other.walletType === walletType &&
      accountKey(other.accountNumber) === accountKey(accountNumber);
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
        createdAt: now,
        createdBy,
      },
      action: 'account.create' as const,
      target: account.accountId,
      detail: { memberId, walletType },
    };
  };
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

/** Every account of a member whom an order may go to is read with the order, stopped ones too. */
function refuseMany(accounts: readonly MemberAccount[]): void {
  if (accounts.filter(({ status }) => status === 'pending').length >= PENDING_MAX)
    throw new Refused(
      'too-many',
      `${PENDING_MAX} of your accounts wait for approval. Wait for the operator before you add more.`,
    );
  if (accounts.length >= ACCOUNTS_MAX)
    throw new Refused(
      'too-many',
      `You have ${ACCOUNTS_MAX} accounts, with those that you have stopped. Ask your operator to add more.`,
    );
}

/** A change of an account; what is not in it stays. */
export interface AskedAccountChange {
  readonly accountId: string;
  readonly change: Given<AccountChange>;
}

/** The account before and after a change, its member locked. */
async function lockChanged(
  client: pg.PoolClient,
  { accountId, change }: AskedAccountChange,
): Promise<{
  readonly member: MemberRecord;
  readonly before: AccountRecord;
  readonly after: AccountRecord;
}> {
  const memberId = found(await findAccountOwner(client, accountId), 'Account');
  await lockMember(client, memberId);
  const member = found(await findMember(client, memberId), 'Member');
  const before = accountOf(member.accounts, accountId);
  return { member, before, after: { ...before, ...change } };
}

/** Where it widens what the account may take, it waits for a second operator. */
export async function accountChangeWaits(
  client: pg.PoolClient,
  asked: AskedAccountChange,
): Promise<boolean> {
  const { before, after } = await lockChanged(client, asked);
  return CHANGE_ACCOUNT.decides.needsTwo(before, after);
}

/** Throws `not-found` and what `refuseLimits` does. */
export async function explainAccountChange(
  client: pg.PoolClient,
  asked: AskedAccountChange,
  now: Instant,
): Promise<Explained> {
  const { member, before, after } = await lockChanged(client, asked);
  refuseLimits(before, after, now);
  const { accountId } = asked;
  const shown = {
    accountId,
    memberId: member.memberId,
    memberName: member.name,
    accountNumber: before.accountNumber,
    ...changesOf(before, after, asked.change),
  };
  return { target: accountId, shown };
}

/** Carries such a change out. Throws as above. */
export async function changeAccount(
  client: pg.PoolClient,
  asked: AskedAccountChange,
  now: Instant,
): Promise<Written<OwnedAccount>> {
  const { accountId } = asked;
  const { member, before, after } = await lockChanged(client, asked);
  const { memberId } = member;
  refuseLimits(before, after, now);
  await updateAccount(client, memberId, { ...after, ...usageAt(before, now) });
  return {
    result: { memberId, account: await findOwned(client, memberId, accountId) },
    action: 'account.update' as const,
    target: accountId,
    detail: { memberId, ...changesOf(before, after, asked.change) },
  };
}

/**
 * What the account has taken on, and on which day: that of `now`, or a later one. Around
 * midnight an order may be assigned after `now` was read, and before the member is locked.
 */
const usageAt = ({ day, dayAmount }: MemberAccount, now: Instant) =>
  day >= dayOf(now) ? { day, dayAmount } : { day: dayOf(now), dayAmount: 0n };

/** The day's limit is never below what was taken on today. */
function refuseLimits(before: MemberAccount, after: AccountLimits, now: Instant): void {
  checkLimits(after);
  const { dayAmount: used } = usageAt(before, now);
  if (
    after.maximumPerDay !== before.maximumPerDay &&
    after.maximumPerDay !== null &&
    after.maximumPerDay < used
  )
    throw new Refused(
      'unprocessable',
      `${moneyText(used, WALLET_CURRENCY)} was taken on today already: the day’s limit cannot be below it. Suspend the account to stop it.`,
    );
}

/** A member chooses how the code of an account of theirs is shown. Throws `not-found`. */
export const changeOwnAccount =
  (memberId: string, asked: AskedAccountChange): Work<AccountRecord> =>
  async (client, now) => {
    await findOwned(client, memberId, asked.accountId);
    const { result, ...written } = await changeAccount(client, asked, now);
    return { ...written, result: result.account };
  };

export interface OwnedAccount {
  readonly memberId: string;
  readonly account: AccountRecord;
}

export async function findOwned(db: Queryable, memberId: string, accountId: string) {
  const { accounts } = found(await findMember(db, memberId), 'Member');
  return accountOf(accounts, accountId);
}

const accountOf = (accounts: readonly AccountRecord[], accountId: string): AccountRecord =>
  found(
    accounts.find((account) => account.accountId === accountId),
    'Account',
  );

/** Whether an approval by this operator waits, its member locked (security.md#two-operators). */
export async function approvalWaits(
  client: pg.PoolClient,
  accountId: string,
  who: AskingOperator,
): Promise<boolean> {
  const { member, before } = await lockChanged(client, { accountId, change: {} });
  const { credentialBy } = member;
  const createdBy = before.createdBy && (await readOrigin(client, before.createdBy));
  return APPROVE_ACCOUNT.decides.needsTwo({ ...before, createdBy, credentialBy }, undefined, who);
}

/** What a second operator is shown of an approval. Throws `not-found`. */
export async function explainApproval(
  client: pg.PoolClient,
  accountId: string,
): Promise<Explained> {
  const { member, before } = await lockChanged(client, { accountId, change: {} });
  const { memberId, name: memberName } = member;
  const approved = { status: 'approved' as const };
  const shown = {
    memberId,
    memberName,
    ...shownOf(before, ACCOUNT_FIELDS),
    ...changesOf(before, { ...before, ...approved }, approved),
  };
  return { target: accountId, shown };
}

/**
 * Approves or suspends an account; with the latter, unpaid deposits to it leave it. Throws
 * `not-found`.
 */
export async function setAccountStatus(
  deps: MemberDeps,
  client: pg.PoolClient,
  { accountId, status }: Pick<MemberAccount, 'accountId' | 'status'>,
  { actor }: By,
): Promise<Done<OwnedAccount>> {
  const memberId = found(await findAccountOwner(client, accountId), 'Account');
  const account = { accountId, status };
  const done = await updateMember(deps, client, actor, memberId, { account });
  return { ...done, result: { memberId, account: await findOwned(client, memberId, accountId) } };
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

/**
 * A member stops using an account of theirs: unpaid deposits leave it, as where an operator suspends
 * it, and only an operator opens it again. Throws `not-found` and `suspended`.
 */
export async function stopAccount(
  deps: Pick<ServiceDeps, 'database' | 'engine' | 'log'>,
  once: Once,
  { memberId, accountId }: { readonly memberId: string; readonly accountId: string },
): Promise<AccountRecord> {
  const actor = { kind: 'member', id: memberId } as const;
  const account = { accountId, status: 'suspended' } as const;
  const change = { commandId: once.commandId, memberId, account, actor };
  accepted(await deps.engine.submit({ kind: 'update-member', ...change }, once));
  await withdrawDeposits(deps);
  return findOwned(deps.database.pool, memberId, accountId);
}
