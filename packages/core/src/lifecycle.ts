import type { OrderType } from './method.ts';
import { hasFailed, isLegacy, type Order, STATUSES, type Status } from './order.ts';

/** What makes an order change its status. */
export type Trigger =
  | 'created'
  | 'customer-opened-page'
  | 'customer-switched-method'
  | 'customer-submitted-account'
  | 'customer-confirmed'
  | 'customer-cancelled'
  | 'member-found'
  | 'member-confirmed'
  | 'member-rejected'
  | 'member-reported'
  | 'member-released'
  | 'member-withdrawn'
  | 'link-expired'
  | 'wait-timed-out'
  | 'confirmation-timed-out'
  | 'payout-timed-out'
  | 'operator-resolved'
  | 'operator-confirmed'
  | 'operator-cancelled'
  | 'operator-escalated';

interface Move {
  readonly orderType: OrderType;
  /** Null: creation. */
  readonly from: Status | null;
  readonly trigger: Trigger;
  readonly to: Status;
}

type Row = readonly [from: Status | null, trigger: Trigger, to: Status];

/** The specification's deposit transitions; below the line what we add (states.md#deposits). */
const DEPOSIT: readonly Row[] = [
  [null, 'created', 'Queued'],
  [null, 'created', 'Awaiting'],
  ['Awaiting', 'customer-opened-page', 'AwaitingCustomerPayment'],
  ['Awaiting', 'link-expired', 'CancelledTimeout'],
  ['Queued', 'customer-opened-page', 'AwaitingCustomerPayment'],
  ['Queued', 'link-expired', 'Expired'],
  ['AwaitingCustomerPayment', 'customer-confirmed', 'AwaitingMemberConfirmation'],
  ['AwaitingCustomerPayment', 'link-expired', 'Expired'],
  ['AwaitingMemberConfirmation', 'member-confirmed', 'Completed'],
  ['AwaitingMemberConfirmation', 'member-rejected', 'Rejected'],
  ['AwaitingMemberConfirmation', 'confirmation-timed-out', 'ManualReview'],
  ['ManualReview', 'operator-resolved', 'Completed'],
  ['ManualReview', 'operator-resolved', 'Cancelled'],
  // ---
  ['AwaitingMemberConfirmation', 'member-confirmed', 'ManualReview'],
  ['Awaiting', 'customer-switched-method', 'AwaitingCustomerPayment'],
  ['Queued', 'customer-switched-method', 'AwaitingCustomerPayment'],
  ['AwaitingCustomerPayment', 'customer-switched-method', 'AwaitingCustomerPayment'],
  ['Awaiting', 'customer-cancelled', 'CancelledAuto'],
  ['Queued', 'customer-cancelled', 'CancelledAuto'],
  ['AwaitingCustomerPayment', 'customer-cancelled', 'CancelledAuto'],
  ['Queued', 'member-withdrawn', 'Queued'],
  ['AwaitingCustomerPayment', 'member-withdrawn', 'CancelledAuto'],
  ['Queued', 'member-released', 'Cancelled'],
  ['AwaitingCustomerPayment', 'member-released', 'Cancelled'],
  ['Awaiting', 'operator-cancelled', 'Cancelled'],
  ['Queued', 'operator-cancelled', 'Cancelled'],
  ['AwaitingCustomerPayment', 'operator-cancelled', 'Cancelled'],
  ['Queued', 'operator-escalated', 'ManualReview'],
  ['AwaitingCustomerPayment', 'operator-escalated', 'ManualReview'],
  ['AwaitingMemberConfirmation', 'operator-escalated', 'ManualReview'],
];

