import { dayAt, type Instant, periodOfDay, UTC, type Zones } from '@munshi/core';
import type { Queryable } from '../platform/database/queryable.ts';
import { findMerchant, type MerchantRecord } from './store.ts';

/** The clocks of a request's days: the merchant's that it is about, UTC where it is about all. */
export const zonesOf = async (db: Queryable, merchantId: string | undefined): Promise<Zones> =>
  (merchantId === undefined ? undefined : await findMerchant(db, merchantId))?.zones ?? UTC;

/** Today and yesterday, as the merchant counts them. */
export function daysOf({ zones }: Pick<MerchantRecord, 'zones'>, now: Instant) {
  const today = dayAt(now, zones);
  const period = periodOfDay(today, zones);
  const yesterday = dayAt(period.from - 1, zones);
  return [
    { day: today, period },
    { day: yesterday, period: periodOfDay(yesterday, zones) },
  ] as const;
}
