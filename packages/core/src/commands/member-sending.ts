import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Order } from '../order.ts';
import { concerns, memberMay, notesOf, refuseSuspended } from './acting-member.ts';

/** The member begins to pay a withdrawal out: its deadline moves by the grace, once. */
export interface MemberSending {
  readonly kind: 'member-sending';
  readonly commandId: string;
  readonly orderId: string;
  readonly memberId: string;
}

export const keys = ({ orderId, memberId }: MemberSending): Keys => ({
  orders: [orderId],
  actingMemberId: memberId,
  notes: [orderId],
});

/** Saying it again changes nothing. */
export function decide(command: MemberSending, view: View, ctx: Context): Decision<Order> {
  const suspended = refuseSuspended(command.memberId, view);
  if (suspended !== undefined) return suspended;
  const order = view.orders.get(command.orderId);
  const { memberId } = command;
  if (order === undefined || !concerns(order, memberId))
    return refuse('not-found', 'Order not found.');
  if (order.memberId !== memberId)
    return refuse('wrong-state', 'This order was handed to another member. Do not pay it.');
  if (!memberMay('sending', order, memberId))
    return refuse('wrong-state', `The order is ${order.status}; there is nothing to send now.`);
  const own = notesOf(memberId, view.notes.of(order.orderId));
  // What they said of an earlier assignment does not count for this one.
  const since = order.holderSince ?? 0;
  if (own.some(({ kind, at }) => kind === 'sending' && at >= since)) return accept(order);
  if (order.dueAt !== null && ctx.now >= order.dueAt)
    return refuse('wrong-state', 'The time to pay this order has run out. Do not pay it.');

  const { merchantId, orderId, dueAt } = order;
  const grace = view.settings.sendingGraceMs;
  const identity = { merchantId, orderId, noteId: ctx.newId(), number: own.length + 1 };
  const note = {
    ...identity,
    actor: { kind: 'member', id: memberId },
    kind: 'sending',
    amount: null,
    text: '',
    at: ctx.now,
  } as const;
  if (grace === 0 || dueAt === null) return accept(order, { notes: [note] });
  const later = { ...order, dueAt: dueAt + grace };
  return accept(later, { orders: [later], notes: [note] });
}
