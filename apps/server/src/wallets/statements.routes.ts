import type { Given, ListedStatementView, Page, StatementView } from '@munshi/api';
import {
  ADJUSTMENT_KINDS,
  CURRENCIES,
  type Currency,
  dayAt,
  formatDay,
  formatMonth,
  type Money,
  type Month,
  parseMonth,
  periodOfDay,
  WALLET_CURRENCY,
  type Zones,
  zonedTime,
} from '@munshi/core';
import type { Deps } from '../people/deps.ts';
import {
  amountCell,
  type Cell,
  type Csv,
  type CsvColumns,
  valueCell,
} from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { allMovements, type StatedMovement } from './movements.service.ts';
import type { KindSums, Sums } from './movements.store.ts';
import {
  listStatements,
  type MonthSums,
  type Moved,
  monthOf,
  readStatement,
  type Statement,
  sumOf,
} from './statements.service.ts';
import { BALANCE_COLUMNS, movementColumns, showSums } from './wallet.routes.ts';

/** Monthly statements of a wallet, as operators and the merchant's own people read them. */

const MONTHS_OF_A_PAGE = 12;
/** Throws `not-found` for what is no month. */
const monthIn = (text: string): Month => found(parseMonth(text), 'Statement');

export async function answerStatements(deps: Deps, merchantId: string, query: Page) {
  const page = pageOf({ limit: MONTHS_OF_A_PAGE, ...query }, parseMonth);
  const rows = await listStatements(deps, merchantId, page.place);
  return pageAnswer(page, rows, ({ month }) => formatMonth(month), showListed);
}

export async function answerStatement(deps: Deps, merchantId: string, month: string) {
  return { data: showStatement(await readStatement(deps, merchantId, monthIn(month))) };
}

/** The sums of the month's page, as rows that add up. */
export async function summaryFile(
  deps: Deps,
  merchantId: string,
  month: string,
): Promise<Csv<SummaryRow>> {
  const statement = await readStatement(deps, merchantId, monthIn(month));
  const moved = KINDS.flatMap((kind): readonly SummaryRow[] => {
    const orders = ordersOf(statement, kind);
    return orders.length > 0 ? orders : [{ kind, moved: movedAs(statement, kind) }];
  });
  const rows: readonly SummaryRow[] = [
    { kind: 'opening', after: statement.opening },
    ...moved.filter((row) => row.moved?.count !== 0),
    { kind: 'closing', after: statement.closing },
  ];
  return {
    name: `statement-${month}-summary`,
    columns: SUMMARY_COLUMNS,
    pages: (async function* () {
      yield rows;
    })(),
  };
}

interface SummaryRow {
  readonly kind: (typeof KINDS)[number] | 'opening' | 'closing';
  readonly moved?: Moved;
  /** Where `moved` is of orders. */
  readonly orders?: {
    readonly currency: Currency;
    readonly amount: Money;
    readonly fee: Money;
  };
  /** The balances at one end. */
  readonly after?: Sums;
}

const SUMMARY_COLUMNS: CsvColumns<SummaryRow> = {
  kind: ({ kind }) => kind,
  currency: ({ orders }) => orders?.currency ?? null,
  count: ({ moved }) => moved?.count ?? null,
  orderAmount: ({ orders }) => amountCell(orders?.amount),
  orderFee: ({ orders }) => amountCell(orders?.fee),
  amount: ({ moved }) => amountCell(moved && moved.wallet + moved.fee),
  fee: ({ moved }) => amountCell(moved?.fee),
  walletChange: ({ moved }) => amountCell(moved?.wallet),
  frozenChange: ({ moved }) => amountCell(moved?.frozen),
  walletBalance: ({ after }) => amountCell(after?.wallet),
  frozenBalance: ({ after }) => amountCell(after?.frozen),
};

/** The month's movements between rows of the opening and the closing balances. */
export async function statementFile(
  deps: Deps,
  merchantId: string,
  month: string,
): Promise<Csv<StatementRow>> {
  const { merchant, period } = await monthOf(deps, merchantId, monthIn(month));
  const { opening, pages } = await allMovements(deps, { merchantId, ...period });
  async function* rows(): AsyncGenerator<readonly StatementRow[]> {
    let after = opening;
    yield [{ kind: 'opening', at: period.from, after, movement: null }];
    for await (const page of pages) {
      after = page.at(-1)?.after ?? after;
      yield page.map((movement) => ({ ...movement, movement }));
    }
    yield [{ kind: 'closing', at: period.to, after, movement: null }];
  }
  const columns = { day: dayColumn(merchant.zones), ...columnsIn(merchant.zones) };
  return { name: `statement-${month}`, columns, pages: rows() };
}

