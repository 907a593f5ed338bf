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

export const cause = (row: Row) => {
  const told = row.told === null ? undefined : TOLD[row.told.kind]?.(row, row.told);
  if (told !== undefined) return told;
  return row.lastMove === null
    ? (row.memberName ?? nobody)
    : ((CAUSES as Causes)[row.lastMove.trigger]?.(row) ?? row.memberName ?? '');
};
