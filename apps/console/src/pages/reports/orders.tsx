import { Button } from '@mantine/core';
import {
  EXPORT_ORDER_REPORT,
  type OrderSpanView,
  type QueryOf,
  REPORT_ORDERS,
  WALLET_TYPES,
} from '@munshi/api';
import {
  type AsText,
  addMoney,
  amountText,
  dayLater,
  dayText,
  durationText,
  localTime,
} from '@munshi/web';
import {
  byMoney,
  byNumber,
  byText,
  Card,
  ChoiceFilter,
  type Column,
  CsvLink,
  DataTable,
  DaysFilter,
  day,
  FilterBar,
  id,
  Loaded,
  Money,
  oneOf,
  useFilters,
  useRead,
} from '@munshi/web-ui';
import { Chart, Legend, type Series } from '../../chart/chart.tsx';
import { useMethodName } from '../../method-names.ts';
import { MerchantPick } from '../../picks.tsx';
import { percentText, successOf, successText } from '../../success.ts';
import classes from './reports.module.css';
import { wholeList } from './whole-list.ts';

type Span = AsText<OrderSpanView>;
type FileQuery = QueryOf<typeof EXPORT_ORDER_REPORT>;

const SPANS = ['day', 'week'] as const;
type SpanName = (typeof SPANS)[number];
const SPAN_NAMES = { day: 'By day', week: 'By week' };
const DAYS_OF = { day: 1, week: 7 };
const FILTERS = {
  by: oneOf(SPANS),
  from: day(),
  to: day(),
  merchantId: id(),
  walletType: oneOf(WALLET_TYPES),
};

