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
  type MayWait,
  mayBePaid,
  movedBy,
  movedToday,
  needsSecondOperator,
  newApproval,
  noteOfTwo,
  refuseApproval,
  sumKeys,
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

export const keys = ({ orderId, memberId, sumOf }: OperatorResolve): Keys => ({
  orderId,
  settles: true,
  approvalOf: orderId,
  sumsOf: sumKeys(sumOf),
  ...(memberId !== null && { memberIds: [memberId] }),
});

/**
 * Completing an order, of which no member has given their word, counts as money that an operator
 * moves, and so does cancelling a withdrawal that its member may have paid
 * (security.md#two-operators).
 */
export function decide(command: OperatorResolve, view: View, ctx: Context): Decision<Resolution> {
  const { commandId, outcome, note, actor, approvalId, orderId, memberId, sumOf } = command;
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
  const counts = isAlone && (outcome === 'Completed' || mayBePaid(order));
  const act = {
    kind: 'order-resolve',
    amount: order.floatAmount,
    today: movedToday(sumOf, view, ctx.now),
  } as const;
  if (counts && needsSecondOperator(view.settings, act)) {
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
      ...(counts && { moved: movedBy(sumOf, view, order.floatAmount, ctx.now) }),
    },
  );
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
