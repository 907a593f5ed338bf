import type { Money } from './money.ts';
import type { Instant } from './order.ts';

/** What a merchant should look at, and how far a new one has come (D230). */

export const ATTENTION_CODES = [
  'webhook-failing',
  'low-balance',
  'many-failures',
  'many-refusals',
  'key-unused',
  'key-old',
] as const;
export type AttentionCode = (typeof ATTENTION_CODES)[number];

/** Orders that ended in a span of time. */
interface Ended {
  readonly completed: number;
  readonly failed: number;
}

export interface AttentionFacts {
  readonly failingReceivers: number;
  /** What new withdrawals can take. */
  readonly available: Money;
  /** What withdrawals of yesterday have taken. */
  readonly withdrawnYesterday: Money;
  readonly lastHour: Ended;
  readonly yesterday: Ended;
  /** Requests of the last hour. */
  readonly refused: number;
  readonly activeKeys: readonly {
    readonly createdAt: Instant;
    readonly lastUsedAt: Instant | null;
  }[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Fewer tell nothing of what is usual. */
const ENDED_MIN = 10;
const REFUSED_MIN = 10;
const UNUSED_MS = 30 * DAY_MS;
const OLD_MS = 365 * DAY_MS;

const shareOf = ({ completed, failed }: Ended): number =>
  completed + failed === 0 ? 0 : failed / (completed + failed);

/** Failures are many where at least half have failed, and twice as many as yesterday. */
const hasManyFailures = (lastHour: Ended, yesterday: Ended): boolean =>
  lastHour.completed + lastHour.failed >= ENDED_MIN &&
  shareOf(lastHour) >= 0.5 &&
  shareOf(lastHour) >= 2 * shareOf(yesterday);

/** What needs attention, in the order of its weight. */
export function attentionOf(facts: AttentionFacts, now: Instant): readonly AttentionCode[] {
  const { available, withdrawnYesterday, lastHour, yesterday, activeKeys } = facts;
  const needs: Readonly<Record<AttentionCode, boolean>> = {
    'webhook-failing': facts.failingReceivers > 0,
    'low-balance': available < withdrawnYesterday,
    'many-failures': hasManyFailures(lastHour, yesterday),
    'many-refusals': facts.refused >= REFUSED_MIN,
    'key-unused': activeKeys.some(
      ({ createdAt, lastUsedAt }) => now - (lastUsedAt ?? createdAt) >= UNUSED_MS,
    ),
    'key-old': activeKeys.some(({ createdAt }) => now - createdAt >= OLD_MS),
  };
  return ATTENTION_CODES.filter((code) => needs[code]);
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
