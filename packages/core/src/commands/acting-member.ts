import { type Decision, refuse, type View } from '../decision.ts';
import { movesTo, type Trigger } from '../lifecycle.ts';
import type { OrderType } from '../method.ts';
import type { Order, Status } from '../order.ts';
import type { OrderNote } from '../rows.ts';

/** The message for a suspended member. */
export const SUSPENDED = 'This account is suspended.';

/**
 * Refuses what a suspended member does, including commands that were waiting when they were
 * suspended (decision 1).
 */
export function refuseSuspended(memberId: string, view: View): Decision<never> | undefined {
  if (view.members.get(memberId)?.status !== 'suspended') return undefined;
  return refuse('suspended', SUSPENDED);
}

/** Whether the member holds or has held the order. For others it does not exist. */
export const concerns = (
  order: Pick<Order, 'memberId' | 'formerMemberIds'>,
  memberId: string,
): boolean => order.memberId === memberId || order.formerMemberIds.includes(memberId);

/** What a member has noted of an order. */
export const notesOf = <Note extends Pick<OrderNote, 'actor'>>(
  memberId: string,
  notes: readonly Note[],
): readonly Note[] => notes.filter(({ actor }) => actor.kind === 'member' && actor.id === memberId);

/** What moves an order. */
export const MEMBER_DECISIONS = ['confirm', 'reject', 'report', 'release'] as const;
export type MemberDecision = (typeof MEMBER_DECISIONS)[number];

export const MEMBER_ACTIONS = [...MEMBER_DECISIONS, 'note', 'money-seen', 'sending'] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

/** What the holder of an order says of it while it is in these statuses; it stays in them. */
type Saying = Exclude<MemberAction, MemberDecision>;
const SAID_IN: Readonly<Record<Saying, readonly [OrderType, readonly Status[]]>> = {
  note: ['Deposit', ['AwaitingMemberConfirmation']],
  'money-seen': ['Deposit', ['Queued', 'AwaitingCustomerPayment']],
  sending: ['Withdrawal', ['AwaitingMemberPayout']],
};
const isSaying = (action: MemberAction): action is Saying => action in SAID_IN;

const TRIGGERS: Readonly<Record<MemberDecision, Trigger>> = {
  confirm: 'member-confirmed',
  reject: 'member-rejected',
  report: 'member-reported',
  release: 'member-released',
};

/**
 * Whether the action would change something, for a member whom the order concerns. A former member
 * of a withdrawal may report it, and so may anybody while it is in review
 * (states.md#awaitingmemberpayout).
 */
export function memberMay(
  action: MemberAction,
  order: Pick<Order, 'orderType' | 'status' | 'memberId'>,
  memberId: string,
): boolean {
  const { orderType, status } = order;
  if (isSaying(action)) {
    const [saidOf, statuses] = SAID_IN[action];
    return order.memberId === memberId && orderType === saidOf && statuses.includes(status);
  }
  const moves = movesTo(orderType, status, TRIGGERS[action]).length > 0;
  if (action === 'report')
    return moves || (orderType === 'Withdrawal' && status === 'ManualReview');
  return moves && order.memberId === memberId;
}
