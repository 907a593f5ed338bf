import { accept, type Context, type Decision, type Keys, refuse, type View } from '../decision.ts';
import type { Money } from '../money.ts';
import type { Order } from '../order.ts';
import { isSentFor } from '../payable.ts';
import { concerns, memberMay, notesOf, refuseSuspended } from './acting-member.ts';

/** The member reports to operators what they see of a deposit. It stays as it is. */
export interface MemberNote {
  readonly kind: 'member-note';
  readonly commandId: string;
  readonly orderId: string;
  readonly memberId: string;
  readonly about:
    | {
        /** What arrived is not the order's amount. */
        readonly kind: 'otherAmount';
        /** In the order's currency. */
        readonly amount: Money;
      }
    /** The money is there although the customer has not confirmed. */
    | { readonly kind: 'moneySeen' };
  /** What they add in their own words. */
  readonly text: string | null;
}

export const keys = ({ orderId, memberId }: MemberNote): Keys => ({
  orders: [orderId],
  actingMemberId: memberId,
  notes: [orderId],
});

/** Of one member about one order: enough for any case, but bounded. */
const NOTES_MAX = 10;
const ACTIONS = { otherAmount: 'note', moneySeen: 'money-seen' } as const;

/** Keeps the note. A repeated one is kept once. */
export function decide(command: MemberNote, view: View, ctx: Context): Decision<Order> {
  const suspended = refuseSuspended(command.memberId, view);
  if (suspended !== undefined) return suspended;
  const order = view.orders.get(command.orderId);
  const { memberId, about } = command;
  if (order === undefined || !concerns(order, memberId))
    return refuse('not-found', 'Order not found.');
  const { kind } = about;
  const amount = about.kind === 'otherAmount' ? about.amount : null;
  if (!memberMay(ACTIONS[kind], order, memberId)) return refuseSaying(order, kind);
  if (amount !== null && isSentFor(order, amount))
    return refuse('unprocessable', 'This is the amount of the order. Confirm it.');

  const text = command.text ?? '';
  const own = notesOf(memberId, view.notes.of(order.orderId));
  const isSame = (note: (typeof own)[number]) =>
    note.kind === kind && note.amount === amount && (kind === 'moneySeen' || note.text === text);
  if (own.some(isSame)) return accept(order);
  if (own.length >= NOTES_MAX)
    return refuse('too-many', `You have told operators of this order ${NOTES_MAX} times.`);
  const { merchantId, orderId } = order;
  const actor = { kind: 'member', id: memberId } as const;
  const identity = { merchantId, orderId, noteId: ctx.newId(), number: own.length + 1 };
  return accept(order, { notes: [{ ...identity, actor, kind, amount, text, at: ctx.now }] });
}

function refuseSaying({ orderType, status }: Order, kind: MemberNote['about']['kind']) {
  if (orderType === 'Withdrawal')
    return refuse('wrong-state', 'Only deposits are told of; report a withdrawal.');
  if (kind === 'moneySeen' && status === 'AwaitingMemberConfirmation')
    return refuse('wrong-state', 'The customer has confirmed: check the money and confirm it.');
  return refuse('wrong-state', `The order is ${status}; nothing can be noted of it now.`);
}
