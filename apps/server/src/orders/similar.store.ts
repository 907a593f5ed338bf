import { LIKENESSES, type Likeness } from '@munshi/api';
import {
  amountsRoundedTo,
  type Instant,
  isMasked,
  type Order,
  payableAmount,
  transactionKey,
} from '@munshi/core';
import { ofOrder } from '../engine/rows/order-row.ts';
import { ENDED_OR_LEGACY, IN_HAND } from '../engine/rows/order-statuses.ts';
import { columns, from, made, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import { numeric, time } from '../platform/database/rows.ts';
import { transactionKeyOf } from '../platform/database/search-key.ts';
import { readsAll } from '../platform/database/statement.ts';
import { samePayment } from './same-payment.ts';

const SIMILAR_ORDER = columns('o', {
  ...ofOrder([
    'orderId',
    'orderReference',
    'orderType',
    'walletType',
    'currency',
    'amount',
    'status',
    'sentAt',
    'createdAt',
    'accountId',
    'transactionDigits',
    'memberTransactionReference',
  ]),
  likenesses: made(from('l.likenesses', t.listOf<Likeness>()), (found) =>
    LIKENESSES.filter((one) => found.includes(one)),
  ),
  merchantName: from('b.name', t.text),
  memberName: from('m.name', orNull(t.text)),
});
export type SimilarOrder = RecordOf<typeof SIMILAR_ORDER>;

/** What orders are compared with. */
export interface Likened {
  readonly order: Pick<
    Order,
    | 'orderId'
    | 'merchantId'
    | 'orderType'
    | 'accountId'
    | 'amount'
    | 'currency'
    | 'payerAccount'
    | 'merchantOrderRef'
    | 'memberId'
    | 'memberTransactionReference'
  >;
  /** The customer's, as each order may have them: the last 4 to 8 of a whole transaction ID. */
  readonly digits: readonly string[];
  /** Orders said to be paid in this time are compared by digits and payer. */
  readonly paid: Period;
  /** Orders created in this time are compared by amount on the same account. */
  readonly created: Period;
}

interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

/** Of each likeness. */
const LIMIT = 20;

const same = samePayment({
  digits: '$2::text[]',
  accountId: '$5',
  memberId: '$15',
  payerAccount: '$7',
  payable: '$6',
  currency: '$12',
  from: '$3',
  to: '$4',
});

const HOUR_MS = 3_600_000;

/** What a customer has said after the order had expired. */
interface Claimed {
  readonly transactionDigits: string | null;
  readonly claimedAt: Instant;
  readonly payerAccount: string | null;
}

/**
 * What an order is compared by: 24 hours for what its customer said (apis.md#orders), 2 hours for
 * an equal amount on the account. Digits of late claims count too.
 */
export function likenessOf(order: Order, claims: readonly Claimed[]): Likened {
  const { createdAt, sentAt, transactionDigits } = order;
  const said = [
    ...claims.map((claim) => claim.transactionDigits),
    order.memberTransactionReference?.replaceAll(/\D/g, '') ?? null,
  ].flatMap(digitsOf);
  const paidAt = [sentAt ?? createdAt, ...claims.map(({ claimedAt }) => claimedAt)];
  return {
    order,
    digits: [...new Set([...(transactionDigits === null ? [] : [transactionDigits]), ...said])],
    paid: { from: Math.min(...paidAt) - 24 * HOUR_MS, to: Math.max(...paidAt) + 24 * HOUR_MS },
    created: { from: createdAt - 2 * HOUR_MS, to: createdAt + 2 * HOUR_MS },
  };
}

/**
 * What orders may have of the payment of a late claim: its digits or its payer, and from before the
 * order until a day after the claim, an equal amount on the account.
 */
export function likenessOfClaim(order: Order, claim: Claimed): Likened {
  const period = { from: order.createdAt - 2 * HOUR_MS, to: claim.claimedAt + 24 * HOUR_MS };
  const payerAccount = claim.payerAccount ?? order.payerAccount;
  return {
    order: { ...order, payerAccount },
    digits: digitsOf(claim.transactionDigits),
    paid: period,
    created: period,
  };
}

/** The last 4 to 8 of a transaction ID: as many as an order asks its customer for. */
const digitsOf = (transaction: string | null) =>
  transaction === null
    ? []
    : [4, 5, 6, 7, 8]
        .filter((count) => count <= transaction.length)
        .map((count) => transaction.slice(-count));

/** Orders similar to this one, those with the most in common first. */
export const findSimilarOrders = readsAll(
  'similar-orders',
  // Perhaps the same payment (apis.md#orders), or the same transaction; the same amount on the same
  // account; the same reference of the same merchant. Each part by an index of its own: ids of
  // orders begin with the time of their creation.
  `with found as (
     (
       select x.order_id, 'member-reference' as likeness
       from orders x
       where ${transactionKeyOf('x.member_transaction_reference')} = $14
         and x.member_transaction_reference is not null
         and x.status in ${ENDED_OR_LEGACY}
       limit ${LIMIT}
     )
     union all (
       select x.order_id, 'member-reference'
       from orders x
       where ${same.noted}
       limit ${LIMIT}
     )
     union all (
       select x.order_id, 'digits'
       from orders x
       where ${same.digits}
       limit ${LIMIT}
     )
     union all (
       select x.order_id, 'payer'
       from orders x
       where ${same.payer}
       limit ${LIMIT}
     )
     union all (
       select order_id, 'amount'
       from orders
       where account_id = $5
         and amount = any($13::numeric[])
         and status in ${IN_HAND}
         and order_id >= $8
         and order_id < $9
       limit ${LIMIT}
     )
     union all (
       select order_id, 'amount'
       from orders
       where amount = any($13::numeric[])
         and order_id >= $8
         and order_id < $9
         and status in ${ENDED_OR_LEGACY}
         and account_id = $5
       limit ${LIMIT}
     )
     union all (
       select order_id, 'reference'
       from orders
       where live_reference = $10 and merchant_id = $11
     )
     union all (
       select order_id, 'reference'
       from orders
       where merchant_order_ref = $10 and merchant_id = $11 and live_reference is null
       limit ${LIMIT}
     )
   )
   select ${SIMILAR_ORDER.list}
   from (
     select order_id, array_agg(distinct likeness) as likenesses
     from found
     where order_id <> $1
     group by order_id
   ) l
   join orders o on o.order_id = l.order_id
   join merchants b on b.merchant_id = o.merchant_id
   left join members m on m.member_id = o.member_id
   order by cardinality(l.likenesses) desc, o.order_id desc
   limit 50`,
  SIMILAR_ORDER,
  ({ order, digits, paid, created }: Likened) => [
    order.orderId,
    digits,
    time(paid.from),
    time(paid.to),
    order.orderType === 'Deposit' ? order.accountId : null,
    numeric(payableAmount(order)),
    // the end of an account, which is all that stays of a masked one, says nothing
    order.payerAccount === null || isMasked(order.payerAccount) ? null : order.payerAccount,
    firstIdOf(created.from),
    firstIdOf(created.to),
    order.merchantOrderRef,
    order.merchantId,
    order.currency,
    [payableAmount(order), ...amountsRoundedTo(payableAmount(order), 'Deposit')].map(numeric),
    order.memberTransactionReference && transactionKey(order.memberTransactionReference),
    order.memberId,
  ],
);
