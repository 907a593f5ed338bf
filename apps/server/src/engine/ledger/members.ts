import { type Member, type MemberAccount, money } from '@munshi/core';
import { namesOf } from '../../platform/database/columns.ts';
import { plainArray } from '../../platform/database/pipeline.ts';
import { numeric, type Row, time } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';
import { ACCOUNT } from '../rows/account.ts';
import { IN_HAND } from '../rows/order-statuses.ts';
import type { LoadRequest } from './batch.ts';
import { type Asked, ask, change, locking } from './statements.ts';

/** The members to lock: those named and whoever holds one of these orders. */
const MEMBER_SET = `select unnest($1::uuid[])
     union
     select member_id
     from orders
     where order_id = any($2::uuid[]) and member_id is not null`;

/** Read by readAccount: of a batch's many accounts, each is read by its own code. */
const ACCOUNT_COLUMNS = `member_id, ${namesOf(ACCOUNT)}`;

const MEMBER_COLUMNS = `member_id, status, online, max_open_orders, open_orders, float_balance,
     float_held, float_overdrawn, last_assigned_at`;

const MEMBERS = locking(
  'members',
  `select ${MEMBER_COLUMNS}
   from members
   where member_id = any(array(
     ${MEMBER_SET}
   ))
   order by member_id`,
);

/**
 * All accounts of the members named; of holders and candidates those of the methods that candidates
 * are asked for, or by which one of these orders is held. Nobody's twice, which a UNION would see
 * to by comparing every column: of the 1,750 accounts of 250 holders that was half of 24 ms.
 */
const ACCOUNTS = statement(
  'accounts',
  `select ${ACCOUNT_COLUMNS}
   from member_accounts
   where member_id = any($1::uuid[])
   union all
   select ${ACCOUNT_COLUMNS}
   from member_accounts
   where member_id = any(array(
       (
         ${MEMBER_SET}
       )
       union
       select unnest($3::uuid[])
       except
       select unnest($1::uuid[])
     ))
     and wallet_type = any(array(
       select unnest($4::text[])
       union
       select a.wallet_type
       from orders o
       join member_accounts a on a.account_id = o.account_id
       where o.order_id = any($2::uuid[])
     ))`,
);

/** The same where nobody but candidates is asked for, as for a batch of new orders. */
const CANDIDATES = locking(
  'candidates',
  `select ${MEMBER_COLUMNS}
   from members
   where member_id = any($1::uuid[])
   order by member_id`,
);

const CANDIDATE_ACCOUNTS = statement(
  'candidate-accounts',
  `select ${ACCOUNT_COLUMNS}
   from member_accounts
   where member_id = any($1::uuid[]) and wallet_type = any($2::text[])`,
);

export function askMembers(request: LoadRequest): readonly Asked[] {
  const { heldOrderIds, memberIds, actingMemberIds, candidateIds } = request;
  const named = [...memberIds, ...actingMemberIds, ...candidateIds];
  const held = plainArray(heldOrderIds);
  const candidates = plainArray(candidateIds);
  const methods = plainArray(request.candidateMethods);
  return heldOrderIds.length + memberIds.length + actingMemberIds.length > 0
    ? [
        ...ask(true, 'members', MEMBERS, plainArray(named), held),
        ...ask(true, 'accounts', ACCOUNTS, plainArray(memberIds), held, candidates, methods),
      ]
    : [
        ...ask(candidateIds.length > 0, 'members', CANDIDATES, candidates),
        ...ask(candidateIds.length > 0, 'accounts', CANDIDATE_ACCOUNTS, candidates, methods),
      ];
}

const optionalAmount = (value: string | null) => (value === null ? null : money(value));

const readAccount = (row: Row): MemberAccount => ({
  accountId: row['account_id'],
  walletType: row['wallet_type'],
  accountNumber: row['account_number'],
  accountTitle: row['account_title'],
  qrPayload: row['qr_payload'],
  status: row['status'],
  paused: row['paused'],
  minimumPerOrder: optionalAmount(row['minimum_per_order']),
  maximumPerOrder: optionalAmount(row['maximum_per_order']),
  maximumPerDay: optionalAmount(row['maximum_per_day']),
  day: row['day'],
  dayAmount: money(row['day_amount']),
});

