import {
  EXPORT_MEMBER_REPORT,
  EXPORT_MERCHANT_REPORT,
  EXPORT_ORDER_REPORT,
  type Given,
  type MemberMonthView,
  type MerchantMonthView,
  type ORDER_FIGURES,
  type OrderSpanView,
  type Page as PageQuery,
  type QueryOf,
  READ_TRIAL_BALANCE,
  REPORT_MEMBERS,
  REPORT_MERCHANTS,
  REPORT_ORDERS,
} from '@munshi/api';
import {
  type Day,
  dayAt,
  dayBefore,
  formatDay,
  type Instant,
  isoTime,
  isTimeZone,
  monthAt,
  oneZone,
  parseDay,
  parseMonth,
  spansOf,
  startOfDay,
  timeZoneOf,
  UTC,
  WALLET_CURRENCY,
} from '@munshi/core';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import type { Page } from '../platform/database/statement.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { amountCell, type Csv, type CsvColumns, pagesOf, valueCell } from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { readTime } from '../platform/http/values.ts';
import { FieldErrors } from '../platform/refusals.ts';
import {
  type MemberMonth,
  type MerchantMonth,
  type MonthAsked,
  reportMembers,
  reportMerchants,
  reportOrders,
  trialBalance,
} from './service.ts';

/** Reports of the ledger over all merchants and members, and of their orders. */
export function reportRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, REPORT_MERCHANTS, ({ query }) => answer(query, merchantsOf(query), showMerchant));
  bindCsv(face, EXPORT_MERCHANT_REPORT, ({ query }) =>
    fileOf(fileName('merchants', query), MERCHANT_COLUMNS, merchantsOf(query)),
  );
  bind(face, REPORT_MEMBERS, ({ query }) => answer(query, membersOf(query), showMember));
  bindCsv(face, EXPORT_MEMBER_REPORT, ({ query }) =>
    fileOf(fileName('members', query), MEMBER_COLUMNS, membersOf(query)),
  );

  bind(face, REPORT_ORDERS, async ({ query }) => ({
    data: { spans: await spansIn(query) },
  }));
  bindCsv(face, EXPORT_ORDER_REPORT, ({ query }) => ({
    name: `${query.figure ?? 'orders'}-by-${query.by ?? 'day'}`,
    columns: spanColumns(query.figure),
    pages: once(() => spansIn(query)),
  }));

  bind(face, READ_TRIAL_BALANCE, async ({ query }) => {
    const at = readTime('at', query.at, UTC) ?? null;
    const { postings, held, ...sums } = await trialBalance(deps, at);
    return {
      data: {
        at,
        postings,
        accounts: LEDGER_ACCOUNTS.map((account) => ({
          account,
          balance: sums[account],
          projected: at === null && isHeld(account) ? held[account] : null,
        })),
        total: LEDGER_ACCOUNTS.reduce((sum, account) => sum + sums[account], 0n),
      },
    };
  });

  const merchantsOf = (query: MonthQuery) => {
    const asked = askedOf(query, deps.clock.now());
    return (page: Page) => reportMerchants(deps, asked, page);
  };
  const spansIn = async (query: SpansQuery) => {
    const { days, zones } = spansAsked(query, deps.clock.now());
    const times = days.map((day) => startOfDay(day, zones));
    const rows = await reportOrders(deps, times, query.merchantId);
    return rows.map(({ span, ...row }) => ({
      from: formatDay(days[span - 1] as Day),
      to: formatDay(dayBefore(days[span] as Day, 1)),
      ...row,
    }));
  };
  const membersOf = (query: MonthQuery) => {
    const asked = askedOf(query, deps.clock.now());
    return (page: Page) => reportMembers(deps, asked, page);
  };
}

const LEDGER_ACCOUNTS = ['wallets', 'frozen', 'floats', 'fees', 'adjustments'] as const;
const isHeld = (account: (typeof LEDGER_ACCOUNTS)[number]) =>
  account === 'wallets' || account === 'frozen' || account === 'floats';

interface MonthQuery {
  readonly month?: string;
  readonly timeZone?: string;
}
type Read<Row> = (page: Page) => Promise<readonly Row[]>;
interface WithId {
  readonly id: string;
}

const fileName = (of: string, { month }: MonthQuery) =>
  month === undefined ? of : `${of}-${month}`;

function zoneOf(timeZone: string | undefined): string {
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw new FieldErrors({
      timeZone: ['must be a time zone by its name, such as Asia/Karachi.'],
    });
  return timeZone ?? timeZoneOf([WALLET_CURRENCY]);
}

function askedOf({ month, timeZone }: MonthQuery, now: Instant): MonthAsked {
  const zone = zoneOf(timeZone);
  const asked = month === undefined ? monthAt(now, oneZone(zone)) : parseMonth(month);
  if (asked === undefined) throw new FieldErrors({ month: ['must be a month from 1970 on.'] });
  return { month: asked, timeZone };
}