/** The specification's withdrawal transitions; below the line what we add. */
const WITHDRAWAL: readonly Row[] = [
  [null, 'created', 'AwaitingMemberPayout'],
  [null, 'created', 'Awaiting'],
  ['Awaiting', 'customer-submitted-account', 'AwaitingMemberPayout'],
  ['Awaiting', 'customer-submitted-account', 'Awaiting'],
  ['Awaiting', 'link-expired', 'CancelledTimeout'],
  ['Awaiting', 'member-found', 'AwaitingMemberPayout'],
  ['Awaiting', 'wait-timed-out', 'CancelledTimeout'],
  ['AwaitingMemberPayout', 'member-confirmed', 'Completed'],
  ['AwaitingMemberPayout', 'member-rejected', 'Rejected'],
  ['AwaitingMemberPayout', 'member-reported', 'ManualReview'],
  ['AwaitingMemberPayout', 'payout-timed-out', 'AwaitingMemberPayout'],
  ['AwaitingMemberPayout', 'payout-timed-out', 'ManualReview'],
  ['ManualReview', 'operator-resolved', 'Completed'],
  ['ManualReview', 'operator-resolved', 'Cancelled'],
  // ---
  ['AwaitingMemberPayout', 'member-confirmed', 'ManualReview'],
  ['Awaiting', 'customer-cancelled', 'CancelledAuto'],
  ['Awaiting', 'operator-cancelled', 'Cancelled'],
  ['AwaitingMemberPayout', 'operator-cancelled', 'Cancelled'],
  ['AwaitingMemberPayout', 'operator-escalated', 'ManualReview'],
];

/** An order that failed can later be confirmed by the operator after a dispute (states.md). */
const LATE_CONFIRMATIONS: readonly Row[] = STATUSES.filter(hasFailed).map((from) => [
  from,
  'operator-confirmed',
  'Completed',
]);

/** Open orders of the older statuses, which only an operator ends (states.md#assigned). */
const LEGACY_ENDINGS: readonly Row[] = STATUSES.filter(isLegacy).flatMap((from): readonly Row[] => [
  [from, 'operator-cancelled', 'Cancelled'],
  [from, 'operator-resolved', 'Completed'],
  [from, 'operator-resolved', 'Cancelled'],
]);

const rows = (orderType: OrderType, table: readonly Row[]): readonly Move[] =>
  [
    ...table,
    ...LEGACY_ENDINGS,
    ...LATE_CONFIRMATIONS.filter(([from]) => orderType === 'Deposit' || from !== 'Expired'),
  ].map(([from, trigger, to]) => ({
    orderType,
    from,
    trigger,
    to,
  }));

/**
 * Every move that any order can make. The invariant checker holds the stored history against it
 * (S1).
 */
export const MOVES: readonly Move[] = [
  ...rows('Deposit', DEPOSIT),
  ...rows('Withdrawal', WITHDRAWAL),
];

const targets = new Map<string, readonly Status[]>();
for (const { orderType, from, trigger, to } of MOVES) {
  const key = `${orderType} ${from} ${trigger}`;
  targets.set(key, [...(targets.get(key) ?? []), to]);
}

/**
 * Where a trigger can take an order of this type from this status; empty when the table has no such
 * row.
 */
export function movesTo(
  orderType: OrderType,
  from: Status | null,
  trigger: Trigger,
): readonly Status[] {
  return targets.get(`${orderType} ${from} ${trigger}`) ?? [];
}

/** Whether the tables have any such move of this order as it is. */
export const canMove = (
  { orderType, status }: Pick<Order, 'orderType' | 'status'>,
  trigger: Trigger,
): boolean => movesTo(orderType, status, trigger).length > 0;

const OF_TIME: ReadonlySet<Trigger> = new Set([
  'link-expired',
  'wait-timed-out',
  'confirmation-timed-out',
  'payout-timed-out',
]);

/** The statuses that an order leaves when time passes. */
export const TIMED_STATUSES: readonly Status[] = [
  ...new Set(
    MOVES.flatMap(({ from, trigger }) => (from !== null && OF_TIME.has(trigger) ? [from] : [])),
  ),
];
