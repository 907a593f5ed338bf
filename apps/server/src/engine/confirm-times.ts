import { type Currency, type Instant, PAGE_METHODS, type WalletType } from '@munshi/core';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/db.ts';
import { type ConfirmTime, readConfirmTimes } from './rows/confirm-times.ts';

/** How long members take to confirm what customers have sent, as of some minutes ago. */
export interface ConfirmTimes {
  /**
   * The median of the last days, in seconds. Null while it is not known: too few deposits, or not
   * read yet. Never waits: what is old is read again behind the caller.
   */
  usualSeconds(walletType: WalletType, currency: Currency): number | null;
}

/** Days that are looked at. */
const SINCE_MS = 7 * 86_400_000;
/** One query of this process for all pages, however many are read. */
const READ_EVERY_MS = 600_000;

export function createConfirmTimes({
  database,
  clock,
  log,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: { warn(detail: object, message: string): void };
}): ConfirmTimes {
  let known: readonly ConfirmTime[] = [];
  let readAt: Instant = Number.NEGATIVE_INFINITY;

  async function read(now: Instant) {
    try {
      known = await readConfirmTimes(database.pool, PAGE_METHODS, now - SINCE_MS);
    } catch (error) {
      log.warn({ err: error }, 'how long confirmations take could not be read');
    }
  }

  return {
    usualSeconds(walletType, currency) {
      const now = clock.now();
      if (now - readAt >= READ_EVERY_MS) {
        readAt = now;
        read(now);
      }
      const found = known.find(
        (time) => time.walletType === walletType && time.currency === currency,
      );
      return found?.medianSeconds ?? null;
    },
  };
}
