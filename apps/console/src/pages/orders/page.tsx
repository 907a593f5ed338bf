import { Button, Checkbox, Popover } from '@mantine/core';
import { COUNT_ORDERS, EXPORT_ORDERS, LIST_ORDERS } from '@munshi/api';
import {
  ApiError,
  CsvLink,
  DataTable,
  Empty,
  errorText,
  Page,
  SearchFilter,
  useFilters,
  useList,
  useRead,
  useService,
} from '@munshi/web-ui';
import Columns3 from 'lucide-react/icons/columns-3';
import { useState } from 'react';
import { ViewsMenu } from '../../views-menu.tsx';
import { Chosen } from './chosen.tsx';
import { COLUMN_IDS, COLUMNS_OF_ORDERS, SHOWN_AT_FIRST } from './columns.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { COLUMNS, dayBefore, FILTERS, type OrderFilters, useOrderQuery } from './filters.ts';
import classes from './orders.module.css';
import { texts } from './texts.ts';
import { useVisited } from './use-visited.ts';

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
          <ColumnsMenu shown={shown} onChange={(next) => columns.set({ columns: next })} />
          <CsvLink path={EXPORT_ORDERS.path} query={query} label={texts.csvOf} />
        </>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: <search> is not known to every browser yet */}
      <div className={classes['bar']} role="search" aria-label={texts.filterOrders}>
        <SearchFilter
          label={texts.search}
          placeholder={texts.searchHint}
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <FilterPanel values={values} set={set} />
      </div>
      <div className={classes['below']}>
        <Count query={query} />
        <FilterChips values={values} remove={remove} />
        {count > 1 ? (
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {texts.clear}
          </Button>
        ) : null}
      </div>
      <Chosen
        rows={(list.rows ?? []).filter(({ orderId }) => chosen.has(orderId))}
        onClear={() => setChosen(NONE)}
      />
      {isTooSlow(list.error) ? (
        <TooSlow error={list.error as ApiError} set={set} />
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
          empty={<NoneFound values={values} set={set} clear={clear} />}
        />
      )}
    </Page>
  );
}

type Query = ReturnType<typeof useOrderQuery>;
type Set = ReturnType<typeof useFilters<typeof FILTERS>>['set'];

const isTooSlow = (error: Error | null): boolean =>
  error instanceof ApiError && error.refusal.code === 'too-slow';

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

function ColumnsMenu({
  shown,
  onChange,
}: {
  readonly shown: readonly (typeof COLUMN_IDS)[number][];
  onChange(shown: readonly (typeof COLUMN_IDS)[number][]): void;
}) {
  const toggle = (id: (typeof COLUMN_IDS)[number]) =>
    onChange(COLUMN_IDS.filter((each) => (each === id) !== shown.includes(each)));
  return (
    <Popover position="bottom-end" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 size={16} aria-hidden />}>
          {texts.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.chooseColumns}>
        <div className={classes['choices']}>
          {COLUMN_IDS.map((id) => (
            <Checkbox
              key={id}
              size="xs"
              label={texts.heads[id]}
              checked={shown.includes(id)}
              onChange={() => toggle(id)}
            />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function NoneFound({
  values,
  set,
  clear,
}: {
  readonly values: OrderFilters;
  readonly set: Set;
  clear(): void;
}) {
  if (Object.keys(values).length === 0) return <p>{texts.none}</p>;
  const isTimed = values.from !== undefined || values.to !== undefined;
  return (
    <>
      <strong>{texts.noneFound}</strong>
      <p>{texts.noneFoundHint}</p>
      <div className={classes['buttons']}>
        {isTimed ? (
          <Button variant="default" onClick={() => set({ from: undefined, to: undefined })}>
            {texts.allTime}
          </Button>
        ) : null}
        <Button variant="default" onClick={clear}>
          {texts.clear}
        </Button>
      </div>
    </>
  );
}

/** The service names filters as its interface does. */
const withLabels = (sentence: string): string =>
  sentence.replace(/`(\w+)`/g, (_, name: string) => {
    const labels: Readonly<Record<string, string>> = texts.fields;
    return `“${labels[name] ?? name}”`;
  });

/** The service has said which filter to narrow. */
function TooSlow({ error, set }: { readonly error: ApiError; readonly set: Set }) {
  const { clock } = useService();
  const since = (days: number) => set({ from: dayBefore(clock.now(), days), to: undefined });
  return (
    <Empty>
      <strong>{texts.tooSlow}</strong>
      <p role="alert">{withLabels(errorText(error))}</p>
      <div className={classes['buttons']}>
        <Button variant="default" onClick={() => since(6)}>
          {texts.lastDays}
        </Button>
        <Button variant="default" onClick={() => since(0)}>
          {texts.today}
        </Button>
      </div>
    </Empty>
  );
}
