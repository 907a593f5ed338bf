import {
  type Currency,
  type Factor,
  formatFactor,
  formatMoney,
  type Instant,
  money,
  settlementOf,
} from '@munshi/core';
import {
  type ExchangeRate,
  insertExchangeRate,
  listExchangeRates,
  lockNewestRate,
} from '../engine/rows/exchange-rates.ts';
import { timeOfChange } from '../engine/rows/terms.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import type { Written } from '../writes/write.ts';

/** PKR per unit of a currency, for orders accepted from now on (decision 3). */

interface Given {
  readonly currency: Currency;
  readonly rate: Factor;
}

/** The rate before and after, and what the wallet gets for a deposit of 10,000 without a fee. */
export async function explainRate(
  db: Queryable,
  { currency, rate }: Given,
  now: Instant,
): Promise<Explained> {
  const rates = await listExchangeRates(db, { at: now, after: null, limit: 10 });
  const before = rates.find((one) => one.currency === currency)?.rate;
  const credited = (at: Factor) => {
    const terms = { orderType: 'Deposit', amount: money('10000'), fee: null, rate: at } as const;
    return formatMoney(settlementOf(terms).settlementAmount);
  };
  return {
    target: currency,
    shown: {
      rateOf: currency,
      rate: formatFactor(rate),
      rateBefore: before === undefined ? null : formatFactor(before),
      creditOf10000: credited(rate),
      creditOf10000Before: before === undefined ? null : credited(before),
    },
  };
}

/**
 * Sets a rate from now on. It begins after every other one of its currency, so that the rate that
 * was set last stays in force. A process prices by it once its own clock shows `validFrom`: at
 * once, or later by as much as that clock is behind those by which this and the one before were set.
 */
export async function setExchangeRate(
  db: Queryable,
  { currency, rate }: Given,
  { clock }: Pick<ServiceDeps, 'clock'>,
): Promise<Written<ExchangeRate>> {
  const newest = await lockNewestRate(db, currency);
  const now = await timeOfChange(db, clock.now);
  const validFrom = newest === undefined ? now : Math.max(now, newest.validFrom + 1);
  const result = { currency, rate, validFrom };
  await insertExchangeRate(db, result);
  const rateBefore = newest === undefined ? null : formatFactor(newest.rate);
  const detail = { rate: formatFactor(rate), rateBefore };
  return { result, action: 'exchange-rate.set', target: currency, detail };
}