type SpansQuery = QueryOf<typeof REPORT_ORDERS>;
const SPANS_MAX = 92;
/** Unless `from` is said: as many as a chart shows well. */
const SPANS_SHOWN = { day: 28, week: 84 };

/** The days that its spans begin with, and the one after the last. */
function spansAsked({ by = 'day', from, to, timeZone }: SpansQuery, now: Instant) {
  const zones = oneZone(zoneOf(timeZone));
  const day = (name: 'from' | 'to', text: string | undefined, unsaid: Day): Day => {
    const read = text === undefined ? unsaid : parseDay(text);
    if (read === undefined) throw new FieldErrors({ [name]: ['must be a day, as 2026-11-30.'] });
    return read;
  };
  const last = day('to', to, dayAt(now, zones));
  const first = day('from', from, dayBefore(last, SPANS_SHOWN[by] - 1));
  if (startOfDay(first, zones) > startOfDay(last, zones))
    throw new FieldErrors({ to: ['must not be before from.'] });
  const days = spansOf(by, { first, last });
  if (days.length > SPANS_MAX + 1)
    throw new FieldErrors({ from: [`must be at most ${SPANS_MAX} ${by}s before to.`] });
  return { days, zones };
}

async function* once<Row>(read: () => Promise<readonly Row[]>) {
  yield await read();
}

async function answer<Row extends WithId, View>(
  query: PageQuery,
  read: Read<Row>,
  show: (row: Row) => View,
) {
  const page = pageOf(query);
  const rows = await read(page.place);
  return pageAnswer(page, rows, ({ id }) => id, show);
}

function fileOf<Row extends WithId>(
  name: string,
  columns: CsvColumns<Row>,
  read: Read<Row>,
): Csv<Row> {
  const pages = pagesOf(
    (after, limit) => read({ after, limit }),
    ({ id }) => id,
    1_000,
  );
  return { name, columns, pages };
}

const showMerchant = (row: MerchantMonth): Given<MerchantMonthView> => ({
  ...row,
  merchantId: row.id,
  merchantName: row.name,
});

const showMember = (row: MemberMonth): Given<MemberMonthView> => ({
  ...row,
  memberId: row.id,
  memberName: row.name,
});

const BOUNDS = {
  timeZone: ({ timeZone }) => timeZone,
  from: ({ from }) => valueCell(isoTime(from)),
  to: ({ to }) => valueCell(isoTime(to)),
} satisfies CsvColumns<MerchantMonth | MemberMonth>;
const MERCHANT_COLUMNS: CsvColumns<MerchantMonth> = {
  merchantId: ({ id }) => id,
  merchantName: ({ name }) => name,
  ...BOUNDS,
  opening: ({ opening }) => amountCell(opening),
  deposits: ({ deposits }) => amountCell(deposits),
  withdrawals: ({ withdrawals }) => amountCell(withdrawals),
  // As signed, so that a row adds up.
  fees: ({ fees }) => amountCell(-fees),
  adjustments: ({ adjustments }) => amountCell(adjustments),
  frozen: ({ frozen }) => amountCell(-frozen),
  closing: ({ closing }) => amountCell(closing),
  frozenOpening: ({ frozenOpening }) => amountCell(frozenOpening),
  frozenClosing: ({ frozenClosing }) => amountCell(frozenClosing),
};
type SpanColumns = CsvColumns<Given<OrderSpanView>>;
const SPAN: SpanColumns = {
  from: ({ from }) => valueCell(from),
  to: ({ to }) => valueCell(to),
  walletType: ({ walletType }) => walletType ?? 'all',
};
const FIGURES: Readonly<Record<(typeof ORDER_FIGURES)[number], SpanColumns>> = {
  success: {
    created: ({ created }) => created,
    completed: ({ completed }) => completed,
    failed: ({ failed }) => failed,
  },
  volume: { volume: ({ volume }) => amountCell(volume) },
  'time-to-confirm': {
    medianConfirmSeconds: ({ medianConfirmSeconds }) => medianConfirmSeconds,
    p95ConfirmSeconds: ({ p95ConfirmSeconds }) => p95ConfirmSeconds,
  },
};
const spanColumns = (figure: QueryOf<typeof EXPORT_ORDER_REPORT>['figure']): SpanColumns =>
  Object.assign(
    { ...SPAN },
    ...(figure === undefined ? Object.values(FIGURES) : [FIGURES[figure]]),
  );
const MEMBER_COLUMNS: CsvColumns<MemberMonth> = {
  memberId: ({ id }) => id,
  memberName: ({ name }) => name,
  ...BOUNDS,
  opening: ({ opening }) => amountCell(opening),
  deposits: ({ deposits }) => amountCell(deposits),
  withdrawals: ({ withdrawals }) => amountCell(withdrawals),
  adjustments: ({ adjustments }) => amountCell(adjustments),
  closing: ({ closing }) => amountCell(closing),
};
