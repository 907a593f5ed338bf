import {
  accept,
  type Context,
  type Decision,
  type Keys,
  type Notice,
  refuse,
  type View,
} from '../decision.ts';
import type { Order } from '../order.ts';
import { moveOrder } from '../step.ts';
import { concerns, memberMay, notesOf, refuseSuspended } from './acting-member.ts';

/**
 * An abnormal payment: wrong details, a refused transfer, the provider down, unsure whether it was
 * sent; or a former member has paid (states.md#awaitingmemberpayout).
 */
export interface MemberReport {
  readonly kind: 'member-report';
  readonly commandId: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly reason: string;
}

export const keys = ({ orderId, memberId }: MemberReport): Keys => ({
  orders: [orderId],
  actingMemberId: memberId,
  notes: [orderId],
});

/**
 * Different reports by one member about an order in review. Enough for any case, but bounded
 * (states.md#manualreview).
 */
const REPORTS_MAX = 10;

/**
 * The withdrawal goes to manual review; a report about one in review is kept as a note. A repeated
 * report is kept once.
 */
export function decide(command: MemberReport, view: View, ctx: Context): Decision<Order> {
  const suspended = refuseSuspended(command.memberId, view);
  if (suspended !== undefined) return suspended;
  const order = view.orders.get(command.orderId);
  const { commandId, memberId, reason } = command;
  if (order === undefined || !concerns(order, memberId))
    return refuse('not-found', 'Order not found.');
  if (order.orderType === 'Deposit')
    return refuse('wrong-state', 'Only withdrawals are reported; confirm or reject a deposit.');
  const actor = { kind: 'member' as const, id: memberId };
  if (order.status === 'ManualReview') {
    const { merchantId, orderId } = order;
    const own = notesOf(memberId, view.notes.of(orderId));
    const said = own.filter(({ kind }) => kind === 'report');
    if (said.some(({ text }) => text === reason)) return accept(order);
    if (said.length >= REPORTS_MAX)
      return refuse(
        'too-many',
        `You have reported this order ${REPORTS_MAX} times. An operator is looking at it.`,
      );
    return accept(order, {
      notes: [
        {
          merchantId,
          orderId,
          noteId: ctx.newId(),
          number: own.length + 1,
          actor,
          kind: 'report',
          amount: null,
          text: reason,
          at: ctx.now,
        },
      ],
    });
  }
  if (!memberMay('report', order, memberId))
    return refuse('wrong-state', `The order is ${order.status}; ask an operator.`);
  const notices: Notice[] =
    order.memberId === null || order.memberId === memberId
      ? []
      : [{ memberId: order.memberId, event: 'withdrawn', orderId: order.orderId }];
  return moveOrder(
    order,
    { status: 'ManualReview', dueAt: null },
    { trigger: 'member-reported', actor, commandId, note: reason },
    ctx,
    { notices },
  );
}
