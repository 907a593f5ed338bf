import { COUNT_ORDERS, EXPORT_ORDERS, LIST_ORDERS } from '@munshi/api';
import {
  Chosen,
  ColumnsMenu,
  CsvLink,
  DataTable,
  isTooSlow,
  NoneFound,
  OrdersBar,
  Page,
  SearchFilter,
  TooSlow,
  useFilters,
  useList,
  useRead,
  useVisited,
} from '@munshi/web-ui';
import { useState } from 'react';
import { ViewsMenu } from '../../views-menu.tsx';
import { COLUMN_IDS, COLUMNS_OF_ORDERS, SHOWN_AT_FIRST } from './columns.tsx';
import { OrderFilterChips } from './filter-chips.tsx';
import { OrderFilterPanel } from './filter-panel.tsx';
import { COLUMNS, FILTERS, type OrderFilters, useOrderQuery } from './filters.ts';
import { texts } from './texts.ts';

const NONE: ReadonlySet<string> = new Set();

/** C4: one box finds any order. */
export default function OrdersPage() {
  const { values, set, clear, count } = useFilters(FILTERS);
  const columns = useFilters(COLUMNS);
  const shown = columns.values.columns ?? SHOWN_AT_FIRST;
  const query = useOrderQuery(values);
  const list = useList(LIST_ORDERS, { query }, { watch: ['order'] });
  const visited = useVisited();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NONE);
  const remove = (name: keyof OrderFilters) => set({ [name]: undefined });
  return (
    <Page
      title={texts.title}
      actions={
        <>
          <ViewsMenu screen="orders" />
          <ColumnsMenu
            ids={COLUMN_IDS}
            heads={texts.heads}
            shown={shown}
            onChange={(next) => columns.set({ columns: next })}
          />
          <CsvLink path={EXPORT_ORDERS.path} query={query} label={texts.csvOf} />
        </>
      }
    >
      <OrdersBar
        search={
          <>
            <SearchFilter
              label={texts.search}
              placeholder={texts.searchHint}
              value={values.search}
              onChange={(search) => set({ search })}
            />
            <OrderFilterPanel values={values} set={set} />
          </>
        }
        below={
          <>
            <Count query={query} />
            <OrderFilterChips values={values} remove={remove} />
          </>
        }
        count={count}
        clear={clear}
      />
      <Chosen
        rows={(list.rows ?? []).filter(({ orderId }) => chosen.has(orderId))}
        onClear={() => setChosen(NONE)}
      />
      {isTooSlow(list.error) ? (
        <TooSlow error={list.error} fields={texts.fields} set={set} />
      ) : (
        <DataTable
          label={texts.title}
          list={list}
          columns={COLUMNS_OF_ORDERS}
          hidden={new Set(COLUMN_IDS.filter((id) => !shown.includes(id)))}
          rowId={({ orderId }) => orderId}
          rowLabel={({ orderReference }) => orderReference}
          href={({ orderId }) => `/orders/${orderId}`}
          visited={visited}
          selected={chosen}
          onSelect={setChosen}
          empty={
            Object.keys(values).length === 0 ? (
              <p>{texts.none}</p>
            ) : (
              <NoneFound
                isTimed={values.from !== undefined || values.to !== undefined}
                set={set}
                clear={clear}
              />
            )
          }
        />
      )}
    </Page>
  );
}

type Query = ReturnType<typeof useOrderQuery>;
/** How many there are; nothing where counting takes too long. */
function Count({ query }: { readonly query: Query }) {
  const read = useRead(COUNT_ORDERS, { query }, { watch: ['order'] });
  const counted = read.data?.data;
  return (
    <strong role="status" className="number">
      {counted !== undefined
        ? texts.counted(counted.count, counted.more)
        : read.error === null
          ? texts.counting
          : ''}
    </strong>
  );
}
