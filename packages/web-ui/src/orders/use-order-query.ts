import { timesOfDays } from '@munshi/web';
import { useMemo } from 'react';
import type { FiltersOf } from '../use-filters.ts';
import { useTimeZone } from '../when.tsx';
import type { ORDER_FILTERS } from './choices.ts';

/** What filters ask of the service, days as moments; the same object while the filters are the same. */
export function useOrderQuery<Values extends FiltersOf<typeof ORDER_FILTERS>>(values: Values) {
  const timeZone = useTimeZone();
  const key = JSON.stringify(values);
  return useMemo(() => {
    const { from, to, ...others } = JSON.parse(key) as Values;
    return { ...others, ...timesOfDays({ from, to }, timeZone) };
  }, [key, timeZone]);
}
