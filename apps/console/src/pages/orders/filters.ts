import type { COUNT_ORDERS, QueryOf } from '@munshi/api';
import { timesOfDays } from '@munshi/web';
import { type FiltersOf, ORDER_FILTERS, oneOf, someOf, text, useService } from '@munshi/web-ui';
import { useMemo } from 'react';
import { COLUMN_IDS } from './columns.tsx';

/** Minutes until the deadline. */
export const DUE = ['0', '5', '15', '60'] as const;
export const YES_NO = ['true', 'false'] as const;

/** All of it is in the address, so that a link shows the same. Days are those of the reader. */
export const FILTERS = {
  ...ORDER_FILTERS,
  merchantId: text(),
  memberId: text(),
  due: oneOf(DUE),
  hasLateClaim: oneOf(YES_NO),
  hasFailingWebhook: oneOf(YES_NO),
};
export type OrderFilters = FiltersOf<typeof FILTERS>;

/** The columns are in the address too, and are no filter. */
export const COLUMNS = { columns: someOf(COLUMN_IDS) };

type Query = QueryOf<typeof COUNT_ORDERS>;

const MINUTE_MS = 60_000;

/** What is asked of the service; the same object while the filters are the same. */
export function useOrderQuery(values: OrderFilters): Query {
  const { clock } = useService();
  const key = JSON.stringify(values);
  return useMemo(() => {
    const asked = JSON.parse(key) as OrderFilters;
    const { from, to, due, hasLateClaim, hasFailingWebhook, ...others } = asked;
    const flag = (value: 'true' | 'false' | undefined) =>
      value === undefined ? undefined : value === 'true';
    const query = {
      ...others,
      ...timesOfDays({ from, to }),
      dueTo:
        due === undefined
          ? undefined
          : new Date(clock.now() + Number(due) * MINUTE_MS).toISOString(),
      hasLateClaim: flag(hasLateClaim),
      hasFailingWebhook: flag(hasFailingWebhook),
      utcOffset: asked.search === undefined ? undefined : -new Date().getTimezoneOffset(),
    };
    return Object.fromEntries(
      Object.entries(query).filter(([, value]) => value !== undefined),
    ) as Query;
  }, [key, clock]);
}
