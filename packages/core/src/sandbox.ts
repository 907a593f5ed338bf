import { MOVES, type Trigger } from './lifecycle.ts';
import { type Instant, isLegacy, type Order, STATUSES, type Status } from './order.ts';

/**
 * A sandbox: what leads an order to a status, and how members play themselves (testing.md).
 */

/**
 * What a sandbox makes happen, in place of the person or of time. The others lead to no status that
 * these do not lead to.
 */
export const SANDBOX_TRIGGERS = [
  'customer-opened-page',
  'customer-submitted-account',
  'customer-confirmed',
  'customer-cancelled',
  'member-found',
  'member-confirmed',
  'member-rejected',
  'link-expired',
  'wait-timed-out',
  'operator-cancelled',
  'operator-escalated',
  'operator-resolved',
  'operator-confirmed',
] as const satisfies readonly Trigger[];
export type SandboxTrigger = (typeof SANDBOX_TRIGGERS)[number];

export interface SandboxStep {
  readonly trigger: SandboxTrigger;
  readonly to: Status;
}

type Standing = Pick<Order, 'orderType' | 'status' | 'customerAccountNumber'> & {
  readonly memberId: string | null;
};

const isStep = (trigger: Trigger): trigger is SandboxTrigger =>
  (SANDBOX_TRIGGERS as readonly Trigger[]).includes(trigger);

/** Only a member who has used a recovery link confirms into review. */
const STEPS = MOVES.flatMap(({ orderType, from, trigger, to }) =>
  from === null ||
  from === to ||
  isLegacy(from) ||
  !isStep(trigger) ||
  (trigger === 'member-confirmed' && to === 'ManualReview')
    ? []
    : [{ orderType, from, trigger, to }],
);

/** What else than its status has to be so of an order for a step. */
function mayStep(order: Standing, trigger: SandboxTrigger): boolean {
  if (trigger === 'operator-escalated') return order.memberId !== null;
  if (order.orderType === 'Deposit' || order.status !== 'Awaiting') return true;
  const lacksAccount = order.customerAccountNumber === null;
  if (trigger === 'member-found' || trigger === 'wait-timed-out') return !lacksAccount;
  return lacksAccount || trigger === 'operator-cancelled';
}

/**
 * The first step of the shortest way to a status; undefined where none leads there. Operators decide
 * only what customer, member and time do not, as in a live service.
 */
export const stepTowards = (order: Standing, to: Status): SandboxStep | undefined =>
  firstStep(order, to, ({ trigger }) => !trigger.startsWith('operator-')) ??
  firstStep(order, to, () => true);

function firstStep(
  order: Standing,
  to: Status,
  isTaken: (step: SandboxStep) => boolean,
): SandboxStep | undefined {
  const steps = STEPS.filter((step) => step.orderType === order.orderType && isTaken(step));
  const seen = new Set<Status>([order.status]);
  let ways = steps
    .filter(({ from, trigger }) => from === order.status && mayStep(order, trigger))
    .map((first) => ({ first, at: first.to }));
  while (ways.length > 0) {
    const way = ways.find(({ at }) => at === to);
    if (way !== undefined) return { trigger: way.first.trigger, to: way.first.to };
    ways = ways.flatMap(({ first, at }) => {
      if (seen.has(at)) return [];
      seen.add(at);
      return steps.filter(({ from }) => from === at).map((next) => ({ first, at: next.to }));
    });
  }
  return undefined;
}

/** The statuses that a sandbox can move an order to now. */
export const reachable = (order: Standing): readonly Status[] =>
  STATUSES.filter((to) => to !== order.status && stepTowards(order, to) !== undefined);

/**
 * What a member does who plays themselves: `reviews` has an operator look, `waits` leaves the payout
 * to another member, `nothing` leaves the order to time.
 */
