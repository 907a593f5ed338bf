import {
  type Approval,
  hasFailed,
  isFinal,
  isoTime,
  lifecycleOf,
  movesTo,
  type Order,
  stageOf,
} from '@munshi/core';
import type { DeliveryRecord } from '../../storage/deliveries.ts';
import type { LateClaim } from '../../storage/late-claims.ts';
import type { OrderDetail } from '../../storage/order-detail.ts';
import type { OrderSummary } from '../../storage/order-list.ts';
import { jsonFactor, jsonMoney, jsonMoneyOrNull, jsonTime } from '../json.ts';
import { includesRole, type Operator } from './access.ts';

/** An order in lists and in the answers of actions. */
export const showOrder = (order: OrderSummary) => ({
  orderId: order.orderId,
  orderReference: order.orderReference,
  merchantId: order.merchantId,
  orderType: order.orderType,
  walletType: order.walletType,
  currency: order.currency,
  amount: jsonMoney(order.amount),
  fee: jsonMoneyOrNull(order.fee),
  status: order.status,
  stage: stageOf(order),
  merchantOrderRef: order.merchantOrderRef,
  customerReference: order.customerReference,
  memberId: order.memberId,
  createdAt: jsonTime(order.createdAt),
  assignedAt: jsonTime(order.assignedAt),
  sentAt: jsonTime(order.sentAt),
  completedAt: jsonTime(order.completedAt),
  failedAt: jsonTime(order.failedAt),
  cancelledAt: jsonTime(order.cancelledAt),
  expiresAt: jsonTime(order.expiresAt),
  dueAt: jsonTime(order.dueAt),
  failureReason: order.failureReason,
});

export const showDelivery = ({
  deliveryId,
  eventType,
  url,
  status,
  createdAt,
  nextAttemptAt,
  attempts,
}: DeliveryRecord) => ({
  deliveryId,
  eventType,
  url,
  status,
  createdAt: jsonTime(createdAt),
  nextAttemptAt: jsonTime(nextAttemptAt),
  attempts: attempts.map((attempt) => ({ ...attempt, startedAt: jsonTime(attempt.startedAt) })),
});

export const showLateClaim = (claim: LateClaim) => ({
  ...claim,
  claimedAt: jsonTime(claim.claimedAt),
  closedAt: jsonTime(claim.closedAt),
});

/**
 * Everything about an order, for one operator. `metadata` is the merchant's own and in no response
 * (spec: order creation request).
 */
export function showDetail(detail: OrderDetail, operator: Operator, waiting: readonly Approval[]) {
  const confirmation = waiting.find(({ kind }) => kind === 'order-confirm');
  const { order, holder } = detail;
  return {
    ...showOrder(order),
    merchantName: detail.merchantName,
    lifecycle: Object.fromEntries(
      Object.entries(lifecycleOf(order)).map(([name, value]) => [
        name,
        typeof value === 'number' ? isoTime(value) : value,
      ]),
    ),
    queuedAt: jsonTime(order.createdAt),
    ...terms(order),
    member: holder && { ...holder, account: holder.account && showHolderAccount(holder.account) },
    formerMemberIds: order.formerMemberIds,
    reassignments: order.reassignments,
    payerAccount: order.payerAccount,
    transactionDigits: order.transactionDigits,
    memberTransactionReference: order.memberTransactionReference,
    confirmRequestedBy: confirmation?.requestedBy ?? null,
    approvals: waiting.map(
      ({ approvalId, kind, request, requestedBy, requestedName, requestedAt, expiresAt }) => ({
        ...{ approvalId, kind, request, requestedBy, requestedName },
        ...{ requestedAt: jsonTime(requestedAt), expiresAt: jsonTime(expiresAt) },
      }),
    ),
    referenceTakenBy: detail.referenceTakenBy,
    lateClaims: detail.lateClaims.map(showLateClaim),
    timeline: timelineOf(detail),
    postings: detail.postings.map(showPosting),
    deliveries: detail.deliveries.map(showDelivery),
    allowedActions: allowedActions(detail, operator, confirmation?.requestedBy ?? null),
  };
}

const terms = (order: Order) => ({
  rate: jsonFactor(order.rate),
  settlementAmount: jsonMoney(order.settlementAmount),
  floatAmount: jsonMoney(order.floatAmount),
  apiKeyId: order.apiKeyId,
  idempotencyKey: order.idempotencyKey,
  customerAccountNumber: order.customerAccountNumber,
  customerAccountName: order.customerAccountName,
  callbackUrl: order.callbackUrl,
  successUrl: order.successUrl,
  failureUrl: order.failureUrl,
  txnRefDigitsRequired: order.txnRefDigitsRequired,
  maxRetryCount: order.maxRetryCount,
});

const showHolderAccount = ({
  accountId,
  walletType,
  accountNumber,
  accountTitle,
  status,
}: NonNullable<NonNullable<OrderDetail['holder']>['account']>) => ({
  accountId,
  walletType,
  accountNumber,
  accountTitle,
  status,
});

const showPosting = (posting: OrderDetail['postings'][number]) => ({
  ...posting,
  wallet: jsonMoney(posting.wallet),
  frozen: jsonMoney(posting.frozen),
  memberFloat: jsonMoney(posting.memberFloat),
  fees: jsonMoney(posting.fees),
  adjustments: jsonMoney(posting.adjustments),
  postedAt: jsonTime(posting.postedAt),
});

/** Creation, which the order itself records, then moves and notes in the order of their time. */
function timelineOf({ order, moves, notes }: OrderDetail) {
  const created = {
    kind: 'created',
    at: order.createdAt,
    to: order.createdStatus,
    actor: { kind: 'merchant', id: null, name: null },
  };
  const later = [...moves, ...notes].sort((a, b) => a.at - b.at);
  return [created, ...later].map((entry) => ({ ...entry, at: jsonTime(entry.at) }));
}

/**
 * What this operator may do with the order now, by the last part of the path. The commands decide
 * again when asked.
 */
function allowedActions(
  { order, deliveries }: OrderDetail,
  operator: Operator,
  requestedBy: string | null,
): string[] {
  if (!includesRole(operator.role, 'support')) return [];
  const can = (trigger: Parameters<typeof movesTo>[2]) =>
    movesTo(order.orderType, order.status, trigger).length > 0;
  const actions: [string, boolean][] = [
    ['resolve', can('operator-resolved')],
    ['confirm', can('operator-confirmed')],
    [
      'confirm/approve',
      hasFailed(order.status) && requestedBy !== null && requestedBy !== operator.operatorId,
    ],
    ['cancel', can('operator-cancelled')],
    ['escalate', can('operator-escalated') && order.memberId !== null],
    ['retry-now', isRetriable(deliveries[0])],
    ['resend', isFinal(order.status) && order.callbackUrl !== null],
  ];
  return actions.flatMap(([name, allowed]) => (allowed ? [name] : []));
}

/** A delivery that has failed: abandoned, or waiting for another attempt. */
export const isRetriable = (delivery: DeliveryRecord | undefined): boolean =>
  delivery !== undefined &&
  (delivery.status === 'abandoned' || (delivery.status === 'pending' && delivery.attemptsMade > 0));