/** How orders have done, day by day or week by week, as the reader's own clocks have them. */
export default function OrdersReport() {
  const { values, set, clear, count } = useFilters(FILTERS);
  const { by = 'day', walletType, ...others } = values;
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const query = { by, timeZone, ...others };
  const read = useRead(REPORT_ORDERS, { query }, { watch: ['order'] });
  const nameOf = useMethodName();
  return (
    <Card>
      <FilterBar count={count} onClear={clear}>
        <Button.Group>
          {SPANS.map((span) => (
            <Button
              key={span}
              variant={span === by ? 'light' : 'default'}
              aria-pressed={span === by}
              onClick={() => set({ by: span })}
            >
              {SPAN_NAMES[span]}
            </Button>
          ))}
        </Button.Group>
        <DaysFilter from={values.from} to={values.to} set={set} />
        <MerchantPick
          bare
          label="Merchant"
          value={values.merchantId}
          onChange={(merchantId) => set({ merchantId })}
        />
        <ChoiceFilter
          label="Method"
          choices={WALLET_TYPES.map((value) => ({ value, label: nameOf(value) }))}
          value={walletType}
          onChange={(next) => set({ walletType: next })}
        />
        <CsvLink
          path={EXPORT_ORDER_REPORT.path}
          query={query}
          label="Save these figures as a CSV file, by method too"
        />
      </FilterBar>
      <p className={classes['hint']}>
        By the time of creation. Success is of orders that have ended; volume is what completed
        orders came to, in PKR; time to confirm is from the customer’s word to completion, of
        deposits.
      </p>
      <Loaded read={read} rows={8}>
        {({ data }) => {
          const spans = data.spans.filter((span) => span.walletType === (walletType ?? null));
          return (
            <>
              {spans.length === 0 ? null : <Charts spans={spans} by={by} query={query} />}
              <DataTable
                label="Orders"
                list={wholeList(spans.toReversed(), JSON.stringify([query, walletType]))}
                rowId={({ from }) => from}
                rowLabel={nameOfSpan}
                empty={<p>No order was created in that time.</p>}
                columns={COLUMNS[by]}
              />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

const startOf = (date: string) => Date.parse(localTime(`${date}T00:00`) ?? '');

function nameOfSpan({ from, to }: Span): string {
  const first = dayText(startOf(from));
  return from === to ? first : `${first} to ${dayText(startOf(to))}`;
}

const seconds = (value: number | null) => (value === null ? 'none' : durationText(value * 1000));

const columnsOf = (header: string): readonly Column<Span>[] => [
  { id: 'span', header, cell: nameOfSpan, compare: byText(({ from }) => from) },
  {
    id: 'created',
    header: 'Orders',
    align: 'end',
    compare: byNumber(({ created }) => created),
    cell: ({ created }) => <span className="number">{created.toLocaleString('en')}</span>,
  },
  {
    id: 'completed',
    header: 'Completed',
    align: 'end',
    compare: byNumber(({ completed }) => completed),
    cell: ({ completed }) => <span className="number">{completed.toLocaleString('en')}</span>,
  },
  {
    id: 'success',
    header: 'Success',
    align: 'end',
    compare: byNumber(successOf),
    cell: (span) => <span className="number">{successText(span)}</span>,
  },
  {
    id: 'volume',
    header: 'Volume, PKR',
    align: 'end',
    compare: byMoney(({ volume }) => volume),
    cell: ({ volume }) => <Money amount={volume} />,
  },
  {
    id: 'median',
    header: 'Median to confirm',
    align: 'end',
    compare: byNumber(({ medianConfirmSeconds }) => medianConfirmSeconds),
    cell: ({ medianConfirmSeconds: of }) => <span className="number">{seconds(of)}</span>,
  },
  {
    id: 'p95',
    header: '95 % within',
    align: 'end',
    compare: byNumber(({ p95ConfirmSeconds }) => p95ConfirmSeconds),
    cell: ({ p95ConfirmSeconds: of }) => <span className="number">{seconds(of)}</span>,
  },
];
const COLUMNS = { day: columnsOf('Day'), week: columnsOf('Week') };

/** `1.2M`: the table has the exact amounts. */
const SHORT = new Intl.NumberFormat('en', { notation: 'compact' });

/** Success, volume and time to confirm, drawn; the table below has their numbers. */
function Charts({
  spans,
  by,
  query,
}: {
  readonly spans: readonly Span[];
  readonly by: SpanName;
  /** Of the report, for the files. */
  readonly query: FileQuery;
}) {
  const byStart = new Map(spans.map((span) => [span.from, span]));
  const all: (Span | undefined)[] = [];
  const starts: string[] = [];
  const last = spans.at(-1)?.from ?? '';
  for (let from = spans[0]?.from ?? ''; from <= last; from = dayLater(from, DAYS_OF[by])) {
    starts.push(from);
    all.push(byStart.get(from));
  }
  const times = starts.map(startOf);
  const sum = (of: (span: Span) => number) => spans.reduce((total, span) => total + of(span), 0);
  const success = successText({
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
  });
  const volume = amountText(addMoney(...spans.map((span) => span.volume)), 'PKR');
  return (
    <div className={classes['charts']}>
      <Drawn
        title="Success"
        file={{ ...query, figure: 'success' }}
        whole={success}
        times={times}
        valueText={percentText}
        series={[
          {
            label: 'Success',
            colour: '--good',
            values: all.map((span) => (span === undefined ? null : successOf(span))),
          },
        ]}
      />
      <Drawn
        title="Volume"
        file={{ ...query, figure: 'volume' }}
        whole={volume}
        times={times}
        valueText={(value) => SHORT.format(value)}
        series={[
          {
            label: 'Volume, PKR',
            colour: '--accent',
            shape: 'bars',
            // How high the bar is, and no more.
            values: all.map((span) => (span === undefined ? 0 : Number(span.volume))),
          },
        ]}
      />
      <Drawn
        title="Time to confirm"
        file={{ ...query, figure: 'time-to-confirm' }}
        times={times}
        valueText={seconds}
        series={[
          {
            label: 'Median',
            colour: '--accent',
            values: all.map((span) => span?.medianConfirmSeconds ?? null),
          },
          {
            label: '95 % within',
            colour: '--quiet',
            shape: 'dashed',
            values: all.map((span) => span?.p95ConfirmSeconds ?? null),
          },
        ]}
      />
    </div>
  );
}

function Drawn({
  title,
  file,
  whole,
  series,
  times,
  valueText,
}: {
  readonly title: string;
  readonly file: FileQuery;
  /** Of all that is drawn. */
  readonly whole?: string;
  readonly series: readonly Series[];
  readonly times: readonly number[];
  valueText(value: number): string;
}) {
  const drawn = series.flatMap(({ values }) => values.filter((value) => value !== null));
  return (
    <figure className={classes['chart']}>
      <figcaption>
        <strong>{title}</strong>
        <CsvLink
          path={EXPORT_ORDER_REPORT.path}
          query={file}
          label={`Save these figures as a CSV file: ${title}, by method too`}
          size="xs"
        />
        {whole === undefined ? <Legend series={series} /> : <span className="number">{whole}</span>}
      </figcaption>
      {drawn.length === 0 ? (
        <p className="quiet">Too few orders to draw it.</p>
      ) : (
        <Chart
          summary={`${title}, ${drawn.length} values; the table below has them`}
          times={times}
          series={series}
          height={140}
          fromZero
          timeText={(at) => dayText(at)}
          valueText={valueText}
        />
      )}
    </figure>
  );
}
