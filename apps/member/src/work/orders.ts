import type { MemberOrderView, OwnMember } from '@munshi/api';
import type { AsText } from '@munshi/web';

export type Order = AsText<MemberOrderView>;
export type Me = AsText<OwnMember>;
type Action = Order['allowedActions'][number];

/** `2A6XXE` of `ORD-20261123061449-2A6XXE`: what people say to each other. */
export const shortReference = (reference: string): string => reference.split('-').at(-1) ?? '';

/** What a member has to do with an order, most urgent first. */
export const GROUPS = ['check', 'pay', 'wait', 'review'] as const;
export type Group = (typeof GROUPS)[number];

export const may = ({ allowedActions }: Order, action: Action): boolean =>
  allowedActions.includes(action);

/** By what the service allows; undefined: it is over, or another member's. */
export function groupOf(order: Order): Group | undefined {
  if (order.handedOver || isOver(order)) return undefined;
  if (may(order, 'confirm')) return order.orderType === 'Deposit' ? 'check' : 'pay';
  return may(order, 'release') ? 'wait' : 'review';
}

export const isOver = ({ completedAt, failedAt }: Order): boolean =>
  completedAt !== null || failedAt !== null;

/** The soonest deadline first; what has none, last. */
export const bySoonest = (left: Order, right: Order): number =>
  (left.dueAt ?? '9').localeCompare(right.dueAt ?? '9') ||
  left.createdAt.localeCompare(right.createdAt);

/** Whether an order wants the member now. */
export const isUrgent = (order: Order): boolean => {
  const group = groupOf(order);
  return group === 'check' || group === 'pay';
};

/** An alarm says so, until they have seen it on one of their phones. */
export const isCalling = (order: Order): boolean => isUrgent(order) && order.seenAt === null;
