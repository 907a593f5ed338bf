import type { ListedStatementView, StatementView } from '@munshi/api';
import { type AsText, isZero } from '@munshi/web';
import type { List } from '../api.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Money } from '../money.tsx';
import { Chip } from '../status-chip.tsx';
import classes from './statement.module.css';
import { texts } from './statement-texts.ts';

type Statement = AsText<StatementView>;
type Listed = AsText<ListedStatementView>;

/** `October 2026` for `2026-10`. */
export const monthName = (month: string): string =>
  dateText(`${month}-01`, { month: 'long', year: 'numeric' });
const dayName = (day: string): string => dateText(day, { day: 'numeric', month: 'short' });
/** A day of the calendar, wherever the reader is. */
const dateText = (day: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(Date.parse(day));

const COLUMNS: readonly Column<Listed>[] = [
  { id: 'month', header: texts.month, cell: ({ month }) => monthName(month) },
  {
    id: 'status',
    header: texts.status,
    cell: ({ closed }) =>
      closed ? (
        <Chip tone="done" label={texts.ended} />
      ) : (
        <Chip tone="waiting" label={texts.running} />
      ),
  },
  {
    id: 'opening',
    header: texts.opening,
    align: 'end',
    cell: ({ opening }) => <Money amount={opening.walletBalance} aligned />,
  },
  { id: 'count', header: texts.movements, align: 'end', cell: ({ count }) => count },
  {
    id: 'fees',
    header: texts.fees,
    align: 'end',
    cell: ({ fee }) => <Money amount={fee} aligned />,
  },
  {
    id: 'net',
    header: texts.net,
    align: 'end',
    cell: ({ walletChange }) => <Money amount={walletChange} signed aligned />,
  },
  {
    id: 'closing',
    header: texts.closing,
    align: 'end',
    cell: ({ closing }) => (
      <strong>
        <Money amount={closing.walletBalance} aligned />
      </strong>
    ),
  },
];

/** The months of a wallet; each opens as its statement. */
export function StatementsTable({
  list,
  href,
}: {
  readonly list: List<Listed>;
  href(month: string): string;
}) {
  return (
    <>
      <p className={classes['hint']}>{texts.listHint}</p>
      <DataTable
        label={texts.list}
        list={list}
        rowId={({ month }) => month}
        rowLabel={({ month }) => monthName(month)}
        href={({ month }) => href(month)}
        empty={<p>{texts.none}</p>}
        columns={COLUMNS}
      />
    </>
  );
}

interface SheetProps {
  readonly statement: Statement;
}

/** The statement of a month as a sheet of paper: what is on the screen is what is printed. */
export function StatementSheet({ statement }: SheetProps) {
  const { month, from, to, timeZone, merchantName, merchantId, currency, closed } = statement;
  const dayOf = (time: number) =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone,
    }).format(time);
  const facts = [
    [texts.of, merchantName],
    [texts.merchantId, merchantId],
    [texts.period, texts.until(dayOf(Date.parse(from)), dayOf(Date.parse(to) - 1))],
    [texts.timeZone, timeZone],
    [texts.currency, currency],
  ] as const;
  return (
    <article className={classes['sheet']}>
      <header className={classes['head']}>
        <div>
          <p className={classes['title']}>{texts.title}</p>
          <h2>{monthName(month)}</h2>
        </div>
        <dl>
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </header>
      {closed ? null : <p className={classes['running']}>{texts.provisional}</p>}
      <h3>{texts.summary}</h3>
      <Summary statement={statement} />
      <Currencies statement={statement} />
      <h3>{texts.days}</h3>
      <Days statement={statement} />
      <footer>{texts.foot}</footer>
    </article>
  );
}

