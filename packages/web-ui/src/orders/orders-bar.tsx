import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './orders.module.css';
import { texts } from './texts.ts';

/** Over a list of orders: the search and the filters, and below them what is set. */
export function OrdersBar({
  search,
  below,
  count,
  clear,
}: {
  readonly search: ReactNode;
  readonly below: ReactNode;
  /** How many filters are set. */
  readonly count: number;
  clear(): void;
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser yet */}
      <div className={classes['bar']} role="search" aria-label={texts.filterOrders}>
        {search}
      </div>
      <div className={classes['below']}>
        {below}
        {count > 1 ? (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {texts.clear}
          </Button>
        ) : null}
      </div>
    </>
  );
}
