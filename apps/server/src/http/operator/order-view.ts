import type { OrderDetailView, OrderView, WaitingRequestView } from '@munshi/api';
import {
  includesRole,
  maskAccount,
  maskName,
  type Order,
  orderActions,
  stageOf,
} from '@munshi/core';
import type { OrderAlert } from '../../storage/members/order-alerts.ts';
import type { OrderClaim } from '../../storage/orders/order-claims.ts';
import type { Holder, OrderDetail, OrderPosting } from '../../storage/orders/order-detail.ts';
import type { ListedOrder, OrderSummary } from '../../storage/orders/order-list.ts';
import type { TimedFeeRule } from '../../storage/rows.ts';
import { showEvidence } from '../evidence.ts';
import { showLifecycle } from '../lifecycle.ts';
import { jsonFactor, jsonMoney, jsonMoneyOrNull, jsonTime } from '../values.ts';
import { askingOperator, type Operator } from './access.ts';
import { showDelivery } from './deliveries.ts';
import { showLateClaim, showSimilar } from './late-claims.ts';

/** An order in lists and in the answers of actions. */
export const showOrder = (order: OrderSummary): OrderView => ({
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

/** The operator who is working on an order, if any. */
export const showClaim = (claim: OrderClaim | undefined) => ({
  claimedBy: claim ? { operatorId: claim.operatorId, name: claim.operatorName } : null,
  claimedUntil: jsonTime(claim?.claimedUntil ?? null),
});

/** An order of a list. */
export const showListed = (order: ListedOrder, claim: OrderClaim | undefined) => ({
  ...showOrder(order),
  ...showClaim(claim),
  merchantName: order.merchantName,
  memberName: order.memberName,
});

/**
 * Everything about an order, for one operator. `metadata` is the merchant's own and in no response
 * (merchant-api.md#request).
 */
export function showDetail(
  detail: OrderDetail,
  waiting: readonly WaitingRequestView[],
  claim: OrderClaim | undefined,
  operator: Operator,
): OrderDetailView {
  const { order, deliveries } = detail;
  const confirmation = waiting.find(({ kind }) => kind === 'order-confirm');
  const mask = maskingFor(operator);
  return {
    ...showOrder(order),
    ...showClaim(claim),
    merchantName: detail.merchantName,
    lifecycle: showLifecycle(order),
    queuedAt: jsonTime(order.createdAt),
    ...showTerms(order, mask),
    member: detail.holder && showHolder(detail.holder),
    formerMemberIds: order.formerMemberIds,
    reassignments: order.reassignments,
    feeRule: detail.feeRule && showFeeRule(detail.feeRule),
    similar: detail.similar.map(({ likenesses, ...other }) => ({
      ...showSimilar(other),
      likenesses,
    })),
    canReveal: includesRole(operator.role, 'support'),
    payerAccount: mask(order.payerAccount, maskAccount),
    transactionDigits: order.transactionDigits,
    memberTransactionReference: order.memberTransactionReference,
    reasonCode: order.reasonCode,
    confirmRequestedBy: confirmation?.requestedBy ?? null,
    approvals: waiting,
    referenceTakenBy: detail.referenceTakenBy?.orderReference ?? null,
    lateClaims: detail.lateClaims.map((claim) => showLateClaim(claim, operator)),
    evidence: detail.evidence.map((one) => ({
      ...showEvidence(one),
      memberId: one.memberId,
      memberName: one.memberName,
      alsoFor: one.alsoFor,
    })),
    timeline: timelineOf(detail),
    stepsRemovedAt: jsonTime(detail.removed.stepsRemovedAt),
    maskedAt: jsonTime(detail.removed.maskedAt),
    alerts: detail.alerts.map(showAlert),
    postings: detail.postings.map(showPosting),
    deliveries: deliveries.map((one, at) => showDelivery(one, operator, at === 0)),
    allowedActions: orderActions(order, deliveries[0], askingOperator(operator)),
  };
}

const showTerms = (order: Order, mask: Masking) => ({
  rate: jsonFactor(order.rate),
  settlementAmount: jsonMoney(order.settlementAmount),
  floatAmount: jsonMoney(order.floatAmount),
  apiKeyId: order.apiKeyId,
  idempotencyKey: order.idempotencyKey,
  customerAccountNumber: mask(order.customerAccountNumber, maskAccount),
  customerAccountName: mask(order.customerAccountName, maskName),
  callbackUrl: order.callbackUrl,
  successUrl: order.successUrl,
  failureUrl: order.failureUrl,
  txnRefDigitsRequired: order.txnRefDigitsRequired,
  maxRetryCount: order.maxRetryCount,
});

type Masking = (text: string | null, mask: (text: string) => string) => string | null;

/** People see a customer's data masked until they ask for them; scripts read them (D155). */
const maskingFor =
  ({ session }: Operator): Masking =>
  (text, mask) =>
    text !== null && isPerson(session) ? mask(text) : text;

const isPerson = (session: Operator['session']) => (session?.csrfToken ?? null) !== null;

const showFeeRule = (rule: TimedFeeRule) => ({
  feeRuleId: rule.feeRuleId,
  merchantId: rule.merchantId,
  walletType: rule.walletType,
  fixed: jsonMoney(rule.fixed),
  percent: jsonFactor(rule.percent),
  minimum: jsonMoneyOrNull(rule.minimum),
  maximum: jsonMoneyOrNull(rule.maximum),
});

const showAlert = ({ orderId: _, ...alert }: OrderAlert): OrderDetailView['alerts'][number] => ({
  ...alert,
  alertedAt: jsonTime(alert.alertedAt),
  pushedAt: jsonTime(alert.pushedAt),
  secondAt: jsonTime(alert.secondAt),
  thirdAt: jsonTime(alert.thirdAt),
  seenAt: jsonTime(alert.seenAt),
  seenAfterMs: alert.seenAt === null ? null : alert.seenAt - alert.alertedAt,
  missedAt: jsonTime(alert.missedAt),
});

const showHolder = ({ account, ...holder }: Holder): OrderDetailView['member'] => ({
  ...holder,
  floatBalance: jsonMoney(holder.floatBalance),
  floatHeld: jsonMoney(holder.floatHeld),
  account: account && {
    accountId: account.accountId,
    walletType: account.walletType,
    accountNumber: account.accountNumber,
    accountTitle: account.accountTitle,
    status: account.status,
  },
});

const showPosting = (posting: OrderPosting): OrderDetailView['postings'][number] => ({
  ...posting,
  wallet: jsonMoney(posting.wallet),
  frozen: jsonMoney(posting.frozen),
  memberFloat: jsonMoney(posting.memberFloat),
  fees: jsonMoney(posting.fees),
  adjustments: jsonMoney(posting.adjustments),
  postedAt: jsonTime(posting.postedAt),
});

/** Creation, which the order itself records, then moves and notes in the order of their time. */
function timelineOf({ order, moves, notes }: OrderDetail): OrderDetailView['timeline'] {
  const created = {
    kind: 'created' as const,
    at: order.createdAt,
    to: order.createdStatus,
    actor: { kind: 'merchant' as const, id: null, name: null, address: null },
  };
  const moved = moves.map((move) => ({
    ...move,
    reasonCode: move.trigger === 'member-rejected' ? order.reasonCode : null,
  }));
  const noted = notes.map((note) => ({ ...note, amount: jsonMoneyOrNull(note.amount) }));
  const later = [...moved, ...noted].sort((a, b) => a.at - b.at);
  return [created, ...later].map((entry) => ({ ...entry, at: jsonTime(entry.at) }));
}