function Summary({ statement: { opening, kinds, total, closing } }: SheetProps) {
  const moved = kinds.filter(({ count }) => count > 0);
  return (
    <div className={classes['scroll']}>
      <table className={`${classes['table']} ${classes['summary']}`}>
        <SumsHead last={texts.net} />
        <tbody>
          <BalanceRow name={texts.openingBalance} amount={opening.walletBalance} />
          {moved.map(({ kind, count, amount, fee, walletChange }) => (
            <SumsRow
              key={kind}
              name={texts.kinds[kind]}
              {...{ count, amount, fee, walletChange }}
            />
          ))}
          {moved.length === 0 ? (
            <tr>
              <td colSpan={5}>{texts.noneMoved}</td>
            </tr>
          ) : null}
        </tbody>
        <tfoot>
          <BalanceRow name={texts.closingBalance} amount={closing.walletBalance} />
          {isZero(closing.frozenBalance) && isZero(total.frozenChange) ? null : (
            <tr>
              <th scope="row" colSpan={4} data-light>
                {texts.closingFrozen}
              </th>
              <td data-end>
                <Money amount={closing.frozenBalance} />
              </td>
            </tr>
          )}
        </tfoot>
      </table>
    </div>
  );
}

/** Heads of a table of sums, whose last column is what they came to in the wallet. */
const SumsHead = ({ last }: { readonly last: string }) => (
  <thead>
    <tr>
      <th scope="col">{texts.kind}</th>
      {[texts.count, texts.amount, texts.fee, last].map((name) => (
        <th key={name} scope="col" data-end>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

interface SumsRowProps {
  readonly name: string;
  readonly count: number;
  readonly amount: string;
  readonly fee: string;
  readonly walletChange: string;
  /** Of amount and fee; the wallet's own where there is none. */
  readonly currency?: string;
}

const SumsRow = ({ name, count, amount, fee, walletChange, ...shown }: SumsRowProps) => (
  <tr>
    <th scope="row">{name}</th>
    <td data-end data-label={texts.count}>
      {count}
    </td>
    <td data-end data-label={texts.amount}>
      <Money amount={amount} {...shown} aligned />
    </td>
    <td data-end data-label={texts.fee}>
      <Money amount={fee} {...shown} aligned />
    </td>
    <td data-end>
      <Money amount={walletChange} signed aligned />
    </td>
  </tr>
);

const BalanceRow = ({ name, amount }: { readonly name: string; readonly amount: string }) => (
  <tr data-balance>
    <th scope="row" colSpan={4}>
      {name}
    </th>
    <td data-end>
      <Money amount={amount} aligned />
    </td>
  </tr>
);

/** What orders were for in their own currencies, where PKR is not the only one. */
function Currencies({ statement: { currencies, currency: ofWallet } }: SheetProps) {
  if (currencies.every(({ currency }) => currency === ofWallet)) return null;
  return (
    <section aria-label={texts.currencies}>
      <h3>{texts.currencies}</h3>
      <p className={classes['hint']}>{texts.currenciesHint}</p>
      <div className={classes['scroll']}>
        <table className={`${classes['table']} ${classes['summary']}`}>
          <SumsHead last={texts.inPkr} />
          <tbody>
            {currencies.map(({ kind, currency, count, orderAmount, orderFee, walletChange }) => (
              <SumsRow
                key={`${kind} ${currency}`}
                name={texts.ofCurrency(kind, currency)}
                amount={orderAmount}
                fee={orderFee}
                {...{ count, currency, walletChange }}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Days({ statement: { days } }: SheetProps) {
  if (days.length === 0) return <p>{texts.noneMoved}</p>;
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{texts.day}</th>
            <th scope="col" data-end>
              {texts.count}
            </th>
            <th scope="col" data-end>
              {texts.net}
            </th>
            <th scope="col" data-end>
              {texts.balance}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, count, walletChange, walletBalance }) => (
            <tr key={day}>
              <th scope="row">{dayName(day)}</th>
              <td data-end>{count}</td>
              <td data-end>
                <Money amount={walletChange} signed aligned />
              </td>
              <td data-end>
                <Money amount={walletBalance} aligned />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
