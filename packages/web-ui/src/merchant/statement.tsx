import type { ListedStatementView, StatementView } from '@munshi/api';
import { type AsText, isZero } from '@munshi/web';
import type { List } from '../api.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Money } from '../money.tsx';
import { Chip } from '../status-chip.tsx';
import classes from './statement.module.css';

const KINDS = {
  deposit: 'Deposits',
  withdrawal: 'Withdrawals',
  credit: 'Credits',
  debit: 'Debits',
  freeze: 'Frozen',
  unfreeze: 'Released from frozen',
};

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
  { id: 'month', header: 'Month', cell: ({ month }) => monthName(month) },
  {
    id: 'status',
    header: 'Status',
    cell: ({ closed }) =>
      closed ? <Chip tone="done" label="Final" /> : <Chip tone="waiting" label="Still running" />,
  },
  {
    id: 'opening',
    header: 'Opening, PKR',
    align: 'end',
    isChief: false,
    cell: ({ opening }) => <Money amount={opening.walletBalance} />,
  },
  { id: 'count', header: 'Movements', align: 'end', cell: ({ count }) => count },
  {
    id: 'fees',
    header: 'Fees',
    align: 'end',
    cell: ({ fee }) => <Money amount={fee} />,
  },
  {
    id: 'net',
    header: 'Net',
    align: 'end',
    cell: ({ walletChange }) => <Money amount={walletChange} signed />,
  },
  {
    id: 'closing',
    header: 'Closing, PKR',
    align: 'end',
    isChief: true,
    cell: ({ closing }) => (
      <strong>
        <Money amount={closing.walletBalance} />
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
      <p className={classes['hint']}>
        A month counts by the time of posting, in the time zone of the merchant. A month that has
        ended never changes.
      </p>
      <DataTable
        label="Statements"
        list={list}
        rowId={({ month }) => month}
        rowLabel={({ month }) => monthName(month)}
        href={({ month }) => href(month)}
        empty={<p>There is no month yet.</p>}
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
    ['Account of', merchantName],
    ['Merchant id', merchantId],
    ['Period', `${dayOf(Date.parse(from))} to ${dayOf(Date.parse(to) - 1)}`],
    ['Time zone', timeZone],
    ['Currency', currency],
  ] as const;
  return (
    <article className={classes['sheet']}>
      <header className={classes['head']}>
        <div>
          <p className={classes['title']}>Statement of account</p>
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
      {closed ? null : (
        <p className={classes['running']}>
          The month is still running: this is how far it has come.
        </p>
      )}
      <h3>Summary</h3>
      <Summary statement={statement} />
      <Currencies statement={statement} />
      <h3>Day by day</h3>
      <Days statement={statement} />
      <footer>
        Made from the ledger. Opening balance and what moved add up to the closing balance, to the
        last digit. What open withdrawals reserve is part of the balance. The CSV file of movements
        has every order’s amount, fee and rate.
      </footer>
    </article>
  );
}

function Summary({ statement: { opening, kinds, total, closing } }: SheetProps) {
  const moved = kinds.filter(({ count }) => count > 0);
  return (
    <div className={classes['scroll']}>
      <table className={`${classes['table']} ${classes['summary']}`}>
        <SumsHead last="Net" />
        <tbody>
          <BalanceRow name="Opening balance" amount={opening.walletBalance} />
          {moved.map(({ kind, count, amount, fee, walletChange }) => (
            <SumsRow key={kind} name={KINDS[kind]} {...{ count, amount, fee, walletChange }} />
          ))}
          {moved.length === 0 ? (
            <tr>
              <td colSpan={5}>Nothing moved in this month.</td>
            </tr>
          ) : null}
        </tbody>
        <tfoot>
          <BalanceRow name="Closing balance" amount={closing.walletBalance} />
          {isZero(closing.frozenBalance) && isZero(total.frozenChange) ? null : (
            <tr>
              <th scope="row" colSpan={4} data-light>
                Frozen at the end, not part of the balance
              </th>
              <td data-end>
                <Money amount={closing.frozenBalance} aligned />
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
      <th scope="col">What moved</th>
      {['Number', 'Amount', 'Fee', last].map((name) => (
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
    <td data-end data-label="Number">
      {count}
    </td>
    <td data-end data-label="Amount">
      <Money amount={amount} {...shown} aligned />
    </td>
    <td data-end data-label="Fee">
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
    <section aria-label="Orders by currency">
      <h3>Orders by currency</h3>
      <p className={classes['hint']}>
        Amounts and fees are in the currency of the orders. Each order came to PKR at its own rate,
        fixed when it was accepted.
      </p>
      <div className={classes['scroll']}>
        <table className={`${classes['table']} ${classes['summary']}`}>
          <SumsHead last="Net, PKR" />
          <tbody>
            {currencies.map(({ kind, currency, count, orderAmount, orderFee, walletChange }) => (
              <SumsRow
                key={`${kind} ${currency}`}
                name={`${kind === 'deposit' ? 'Deposits' : 'Withdrawals'}, ${currency}`}
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
  if (days.length === 0) return <p>Nothing moved in this month.</p>;
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" data-end>
              Number
            </th>
            <th scope="col" data-end>
              Net
            </th>
            <th scope="col" data-end>
              Balance
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
