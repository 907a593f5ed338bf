import { Button } from '@mantine/core';
import type { SearchedView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type ReactNode, useState } from 'react';
import type { List } from '../api.tsx';
import { CsvLink } from '../csv-link.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Periods } from '../days-filter.tsx';
import { SearchFilter } from '../filters.tsx';
import { Page } from '../page.tsx';
import { type Filters, someOf, useFilters } from '../use-filters.ts';
import type { ORDER_FILTERS } from './choices.ts';
import { Chosen } from './chosen.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { isTooSlow, NoneFound, TooSlow } from './none-found.tsx';
import classes from './orders.module.css';
import { useVisited } from './use-visited.ts';

interface OrderRow {
  readonly orderId: string;
  readonly orderReference: string;
  readonly amount: string;
  readonly currency: string;
}

interface OrdersPageProps<Row extends OrderRow> {
  /** Those of every list of orders, and the app's own. */
  readonly filters: Filters<typeof ORDER_FILTERS>;
  /** What the filters ask of the service. */
  readonly query: Parameters<typeof CsvLink>[0]['query'];
  readonly list: List<Row> & {
    readonly first: { readonly searched: AsText<SearchedView> | null } | undefined;
  };
  readonly csvPath: string;
  /** In their order. The first leads to the order and cannot be hidden. */
  readonly columns: readonly Column<Row>[];
  /** Columns until somebody chooses, by id. */
  readonly shownAtFirst: readonly string[];
  /** Names of the filters. */
  readonly fields: Readonly<Record<string, string>>;
  /** What each filter is set to, in words; undefined for what is not set. */
  readonly inWords: Readonly<Record<string, string | undefined>>;
  /** What the search finds. */
  readonly searchHint: string;
  /** The fields of the panel. */
  readonly panel: ReactNode;
  readonly actions?: ReactNode;
  readonly count?: ReactNode;
  /** Where there is no order yet. */
  readonly none: ReactNode;
}

const NO_ROWS: ReadonlySet<string> = new Set();

/** The screen of all orders: one box finds any of them. Filters and columns are in the address. */
export function OrdersPage<Row extends OrderRow>(props: OrdersPageProps<Row>) {
  const { filters, list, query, columns, fields } = props;
  const { values, set, clear, count } = filters;
  const [reference, ...choosable] = columns;
  const ids = choosable.map(({ id }) => id);
  const address = useFilters({ columns: someOf(ids) });
  const shown = address.values.columns ?? props.shownAtFirst;
  const visited = useVisited();
  const [chosen, setChosen] = useState(NO_ROWS);
  const isTimed = values.from !== undefined || values.to !== undefined;
  return (
    <Page
      title="Orders"
      actions={
        <>
          {props.actions}
          <ColumnsMenu
            columns={choosable}
            shown={shown}
            onChange={(next) => address.set({ columns: [...next] })}
          />
          <CsvLink path={props.csvPath} query={query ?? {}} label="Download these orders as CSV" />
        </>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser yet */}
      <div className={classes['bar']} role="search" aria-label="Filter orders">
        <SearchFilter
          label="Find any order"
          placeholder={props.searchHint}
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <Periods from={values.from} to={values.to} set={set} />
        <FilterPanel>{props.panel}</FilterPanel>
      </div>
      <div className={classes['below']}>
        {props.count}
        <FilterChips
          fields={fields}
          shown={props.inWords}
          remove={(name) => set({ [name]: undefined })}
        />
        {count > 1 ? (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            Clear all filters
          </Button>
        ) : null}
      </div>
      <Chosen
        rows={(list.rows ?? []).filter(({ orderId }) => chosen.has(orderId))}
        onClear={() => setChosen(NO_ROWS)}
      />
      {isTooSlow(list.error) ? (
        <TooSlow error={list.error} fields={fields} set={set} />
      ) : (
        <DataTable
          label="Orders"
          list={list}
          columns={columns.filter(({ id }) => id === reference?.id || shown.includes(id))}
          rowId={({ orderId }) => orderId}
          rowLabel={({ orderReference }) => orderReference}
          href={({ orderId }) => `/orders/${orderId}`}
          visited={visited}
          selected={chosen}
          onSelect={setChosen}
          empty={
            count === 0 ? (
              props.none
            ) : (
              <NoneFound searched={list.first?.searched} {...{ isTimed, set, clear }} />
            )
          }
        />
      )}
    </Page>
  );
}
