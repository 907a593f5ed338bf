import type { AccountChange } from '@munshi/api';
import type pg from 'pg';
import { ACCOUNT, LIMITS, SHOWN_ACCOUNT, USAGE } from '../engine/rows/account.ts';
import {
  assignments,
  columns,
  insertion,
  nullsOf,
  only,
  orNull,
  parameters,
  type RecordFrom,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { plainArray, runPipeline } from '../platform/database/pipeline.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import {
  lists,
  lockFor,
  PAGE,
  query,
  readsOne,
  statement,
  writes,
} from '../platform/database/statement.ts';

/** What can be changed of an account. */
const CHANGEABLE = {
  /** Whether the order's amount is put into its QR code, where the code has a place for it. */
  qrAmount: t.boolean,
  ...LIMITS,
} satisfies Record<keyof AccountChange, unknown>;
const ADDED = {
  createdAt: t.instant,
  /** The operator who added it; null: its member. */
  createdBy: orNull(t.text),
};

const ACCOUNT_RECORD = columns('', { ...ACCOUNT, ...CHANGEABLE, ...ADDED });
export type AccountRecord = RecordOf<typeof ACCOUNT_RECORD>;

/** What an account is added with, and what an approver reads of it. */
const FIELDS = { ...SHOWN_ACCOUNT, ...CHANGEABLE };
export type AccountFields = Omit<RecordFrom<typeof FIELDS>, 'accountId'>;
export const ACCOUNT_FIELDS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
/** Where a request leaves them out. */
export const DEFAULTS = { ...nullsOf(FIELDS), qrAmount: true };

const NEW = insertion('member_accounts', { memberId: t.uuid, ...FIELDS, ...ADDED });

/** Adds an account, pending until an operator approves it. */
export const insertAccount = writes('insert-account', NEW.into, NEW.valuesOf);

const CHANGES = assignments({ ...CHANGEABLE, ...USAGE });

/**
 * Writes what can be changed of an account, and notifies every process. Its usage is that of today
 * or of a later day. Its member is locked, so that no batch of orders uses the limits before.
 */
export const updateAccount = writes(
  'update-account',
  `with announced as (
     insert into member_changes (member_ids)
     values ($${CHANGES.next + 1}::uuid[])
   )
   update member_accounts
   set ${CHANGES.set}
   where account_id = $${CHANGES.next}`,
  (memberId: string, account: AccountRecord) => [
    ...CHANGES.valuesOf(account),
    account.accountId,
    [memberId],
  ],
);

const LOCK = lockFor('lock-accounts-of-member', '$1');

/**
 * Until the transaction ends, nobody else adds an account of the member by counting what there is:
 * of many at once, each sees those before.
 */
export async function lockAccountsOf(client: pg.PoolClient, memberId: string): Promise<void> {
  await query(client, LOCK, [`member accounts of ${memberId}`]);
}

/** Whose account it is. */
export const findAccountOwner = readsOne(
  'account-owner',
  `select member_id
   from member_accounts
   where account_id = $1`,
  only('memberId', t.uuid),
  (accountId: string) => [accountId],
);

/** A member's accounts, the oldest first: their ids sort by time. */
export const listAccounts = lists(
  'list-accounts',
  `select ${ACCOUNT_RECORD.list}
   from member_accounts
   where member_id = $1
     and ($2::uuid is null or account_id > $2)
   order by account_id
   limit $3`,
  ACCOUNT_RECORD,
  parameters({ memberId: t.uuid, ...PAGE }),
);

const OWNED = columns('', { memberId: t.uuid, account: ACCOUNT_RECORD });
const OF_MEMBERS = statement(
  'accounts-of-members',
  `select ${OWNED.list}
   from member_accounts
   where member_id = any($1::uuid[])
   order by created_at, account_id`,
  OWNED,
);

/** The accounts of these members, by member, each one's oldest first. */
export async function readAccountsOf(
  db: Queryable,
  memberIds: readonly string[],
): Promise<ReadonlyMap<string, readonly AccountRecord[]>> {
  const rows = await query(db, OF_MEMBERS, [memberIds]);
  const byMember = Map.groupBy(rows, ({ memberId }) => memberId);
  return new Map([...byMember].map(([id, own]) => [id, own.map(({ account }) => account)]));
}

const SHOWN_COLUMNS = columns('a', SHOWN_ACCOUNT);
export type ShownAccount = RecordOf<typeof SHOWN_COLUMNS>;

const SHOWN = statement(
  'shown-accounts',
  `select ${SHOWN_COLUMNS.list}
   from member_accounts a
   where a.account_id = any($1::uuid[])`,
  SHOWN_COLUMNS,
);

export interface AccountReader {
  /** By its id; asked of the database once, for none of it changes. */
  account(accountId: string): Promise<ShownAccount | undefined>;
}

/** Each by its id; undefined where there is none. */
export async function readShownAccounts(
  lane: pg.Client,
  accountIds: readonly string[],
): Promise<readonly (ShownAccount | undefined)[]> {
  const [accounts] = await runPipeline(lane, [{ ...SHOWN, values: [plainArray(accountIds)] }]);
  const byId = new Map(accounts.map((account) => [account.accountId, account]));
  return accountIds.map((accountId) => byId.get(accountId));
}
