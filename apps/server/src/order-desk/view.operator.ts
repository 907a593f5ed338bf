import type { Given, OrderDetailView, OrderView, WaitingRequestView } from '@munshi/api';
import { lifecycleOf, maskAccount, maskName, orderActions, stageOf } from '@munshi/core';
import { showDelivery } from '../deliveries/view.operator.ts';
import { showLateClaim } from '../late-claims/view.operator.ts';
import type { OrderAlert } from '../member-alerts/store.ts';
import type { OrderClaim } from '../orders/claims.store.ts';
import type { ListedOrder, OrderSummary } from '../orders/list.store.ts';
import type { Operator } from '../people/access.operator.ts';
import type { OrderDetail } from './detail.store.ts';

/** An order in lists and in the answers of actions. */
export const showOrder = (order: OrderSummary): Given<OrderView> => ({
  ...order,
  stage: stageOf(order),
});

/** The operator who is working on an order, if any. */
export const showClaim = (claim: OrderClaim | undefined) => ({
  claimedBy: claim ? { operatorId: claim.operatorId, name: claim.operatorName } : null,
  claimedUntil: claim?.claimedUntil ?? null,
});

/** An order of a list. */
export const showListed = (order: ListedOrder, claim: OrderClaim | undefined) => ({
  ...order,
  stage: stageOf(order),
  ...showClaim(claim),
});

/**
 * Everything about an order, for one operator. `metadata` is the merchant's own and in no response
 * (merchant-api.md#request).
 */
export function showDetail(
  detail: OrderDetail,
  waiting: readonly Given<WaitingRequestView>[],
  claim: OrderClaim | undefined,
  operator: Operator,
): Given<OrderDetailView> {
  const { order, deliveries } = detail;
  const confirmation = waiting.find(({ kind }) => kind === 'order-confirm');
  const mask = maskingFor(operator);
  return {
    ...detail,
    ...detail.removed,
    ...order,
    ...showClaim(claim),
    stage: stageOf(order),
    lifecycle: lifecycleOf(order),
    queuedAt: order.createdAt,
    customerAccountNumber: mask(order.customerAccountNumber, maskAccount),
    customerAccountName: mask(order.customerAccountName, maskName),
    member: detail.holder,
    similar: detail.similar.map((other) => ({ ...other, stage: stageOf(other) })),
    canReveal: operator.capabilities.has('see-customers'),
    payerAccount: mask(order.payerAccount, maskAccount),
    confirmRequestedBy: confirmation?.requestedBy ?? null,
    approvals: waiting,
    referenceTakenBy: detail.referenceTakenBy?.orderReference ?? null,
    lateClaims: detail.lateClaims.map((claim) => showLateClaim(claim, operator)),
    timeline: timelineOf(detail, mask),
    alerts: detail.alerts.map(showAlert),
    deliveries: deliveries.map((one, at) => showDelivery(one, operator, at === 0)),
    allowedActions: orderActions(order, deliveries[0], operator),
  };
}

type Masking = (text: string | null, mask: (text: string) => string) => string | null;

/** People see a customer's data masked until they ask for them; scripts read them. */
const maskingFor =
  ({ session }: Operator): Masking =>
  (text, mask) =>
    text !== null && isPerson(session) ? mask(text) : text;

const isPerson = (session: Operator['session']) => (session?.csrfToken ?? null) !== null;

const showAlert = (alert: OrderAlert): Given<OrderDetailView>['alerts'][number] => ({
  ...alert,
  seenAfterMs: alert.seenAt === null ? null : alert.seenAt - alert.alertedAt,
});

/** Creation, which the order itself records, then moves and notes in the order of their time. */
function timelineOf(
  { order, moves, notes }: OrderDetail,
  mask: Masking,
): Given<OrderDetailView['timeline']> {
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
  const said = notes.map((entry) =>
    entry.about === 'paidBy' ? { ...entry, note: mask(entry.note, maskName) ?? '' } : entry,
  );
  return [created, ...[...moved, ...said].sort((a, b) => a.at - b.at)];
}
