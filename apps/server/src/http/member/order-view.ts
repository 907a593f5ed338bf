import type { MemberOrderView } from '@munshi/api';
import { MEMBER_ACTIONS, memberMay, stageOf, usesCapacity } from '@munshi/core';
import { found } from '../../services/refusals.ts';
import { type MemberMarks, readMemberMarks } from '../../storage/members/member-marks.ts';
import type { MemberOrder } from '../../storage/members/member-orders.ts';
import { type Duplicate, findDuplicates } from '../../storage/orders/duplicates.ts';
import type { Deps } from '../deps.ts';
import { jsonMoney, jsonMoneyOrNull, jsonTime } from '../values.ts';

/** Orders as they are shown to a member whom they concern. */

/** One of them. Throws `not-found`, also for another member's. */
export async function readShown(
  deps: Pick<Deps, 'database' | 'readers'>,
  orderId: string,
  memberId: string,
): Promise<MemberOrderView> {
  const order = found(await deps.readers.memberOrder({ memberId, orderId }), 'Order');
  return (await readShowing(deps, [order], memberId))(order);
}

/**
 * How these orders are shown to the member who reads them. Duplicates, and what the member has
 * said, are looked for where they have to decide: what a decision answers needs none.
 */
export async function readShowing(
  { database: { pool } }: Pick<Deps, 'database'>,
  orders: readonly MemberOrder[],
  memberId: string,
): Promise<(order: MemberOrder) => MemberOrderView> {
  const undecided = orders.filter((order) => memberMay('reject', order, memberId));
  const ids = undecided.filter(({ sentAt }) => sentAt !== null).map(({ orderId }) => orderId);
  const byOrder = Map.groupBy(await findDuplicates(pool, ids), ({ of }) => of);
  const inHand = orders.filter((order) => isInHandOf(order, memberId));
  const marks = await readMemberMarks(pool, inHand, memberId);
  return (order) =>
    showOrder(order, memberId, byOrder.get(order.orderId), marks.get(order.orderId));
}

const isInHandOf = (order: MemberOrder, memberId: string) =>
  order.memberId === memberId && usesCapacity(order.status);

const showAccount = ({
  accountId,
  walletType,
  accountNumber,
  accountTitle,
}: NonNullable<MemberOrder['account']>) => ({
  accountId,
  walletType,
  accountNumber,
  accountTitle,
});

/** Of another member's order, only that it exists is shown (D75). */
const showDuplicates = (
  duplicates: readonly Duplicate[],
  memberId: string,
): MemberOrderView['duplicates'] => {
  const own = duplicates.filter((duplicate) => duplicate.memberId === memberId);
  return {
    own: own.map(({ orderId, orderReference, amount, currency, status, sentAt }) => ({
      orderId,
      orderReference,
      amount: jsonMoney(amount),
      currency,
      status,
      sentAt: jsonTime(sentAt),
    })),
    elsewhere: own.length < duplicates.length,
  };
};

const NO_MARKS: MemberMarks = { told: [], sendingSince: null, seenAt: null };

/** How an order is shown to a member whom it concerns. */
export function showOrder(
  order: MemberOrder,
  memberId: string,
  duplicates: readonly Duplicate[] = [],
  { told, sendingSince, seenAt }: MemberMarks = NO_MARKS,
): MemberOrderView {
  const handedOver = order.memberId !== memberId;
  const { orderId, orderReference, orderType, walletType, currency, status } = order;
  return {
    orderId,
    orderReference,
    orderType,
    walletType,
    amount: jsonMoney(order.amount),
    currency,
    floatAmount: jsonMoney(order.floatAmount),
    status,
    stage: stageOf(order),
    account: order.account && showAccount(order.account),
    customerAccountNumber: order.customerAccountNumber,
    customerAccountName: order.customerAccountName,
    payerAccount: order.payerAccount,
    transactionDigits: order.transactionDigits,
    transactionReference: handedOver ? null : order.memberTransactionReference,
    handedOver,
    createdAt: jsonTime(order.createdAt),
    assignedAt: handedOver ? null : jsonTime(order.holderSince),
    sentAt: jsonTime(order.sentAt),
    completedAt: jsonTime(order.completedAt),
    failedAt: jsonTime(order.failedAt),
    failureReason: handedOver ? null : order.failureReason,
    reasonCode: handedOver ? null : order.reasonCode,
    dueAt: handedOver ? null : jsonTime(order.dueAt),
    duplicates: showDuplicates(duplicates, memberId),
    told: told.map(({ kind, amount, note, at }) => ({
      kind,
      amount: jsonMoneyOrNull(amount),
      note,
      at: jsonTime(at),
    })),
    sendingSince: jsonTime(sendingSince),
    seenAt: jsonTime(seenAt),
    allowedActions: MEMBER_ACTIONS.filter((action) => memberMay(action, order, memberId)),
  };
}