interface StatementRow extends Pick<StatedMovement, 'at' | 'after'> {
  readonly kind: StatedMovement['kind'] | 'opening' | 'closing';
  /** Null: the balances at one end. */
  readonly movement: StatedMovement | null;
}

/** Movements come in the order of time, so that a day is looked up once. */
function dayColumn(zones: Zones) {
  let known = { from: 0, to: 0, text: '' };
  return ({ kind, at }: StatementRow): Cell => {
    if (kind === 'closing') return null; // its moment is the first of the next day
    if (at < known.from || at >= known.to) {
      const day = dayAt(at, zones);
      known = { ...periodOfDay(day, zones), text: formatDay(day) };
    }
    return valueCell(known.text);
  };
}

function columnsIn(zones: Zones): CsvColumns<StatementRow> {
  const ofBothEnds: CsvColumns<StatementRow> = {
    at: ({ at }) => valueCell(zonedTime(at, zones)),
    kind: ({ kind }) => kind,
    ...BALANCE_COLUMNS,
  };
  return Object.fromEntries(
    Object.entries(movementColumns(zones)).map(([name, cell]) => [
      name,
      (row: StatementRow): Cell =>
        row.movement === null ? (ofBothEnds[name]?.(row) ?? null) : cell(row.movement),
    ]),
  );
}

const showMoved = ({ count, wallet, frozen, fee }: Moved) => ({
  count,
  amount: wallet + fee,
  fee,
  walletChange: wallet,
  frozenChange: frozen,
});

const showMonth = ({ month, from, to, closed, opening, closing }: MonthSums) => ({
  ...{ month: formatMonth(month), from, to, closed },
  opening: showSums(opening),
  closing: showSums(closing),
});

const showListed = (sums: MonthSums): Given<ListedStatementView> => ({
  ...showMonth(sums),
  ...showMoved(sums.total),
});

const KINDS = ['deposit', 'withdrawal', ...ADJUSTMENT_KINDS] as const;
const kindOf = ({ kind, isWithdrawal }: KindSums) =>
  kind === 'settlement' ? (isWithdrawal ? 'withdrawal' : 'deposit') : kind;

const movedAs = ({ kinds }: Statement, kind: (typeof KINDS)[number]): Moved =>
  sumOf(kinds.filter((sums) => kindOf(sums) === kind));

/** The orders of one kind, a row for each currency that there is. */
const ordersOf = ({ kinds }: Statement, kind: (typeof KINDS)[number]) =>
  CURRENCIES.flatMap((currency) => {
    const its = kinds.filter((sums) => kindOf(sums) === kind && sums.currency === currency);
    const orders = {
      currency,
      amount: its.reduce((sum, { orderAmount }) => sum + orderAmount, 0n),
      fee: its.reduce((sum, { orderFee }) => sum + orderFee, 0n),
    };
    return its.length === 0 ? [] : [{ kind, orders, moved: sumOf(its) }];
  });

const showStatement = (statement: Statement): Given<StatementView> => ({
  merchantId: statement.merchant.merchantId,
  merchantName: statement.merchant.name,
  timeZone: statement.merchant.timeZone,
  currency: WALLET_CURRENCY,
  ...showMonth(statement),
  kinds: KINDS.map((kind) => ({
    kind,
    ...showMoved(movedAs(statement, kind)),
  })),
  currencies: (['deposit', 'withdrawal'] as const).flatMap((kind) =>
    ordersOf(statement, kind).map(({ orders, moved }) => ({
      kind,
      currency: orders.currency,
      orderAmount: orders.amount,
      orderFee: orders.fee,
      ...showMoved(moved),
    })),
  ),
  total: showMoved(statement.total),
  days: statement.days.map(({ day, count, wallet, frozen, after }) => ({
    day: formatDay(day),
    count,
    walletChange: wallet,
    frozenChange: frozen,
    ...showSums(after),
  })),
});
