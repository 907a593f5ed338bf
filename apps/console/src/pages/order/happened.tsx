import { amountText, dayText, secondsText } from '@munshi/web';
import { statusLabel, Timeline, type TimelineEntry } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { feeText } from '../fees/rule-text.ts';
import { amountOf, type OrderDetail } from './order.ts';
import { texts } from './texts.ts';

type Entry = OrderDetail['timeline'][number];
type Actor = Entry['actor'];

/** Every step of an order in one line of time: moves, notes, money, webhooks, claims. */
export function Happened({ order }: { readonly order: OrderDetail }) {
  const entries = [
    ...order.timeline.map((entry, at) => stepOf(entry, at, order)),
    ...order.postings.map((posting) => postingOf(posting)),
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
      <Timeline label={texts.happened} entries={sorted} />
      {stepsRemovedAt === null ? null : (
        <p className="quiet">{texts.stepsRemoved(dayText(Date.parse(stepsRemovedAt)))}</p>
      )}
    </>
  );
}

function stepOf(entry: Entry, at: number, order: OrderDetail): TimelineEntry {
  const id = `step ${at}`;
  switch (entry.kind) {
    case 'created':
      return { id, at: entry.at, what: texts.created(order.merchantName), detail: priceOf(order) };
    case 'note':
      return { id, at: entry.at, what: saidOf(entry, order), detail: entry.note || undefined };
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
  internalNote === null ? null : texts.internalNote(internalNote);

const saidOf = (
  { about, actor, amount }: Extract<Entry, { kind: 'note' }>,
  { currency }: OrderDetail,
): string => texts.said[about](nameOf(actor), amount === null ? '' : amountText(amount, currency));

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
            what: error === null ? what : texts.alerts.failed(what),
            detail: error ?? undefined,
            ...(error !== null && { tone: 'failed' as const }),
          },
        ];
  return [
    ...entry(alert.pushedAt, texts.alerts.pushed(memberName)),
    ...entry(alert.secondAt, texts.alerts.second(memberName), alert.secondError),
    ...entry(alert.thirdAt, texts.alerts.third(memberName), alert.thirdError),
    ...entry(seenAt, texts.alerts.seen(memberName, secondsText(seenAfterMs ?? 0))),
    ...entry(missedAt, texts.alerts.missed(memberName)),
  ];
}

function moveOf(entry: Extract<Entry, { kind: 'moved' }>, order: OrderDetail): ReactNode {
  const said = texts.moveOf(entry.trigger);
  if (entry.trigger === 'customer-confirmed' && order.transactionDigits !== null)
    return (
      <>
        {said}, {texts.digits.toLowerCase()}{' '}
        <strong className="number">{order.transactionDigits}</strong>
      </>
    );
  if (entry.trigger === 'operator-resolved') return texts.resolvedAs(statusLabel(entry.to));
  const given = entry.to !== 'Completed' && entry.memberName !== null;
  const assigns = ['customer-opened-page', 'customer-switched-method', 'member-found'];
  if (given && (assigns.includes(entry.trigger) || entry.trigger === 'payout-timed-out'))
    return `${said}; ${texts.givenTo(entry.memberName ?? '')}`;
  return said;
}

function toneOf({ to }: Extract<Entry, { kind: 'moved' }>): Pick<TimelineEntry, 'tone'> {
  if (to === 'ManualReview') return { tone: 'needed' };
  if (to === 'Completed') return { tone: 'done' };
  return to === 'Rejected' ? { tone: 'failed' } : {};
}

const nameOf = ({ kind, name }: Actor) => name ?? texts.actors[kind];

/** Only of operators: of the others, the words of the step say who it was. */
const byOf = ({ kind, name, address }: Actor) =>
  kind === 'operator'
    ? join(texts.by(name ?? texts.actors.operator), address && texts.from(address), ' ')
    : kind === 'member' && name !== null
      ? texts.by(name)
      : null;

const join = (one: string | null | undefined, other: string | null | undefined, between = ' · ') =>
  [one, other].filter((part) => part != null).join(between) || undefined;

function priceOf({ fee, feeRule, currency, ...order }: OrderDetail): string {
  const amount = amountOf({ currency, ...order });
  if (fee === null) return amount;
  const rule =
    feeRule === null
      ? ''
      : ` (${feeRule.merchantId === null ? texts.platformRule : texts.merchantRule}, ${feeText(feeRule)})`;
  return `${amount}, ${texts.fee.toLowerCase()} ${amountText(fee, currency)}${rule}`;
}

const postingOf = ({
  postingId,
  postedAt,
  wallet,
}: OrderDetail['postings'][number]): TimelineEntry => ({
  id: postingId,
  at: postedAt,
  what: texts.posted,
  detail: `${amountText(wallet.replace('-', ''), 'PKR')} ${wallet.startsWith('-') ? texts.fromMerchant : texts.toMerchant}`,
  tone: 'done',
});

/** What each attempt of a delivery met. */
const attemptsOf = ({
  deliveryId,
  eventType,
  attempts,
}: OrderDetail['deliveries'][number]): readonly TimelineEntry[] =>
  attempts.map(({ number, startedAt, succeeded, responseStatus, error }) => ({
    id: `${deliveryId} ${number}`,
    at: startedAt,
    what: texts.attempt(eventType, number, succeeded),
    detail: succeeded ? texts.answered(responseStatus) : (error ?? texts.answered(responseStatus)),
    tone: succeeded ? 'done' : 'failed',
  }));

const handedIn = ({
  evidenceId,
  sentAt,
  memberName,
}: OrderDetail['evidence'][number]): TimelineEntry => ({
  id: evidenceId,
  at: sentAt,
  what: texts.evidence.handedIn(memberName),
});

const claimOf = (claim: OrderDetail['lateClaims'][number]): readonly TimelineEntry[] => [
  {
    id: claim.claimId,
    at: claim.claimedAt,
    what: texts.claimed(claim),
    tone: 'needed',
  },
  ...(claim.closedAt === null
    ? []
    : [
        {
          id: `${claim.claimId} closed`,
          at: claim.closedAt,
          what: texts.claimClosedEntry,
          detail: claim.note ?? undefined,
        },
      ]),
];
