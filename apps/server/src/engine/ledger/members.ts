import type { Member, MemberId } from '@munshi/core';
import {
  answers,
  assignedFrom,
  columns,
  type RecordOf,
  t,
  unnested,
} from '../../platform/database/columns.ts';
import { plainArray } from '../../platform/database/pipeline.ts';
import { numeric } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';
import { ACCOUNT, USAGE } from '../rows/account.ts';
import { MEMBER_CHANGES, MEMBER_COLUMNS } from '../rows/member.ts';
import { IN_HAND } from '../rows/order-statuses.ts';
import { payableOf } from '../rows/payable.ts';
import type { LoadRequest } from './batch.ts';
import { type Asked, ask, change, locking, type Stored } from './statements.ts';

/** The members to lock: those named and the holders of these orders. */
const MEMBER_SET = `select unnest($1::uuid[])
     union
     select member_id
     from orders
     where order_id = any($2::uuid[]) and member_id is not null`;

const ACCOUNT_OF_MEMBER = columns('', {
  memberId: t.id<MemberId>(),
  account: columns('', ACCOUNT),
});
const MEMBER = columns('', MEMBER_COLUMNS);

const MEMBERS = locking(
  'members',
  `select ${MEMBER.list}
   from members
   where member_id = any(array(
     ${MEMBER_SET}
   ))
   order by member_id`,
  MEMBER,
);

/**
 * All accounts of the members named; of holders and candidates those of the methods that candidates
 * are asked for, or by which one of these orders is held. Nobody's twice, which a UNION would see
 * to by comparing every column: of the 1,750 accounts of 250 holders that was half of 24 ms.
 */
const ACCOUNTS = statement(
  'accounts',
  `select ${ACCOUNT_OF_MEMBER.list}
   from member_accounts
   where member_id = any($1::uuid[])
   union all
   select ${ACCOUNT_OF_MEMBER.list}
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
  ACCOUNT_OF_MEMBER,
);

/** The same where nobody but candidates is asked for, as for a batch of new orders. */
const CANDIDATES = locking(
  'candidates',
  `select ${MEMBER.list}
   from members
   where member_id = any($1::uuid[])
   order by member_id`,
  MEMBER,
);

const CANDIDATE_ACCOUNTS = statement(
  'candidate-accounts',
  `select ${ACCOUNT_OF_MEMBER.list}
   from member_accounts
   where member_id = any($1::uuid[]) and wallet_type = any($2::text[])`,
  ACCOUNT_OF_MEMBER,
);

const namedIn = ({ members, actingMemberIds, candidateIds }: LoadRequest) => [
  ...members,
  ...actingMemberIds,
  ...candidateIds,
];

function askMembers(request: LoadRequest): readonly Asked[] {
  const { heldOrderIds, members, actingMemberIds, candidateIds } = request;
  const named = namedIn(request);
  const held = plainArray(heldOrderIds);
  const candidates = plainArray(candidateIds);
  const methods = plainArray(request.candidateMethods);
  return heldOrderIds.length + members.length + actingMemberIds.length > 0
    ? [
        ...ask(true, MEMBERS, plainArray(named), held),
        ...ask(true, ACCOUNTS, plainArray(members), held, candidates, methods),
      ]
    : [
        ...ask(candidateIds.length > 0, CANDIDATES, candidates),
        ...ask(candidateIds.length > 0, CANDIDATE_ACCOUNTS, candidates, methods),
      ];
}

function withAccounts(
  members: readonly RecordOf<typeof MEMBER>[],
  accounts: readonly RecordOf<typeof ACCOUNT_OF_MEMBER>[],
): readonly Member[] {
  const byMember = Map.groupBy(accounts, ({ memberId }) => memberId);
  return members.map((member) => ({
    ...member,
    accounts: (byMember.get(member.memberId) ?? []).map(({ account }) => account),
  }));
}

/** The condition of the index orders_in_hand_fractional. */
const FRACTIONAL_IN_HAND = `amount <> round(amount, 2)
     and order_type = 'Deposit'
     and account_id is not null
     and status in ${IN_HAND}`;

/**
 * Of everybody whom a deposit may be given to: the candidates, and the holders of these orders, who
 * have room where theirs end. One scan of orders_in_hand, and one of orders_in_hand_fractional if
 * there is anything in it: looking there for each account cost a tenth of a creation. As a join it
 * sorts the amounts again for each account, which took most of the batch's reading.
 */
export const DEPOSITS_IN_HAND = statement(
  'in-hand',
  `with theirs as materialized (
     select array(
       select account_id
       from member_accounts
       where member_id = any(array(
           ${MEMBER_SET}
         ))
         and wallet_type = any($4::text[])
     ) as accounts
   )
   select account_id, amount as payable
   from orders
   where account_id = any((select accounts from theirs)::uuid[])
     and amount = any($3::numeric[])
     and order_type = 'Deposit'
     and status in ${IN_HAND}
   union all
   select account_id, ${payableOf('orders')}
   from orders
   where (select exists (select from orders where ${FRACTIONAL_IN_HAND}))
     and account_id = any((select accounts from theirs)::uuid[])
     and ${payableOf('orders')} = any($3::numeric[])
     and ${FRACTIONAL_IN_HAND}`,
  answers({ accountId: t.uuid, payable: t.amount }),
);

export function askDepositsInHand(request: LoadRequest) {
  const { heldOrderIds, depositAmounts, depositMethods } = request;
  const named = namedIn(request);
  return ask(
    depositAmounts.length > 0 && named.length + heldOrderIds.length > 0,
    DEPOSITS_IN_HAND,
    plainArray(named),
    plainArray(heldOrderIds),
    plainArray(depositAmounts.map(numeric)),
    plainArray(depositMethods),
  );
}

const CHANGED_MEMBERS = unnested(MEMBER_COLUMNS, 2);
const ACCOUNT_CHANGES = { status: ACCOUNT.status, paused: ACCOUNT.paused, ...USAGE };
const CHANGED_ACCOUNTS = unnested({ accountId: t.uuid, ...ACCOUNT_CHANGES }, CHANGED_MEMBERS.next);
const ACCOUNT_IDS = `$${CHANGED_MEMBERS.next}::uuid[]`;

/**
 * Members and their accounts in one statement: measured, each on its own they take twice the time.
 */
const CHANGE_MEMBERS = statement(
  'change-members',
  `with members_changed as (
     update members m
     set ${assignedFrom('row', MEMBER_CHANGES)}
     from ${CHANGED_MEMBERS.rows}
     where m.member_id = row.member_id and m.member_id = any($2::uuid[])
     returning 1
   ), accounts_changed as (
     update member_accounts a
     set ${assignedFrom('row', ACCOUNT_CHANGES)}
     from ${CHANGED_ACCOUNTS.rows}
     where a.account_id = row.account_id and a.account_id = any(${ACCOUNT_IDS})
     returning 1
   ), announced as (
     insert into member_changes (member_ids)
     values ($2::uuid[])
   )
   select expect_rows(
     (select count(*) from members_changed) + (select count(*) from accounts_changed),
     $1
   )`,
);

export const members: Stored<'members'> = {
  ask: askMembers,
  read: (of) => withAccounts(of(MEMBERS, CANDIDATES), of(ACCOUNTS, CANDIDATE_ACCOUNTS)),
  write: ({ members, accounts }) =>
    change(members, CHANGE_MEMBERS, () => [
      String(members.length + accounts.length),
      ...CHANGED_MEMBERS.arraysOf(members),
      ...CHANGED_ACCOUNTS.arraysOf(accounts),
    ]),
};