const readMember = (row: Row, accounts: readonly MemberAccount[]): Member => ({
  memberId: row['member_id'],
  status: row['status'],
  online: row['online'],
  maxOpenOrders: row['max_open_orders'],
  openOrders: row['open_orders'],
  floatBalance: money(row['float_balance']),
  floatHeld: money(row['float_held']),
  floatOverdrawn: row['float_overdrawn'],
  lastAssignedAt: row['last_assigned_at'],
  accounts,
});

export function readMembers(members: readonly Row[], accounts: readonly Row[]): readonly Member[] {
  const byMember = Map.groupBy(accounts, (row) => row['member_id'] as string);
  return members.map((row) =>
    readMember(row, (byMember.get(row['member_id']) ?? []).map(readAccount)),
  );
}

/**
 * One scan of one index. As a join it sorts the amounts again for each account, which took most of
 * the batch's reading.
 */
const DEPOSITS_IN_HAND = statement(
  'in-hand',
  `select account_id, amount
   from orders
   where account_id = any(array(
       select account_id
       from member_accounts
       where member_id = any($1::uuid[]) and wallet_type = any($3::text[])
     ))
     and amount = any($2::numeric[])
     and order_type = 'Deposit'
     and status in ${IN_HAND}`,
);

export const askDepositsInHand = ({ candidateIds, depositAmounts, depositMethods }: LoadRequest) =>
  ask(
    depositAmounts.length > 0 && candidateIds.length > 0,
    'inHand',
    DEPOSITS_IN_HAND,
    plainArray(candidateIds),
    plainArray(depositAmounts.map(numeric)),
    plainArray(depositMethods),
  );

export const readDepositInHand = (row: Row) => ({
  accountId: row['account_id'] as string,
  amount: money(row['amount']),
});

/**
 * Members and their accounts in one statement, from arrays: measured, from JSON and each on its own
 * they take twice the time.
 */
const CHANGE_MEMBERS = statement(
  'change-members',
  `with members_changed as (
     update members m
     set status = row.status,
       online = row.online,
       max_open_orders = row.max_open_orders,
       open_orders = row.open_orders,
       float_balance = row.float_balance,
       float_held = row.float_held,
       float_overdrawn = row.float_overdrawn,
       last_assigned_at = row.last_assigned_at
     from unnest(
       $2::uuid[], $3::text[], $4::boolean[], $5::integer[], $6::integer[], $7::numeric[],
       $8::numeric[], $9::boolean[], $10::timestamptz[]
     ) as row (
       member_id, status, online, max_open_orders, open_orders, float_balance, float_held,
       float_overdrawn, last_assigned_at
     )
     where m.member_id = row.member_id and m.member_id = any($2::uuid[])
     returning 1
   ), accounts_changed as (
     update member_accounts a
     set status = row.status,
       paused = row.paused,
       day = row.day,
       day_amount = row.day_amount
     from unnest($11::uuid[], $12::text[], $13::boolean[], $14::integer[], $15::numeric[])
       as row (account_id, status, paused, day, day_amount)
     where a.account_id = row.account_id and a.account_id = any($11::uuid[])
     returning 1
   ), told as (
     insert into member_changes (member_ids)
     values ($2::uuid[])
   )
   select expect_rows(
     (select count(*) from members_changed) + (select count(*) from accounts_changed),
     $1
   )`,
);

export const changeMembers = (members: readonly Member[], accounts: readonly MemberAccount[]) =>
  change(members, CHANGE_MEMBERS, () => [
    String(members.length + accounts.length),
    plainArray(members.map(({ memberId }) => memberId)),
    plainArray(members.map(({ status }) => status)),
    plainArray(members.map(({ online }) => online)),
    plainArray(members.map(({ maxOpenOrders }) => maxOpenOrders)),
    plainArray(members.map(({ openOrders }) => openOrders)),
    plainArray(members.map(({ floatBalance }) => numeric(floatBalance))),
    plainArray(members.map(({ floatHeld }) => numeric(floatHeld))),
    plainArray(members.map(({ floatOverdrawn }) => floatOverdrawn)),
    plainArray(members.map(({ lastAssignedAt }) => time(lastAssignedAt))),
    plainArray(accounts.map(({ accountId }) => accountId)),
    plainArray(accounts.map(({ status }) => status)),
    plainArray(accounts.map(({ paused }) => paused)),
    plainArray(accounts.map(({ day }) => day)),
    plainArray(accounts.map(({ dayAmount }) => numeric(dayAmount))),
  ]);
