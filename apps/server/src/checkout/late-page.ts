import { cleaned } from '@munshi/core';
import type { PageOrder } from '../orders/page.store.ts';
import { claimCard } from './claim-card.ts';
import { isolated } from './format.ts';
import type { Addresses, Html } from './html.ts';
import { outcomeIcon } from './outcome.ts';
import { plainPage } from './plain.ts';
import type { Returned } from './returned.ts';
import { seenOf } from './seen.ts';
import type { Texts } from './texts/en.ts';
import { type LateClaims, type View, viewOf } from './view.ts';

/** What a link that has stopped working still says of its order. */
type LateText = keyof ReturnType<Texts['late']>;
type Sentence = (order: Pick<PageOrder, 'orderType' | 'sentAt'>) => LateText;

/** What is said of an order whose link has stopped working, by what its page would show. */
const SENTENCES: Readonly<Record<View, Sentence>> = {
  methods: () => 'unpaid',
  waiting: ({ orderType }) => (orderType === 'Deposit' ? 'unpaid' : 'queued'),
  payer: () => 'unpaid',
  pay: () => 'unpaid',
  verifying: () => 'looking',
  review: ({ orderType }) => (orderType === 'Deposit' ? 'looking' : 'payoutReview'),
  completed: () => 'paid',
  rejected: () => 'notConfirmed',
  expired: () => 'unpaid',
  cancelled: ({ sentAt }) => (sentAt === null ? 'cancelled' : 'notConfirmed'),
  account: () => 'noAccount',
  'on-its-way': () => 'onItsWay',
  paid: () => 'paidOut',
  failed: () => 'notPaidOut',
};

/** Which picture goes with a sentence; none while it is not decided. */
const ICONS: Readonly<Record<LateText, View | null>> = {
  unpaid: 'expired',
  cancelled: 'cancelled',
  looking: null,
  paid: 'completed',
  notConfirmed: 'rejected',
  noAccount: 'expired',
  queued: null,
  onItsWay: null,
  payoutReview: null,
  paidOut: 'paid',
  notPaidOut: 'failed',
};

/**
 * The page of a link that has stopped working (410): whose it is, who helps, the order's short
 * number, how it stands in a sentence, and what was claimed. Neither an account nor an amount, and
 * nothing about the customer (security.md#payment-links).
 */
export function latePage(
  at: Addresses,
  order: PageOrder,
  { claims, isOpen }: LateClaims,
  returned?: Returned,
): Html {
  const { texts } = at.language;
  const sentence = SENTENCES[viewOf(order)](order);
  const { heading, text } = texts.late(isolated(cleaned(order.merchantName)))[sentence];
  const icon = ICONS[sentence];
  const more = isOpen
    ? claimCard(
        at,
        {
          claims: claims.map((claim) => ({ ...claim, transactionDigits: endOf(claim) })),
          currency: order.currency,
          byPayer: order.payerAccount !== null,
          wasSeen: seenOf(order) !== null,
        },
        returned,
      )
    : null;
  return plainPage(at, {
    view: 'link-expired',
    // A customer who has paid must not be asked to start again.
    said: { heading, text: claims.length > 0 ? texts.doNotPayAgain : text },
    icon: icon === null ? null : outcomeIcon(icon),
    whose: order,
    more,
  });
}

/** Enough to know one's own digits by. */
const endOf = ({ transactionDigits: digits }: LateClaims['claims'][number]) =>
  digits === null || digits.length <= 4 ? digits : `••••${digits.slice(-4)}`;
