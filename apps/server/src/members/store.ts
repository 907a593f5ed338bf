import type { ChangeMember } from '@munshi/api';
import { type Member, readPeopleSearch, type WalletType } from '@munshi/core';
import type pg from 'pg';
import { MEMBER_COLUMNS } from '../engine/rows/member.ts';
import {
  answers,
  assignments,
  columns,
  insertion,
  orNull,
  type RecordFrom,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { accountKeyOf, nameKeyOf } from '../platform/database/search-key.ts';
import {
  type Page,
  query,
  queryOne,
  statement,
  unprepared,
  writes,
} from '../platform/database/statement.ts';
import { type AccountRecord, readAccountsOf } from './accounts.store.ts';

/** Who a member is; the engine changes the rest. A password is changed besides. */
const IDENTITY = {
  name: t.text,
  username: t.text,
  phone: orNull(t.text),
} satisfies Record<Exclude<keyof ChangeMember, 'maxOpenOrders' | 'status' | 'password'>, unknown>;
export type MemberIdentity = RecordFrom<typeof IDENTITY>;

/**
 * A member with name and accounts. Status, presence, capacity and float are changed by the engine
 * alone.
 */
const MEMBER = columns('m', {
  ...MEMBER_COLUMNS,
  ...IDENTITY,
  createdAt: t.instant,
  /** The capacity before new orders were paused; null: they never were. */
  capacityBefore: orNull(t.integer),
  /** The operator who last gave them a password or link. */
  credentialBy: orNull(t.text),
});
export interface MemberRecord extends RecordOf<typeof MEMBER> {
  readonly accounts: readonly AccountRecord[];
}

async function withAccounts(
  db: Queryable,
  members: readonly RecordOf<typeof MEMBER>[],
): Promise<readonly MemberRecord[]> {
  if (members.length === 0) return [];
  const ids = members.map(({ memberId }) => memberId);
  const accounts = await readAccountsOf(db, ids);
  return members.map((member) => ({ ...member, accounts: accounts.get(member.memberId) ?? [] }));
}

const NEW = insertion('members', {
  memberId: t.uuid,
  ...IDENTITY,
  passwordHash: t.text,
  maxOpenOrders: t.integer,
  createdAt: t.instant,
});

/** Throws 23505 when the username is taken. */
export const insertMember = writes('insert-member', NEW.into, NEW.valuesOf);

const CHANGES = assignments(IDENTITY);

/** Null leaves the password as it is. Throws 23505 when the username is taken. */
export const updateMemberIdentity = writes(
  'update-member-identity',
  `update members
   set ${CHANGES.set},
     password_hash = coalesce($${CHANGES.next}, password_hash)
   where member_id = $${CHANGES.next + 1}`,
  (member: MemberRecord, passwordHash: string | null) => [
    ...CHANGES.valuesOf(member),
    passwordHash,
    member.memberId,
  ],
);

/** Keeps the capacity that a pause of new orders ends. */
export const keepCapacity = writes(
  'keep-member-capacity',
  `update members
   set capacity_before = $2
   where member_id = $1`,
  ({ memberId, maxOpenOrders }: Pick<Member, 'memberId' | 'maxOpenOrders'>) => [
    memberId,
    maxOpenOrders,
  ],
);

/** Until the transaction ends, no batch decides over the member. */
export const lockMember = writes(
  'lock-member',
  `select member_id
   from members
   where member_id = $1
   for no key update`,
  (memberId: string) => [memberId],
);

const HOLD_STATUS = statement(
  'hold-member-status',
  `select status
   from members
   where member_id = $1
   for share`,
  answers({ status: t.oneOf<Member['status']>() }),
);

/** Whether the member is active, which stays so until the transaction ends. */
export async function holdActive(client: pg.PoolClient, memberId: string): Promise<boolean> {
  return (await queryOne(client, HOLD_STATUS, [memberId]))?.status === 'active';
}

const FIND = statement(
  'find-member',
  `select ${MEMBER.list}
   from members m
   where m.member_id = $1`,
  MEMBER,
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
  /** Part of the name, the username or who an account belongs to, or a number or its last four. */
  readonly search: string | null;
  readonly status: string | null;
  readonly online: boolean | null;
  /** Members who have an account of that status. */
  readonly accountStatus: string | null;
}

const TYPED = nameKeyOf('$1::text');
const hasTyped = (column: string) => `strpos(${nameKeyOf(column)}, ${TYPED}) > 0`;
const isNumber = (column: string) =>
  `(${accountKeyOf(column)} = $8 or right(${accountKeyOf(column)}, 4) = $7)`;
const LIST = unprepared(
  'list-members',
  `select ${MEMBER.list}
   from members m
   where (
       $1::text is null
       or ${hasTyped('m.name')}
       or ${hasTyped('m.username')}
       or ${isNumber('m.phone')}
       or exists (
         select
         from member_accounts a
         where a.member_id = m.member_id
           and (${hasTyped('a.account_title')} or ${isNumber('a.account_number')})
       )
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
  MEMBER,
);

/** Members with their accounts, the newest first. */
export async function listMembers(
  db: Queryable,
  { search, status, online, accountStatus, after, limit }: MemberQuestion,
): Promise<readonly MemberRecord[]> {
  const { part = null, lastFour = null, number = null } = readPeopleSearch(search) ?? {};
  const values = [part, status, online, accountStatus, after, limit, lastFour, number];
  return withAccounts(db, await query(db, LIST, values));
}

const LIST_SERVING = statement(
  'list-members-serving',
  `select ${MEMBER.list}
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
  MEMBER,
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
