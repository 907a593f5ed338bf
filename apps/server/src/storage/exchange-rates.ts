import { type Currency, type Factor, formatFactor, type Instant, parseFactor } from '@munshi/core';
import type { Queryable } from './db.ts';
import { time } from './rows.ts';

export interface ExchangeRate {
  readonly currency: Currency;
  /** Wallet currency per unit. */
  readonly rate: Factor;
  readonly validFrom: Instant;
}

/** A second rate of the same millisecond takes the place of the first. */
export async function insertExchangeRate(
  db: Queryable,
  { currency, rate, validFrom }: ExchangeRate,
): Promise<void> {
  const text = `insert into exchange_rates (currency, valid_from, rate) values ($1, $2, $3) on conflict (currency, valid_from) do update set rate = excluded.rate`;
  await db.query({ text, values: [currency, time(validFrom), formatFactor(rate)] });
}

/** The rate in force of each currency that has one, by currency. */
export async function listExchangeRates(
  db: Queryable,
  {
    at,
    after,
    limit,
  }: { readonly at: Instant; readonly after: string | null; readonly limit: number },
): Promise<readonly ExchangeRate[]> {
  const text = `select distinct on (currency) currency, rate, valid_from from exchange_rates
    where valid_from <= $1 and ($2::text is null or currency > $2) order by currency, valid_from desc limit $3`;
  const { rows } = await db.query({ text, values: [time(at), after, limit] });
  return rows.map((row) => ({
    currency: row.currency,
    rate: parseFactor(row.rate) as Factor,
    validFrom: row.valid_from,
  }));
}