interface Card {
  readonly ending: string;
  /** In words, as testing.md and the payment page show it. */
  readonly says: string;
  readonly does: 'rejects' | 'reviews' | 'waits' | 'nothing';
  readonly reasonCode?: 'otherAmount';
  /** Where it goes from there, and after how long. */
  readonly next?: { readonly to: Status; readonly afterMs: number };
  /** A withdrawal by it finds no member. */
  readonly alone?: true;
}

/** By it the member leaves an order to time. */
export const LEFT_ALONE = '0004';

/** By the last four characters of what the customer gives. */
export const SANDBOX_CARDS = [
  { ending: '0002', says: 'rejected: not received; the wallet refuses a payout', does: 'rejects' },
  { ending: '0003', says: 'rejected: another amount', does: 'rejects', reasonCode: 'otherAmount' },
  { ending: LEFT_ALONE, says: 'nothing: time goes on', does: 'nothing' },
  {
    ending: '0005',
    says: 'ManualReview, then Completed',
    does: 'reviews',
    next: { to: 'Completed', afterMs: 0 },
  },
  {
    ending: '0006',
    says: 'ManualReview, then Cancelled',
    does: 'reviews',
    next: { to: 'Cancelled', afterMs: 0 },
  },
  {
    ending: '0007',
    says: 'rejected; 5 seconds later Completed, as after a dispute',
    does: 'rejects',
    next: { to: 'Completed', afterMs: 5_000 },
  },
  {
    ending: '0008',
    says: 'a payout is paid by another member, if maxRetryCount is not 0',
    does: 'waits',
  },
  { ending: '0009', says: 'a payout finds no member: Awaiting', does: 'nothing', alone: true },
] as const satisfies readonly Card[];

/** How long a member takes. */
const ACT_MS = 2_000;

type Played = Pick<
  Order,
  | 'orderType'
  | 'status'
  | 'customerAccountNumber'
  | 'payerAccount'
  | 'transactionDigits'
  | 'holderSince'
  | 'sentAt'
  | 'rejectedAt'
  | 'reassignments'
>;

function cardOf(order: Played): Card | undefined {
  const given =
    order.orderType === 'Withdrawal'
      ? order.customerAccountNumber
      : (order.transactionDigits ?? order.payerAccount);
  return SANDBOX_CARDS.find(({ ending }) => given?.trimEnd().endsWith(ending));
}

/** Whether a withdrawal finds no member in a sandbox. */
export const findsNobody = (order: Pick<Order, 'orderType' | 'customerAccountNumber'>): boolean =>
  order.orderType === 'Withdrawal' &&
  SANDBOX_CARDS.some(
    (card) => 'alone' in card && order.customerAccountNumber?.trimEnd().endsWith(card.ending),
  );

/** The next act on an order of a member who plays themselves. */
export type Play =
  | {
      readonly act: 'move';
      readonly to: Status;
      readonly reasonCode: 'notReceived' | 'otherAmount' | null;
    }
  | { readonly act: 'reassign' };

/** Undefined where nothing is due. */
export function playOf(order: Played, now: Instant): Play | undefined {
  const card = cardOf(order);
  const move = (to: Status): Play => ({
    act: 'move',
    to,
    reasonCode: to === 'Rejected' ? (card?.reasonCode ?? 'notReceived') : null,
  });
  if (order.status === 'ManualReview' && card?.does === 'reviews' && card.next)
    return move(card.next.to);
  if (order.status === 'Rejected' && card?.does === 'rejects' && card.next)
    return now - (order.rejectedAt ?? now) < card.next.afterMs ? undefined : move(card.next.to);
  const asked =
    order.status === 'AwaitingMemberConfirmation'
      ? order.sentAt
      : order.status === 'AwaitingMemberPayout'
        ? order.holderSince
        : null;
  if (asked === null || now - asked < ACT_MS) return undefined;
  switch (card?.does) {
    case undefined:
      return move('Completed');
    case 'rejects':
      return move('Rejected');
    case 'reviews':
      return move('ManualReview');
    case 'waits':
      return order.orderType === 'Withdrawal' && order.reassignments === 0
        ? { act: 'reassign' }
        : move('Completed');
    case 'nothing':
      return undefined;
  }
}
