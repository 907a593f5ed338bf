import { audited } from '../audit.ts';
import {
  type Actor,
  accept,
  type Context,
  type Decision,
  type Keys,
  type Objection,
  refuse,
  type View,
} from '../decision.ts';
import {
  decided,
  needsSecondOperator,
  newApproval,
  noteOfTwo,
  type Outcome,
  refuseApproval,
  withdrawn,
} from '../four-eyes.ts';
import { canMove } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator decides an order in manual review, or an open one of an older status (D72). */
export interface OperatorResolve {
  readonly kind: 'operator-resolve';
  readonly commandId: string;
  readonly orderId: string;
  readonly outcome: 'Completed' | 'Cancelled';
  /** Null for an approval without a note. */
  readonly note: string | null;
  /** The second operator's agreement to a Completed that asked for one. */
  readonly approval?: boolean;
  /** The request that is approved: no other one about the order. */
  readonly approvalId?: string | undefined;
  readonly actor: Actor & { readonly kind: 'operator' };
}

/** Done, or waiting for the approval of this request. */
export type Resolution = { readonly order: Order } & Outcome<'resolved'>;

export const keys = ({ orderId }: OperatorResolve): Keys => ({
  orderId,
  settles: true,
  approvalOf: orderId,
});

/**
 * Completing may need another operator: above the limit, or if nobody has said that money moved
 * (D66, D67).
 */
export function decide(command: OperatorResolve, view: View, ctx: Context): Decision<Resolution> {
  const { commandId, outcome, note, actor, approval = false, orderId } = command;
  const order = view.order(orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const wrongState = refuseResolve(order);
  if (wrongState !== undefined) return wrongState;
  const asked = view.pendingApproval('order-resolve', orderId);
  if (approval) {
    if (asked === undefined)
      return refuse('wrong-state', 'No decision of this order waits for approval.');
    const refused = refuseApproval(asked, actor, ctx.now, command.approvalId);
    if (refused !== undefined) return refused;
  }
  const act = {
    kind: 'order-resolve',
    amount: order.floatAmount,
    today: 0n,
    unattested: !isAttested(order),
  } as const;
  if (!approval && outcome === 'Completed' && needsSecondOperator(view.settings, act)) {
    const asks = { note, outcome };
    const request = newApproval('order-resolve', commandId, orderId, asks, actor, ctx.now);
    const detail = { approvalId: commandId, outcome, note };
    const audit = audited('order.resolve-request', orderId, detail, command, ctx);
    return accept(
      { status: 'pendingApproval', approvalId: commandId, order },
      { approvals: [...withdrawn(asked, actor, ctx), request], audit },
    );
  }
  const by = approval ? asked : undefined;
  const ended = endOrder(
    order,
    {
      trigger: 'operator-resolved',
      to: outcome,
      actor,
      commandId,
      ...(note !== null && { reason: note }),
      note: by === undefined ? note : noteOfTwo(by, actor, note),
    },
    view,
    ctx,
  );
  const audit = audited(
    by ? 'order.resolve-approve' : 'order.resolve',
    orderId,
    { outcome, note, ...(by && { requestedBy: by.requestedBy }) },
    command,
    ctx,
  );
  const approvals =
    by === undefined ? withdrawn(asked, actor, ctx) : [decided(by, 'done', actor, note, ctx)];
  return accept(
    { status: 'resolved', approvalId: null, order: ended.result },
    { ...ended.changes, approvals, audit },
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
