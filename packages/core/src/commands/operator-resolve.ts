import type { Outcome } from '../approval.ts';
import { audited, forOperators } from '../audit.ts';
import {
  accept,
  type Context,
  type Decision,
  type Keys,
  type Objection,
  refuse,
  type View,
} from '../decision.ts';
import {
  askedWith,
  decided,
  isOwnMember,
  type MayWait,
  mayBePaid,
  movedBy,
  movedToday,
  needsSecondOperator,
  newApproval,
  noteOfTwo,
  refuseApproval,
  refuseOwnPayout,
  waitingFor,
  withdrawn,
} from '../four-eyes.ts';
import { canMove } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator decides an order in manual review, or an open one of an older status. */
export interface OperatorResolve extends MayWait {
  readonly kind: 'operator-resolve';
  readonly commandId: string;
  readonly orderId: string;
  readonly outcome: 'Completed' | 'Cancelled';
  /** Null for an approval without a note. */
  readonly note: string | null;
  /** Of a Completed: who received or paid the money; null: the holder. */
  readonly memberId: string | null;
}

/** Done, or waiting for the approval of this request. */
export type Resolution = { readonly order: Order } & Outcome<'resolved'>;

export const keys = ({ orderId, memberId, standing }: OperatorResolve): Keys => ({
  orderId,
  settles: true,
  approvalOf: orderId,
  sumsOf: standing.holders,
  ...(memberId !== null && { memberIds: [memberId] }),
});

/**
 * It may need another operator: to complete an order above the limit, or if nobody has said that
 * money moved; to cancel a withdrawal above it that its member may have paid
 * (security.md#two-operators).
 */
export function decide(command: OperatorResolve, view: View, ctx: Context): Decision<Resolution> {
  const { commandId, outcome, note, actor, approvalId, orderId, memberId, standing } = command;
  const order = view.order(orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const wrongState = refuseResolve(order);
  if (wrongState !== undefined) return wrongState;
  const settledBy = memberId === null ? undefined : view.member(memberId);
  if (memberId !== null && outcome === 'Cancelled')
    return refuse(
      'unprocessable',
      'Only an order that is completed names who received or paid the money.',
    );
  if (memberId !== null && settledBy === undefined)
    return refuse('unprocessable', 'There is no member with this memberId.');
  const asked = waitingFor(view.pendingApprovals('order-resolve', orderId), command);
  if (approvalId !== undefined) {
    if (asked === undefined)
      return refuse('wrong-state', 'No decision of this order waits for approval.');
    const refused = refuseApproval(asked, actor, ctx.now);
    if (refused !== undefined) return refused;
  }
  const isAlone = approvalId === undefined;
  const ownCancel =
    isAlone && outcome === 'Cancelled' ? refuseOwnCancel(order, command, view) : undefined;
  if (ownCancel !== undefined) return ownCancel;
  const counts = isAlone && countsForTheDay(order, command);
  const act = {
    kind: 'order-resolve',
    amount: order.floatAmount,
    today: counts ? movedToday(standing, view, ctx.now) : 0n,
    unattested: outcome === 'Completed' && !isAttested(order),
    ofOwnMember: [order.memberId, memberId].some((id) => isOwnMember(standing, id)),
  } as const;
  const mayWait = isAlone && (outcome === 'Completed' || mayBePaid(order));
  if (mayWait && needsSecondOperator(view.settings, act)) {
    const { orderReference } = order;
    const named = memberId === null ? {} : { memberId };
    const asks = { orderReference, note, ...named, outcome, ...forOperators(command) };
    const request = newApproval('order-resolve', commandId, orderId, asks, command, ctx.now);
    const detail = { approvalId: commandId, outcome, note };
    const audit = audited('order.resolve-request', orderId, detail, command, ctx);
    return accept(
      { status: 'pendingApproval', approvalId: commandId, order },
      { approvals: [...withdrawn(asked, actor, ctx), request], audit },
    );
  }
  const by = approvalId === undefined ? undefined : asked;
  const reason = by === undefined ? note : by.request['note'];
  const ended = endOrder(
    order,
    {
      trigger: 'operator-resolved',
      to: outcome,
      actor,
      commandId,
      ...(typeof reason === 'string' && { reason }),
      note: by === undefined ? note : noteOfTwo(by, actor, note),
      settledBy,
    },
    view,
    ctx,
  );
  const audit = audited(
    by ? 'order.resolve-approve' : 'order.resolve',
    orderId,
    { outcome, note, ...(memberId !== null && { memberId }), ...(by && askedWith(by)) },
    command,
    ctx,
  );
  const approvals =
    by === undefined ? withdrawn(asked, actor, ctx) : [decided(by, 'done', actor, note, ctx)];
  return accept(
    { status: 'resolved', approvalId: null, order: ended.result },
    {
      ...ended.changes,
      approvals,
      audit,
      ...(counts && { moved: movedBy(standing, view, order.floatAmount, ctx.now) }),
    },
  );
}

/** Against cancelling for a member or a merchant that may be the asker's own. */
function refuseOwnCancel(
  order: Order,
  { standing }: OperatorResolve,
  { settings }: View,
): Objection {
  if (settings.requireSecondOperator && isOwnMember(standing, order.memberId))
    return refuse(
      'second-operator',
      'You made the member of this order, or a password or link of theirs: another operator cancels it.',
    );
  return refuseOwnPayout(order, standing, settings);
}

/**
 * Whether what one operator decides counts in the sum of their day (security.md#two-operators): a
 * completion of which nobody but the customer has said that money moved, where that customer may be
 * the operator's own, of a merchant where they let people in; one with another member than the
 * holder, of whom nobody else has said that they got the money; and a payout that may be paid and
 * is given back.
 */
function countsForTheDay(order: Order, { outcome, memberId, standing }: OperatorResolve): boolean {
  if (outcome === 'Cancelled') return mayBePaid(order);
  if (memberId !== null && memberId !== order.memberId) return true;
  return order.memberTransactionReference === null && standing.ofMerchant;
}

/** Both outcomes are open to the same orders. */
export const refuseResolve = (order: Pick<Order, 'orderType' | 'status'>): Objection =>
  canMove(order, 'operator-resolved')
    ? undefined
    : refuse(
        'wrong-state',
        `The order is ${order.status}; only an order in ManualReview can be resolved.`,
      );

/**
 * Whether the customer or the member has said that money moved. A member's report is about a
 * payment that went wrong, and does not count.
 */
export const isAttested = (order: Order): boolean =>
  order.sentAt !== null || order.memberTransactionReference !== null;
