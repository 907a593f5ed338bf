import type { Money } from './money.ts';
import type { Instant } from './order.ts';

/** What a merchant should look at, and how far a new one has come. */

/** Something that its people should look at; the most urgent comes first. */
export type Attention =
  | ({ readonly kind: 'webhook-failing' } & FailingReceiver)
  /** Less is available than the merchant's own limit, or without one than yesterday's withdrawals. */
  | {
      readonly kind: 'low-balance';
      readonly available: Money;
      readonly limit: Money | null;
      readonly withdrawnYesterday: Money;
    }
  /** Of the orders that ended in the last hour. */
  | { readonly kind: 'many-failures'; readonly failed: number; readonly ended: number }
  /** Requests of the last hour. */
  | { readonly kind: 'many-refusals'; readonly refused: number }
  /** Orders that name none of their own send no webhooks. */
  | { readonly kind: 'no-callback-url' }
  | {
      readonly kind: 'key-unused' | 'key-old';
      readonly prefix: string;
      readonly createdAt: Instant;
    };

export interface FailingReceiver {
  readonly host: string;
  readonly since: Instant;
  readonly lastError: string | null;
}

/** Orders that ended in a span of time. */
export interface Ended {
  readonly completed: number;
  readonly failed: number;
}

export interface AttentionFacts {
  readonly failingReceivers: readonly FailingReceiver[];
  /** What new withdrawals can take. */
  readonly available: Money;
  /** What withdrawals of yesterday have taken. */
  readonly withdrawnYesterday: Money;
  readonly lastHour: Ended;
  readonly yesterday: Ended;
  /** Requests of the last hour. */
  readonly refused: number;
  readonly hasCallbackUrl: boolean;
  readonly activeKeys: readonly ActiveKey[];
  /** The merchant's own, as its alerts have them; null: none. */
  readonly limits: { readonly lowBalance: Money | null };
}

interface ActiveKey {
  readonly prefix: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Fewer say nothing of what is usual. */
const ENDED_MIN = 10;
/** Refused requests of an hour that are many. */
const REFUSED_MIN = 10;
const UNUSED_MS = 30 * DAY_MS;
const OLD_MS = 365 * DAY_MS;

const shareOf = ({ completed, failed }: Ended): number =>
  completed + failed === 0 ? 0 : failed / (completed + failed);

/** Attempts in a row that have failed, without a success between, make a receiver a failing one. */
export const RECEIVER_FAILING_AFTER = 3;

export const isBalanceLow = (available: Money, limit: Money): boolean => available < limit;

/** Failures are many where at least half have failed, and twice as many as yesterday. */
const hasManyFailures = (lastHour: Ended, yesterday: Ended): boolean =>
  lastHour.completed + lastHour.failed >= ENDED_MIN &&
  shareOf(lastHour) >= 0.5 &&
  shareOf(lastHour) >= 2 * shareOf(yesterday);

/** What needs attention, in the order of its weight. */
export function attentionOf(facts: AttentionFacts, now: Instant): readonly Attention[] {
  const { available, withdrawnYesterday, lastHour, yesterday, refused, limits } = facts;
  const limit = limits.lowBalance;
  const { failed, completed } = lastHour;
  return [
    ...facts.failingReceivers.map((one) => ({ kind: 'webhook-failing', ...one }) as const),
    ...(isBalanceLow(available, limit ?? withdrawnYesterday)
      ? [{ kind: 'low-balance', available, limit, withdrawnYesterday } as const]
      : []),
    ...(hasManyFailures(lastHour, yesterday)
      ? [{ kind: 'many-failures', failed, ended: failed + completed } as const]
      : []),
    ...(refused >= REFUSED_MIN ? [{ kind: 'many-refusals', refused } as const] : []),
    ...(facts.hasCallbackUrl ? [] : [{ kind: 'no-callback-url' } as const]),
    ...facts.activeKeys.flatMap((key) => attentionOfKey(key, now)),
  ];
}

/** A key that nobody uses is not called old too: it should go anyway. */
function attentionOfKey(
  { prefix, createdAt, lastUsedAt }: ActiveKey,
  now: Instant,
): readonly Attention[] {
  if (now - (lastUsedAt ?? createdAt) >= UNUSED_MS)
    return [{ kind: 'key-unused', prefix, createdAt }];
  return now - createdAt >= OLD_MS ? [{ kind: 'key-old', prefix, createdAt }] : [];
}

/** The way from a key to verified webhooks, in its order. */
export const CHECKLIST_STEPS = [
  'api-key',
  'signed-request',
  'webhook-received',
  'webhook-verified',
  'return-addresses',
  'ip-list',
] as const;
export type ChecklistStep = (typeof CHECKLIST_STEPS)[number];
