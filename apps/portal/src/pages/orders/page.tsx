import { PORTAL_EXPORT_ORDERS, PORTAL_LIST_ORDERS } from '@munshi/api';
import { groupedAmount } from '@munshi/web';
import {
  Chosen,
  ColumnsMenu,
  CsvLink,
  DataTable,
  FilterChips,
  FilterPanel,
  isTooSlow,
  KindFilters,
  NoneFound,
  ORDER_FILTERS,
  OrdersBar,
  Page,
  RangeFilters,
  SearchFilter,
  statusLabel,
  TooSlow,
  useFilters,
  useList,
  useVisited,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.tsx';
import { COLUMN_IDS, COLUMNS_OF_ORDERS, SHOWN_AT_FIRST } from './columns.tsx';
import { COLUMNS, type OrderFilters, useOrderQuery } from './filters.ts';
import { texts } from './texts.ts';

const NONE: ReadonlySet<string> = new Set();

/** P3: one box finds any order of the merchant. */
export default function OrdersPage() {
  const { values, set, clear, count } = useFilters(ORDER_FILTERS);
  const columns = useFilters(COLUMNS);
  const shown = columns.values.columns ?? SHOWN_AT_FIRST;
  const query = useOrderQuery(values);
  const list = useList(PORTAL_LIST_ORDERS, { query }, { watch: ['order'] });
  const visited = useVisited();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(NONE);
  const isTimed = values.from !== undefined || values.to !== undefined;
  return (
    <Page
      title={texts.title}
      actions={
        <>
          <ColumnsMenu
            ids={COLUMN_IDS}
            heads={texts.heads}
            shown={shown}
            onChange={(next) => columns.set({ columns: next })}
          />
          <CsvLink path={PORTAL_EXPORT_ORDERS.path} query={query} label={texts.csvOf} />
        </>
      }
    >
      <Bar values={values} set={set} clear={clear} count={count} />
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
          empty={count === 0 ? <FirstOrder /> : <NoneFound {...{ isTimed, set, clear }} />}
        />
      )}
    </Page>
  );
}

type BarProps = ReturnType<typeof useFilters<typeof ORDER_FILTERS>>;

function Bar({ values, set, clear, count }: BarProps) {
  const methodName = useMethodName();
  return (
    <OrdersBar
      search={
        <>
          <SearchFilter
            label={texts.search}
            placeholder={texts.searchHint}
            value={values.search}
            onChange={(search) => set({ search })}
          />
          <FilterPanel>
            <KindFilters values={values} set={set} methodName={methodName} />
            <RangeFilters values={values} set={set} />
          </FilterPanel>
        </>
      }
      below={
        <FilterChips
          fields={texts.fields}
          shown={inWords(values, methodName)}
          remove={(name) => set({ [name]: undefined })}
        />
      }
      count={count}
      clear={clear}
    />
  );
}

/** Every filter but the search, which stands in its box. */
const inWords = (
  values: OrderFilters,
  methodName: (method: string) => string,
): { readonly [Name in keyof OrderFilters]?: string | undefined } => ({
  status: values.status?.map(statusLabel).join(', '),
  stage: values.stage?.join(', '),
  orderType: values.orderType && texts.types[values.orderType],
  walletType: values.walletType?.map(methodName).join(', '),
  currency: values.currency?.join(', '),
  from: values.from,
  to: values.to,
  amountFrom: values.amountFrom && groupedAmount(values.amountFrom),
  amountTo: values.amountTo && groupedAmount(values.amountTo),
});

const FirstOrder = () => (
  <>
    <p>{texts.none}</p>
    <Link href="/developers">{texts.toDevelopers}</Link>
  </>
);
