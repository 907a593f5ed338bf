import type { Approval, Outcome } from '../approval.ts';
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
import type { Instant, Order } from '../order.ts';
import { endOrder } from '../step.ts';

/** An operator confirms an order that had failed, after a dispute. */
export interface OperatorConfirm extends MayWait {
  readonly kind: 'operator-confirm';
  readonly commandId: string;
  readonly orderId: string;
  /** Null for an approval without a note. */
  readonly note: string | null;
  /** Who received or paid the money; null: the last holder, else the adjustments account. */
  readonly memberId: string | null;
}

/** Done, or waiting for the approval of this request. */
export type LateConfirmation = { readonly order: Order } & Outcome<'confirmed'>;

export const keys = ({ orderId, memberId, sumOf }: OperatorConfirm): Keys => ({
  orderId,
  settles: true,
  approvalOf: orderId,
  sumsOf: sumKeys(sumOf),
  ...(memberId !== null && { memberIds: [memberId] }),
});

/**
 * Two operators must agree when the confirmation takes the wallet's available balance below zero
 * (states.md#late-confirmations), and above the limit (security.md#two-operators).
 */
export function decide(
  command: OperatorConfirm,
  view: View,
  ctx: Context,
): Decision<LateConfirmation> {
  const { actor, approvalId, commandId, memberId, note, orderId, sumOf } = command;
  const order = view.order(orderId);
  if (order === undefined) return refuse('not-found', 'Order not found.');
  const wrongState = refuseLateConfirmation(order);
  if (wrongState !== undefined) return wrongState;
  const asked = waitingFor(view.pendingApprovals('order-confirm', orderId), command);
  const namedId = memberId ?? order.memberId;
  const settledBy = namedId === null ? undefined : view.member(namedId);
  if (memberId !== null && settledBy === undefined)
    return refuse('unprocessable', 'There is no member with this memberId.');

  if (approvalId !== undefined) {
    const refused = refuseConfirmationApproval(asked, actor, ctx.now);
    if (refused !== undefined) return refused;
  } else if (needsTwo(order, command, view, ctx)) return request(command, order, asked, ctx);

  const by = approvalId === undefined ? undefined : asked;
  const ended = endOrder(
    order,
    {
      trigger: 'operator-confirmed',
      to: 'Completed',
      actor,
      commandId,
      note: by === undefined ? note : noteOfTwo(by, actor, note),
      settledBy,
      patch: { liveReference: referenceFor(order, view) },
    },
    view,
    ctx,
  );
  const detail = { note, memberId: namedId, ...(by && askedWith(by)) };
  const action = by ? 'order.confirm-approve' : 'order.confirm';
  return accept(
    { status: 'confirmed', approvalId: null, order: ended.result },
    {
      ...ended.changes,
      audit: audited(action, orderId, detail, command, ctx),
      ...(by === undefined
        ? {
            moved: movedBy(sumOf, view, order.floatAmount, ctx.now),
            approvals: withdrawn(asked, actor, ctx),
          }
        : { approvals: [decided(by, 'done', actor, note, ctx)] }),
    },
  );
}

function needsTwo(order: Order, { sumOf }: OperatorConfirm, view: View, { now }: Context) {
  const { orderType, floatAmount, settlementAmount } = order;
  const { balance, reserved } = view.wallet(order.merchantId);
  const overdraws = orderType === 'Withdrawal' && balance - settlementAmount < reserved;
  const act = {
    kind: 'order-confirm',
    amount: floatAmount,
    today: movedToday(sumOf, view, now),
  } as const;
  return overdraws || needsSecondOperator(view.settings, act);
}

/** Leaves the order as it is until another operator approves. */
function request(
  command: OperatorConfirm,
  order: Order,
  asked: Approval | undefined,
  ctx: Context,
): Decision<LateConfirmation> {
  const { actor, commandId, memberId, note, orderId } = command;
  const { orderReference } = order;
  const asks = { orderReference, note, memberId, outcome: 'Completed', ...forOperators(command) };
  const approval = newApproval('order-confirm', commandId, orderId, asks, command, ctx.now);
  const detail = { approvalId: commandId, note };
  return accept(
    { status: 'pendingApproval', approvalId: commandId, order },
    {
      approvals: [...withdrawn(asked, actor, ctx), approval],
      audit: audited('order.confirm-request', orderId, detail, command, ctx),
    },
  );
}

export const refuseLateConfirmation = (order: Pick<Order, 'orderType' | 'status'>): Objection =>
  canMove(order, 'operator-confirmed')
    ? undefined
    : refuse(
        'wrong-state',
        `The order is ${order.status}; only an order that failed can be confirmed after a dispute.`,
      );

/** `asked`: the request that is approved. */
function refuseConfirmationApproval(
  asked: Approval | undefined,
  who: { readonly id: string },
  now: Instant,
): Objection {
  if (asked === undefined)
    return refuse('wrong-state', 'No confirmation of this order waits for approval.');
  return refuseApproval(asked, who, now);
}

/** The order is live again, unless a newer order has its reference (decision 6). */
function referenceFor(order: Order, view: View): string | null {
  if (order.merchantOrderRef === null) return null;
  return view.liveOrder(order.merchantId, order.merchantOrderRef) === undefined
    ? order.merchantOrderRef
    : null;
}
