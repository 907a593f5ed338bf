import type { MemberAccount, Order } from '@munshi/core';
import type { Queryable } from './db.ts';
import { partOfOrder } from './order-row.ts';

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
  'customerAccountNumber',
  'customerAccountName',
  'payerAccount',
  'transactionDigits',
  'memberTransactionReference',
  'failureReason',
  'createdAt',
  'holderSince',
  'sentAt',
  'completedAt',
  'failedAt',
  'dueAt',
] as const satisfies readonly (keyof Order)[];

const part = partOfOrder('o', MEMBER_PROPERTIES);

/** What a member sees an order from. `memberId` is whoever holds it now. */
export interface MemberOrder extends Pick<Order, (typeof MEMBER_PROPERTIES)[number]> {
  /** The member's own account that the order came to; null for an order handed on to another member. */
  readonly account: Pick<MemberAccount, 'accountId' | 'walletType' | 'accountNumber' | 'accountTitle'> | null;
}

const SHOWN = `${part.list}, a.account_id, a.wallet_type as account_method, a.account_number, a.account_title`;
const OWN_ACCOUNT = 'left join member_accounts a on a.account_id = o.account_id and a.member_id = $1';

// biome-ignore lint/suspicious/noExplicitAny: the driver's rows are untyped
const read = (row: any): MemberOrder => ({
  ...part.read(row),
  account:
    row.account_id === null
      ? null
      : { accountId: row.account_id, walletType: row.account_method, accountNumber: row.account_number, accountTitle: row.account_title },
});

/** Statuses that hold a member's capacity, as orders_in_hand has them. */
const IN_HAND = `('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview')`;
/** As orders_of_member has them. */
const ENDED = `('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Confirmed')`;

export interface MemberOrderQuestion {
  readonly memberId: string;
  /** The last order of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

const OPEN = `select ${SHOWN} from member_accounts a join orders o on o.account_id = a.account_id
  where a.member_id = $1 and o.member_id = $1 and o.status in ${IN_HAND} and ($2::uuid is null or o.order_id > $2)
  order by o.order_id limit $3`;

/** What the member has in hand, the oldest first. */
export async function listOpenOrders(db: Queryable, { memberId, after, limit }: MemberOrderQuestion): Promise<readonly MemberOrder[]> {
  const { rows } = await db.query({ name: 'member-open-orders', text: OPEN, values: [memberId, after, limit] });
  return rows.map(read);
}

const CLOSED = `with theirs as (
    (select merchant_id, order_id from orders where member_id = $1 and status in ${ENDED} and ($2::uuid is null or order_id < $2)
      order by order_id desc limit $3)
    union
    (select merchant_id, order_id from orders where former_member_ids @> array[$1::uuid] and ($2::uuid is null or order_id < $2)
      order by order_id desc limit $3))
  select ${SHOWN} from theirs t join orders o on o.merchant_id = t.merchant_id and o.order_id = t.order_id ${OWN_ACCOUNT}
  order by o.order_id desc limit $3`;

/** What ended with the member and what was handed on to others, the newest first. */
export async function listClosedOrders(db: Queryable, { memberId, after, limit }: MemberOrderQuestion): Promise<readonly MemberOrder[]> {
  const { rows } = await db.query({ name: 'member-closed-orders', text: CLOSED, values: [memberId, after, limit] });
  return rows.map(read);
}

const ONE = `select ${SHOWN} from orders o ${OWN_ACCOUNT} where o.order_id = $2 and (o.member_id = $1 or o.former_member_ids @> array[$1::uuid])`;

/** An order that the member holds, has ended or has handed on; undefined for every other. */
export async function findMemberOrder(db: Queryable, memberId: string, orderId: string): Promise<MemberOrder | undefined> {
  const { rows } = await db.query({ name: 'member-order', text: ONE, values: [memberId, orderId] });
  return rows[0] && read(rows[0]);
}
