import {
  type AccountLimits,
  formatMoney,
  type Instant,
  type MemberAccount,
  type Money,
} from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from '../db.ts';
import { plainArray, runPipeline } from '../pipeline.ts';
import { type Row, readAccount, time } from '../rows.ts';
import { execute, lockFor, type Page, query, statement, unprepared } from '../statement.ts';

/** Read by readAccount. */
export const ACCOUNT_COLUMNS = `account_id, member_id, wallet_type, account_number, account_title,
     qr_payload, status, paused, minimum_per_order, maximum_per_order, maximum_per_day, day, day_amount`;

export interface NewAccount
  extends Pick<
    MemberAccount,
    'accountId' | 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'
  > {
  readonly memberId: string;
  readonly minimumPerOrder: Money | null;
  readonly maximumPerOrder: Money | null;
  readonly maximumPerDay: Money | null;
  readonly createdAt: Instant;
  /** The operator who adds it; null: its member. */
  readonly createdBy: string | null;
  readonly qrAmount: boolean;
}

const INSERT = statement(
  'insert-account',
  `insert into member_accounts (
     account_id, member_id, wallet_type, account_number, account_title, qr_payload,
     minimum_per_order, maximum_per_order, maximum_per_day, created_at, created_by,
     qr_amount
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

const optionalAmount = (value: Money | null) => (value === null ? null : formatMoney(value));

/** Adds an account, pending until an operator approves it. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<void> {
  await execute(db, INSERT, [
    account.accountId,
    account.memberId,
    account.walletType,
    account.accountNumber,
    account.accountTitle,
    account.qrPayload,
    optionalAmount(account.minimumPerOrder),
    optionalAmount(account.maximumPerOrder),
    optionalAmount(account.maximumPerDay),
    time(account.createdAt),
    account.createdBy,
    account.qrAmount,
  ]);
}

const SET_QR_AMOUNT = statement(
  'set-qr-amount',
  `update member_accounts
   set qr_amount = $2
   where account_id = $1`,
);

export async function setQrAmount(
  db: Queryable,
  accountId: string,
  qrAmount: boolean,
): Promise<void> {
  await execute(db, SET_QR_AMOUNT, [accountId, qrAmount]);
}

const SET_LIMITS = statement(
  'set-account-limits',
  `with told as (
     insert into member_changes (member_ids)
     values ($7::uuid[])
   )
   update member_accounts
   set minimum_per_order = $2,
     maximum_per_order = $3,
     maximum_per_day = $4,
     day = $5,
     day_amount = $6
   where account_id = $1`,
);

/**
 * Sets what an account may take, and tells every process. `usage`: of the day that it is. Its
 * member is locked, so that no batch of orders goes by the limits before.
 */
export async function setAccountLimits(
  client: pg.PoolClient,
  { memberId, accountId }: Pick<NewAccount, 'memberId' | 'accountId'>,
  limits: AccountLimits,
  usage: Pick<MemberAccount, 'day' | 'dayAmount'>,
): Promise<void> {
  await execute(client, SET_LIMITS, [
    accountId,
    optionalAmount(limits.minimumPerOrder),
    optionalAmount(limits.maximumPerOrder),
    optionalAmount(limits.maximumPerDay),
    usage.day,
    formatMoney(usage.dayAmount),
    [memberId],
  ]);
}

const LOCK = lockFor('lock-accounts-of-member', '$1');

/**
 * Until the transaction ends, nobody else adds an account of the member by counting what there is:
 * of many at once, each sees those before.
 */
export async function lockAccountsOf(client: pg.PoolClient, memberId: string): Promise<void> {
  await query(client, LOCK, [`member accounts of ${memberId}`]);
}

const OWNER = statement<{ readonly member_id: string }>(
  'account-owner',
  `select member_id
   from member_accounts
   where account_id = $1`,
);

/** Whose account it is. */
export async function findAccountOwner(
  db: Queryable,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await query(db, OWNER, [accountId]);
  return row?.member_id;
}

const LIST = unprepared(
  'list-accounts',
  `select ${ACCOUNT_COLUMNS}, created_at, created_by, qr_amount
   from member_accounts
   where member_id = $1
     and ($2::uuid is null or account_id > $2)
   order by account_id
   limit $3`,
);

/** A member's accounts, the oldest first: their ids sort by time. */
export async function listAccounts(
  db: Queryable,
  { memberId, after, limit }: Page & { readonly memberId: string },
): Promise<readonly AccountRecord[]> {
  return (await query(db, LIST, [memberId, after, limit])).map(readRecord);
}

export interface AccountRecord extends MemberAccount {
  readonly createdAt: Instant;
  /** The operator who added it; null: its member. */
  readonly createdBy: string | null;
  /** Whether the order's amount is put into its QR code, where the code has a place for it. */
  readonly qrAmount: boolean;
}

const readRecord = (row: Row): AccountRecord => ({
  ...readAccount(row),
  createdAt: row['created_at'],
  createdBy: row['created_by'],
  qrAmount: row['qr_amount'],
});

const OF_MEMBERS = statement(
  'accounts-of-members',
  `select ${ACCOUNT_COLUMNS}, created_at, created_by, qr_amount
   from member_accounts
   where member_id = any($1::uuid[])
   order by created_at, account_id`,
);

/** The accounts of these members, by member, each one's oldest first. */
export async function readAccountsOf(
  db: Queryable,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AccountRecord[]>> {
  const rows = await query(db, OF_MEMBERS, [memberIds]);
  const byMember = Map.groupBy(rows, (row) => row['member_id'] as string);
  return new Map([...byMember].map(([memberId, own]) => [memberId, own.map(readRecord)]));
}

/**
 * What people are shown of a member's account. It never changes: another number is another account.
 */
export type ShownAccount = Pick<
  MemberAccount,
  'accountId' | 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'
>;

/** Its part of a select list, also beside an order's columns. */
export const shownAccountColumns = (alias: string) =>
  `${alias}.account_id, ${alias}.wallet_type as account_method, ${alias}.account_number,
     ${alias}.account_title, ${alias}.qr_payload`;

/** Null where the row has no account. */
export const readShownAccount = (row: Row): ShownAccount | null =>
  row['account_id'] === null
    ? null
    : {
        accountId: row['account_id'],
        walletType: row['account_method'],
        accountNumber: row['account_number'],
        accountTitle: row['account_title'],
        qrPayload: row['qr_payload'],
      };

const SHOWN = statement(
  'shown-accounts',
  `select ${shownAccountColumns('a')}
   from member_accounts a
   where a.account_id = any($1::uuid[])`,
);

/** Each by its id; undefined where there is none. */
export async function readShownAccounts(
  lane: pg.Client,
  accountIds: readonly string[],
): Promise<readonly (ShownAccount | undefined)[]> {
  const [rows = []] = await runPipeline(lane, [{ ...SHOWN, values: [plainArray(accountIds)] }]);
  const byId = new Map(rows.map((row) => [row['account_id'], readShownAccount(row)]));
  return accountIds.map((accountId) => byId.get(accountId) ?? undefined);
}
