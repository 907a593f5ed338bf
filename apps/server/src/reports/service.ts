import {
  type Instant,
  type Money,
  type Month,
  oneZone,
  type Period,
  periodOfMonth,
  presentZone,
  timeZoneOf,
  WALLET_CURRENCY,
} from '@munshi/core';
import { withinTime } from '../platform/database/limited.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { LONG_MS, refusingSlow } from '../platform/database/slow.ts';
import type { Page } from '../platform/database/statement.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  type FloatMonth,
  type LedgerSums,
  listReported,
  listReportedMembers,
  type OrderSpan,
  readFloatMonths,
  readLedgerSums,
  readOrderSpans,
  readWalletMonths,
  type WalletMonth,
} from './store.ts';

/** Reports over all merchants and members, from the ledger. Each throws `too-slow`. */

type Deps = Pick<ServiceDeps, 'database'>;

/** Whose month, and where it begins and ends. */
interface Reported extends Period {
  readonly id: string;
  readonly name: string;
  readonly timeZone: string;
}
export interface MonthAsked {
  readonly month: Month;
  /** Undefined: each merchant's own. */
  readonly timeZone: string | undefined;
}

export interface MerchantMonth extends Reported, WalletMonth {
  readonly opening: Money;
  readonly frozenOpening: Money;
}
export interface MemberMonth extends Reported, FloatMonth {
  readonly opening: Money;
}

/** A page of merchants, the newest first, each with its month. */
export const reportMerchants = (
  { database }: Deps,
  { month, timeZone }: MonthAsked,
  page: Page,
): Promise<readonly MerchantMonth[]> =>
  withinItsTime(database, async (db) => {
    const of = (await listReported(db, page)).map(({ zones: own, ...merchant }) => {
      const zones = timeZone === undefined ? own : oneZone(timeZone);
      return { ...merchant, timeZone: presentZone(zones), ...periodOfMonth(month, zones) };
    });
    return joined(of, (await readWalletMonths(db, of)).map(withWalletOpening));
  });

const withWalletOpening = (sums: WalletMonth) => ({
  ...sums,
  opening:
    sums.closing - sums.deposits - sums.withdrawals + sums.fees - sums.adjustments + sums.frozen,
  frozenOpening: sums.frozenClosing - sums.frozen,
});

/** A page of members, the newest first, each with what moved their float. */
export const reportMembers = (
  { database }: Deps,
  { month, timeZone = timeZoneOf([WALLET_CURRENCY]) }: MonthAsked,
  page: Page,
): Promise<readonly MemberMonth[]> =>
  withinItsTime(database, async (db) => {
    const period = periodOfMonth(month, oneZone(timeZone));
    const members = await listReportedMembers(db, page);
    const of = members.map((member) => ({ ...member, timeZone, ...period }));
    const ids = of.map(({ id }) => id);
    return joined(of, (await readFloatMonths(db, ids, period)).map(withFloatOpening));
  });

const withFloatOpening = (sums: FloatMonth) => ({
  ...sums,
  opening: sums.closing - sums.deposits - sums.withdrawals - sums.adjustments,
});

const joined = <Of, Sums>(of: readonly Of[], sums: readonly Sums[]) =>
  of.map((one, at) => ({ ...one, ...(sums[at] as Sums) }));

/** What became of the orders created from each of these times until the next. */
export const reportOrders = (
  { database }: Deps,
  times: readonly Instant[],
  merchantId: string | undefined,
): Promise<readonly OrderSpan[]> =>
  withinItsTime(database, (db) => readOrderSpans(db, times, merchantId));

/** The accounts of the ledger just before `at`; null: now. */
export const trialBalance = ({ database }: Deps, at: Instant | null): Promise<LedgerSums> =>
  withinItsTime(database, (db) => readLedgerSums(db, at));

const withinItsTime = <T>(database: Deps['database'], work: (db: Queryable) => Promise<T>) =>
  refusingSlow(
    () => 'Ask for a later month, for fewer rows, or for fewer days.',
    () => withinTime(database, work, LONG_MS),
  );
