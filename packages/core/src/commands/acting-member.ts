import { type Decision, refuse, type View } from '../decision.ts';
import { movesTo, type Trigger } from '../lifecycle.ts';
import type { Order } from '../order.ts';

/** The message for a suspended member. */
export const SUSPENDED = 'This account is suspended.';

/**
 * Refuses what a suspended member does, including commands that were waiting when they were
 * suspended (D69).
 */
export function refuseSuspended(memberId: string, view: View): Decision<never> | undefined {
  if (view.member(memberId)?.status !== 'suspended') return undefined;
  return refuse('suspended', SUSPENDED);
}

/** Whether the member holds or has held the order. Others are told that it does not exist. */
export const concerns = (
  order: Pick<Order, 'memberId' | 'formerMemberIds'>,
  memberId: string,
): boolean => order.memberId === memberId || order.formerMemberIds.includes(memberId);

export const MEMBER_ACTIONS = ['confirm', 'reject', 'report', 'release'] as const;
export type MemberAction = (typeof MEMBER_ACTIONS)[number];

const TRIGGERS: Readonly<Record<MemberAction, Trigger>> = {
  confirm: 'member-confirmed',
  reject: 'member-rejected',
  report: 'member-reported',
  release: 'member-released',
};

/**
 * Whether the action would change something, for a member whom the order concerns. A former member
 * of a withdrawal may report it, and so may anybody while it is in review (D36).
 */
export function memberMay(
  action: MemberAction,
  order: Pick<Order, 'orderType' | 'status' | 'memberId'>,
  memberId: string,
): boolean {
  const { orderType, status } = order;
  const moves = movesTo(orderType, status, TRIGGERS[action]).length > 0;
  if (action === 'report')
    return moves || (orderType === 'Withdrawal' && status === 'ManualReview');
  return moves && order.memberId === memberId;
}
