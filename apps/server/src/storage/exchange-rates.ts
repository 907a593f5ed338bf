import { type Currency, type Factor, formatFactor, type Instant, parseFactor } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';
import { execute, type Page, query, statement, unprepared } from './statement.ts';

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
