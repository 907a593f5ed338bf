import { type Currency, type Factor, formatFactor, type Instant, parseFactor } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';

export interface ExchangeRate {
  readonly currency: Currency;
  /** Wallet currency per unit. */
  readonly rate: Factor;
  readonly validFrom: Instant;
}

export const readExchangeRate = (row: Row): ExchangeRate => ({
  currency: row['currency'],
  rate: parseFactor(row['rate']) as Factor,
  validFrom: row['valid_from'],
});

const INSERT = statement(
  'insert-exchange-rate',
  `insert into exchange_rates (currency, valid_from, rate)
   values ($1, $2, $3)
   on conflict (currency, valid_from) do update
   set rate = excluded.rate`,
);

/** A second rate of the same millisecond replaces the first. */
export async function insertExchangeRate(
  db: Queryable,
  { currency, rate, validFrom }: ExchangeRate,
): Promise<void> {
  await execute(db, INSERT, [currency, time(validFrom), formatFactor(rate)]);
}

const LIST = unprepared(
  'list-exchange-rates',
  `select distinct on (currency) currency, rate, valid_from
   from exchange_rates
   where valid_from <= $1
     and ($2::text is null or currency > $2)
   order by currency, valid_from desc
   limit $3`,
);

/** The rate in force of each currency that has one, by currency. */
export async function listExchangeRates(
  db: Queryable,
  { at, after, limit }: Page & { readonly at: Instant },
): Promise<readonly ExchangeRate[]> {
  return (await query(db, LIST, [time(at), after, limit])).map(readExchangeRate);
}

/** A rate's place in the history: the newest first. */
export type RatePlace = Pick<ExchangeRate, 'currency' | 'validFrom'>;

const HISTORY = unprepared(
  'exchange-rate-history',
  `select currency, rate, valid_from
   from exchange_rates
   where ($1::text is null or currency = $1)
     and (
       $2::timestamptz is null
       or valid_from < $2
       or (valid_from = $2 and currency > $3::text)
     )
   order by valid_from desc, currency
   limit $4`,
);

/** Every rate that was set, of one currency or of all for null. */
export async function listRateHistory(
  db: Queryable,
  currency: Currency | null,
  { after, limit }: { readonly after: RatePlace | null; readonly limit: number },
): Promise<readonly ExchangeRate[]> {
  const values = [currency, time(after?.validFrom ?? null), after?.currency ?? null, limit];
  return (await query(db, HISTORY, values)).map(readExchangeRate);
}
