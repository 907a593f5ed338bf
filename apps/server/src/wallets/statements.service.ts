import {
  type Day,
  type Instant,
  type Month,
  monthAfter,
  monthAt,
  type Period,
  periodOfDay,
  periodOfMonth,
} from '@munshi/core';
import { findMerchant, type MerchantRecord } from '../merchants/store.ts';
import { withinTime } from '../platform/database/limited.ts';
import { LONG_MS, refusingSlow } from '../platform/database/slow.ts';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { COMMITTED_AFTER_MS } from './movements.service.ts';
import {
  type CurrencySums,
  type KindSums,
  readFirstPosted,
  readSumsBefore,
  readSumsByCurrency,
  readSumsOfPeriods,
  type Sums,
} from './movements.store.ts';

/** Monthly statements: what the ledger has of a wallet between two moments. */

type Deps = Pick<ServiceDeps, 'database' | 'clock'>;

/** What moved, in wallet currency. */
export interface Moved extends Sums {
  readonly count: number;
  readonly fee: bigint;
}

export interface MonthSums extends Period {
  readonly month: Month;
  /** It has ended, and every posting in it is committed. */
  readonly closed: boolean;
  readonly opening: Sums;
  readonly closing: Sums;
  readonly total: Moved;
}

export interface Statement extends MonthSums {
  readonly merchant: MerchantRecord;
  /** By day, kind and currency. */
  readonly kinds: readonly CurrencySums[];
  /** The days on which something moved, each with the sums at its end. */
  readonly days: readonly (Moved & { readonly day: Day; readonly after: Sums })[];
}

const NONE: Moved = { count: 0, wallet: 0n, frozen: 0n, fee: 0n };
export const sumOf = (parts: readonly Moved[]): Moved =>
  parts.reduce(
    (sum, part) => ({
      count: sum.count + part.count,
      wallet: sum.wallet + part.wallet,
      frozen: sum.frozen + part.frozen,
      fee: sum.fee + part.fee,
    }),
    NONE,
  );
const before = (after: Sums, { wallet, frozen }: Moved): Sums => ({
  wallet: after.wallet - wallet,
  frozen: after.frozen - frozen,
});

/** What was in a wallet just before a time. Throws `not-found` and `too-slow`. */
export function balanceAt(
  { database }: Pick<Deps, 'database'>,
  merchantId: string,
  at: Instant,
): Promise<Sums> {
  return withinItsTime(() =>
    withinTime(
      database,
      async (client) => found(await readSumsBefore(client, merchantId, at), 'Merchant'),
      LONG_MS,
    ),
  );
}

/**
 * Months with their sums, the newest first, from the one before `after` on: as far back as the
 * merchant goes. Throws `not-found` and `too-slow`.
 */
export async function listStatements(
  { database, clock }: Deps,
  merchantId: string,
  { after, limit }: { readonly after: Month | null; readonly limit: number },
): Promise<readonly MonthSums[]> {
  const now = clock.now();
  const { months, zones } = await monthsOf(database.pool, merchantId, now);
  const from = after === null ? 0 : months.findIndex((month) => isSame(month, after)) + 1;
  const page = months.slice(from, from + limit);
  const periods = page.map((month) => periodOfMonth(month, zones));
  const [newest] = periods;
  if (newest === undefined) return [];
  return withinItsTime(() =>
    withinTime(
      database,
      async (client) => {
        let closing = found(await readSumsBefore(client, merchantId, newest.to), 'Merchant');
        const kinds = Map.groupBy(
          await readSumsOfPeriods(client, merchantId, periods),
          ({ period }) => period,
        );
        return page.map((month, at) => {
          const total = sumOf(kinds.get(at) ?? []);
          const sums = { month, ...(periods[at] as Period), total, closing };
          closing = before(closing, total);
          return { ...sums, closed: isClosed(sums, now), opening: closing };
        });
      },
      LONG_MS,
    ),
  );
}

/** One month. Throws `not-found` for one that the merchant has not had, and `too-slow`. */
export async function readStatement(
  { database, clock }: Deps,
  merchantId: string,
  month: Month,
): Promise<Statement> {
  const now = clock.now();
  const { merchant, period } = await monthOf({ database, clock }, merchantId, month);
  const days = daysOf(month);
  const periods = days.map((day) => periodOfDay(day, merchant.zones));
  return withinItsTime(() =>
    withinTime(
      database,
      async (client) => {
        const closing = found(await readSumsBefore(client, merchantId, period.to), 'Merchant');
        const kinds = await readSumsByCurrency(client, merchantId, periods);
        const total = sumOf(kinds);
        const opening = before(closing, total);
        return {
          ...{ merchant, month, ...period, closed: isClosed(period, now) },
          ...{ opening, closing, total, kinds },
          days: byDay(days, kinds, opening),
        };
      },
      LONG_MS,
    ),
  );
}

/** A month of a merchant and where it begins and ends. Throws as above. */
export async function monthOf(
  { database, clock }: Deps,
  merchantId: string,
  month: Month,
): Promise<{ readonly merchant: MerchantRecord; readonly period: Period }> {
  const { merchant, months, zones } = await monthsOf(database.pool, merchantId, clock.now());
  const isHad = months.some((had) => isSame(had, month));
  found(isHad ? month : undefined, 'Statement');
  return { merchant, period: periodOfMonth(month, zones) };
}

/** The merchant's months, the newest first. */
async function monthsOf(
  pool: Deps['database']['pool'],
  merchantId: string,
  now: Instant,
): Promise<{
  readonly merchant: MerchantRecord;
  readonly zones: MerchantRecord['zones'];
  readonly months: readonly Month[];
}> {
  const merchant = found(await findMerchant(pool, merchantId), 'Merchant');
  const { zones, createdAt } = merchant;
  const since = Math.min(createdAt, (await readFirstPosted(pool, merchantId)) ?? createdAt);
  const first = monthAt(since, zones);
  const months: Month[] = [monthAt(now, zones)];
  for (let last = months[0] as Month; isBefore(first, last); months.push(last))
    last = monthAfter(last, -1);
  return { merchant, zones, months };
}

const isSame = (one: Month, other: Month) => one.year === other.year && one.month === other.month;
const isBefore = (one: Month, other: Month) =>
  one.year * 12 + one.month < other.year * 12 + other.month;
const isClosed = ({ to }: Period, now: Instant) => now >= to + COMMITTED_AFTER_MS;

function daysOf({ year, month }: Month): readonly Day[] {
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return Array.from({ length: count }, (_, at) => ({ year, month, day: at + 1 }));
}

function byDay(days: readonly Day[], kinds: readonly KindSums[], opening: Sums) {
  const moved = Map.groupBy(kinds, ({ period }) => period);
  let { wallet, frozen } = opening;
  return days.flatMap((day, at) => {
    const sums = moved.get(at);
    if (sums === undefined) return [];
    const total = sumOf(sums);
    wallet += total.wallet;
    frozen += total.frozen;
    return [{ day, ...total, after: { wallet, frozen } }];
  });
}

const withinItsTime = <T>(work: () => Promise<T>): Promise<T> =>
  refusingSlow(() => 'Ask for a later time.', work);
