import type { Currency } from '@munshi/core';
import {
  columns,
  insertion,
  parameters,
  type RecordOf,
  t,
} from '../../platform/database/columns.ts';
import type { Queryable } from '../../platform/database/queryable.ts';
import { time } from '../../platform/database/rows.ts';
import {
  lists,
  lockFor,
  PAGE,
  query,
  queryOne,
  statement,
  writes,
} from '../../platform/database/statement.ts';

const RATE_COLUMNS = {
  currency: t.oneOf<Currency>(),
  validFrom: t.instant,
  /** Wallet currency per unit. */
  rate: t.factor,
};
export const RATE = columns('', RATE_COLUMNS);
export type ExchangeRate = RecordOf<typeof RATE>;

const NEW = insertion('exchange_rates', RATE_COLUMNS);

export const insertExchangeRate = writes('insert-exchange-rate', NEW.into, NEW.valuesOf);

const LOCK = lockFor('lock-exchange-rates', `'munshi exchange rates'`);
const NEWEST = statement(
  'newest-exchange-rate',
  `select ${RATE.list}
   from exchange_rates
   where currency = $1
   order by valid_from desc
   limit 1`,
  RATE,
);

/** The rate of a currency that begins last. Until the transaction ends, nobody else sets one. */
export async function lockNewestRate(
  db: Queryable,
  currency: Currency,
): Promise<ExchangeRate | undefined> {
  await query(db, LOCK);
  return queryOne(db, NEWEST, [currency]);
}

/** The rate in force of each currency that has one, by currency. */
export const listExchangeRates = lists(
  'list-exchange-rates',
  `select distinct on (currency) ${RATE.list}
   from exchange_rates
   where valid_from <= $1
     and ($2::text is null or currency > $2)
   order by currency, valid_from desc
   limit $3`,
  RATE,
  parameters({ at: t.instant, ...PAGE }),
);

/** A rate's place in the history: the newest first. */
export type RatePlace = Pick<ExchangeRate, 'currency' | 'validFrom'>;

/** Every rate that was set, of one currency or of all for null. */
export const listRateHistory = lists(
  'exchange-rate-history',
  `select ${RATE.list}
   from exchange_rates
   where ($1::text is null or currency = $1)
     and (
       $2::timestamptz is null
       or valid_from < $2
       or (valid_from = $2 and currency > $3::text)
     )
   order by valid_from desc, currency
   limit $4`,
  RATE,
  (
    currency: Currency | null,
    { after, limit }: { readonly after: RatePlace | null; readonly limit: number },
  ) => [currency, time(after?.validFrom ?? null), after?.currency ?? null, limit],
);
