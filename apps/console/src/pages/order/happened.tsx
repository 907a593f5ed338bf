import type { Trigger } from '@munshi/api';
import { amountText, dayText, secondsText } from '@munshi/web';
import { statusLabel, Timeline, type TimelineEntry } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { feeText } from '../fees/rule-text.ts';
import { ACTORS, amountOf, claimedBy, formerDigits, type OrderDetail } from './order.ts';

const SAID = {
  report: (who: string) => `${who} reported`,
  otherAmount: (who: string, amount: string) => `${who}: ${amount} arrived`,
  moneySeen: (who: string) => `${who} sees the money already`,
  sending: (who: string) => `${who} is sending the payout`,
  correctedDigits: () => 'Customer corrected the digits',
  amountSent: (_who: string, amount: string) => `Customer says they sent ${amount}`,
  paidBy: () => 'Customer says who paid',
};

/** How an order moved; a trigger of a newer version is shown as it is written. */
const MOVES: Readonly<Record<Trigger, string>> = {
  created: 'Created',
  'customer-opened-page': 'Customer opened the page',
  'customer-switched-method': 'Customer chose another method',
  'customer-submitted-account': 'Customer gave their account',
  'customer-confirmed': 'Customer says they have paid',
  'customer-cancelled': 'Customer cancelled',
  'member-found': 'A member was found',
  'member-confirmed': 'Member confirmed',
  'member-rejected': 'Member rejected',
  'member-reported': 'Member reported a problem',
  'member-released': 'Member gave it back',
  'member-withdrawn': 'Its member or account was withdrawn',
  'link-expired': 'The link expired',
  'wait-timed-out': 'Nobody could take it in time',
  'confirmation-timed-out': 'Member did not answer: to operations',
  'payout-timed-out': 'Member did not pay in time',
  'operator-resolved': 'Resolved',
  'operator-confirmed': 'Confirmed late',
  'operator-cancelled': 'Cancelled by an operator',
  'operator-escalated': 'Taken into review',
};

type Entry = OrderDetail['timeline'][number];
type Actor = Entry['actor'];

/** Every step of an order in one line of time: moves, notes, money, webhooks, claims. */
export function Happened({ order }: { readonly order: OrderDetail }) {
  const entries = [
    ...order.timeline.map((entry, at) => stepOf(entry, at, order)),
    ...order.postings.map((posting) => postingOf(posting, order)),
    ...order.deliveries.flatMap(attemptsOf),
    ...order.lateClaims.flatMap(claimOf),
    ...order.evidence.map(handedIn),
    ...order.alerts.flatMap(alertOf),
  ];
  // The steps come first among what has the same time: what follows from them is written with them.
  const sorted = entries.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const { stepsRemovedAt } = order;
  return (
    <>
      <Timeline label="What happened" entries={sorted} />
      {stepsRemovedAt === null ? null : (
        <p className="quiet">
          Older steps were removed on {dayText(Date.parse(stepsRemovedAt))}, after their retention
          time.
        </p>
      )}
    </>
  );
}

function stepOf(entry: Entry, at: number, order: OrderDetail): TimelineEntry {
  const id = `step ${at}`;
  switch (entry.kind) {
    case 'created':
      return { id, at: entry.at, what: `${order.merchantName} created it`, detail: priceOf(order) };
    case 'note':
      return { id, at: entry.at, what: saidOf(entry, order), detail: detailOf(entry, order) };
    case 'moved':
      return {
        id,
        at: entry.at,
        what: moveOf(entry, order),
        detail: join(join(entry.note, internalOf(entry)), byOf(entry.actor)),
        ...toneOf(entry),
      };
  }
}

const internalOf = ({ internalNote }: Extract<Entry, { kind: 'moved' }>) =>
  internalNote === null ? null : `For ourselves: ${internalNote}`;

const saidOf = (
  { about, actor, amount }: Extract<Entry, { kind: 'note' }>,
  { currency }: OrderDetail,
): string => SAID[about](nameOf(actor), amount === null ? '' : amountText(amount, currency));

const detailOf = (
  { about, note }: Extract<Entry, { kind: 'note' }>,
  { transactionDigits }: OrderDetail,
): string | undefined =>
  about === 'correctedDigits' ? `${note}, corrected to ${transactionDigits}` : note || undefined;

/** What was sent of an alert, and how late it was seen. */
function alertOf(alert: OrderDetail['alerts'][number], number: number): readonly TimelineEntry[] {
  const { memberName, seenAt, seenAfterMs, missedAt } = alert;
  const entry = (at: string | null, what: string, error: string | null = null) =>
    at === null
      ? []
      : [
          {
            id: `alert ${number} ${what}`,
            at,
            what: error === null ? what : `${what}: failed`,
            detail: error ?? undefined,
            ...(error !== null && { tone: 'failed' as const }),
          },
        ];
  return [
    ...entry(alert.pushedAt, `Alert pushed to ${memberName}’s phone`),
    ...entry(alert.secondAt, `Second alert sent to ${memberName}`, alert.secondError),
    ...entry(alert.thirdAt, `Third alert sent to ${memberName}`, alert.thirdError),
    ...entry(seenAt, `${memberName} saw the alert after ${secondsText(seenAfterMs ?? 0)}`),
    ...entry(missedAt, `${memberName} missed the alert`),
  ];
}

