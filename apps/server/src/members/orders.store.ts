import type { Order } from '@munshi/core';
import type pg from 'pg';
import { SHOWN_ACCOUNT } from '../engine/rows/account.ts';
import { ofOrder } from '../engine/rows/order-row.ts';
import { ENDED, IN_HAND, LEGACY, oneMember } from '../engine/rows/order-statuses.ts';
import { columns, optional, type RecordOf } from '../platform/database/columns.ts';
import { plainArray, runPipeline } from '../platform/database/pipeline.ts';
import { type Page, readsAll, statement } from '../platform/database/statement.ts';

const MEMBER_PROPERTIES = [
  'orderId',
  'orderReference',
  'orderType',
  'walletType',
  'amount',
  'currency',
  'floatAmount',
  'status',
  'memberId',
  'formerMemberIds',
  'customerAccountNumber',
  'customerAccountName',
  'payerAccount',
  'transactionDigits',
  'memberTransactionReference',
  'failureReason',
  'reasonCode',
  'createdAt',
  'holderSince',
  'sentAt',
  'completedAt',
  'failedAt',
  'dueAt',
] as const satisfies readonly (keyof Order)[];

/** Of the tables o and a. */
export const MEMBER_ORDER = columns('o', {
  ...ofOrder(MEMBER_PROPERTIES),
  /**
   * The member's own account that the order came to; null for an order handed on to another member.
   */
  account: optional(columns('a', SHOWN_ACCOUNT), 'accountId'),
});
/** The row behind a member's view of an order. `memberId` is the present holder. */
export type MemberOrder = RecordOf<typeof MEMBER_ORDER>;

export interface MemberOrderQuestion extends Page {
  readonly memberId: string;
}

/** What the member has in hand, the oldest first. */
export const listOpenOrders = readsAll(
  'member-open-orders',
  // Legacy orders name the member without an account of theirs: they are found by orders_of_member
  // (states.md#assigned).
  `with theirs as (
     (
       select o.order_id
       from member_accounts a
       join orders o on o.account_id = a.account_id
       where a.member_id = $1
         and o.member_id = $1
         and o.status in ${IN_HAND}
         and ($2::uuid is null or o.order_id > $2)
       order by o.order_id
       limit $3
     )
     union all
     (
       select order_id
       from orders
       where member_id = $1
         and status in ${LEGACY}
         and ($2::uuid is null or order_id > $2)
       order by order_id
       limit $3
     )
   )
   select ${MEMBER_ORDER.list}
   from theirs t
   join orders o on o.order_id = t.order_id
   left join member_accounts a on a.account_id = o.account_id and a.member_id = $1
   order by o.order_id
   limit $3`,
  MEMBER_ORDER,
  ({ memberId, after, limit }: MemberOrderQuestion) => [memberId, after, limit],
);

/** What ended with the member and what was handed on to others, the newest first. */
export const listClosedOrders = readsAll(
  'member-closed-orders',
  // Materialized: a member has handed on few orders, which the GIN index finds in no order.
  `with handed_on as materialized (
     select order_id
     from orders
     where former_member_ids @> array[$1::uuid]
       and (member_id is distinct from $1 or status in ${ENDED})
       and ($2::uuid is null or order_id < $2)
   ), theirs as (
     (
       select order_id
       from orders
       where member_id ${oneMember('$1')}
         and status in ${ENDED}
         and ($2::uuid is null or order_id < $2)
       order by member_id desc, order_id desc
       limit $3
     )
     union
     (
       select order_id
       from handed_on
       order by order_id desc
       limit $3
     )
   )
   select ${MEMBER_ORDER.list}
   from theirs t
   join orders o on o.order_id = t.order_id
   left join member_accounts a on a.account_id = o.account_id and a.member_id = $1
   order by o.order_id desc
   limit $3`,
  MEMBER_ORDER,
  ({ memberId, after, limit }: MemberOrderQuestion) => [memberId, after, limit],
);

/** Whose view of which order. */
export interface OneOrderQuestion {
  readonly memberId: string;
  readonly orderId: string;
}

const EACH = statement(
  'member-orders',
  `select ${MEMBER_ORDER.list}
   from unnest($1::uuid[], $2::uuid[]) with ordinality as q (member_id, order_id, n)
   left join orders o
     on o.order_id = q.order_id
     and o.order_id = any($2::uuid[])
     and (o.member_id = q.member_id or o.former_member_ids @> array[q.member_id])
   left join member_accounts a on a.account_id = o.account_id and a.member_id = q.member_id
   order by q.n`,
  optional(MEMBER_ORDER, 'orderId'),
);

export interface MemberOrderReader {
  memberOrder(question: OneOrderQuestion): Promise<MemberOrder | undefined>;
}

/** Orders that their members hold, have ended or have handed on; undefined for every other. */
export async function readMemberOrders(
  lane: pg.Client,
  questions: readonly OneOrderQuestion[],
): Promise<readonly (MemberOrder | undefined)[]> {
  const values = [
    plainArray(questions.map(({ memberId }) => memberId)),
    plainArray(questions.map(({ orderId }) => orderId)),
  ];
  const [orders] = await runPipeline(lane, [{ ...EACH, values }]);
  return orders.map((order) => order ?? undefined);
}
