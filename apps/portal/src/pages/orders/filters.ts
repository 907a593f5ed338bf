import type { PORTAL_EXPORT_ORDERS, QueryOf } from '@munshi/api';
import { timesOfDays } from '@munshi/web';
import { type FiltersOf, type ORDER_FILTERS, someOf, useTimeZone } from '@munshi/web-ui';
import { useMemo } from 'react';
import { COLUMN_IDS } from './columns.tsx';

export type OrderFilters = FiltersOf<typeof ORDER_FILTERS>;

/** The columns are in the address too, and are no filter. */
export const COLUMNS = { columns: someOf(COLUMN_IDS) };

type Query = QueryOf<typeof PORTAL_EXPORT_ORDERS>;

/** What is asked of the service; the same object while the filters are the same. */
export function useOrderQuery(values: OrderFilters): Query {
  const timeZone = useTimeZone();
  const key = JSON.stringify(values);
  return useMemo(() => {
    const { from, to, ...others } = JSON.parse(key) as OrderFilters;
    return { ...others, ...timesOfDays({ from, to }, timeZone) } as Query;
  }, [key, timeZone]);
}
