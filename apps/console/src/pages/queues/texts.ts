import type { QueuedOrderView, Trigger } from '@munshi/api';
import { type AsText, amountText } from '@munshi/web';

type Row = Pick<AsText<QueuedOrderView>, 'currency' | 'lastMove' | 'memberName' | 'told'>;
type Told = NonNullable<Row['told']>;

const somebody = 'The member';
const nobody = 'No member has it';
const notPaid = ({ memberName }: Row) => `${memberName ?? somebody} has not paid yet`;

/** What leads to no status that is in a queue, or is no move: `created`. */
type Elsewhere =
  | 'created'
  | 'customer-cancelled'
  | 'customer-opened-page'
  | 'customer-switched-method'
  | 'link-expired'
  | 'member-confirmed'
  | 'member-rejected'
  | 'member-released'
  | 'operator-cancelled'
  | 'operator-confirmed'
  | 'operator-resolved'
  | 'wait-timed-out';

/** Why an order is in its queue, by its last move. */
const CAUSES: Readonly<Record<Exclude<Trigger, Elsewhere>, (row: Row) => string>> = {
  'confirmation-timed-out': ({ memberName }) => `${memberName ?? somebody} did not answer`,
  'payout-timed-out': ({ memberName }) => `${memberName ?? somebody} did not pay in time`,
  'member-reported': ({ memberName, lastMove }) =>
    `${memberName ?? somebody}: ${lastMove?.note ?? 'something is wrong'}`,
  'operator-escalated': ({ lastMove }) => `Escalated: ${lastMove?.note ?? ''}`,
  'customer-confirmed': ({ memberName }) => `${memberName ?? somebody} has not confirmed yet`,
  'customer-submitted-account': (row) => (row.memberName === null ? nobody : notPaid(row)),
  'member-found': notPaid,
  'member-withdrawn': () => 'Its member was withdrawn',
};

/** With the triggers of a newer version. */
type Causes = Readonly<Record<string, (row: Row) => string>>;

/** What the member has said of it comes before how it moved. */
const TOLD: Readonly<Partial<Record<Told['kind'], (row: Row, told: Told) => string>>> = {
  otherAmount: ({ memberName, currency }, { amount, note }) =>
    `${memberName ?? somebody}: ${amountText(amount ?? '0', currency)} arrived. ${note}`.trim(),
  moneySeen: ({ memberName }, { note }) =>
    `${memberName ?? somebody}: the money is there. ${note}`.trim(),
  sending: ({ memberName }) => `${memberName ?? somebody} is sending it`,
};

export const texts = {
  title: 'Queues',
  choose: 'Queue',
  list: (queue: string) => `${queue}, the oldest first`,
  cause: (row: Row) => {
    const told = row.told === null ? undefined : TOLD[row.told.kind]?.(row, row.told);
    if (told !== undefined) return told;
    return row.lastMove === null
      ? (row.memberName ?? nobody)
      : ((CAUSES as Causes)[row.lastMove.trigger]?.(row) ?? row.memberName ?? '');
  },
  you: 'You',
  worksOnIt: (name: string) => `${name} is working on it`,
  look: 'Choose an order.',
  open: 'Choose an order, or take the next with',
  next: 'Take the next',
  take: 'Take this one',
  leave: 'Leave it',
  yours: 'You are working on this order. Others see your name. Leave it to free it.',
  theirs: (name: string) => `${name} is working on this order.`,
  takenFirst: (sentence: string) => `${sentence} You have the one after it.`,
  noneLeft: 'Somebody is working on every order here.',
  noneShownLeft: 'Somebody is working on every order shown. Show more.',
  empty: 'Nothing is waiting here',
  emptyHint: 'New orders appear here at once.',
  lastFull: 'It last had something',
  back: 'Back to the queue',
  why: 'Why no member has it',
  nobodyServes: 'No member has an account for this method.',
  couldTake: 'could take it now',
  objections: {
    suspended: 'suspended',
    offline: 'offline',
    full: 'has as many orders in hand as they may',
    'float-too-small': 'has too little float free',
    'has-it': 'has it now',
  },
  accountObjections: {
    none: '',
    'other-method': 'the account is of another method',
    'not-approved': 'the account waits for approval',
    paused: 'they have paused the account',
    'below-minimum': 'the amount is below the account’s minimum',
    'above-maximum': 'the amount is above the account’s maximum',
    'day-used-up': 'the account has taken what it may today',
  },
  keys: { next: 'Next order', previous: 'Previous order', take: 'Take the next and claim it' },
  types: { Deposit: 'deposit', Withdrawal: 'withdrawal' },
} as const;