function moveOf(entry: Extract<Entry, { kind: 'moved' }>, order: OrderDetail): ReactNode {
  const said = (MOVES as Readonly<Record<string, string>>)[entry.trigger] ?? entry.trigger;
  if (entry.trigger === 'customer-confirmed' && order.transactionDigits !== null)
    return (
      <>
        {said}, digits{' '}
        <strong className="number">{formerDigits(order) ?? order.transactionDigits}</strong>
      </>
    );
  if (entry.trigger === 'operator-resolved') return `Resolved: ${statusLabel(entry.to)}`;
  const given = entry.to !== 'Completed' && entry.memberName !== null;
  const assigns = ['customer-opened-page', 'customer-switched-method', 'member-found'];
  if (given && (assigns.includes(entry.trigger) || entry.trigger === 'payout-timed-out'))
    return `${said}; given to ${entry.memberName}`;
  return said;
}

function toneOf({ to }: Extract<Entry, { kind: 'moved' }>): Pick<TimelineEntry, 'tone'> {
  if (to === 'ManualReview') return { tone: 'needed' };
  if (to === 'Completed') return { tone: 'done' };
  return to === 'Rejected' ? { tone: 'failed' } : {};
}

const nameOf = ({ kind, name }: Actor) => name ?? ACTORS[kind];

/** Only of operators: of the others, the words of the step say who it was. */
const byOf = ({ kind, name, address }: Actor) =>
  kind === 'operator'
    ? join(`by ${name ?? 'an operator'}`, address && `from ${address}`, ' ')
    : kind === 'member' && name !== null
      ? `by ${name}`
      : null;

const join = (one: string | null | undefined, other: string | null | undefined, between = ' · ') =>
  [one, other].filter((part) => part != null).join(between) || undefined;

function priceOf({ fee, feeRule, currency, ...order }: OrderDetail): string {
  const amount = amountOf({ currency, ...order });
  if (fee === null) return amount;
  const rule =
    feeRule === null
      ? ''
      : ` (${feeRule.merchantId === null ? 'Platform' : 'Merchant’s own'}, ${feeText(feeRule)})`;
  return `${amount}, fee ${amountText(fee, currency)}${rule}`;
}

const postingOf = (
  { postingId, postedAt, wallet, memberId }: OrderDetail['postings'][number],
  order: OrderDetail,
): TimelineEntry => {
  const { member, customerAccountNumber: account, customerAccountName: name } = order;
  const amount = amountText(wallet.replace('-', ''), 'PKR');
  const by =
    memberId === null ? 'nobody' : member?.memberId === memberId ? member.name : 'a member';
  const customer = [name, account].filter((part) => part !== null).join(', ') || 'the customer';
  return {
    id: postingId,
    at: postedAt,
    what: 'Money moved',
    detail: wallet.startsWith('-')
      ? `${amount} from the merchant · paid by ${by} to ${customer}`
      : `${amount} to the merchant · received by ${by}`,
    tone: 'done',
  };
};

/** What each attempt of a delivery met. */
const attemptsOf = ({
  deliveryId,
  eventType,
  attempts,
}: OrderDetail['deliveries'][number]): readonly TimelineEntry[] =>
  attempts.map(({ number, startedAt, succeeded, responseStatus, error }) => ({
    id: `${deliveryId} ${number}`,
    at: startedAt,
    what: `Webhook ${eventType}, attempt ${number}: ${succeeded ? 'delivered' : 'failed'}`,
    detail:
      (succeeded ? null : error) ??
      (responseStatus === null ? undefined : `Answered ${responseStatus}`),
    tone: succeeded ? 'done' : 'failed',
  }));

const handedIn = ({
  evidenceId,
  sentAt,
  memberName,
}: OrderDetail['evidence'][number]): TimelineEntry => ({
  id: evidenceId,
  at: sentAt,
  what: `${memberName ?? 'Customer'} sent a picture`,
});

const claimOf = (claim: OrderDetail['lateClaims'][number]): readonly TimelineEntry[] => [
  {
    id: claim.claimId,
    at: claim.claimedAt,
    what: `Customer claims to have paid, ${claimedBy(claim)}`,
    tone: 'needed',
  },
  ...(claim.closedAt === null
    ? []
    : [
        {
          id: `${claim.claimId} closed`,
          at: claim.closedAt,
          what: 'Late claim closed',
          detail: claim.note ?? undefined,
        },
      ]),
];
