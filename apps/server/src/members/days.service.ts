import type { Money } from '@munshi/core';
import type { Queryable } from '../platform/database/queryable.ts';
import {
  type AccountDay,
  type CreatedBetween,
  readAccountDays,
  readFloatDays,
  type Sum,
} from './history.store.ts';

/** What a member received, paid and was given on a day, in wallet currency. */
export interface MemberDayOf {
  readonly date: string;
  readonly received: Sum;
  readonly paid: Sum;
  readonly failed: number;
  readonly floatAdded: Money;
  readonly floatTaken: Money;
  readonly accounts: readonly AccountDay[];
}

/** The latest day first; days without anything are left out. `utcOffset` is in minutes. */
export async function readMemberDays(
  db: Queryable,
  memberId: string,
  period: CreatedBetween,
  utcOffset: number,
): Promise<readonly MemberDayOf[]> {
  const byAccount = await readAccountDays(db, memberId, period, utcOffset);
  const float = await readFloatDays(db, memberId, period, utcOffset);
  const accountsOf = Map.groupBy(byAccount, ({ date }) => date);
  const dates = new Set([...accountsOf.keys(), ...float.map(({ date }) => date)]);
  return [...dates]
    .toSorted()
    .toReversed()
    .map((date) => {
      const accounts = accountsOf.get(date) ?? [];
      const given = float.find((day) => day.date === date);
      return {
        date,
        received: sumOf(accounts.map(({ received }) => received)),
        paid: sumOf(accounts.map(({ paid }) => paid)),
        failed: accounts.reduce((all, { failed }) => all + failed, 0),
        floatAdded: given?.added ?? 0n,
        floatTaken: given?.taken ?? 0n,
        accounts,
      };
    });
}

const sumOf = (sums: readonly Sum[]): Sum =>
  sums.reduce(
    (all, { count, amount }) => ({ count: all.count + count, amount: all.amount + amount }),
    { count: 0, amount: 0n },
  );
