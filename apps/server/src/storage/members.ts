import {
  formatMoney,
  type Instant,
  type Member,
  type MemberAccount,
  type Money,
} from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from './db.ts';
import { type Row, readAccount, readMember, time } from './rows.ts';

/**
 * A member with name and accounts. Status, presence, capacity and float are changed by the engine
 * alone.
 */
export interface MemberRecord extends Member {
  readonly name: string;
  readonly username: string;
  readonly createdAt: Instant;
}

const COLUMNS = `m.member_id, m.name, m.username, m.status, m.online, m.max_open_orders, m.open_orders, m.float_balance, m.float_held, m.float_overdrawn,
  m.last_assigned_at, m.created_at`;
const ACCOUNT_COLUMNS = `account_id, member_id, wallet_type, account_number, account_title, qr_payload, status, minimum_per_order, maximum_per_order,
  maximum_per_day, day, day_amount`;

export interface NewMember {
  readonly memberId: string;
  readonly name: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly maxOpenOrders: number;
  readonly createdAt: Instant;
}

/** Throws 23505 when the username is taken. */
export async function insertMember(db: Queryable, member: NewMember): Promise<void> {
  const text =
    'insert into members (member_id, name, username, password_hash, max_open_orders, created_at) values ($1, $2, $3, $4, $5, $6)';
  const { memberId, name, username, passwordHash, maxOpenOrders, createdAt } = member;
  await db.query({
    text,
    values: [memberId, name, username, passwordHash, maxOpenOrders, time(createdAt)],
  });
}

/**
 * Who somebody is and how they sign in; null leaves a field as it is. Throws 23505 when the
 * username is taken.
 */
export async function updateMemberIdentity(
  db: Queryable,
  memberId: string,
  {
    name,
    username,
    passwordHash,
  }: {
    readonly name: string | null;
    readonly username: string | null;
    readonly passwordHash: string | null;
  },
): Promise<void> {
  const text = `update members set name = coalesce($2, name), username = coalesce($3, username), password_hash = coalesce($4, password_hash)
    where member_id = $1`;
  await db.query({ text, values: [memberId, name, username, passwordHash] });
}

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
}

/** Adds an account, pending until an operator approves it. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<void> {
  const text = `insert into member_accounts (account_id, member_id, wallet_type, account_number, account_title, qr_payload, minimum_per_order, maximum_per_order,
    maximum_per_day, created_at, created_by) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
  const limits = [account.minimumPerOrder, account.maximumPerOrder, account.maximumPerDay].map(
    (value) => (value === null ? null : formatMoney(value)),
  );
  const {
    accountId,
    memberId,
    walletType,
    accountNumber,
    accountTitle,
    qrPayload,
    createdAt,
    createdBy,
  } = account;
  await db.query({
    text,
    values: [
      accountId,
      memberId,
      walletType,
      accountNumber,
      accountTitle,
      qrPayload,
      ...limits,
      time(createdAt),
      createdBy,
    ],
  });
}

/**
 * Until the transaction ends, nobody else adds an account of the member by counting what there is:
 * of many at once, each sees those before.
 */
export async function lockAccountsOf(client: pg.PoolClient, memberId: string): Promise<void> {
  await client.query({
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`member accounts of ${memberId}`],
  });
}

/** The operator who added it; null: its member. */
export async function findAccountCreator(db: Queryable, accountId: string): Promise<string | null> {
  const { rows } = await db.query({
    text: 'select created_by from member_accounts where account_id = $1',
    values: [accountId],
  });
  return rows[0]?.created_by ?? null;
}

/** Whether the member is active, which stays so until the transaction ends. */
export async function holdActive(client: pg.PoolClient, memberId: string): Promise<boolean> {
  const { rows } = await client.query({
    text: 'select status from members where member_id = $1 for share',
    values: [memberId],
  });
  return rows[0]?.status === 'active';
}

/** Whose account it is. */
export async function findAccountOwner(
  db: Queryable,
  accountId: string,
): Promise<string | undefined> {
  const { rows } = await db.query({
    text: 'select member_id from member_accounts where account_id = $1',
    values: [accountId],
  });
  return rows[0]?.member_id;
}

/** A member with its accounts, oldest first. */
export async function findMember(
  db: Queryable,
  memberId: string,
): Promise<MemberRecord | undefined> {
  const { rows } = await db.query({
    text: `select ${COLUMNS} from members m where m.member_id = $1`,
    values: [memberId],
  });
  return (await withAccounts(db, rows))[0];
}

/** A member's accounts, the oldest first: their ids sort by time. */
export async function listAccounts(
  db: Queryable,
  {
    memberId,
    after,
    limit,
  }: { readonly memberId: string; readonly after: string | null; readonly limit: number },
): Promise<readonly MemberAccount[]> {
  const text = `select ${ACCOUNT_COLUMNS} from member_accounts
    where member_id = $1 and ($2::uuid is null or account_id > $2) order by account_id limit $3`;
  const { rows } = await db.query({ text, values: [memberId, after, limit] });
  return rows.map(readAccount);
}

export interface MemberQuestion {
  /** Part of the name or username. */
  readonly search: string | null;
  readonly status: string | null;
  readonly online: boolean | null;
  /** Members who have an account of that status. */
  readonly accountStatus: string | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Members with their accounts, the newest first. */
export async function listMembers(
  db: Queryable,
  question: MemberQuestion,
): Promise<readonly MemberRecord[]> {
  const { search, status, online, accountStatus, after, limit } = question;
  const text = `select ${COLUMNS} from members m
    where ($1::text is null or strpos(lower(m.name), lower($1)) > 0 or strpos(lower(m.username), lower($1)) > 0)
      and ($2::text is null or m.status = $2) and ($3::boolean is null or m.online = $3)
      and ($4::text is null or exists (select from member_accounts a where a.member_id = m.member_id and a.status = $4))
      and ($5::uuid is null or m.member_id < $5)
    order by m.member_id desc limit $6`;
  const { rows } = await db.query({
    text,
    values: [search, status, online, accountStatus, after, limit],
  });
  return withAccounts(db, rows);
}

async function withAccounts(
  db: Queryable,
  members: readonly Row[],
): Promise<readonly MemberRecord[]> {
  if (members.length === 0) return [];
  const text = `select ${ACCOUNT_COLUMNS} from member_accounts where member_id = any($1::uuid[]) order by created_at, account_id`;
  const { rows } = await db.query({ text, values: [members.map((row) => row['member_id'])] });
  const owned = Map.groupBy(rows as Row[], (row) => row['member_id'] as string);
  return members.map((row) => ({
    ...readMember(row, (owned.get(row['member_id']) ?? []).map(readAccount)),
    name: row['name'],
    username: row['username'],
    createdAt: row['created_at'],
  }));
}
