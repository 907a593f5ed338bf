import type { Instant, Member, WalletType } from '@munshi/core';
import type pg from 'pg';
import type { Queryable } from '../db.ts';
import { type Row, readMember, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';
import { type AccountRecord, readAccountsOf } from './member-accounts.ts';

/**
 * A member with name and accounts. Status, presence, capacity and float are changed by the engine
 * alone.
 */
export interface MemberRecord extends Member {
  readonly name: string;
  readonly username: string;
  readonly createdAt: Instant;
  readonly accounts: readonly AccountRecord[];
}

const COLUMNS = `m.member_id, m.name, m.username, m.status, m.online, m.max_open_orders,
     m.open_orders, m.float_balance, m.float_held, m.float_overdrawn, m.last_assigned_at,
     m.created_at`;

async function withAccounts(
  db: Queryable,
  members: readonly Row[],
): Promise<readonly MemberRecord[]> {
  if (members.length === 0) return [];
  const ids = members.map((row) => row['member_id'] as string);
  const accounts = await readAccountsOf(db, ids);
  return members.map((row) => {
    const own = accounts.get(row['member_id']) ?? [];
    return {
      ...readMember(row, own),
      accounts: own,
      name: row['name'],
      username: row['username'],
      createdAt: row['created_at'],
    };
  });
}

export interface NewMember {
  readonly memberId: string;
  readonly name: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly maxOpenOrders: number;
  readonly createdAt: Instant;
}

const INSERT = statement(
  'insert-member',
  `insert into members
     (member_id, name, username, password_hash, max_open_orders, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

/** Throws 23505 when the username is taken. */
export async function insertMember(db: Queryable, member: NewMember): Promise<void> {
  const { memberId, name, username, passwordHash, maxOpenOrders, createdAt } = member;
  const values = [memberId, name, username, passwordHash, maxOpenOrders, time(createdAt)];
  await execute(db, INSERT, values);
}

const UPDATE_IDENTITY = statement(
  'update-member-identity',
  `update members
   set name = coalesce($2, name),
     username = coalesce($3, username),
     password_hash = coalesce($4, password_hash)
   where member_id = $1`,
);

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
  await execute(db, UPDATE_IDENTITY, [memberId, name, username, passwordHash]);
}

const LOCK = statement(
  'lock-member',
  `select member_id
   from members
   where member_id = $1
   for no key update`,
);

/** Until the transaction ends, no batch decides over the member. */
export async function lockMember(client: pg.PoolClient, memberId: string): Promise<void> {
  await query(client, LOCK, [memberId]);
}

const HOLD_STATUS = statement<{ readonly status: Member['status'] }>(
  'hold-member-status',
  `select status
   from members
   where member_id = $1
   for share`,
);

/** Whether the member is active, which stays so until the transaction ends. */
export async function holdActive(client: pg.PoolClient, memberId: string): Promise<boolean> {
  const [row] = await query(client, HOLD_STATUS, [memberId]);
  return row?.status === 'active';
}

const FIND = statement(
  'find-member',
  `select ${COLUMNS}
   from members m
   where m.member_id = $1`,
);

/** A member with its accounts, oldest first. */
export async function findMember(
  db: Queryable,
  memberId: string,
): Promise<MemberRecord | undefined> {
  const [member] = await withAccounts(db, await query(db, FIND, [memberId]));
  return member;
}

export interface MemberQuestion extends Page {
  /** Part of the name or username. */
  readonly search: string | null;
  readonly status: string | null;
  readonly online: boolean | null;
  /** Members who have an account of that status. */
  readonly accountStatus: string | null;
}

const LIST = unprepared(
  'list-members',
  `select ${COLUMNS}
   from members m
   where (
       $1::text is null
       or strpos(lower(m.name), lower($1)) > 0
       or strpos(lower(m.username), lower($1)) > 0
     )
     and ($2::text is null or m.status = $2)
     and ($3::boolean is null or m.online = $3)
     and (
       $4::text is null
       or exists (
         select from member_accounts a
         where a.member_id = m.member_id and a.status = $4
       )
     )
     and ($5::uuid is null or m.member_id < $5)
   order by m.member_id desc
   limit $6`,
);

/** Members with their accounts, the newest first. */
export async function listMembers(
  db: Queryable,
  { search, status, online, accountStatus, after, limit }: MemberQuestion,
): Promise<readonly MemberRecord[]> {
  const values = [search, status, online, accountStatus, after, limit];
  return withAccounts(db, await query(db, LIST, values));
}

const LIST_SERVING = statement(
  'list-members-serving',
  `select ${COLUMNS}
   from members m
   where m.member_id in (
     select member_id
     from member_accounts
     where status = 'approved' and wallet_type = any($1::text[])
     union
     select member_id
     from member_accounts
     where status = 'pending' and wallet_type = any($1::text[])
   )
   order by (m.online and m.status = 'active') desc, m.open_orders, m.member_id
   limit $2`,
);

/**
 * Members with an account of one of these methods that is approved or waits for it, those at work
 * first, at most `limit`.
 */
export async function listMembersServing(
  db: Queryable,
  methods: readonly WalletType[],
  limit: number,
): Promise<readonly MemberRecord[]> {
  return withAccounts(db, await query(db, LIST_SERVING, [methods, limit]));
}
