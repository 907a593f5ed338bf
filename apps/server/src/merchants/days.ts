import { dayAt, type Instant, type Period, periodOfDay } from '@munshi/core';
import type { MerchantRecord } from './store.ts';

/** Yesterday, as the merchant counts it. */
export const yesterdayOf = (merchant: Pick<MerchantRecord, 'zones'>, now: Instant): Period =>
  daysOf(merchant, now)[1].period;

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
