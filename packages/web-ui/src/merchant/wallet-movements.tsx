import type { WalletMovementView } from '@munshi/api';
import { type AsText, datesOfDays, isZero } from '@munshi/web';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { List } from '../api.tsx';
import { CsvLink } from '../csv-link.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { DaysFilter } from '../days-filter.tsx';
import { FilterBar } from '../filters.tsx';
import { Money } from '../money.tsx';
import { Reference } from '../orders/reference.tsx';
import { Card } from '../page.tsx';
import { Chip } from '../status-chip.tsx';
import { day, useFilters } from '../use-filters.ts';
import { TimeZone, When } from '../when.tsx';
import classes from './merchant.module.css';

const KINDS = { credit: 'Credit', debit: 'Debit', freeze: 'Freeze', unfreeze: 'Unfreeze' };

type Movement = AsText<WalletMovementView>;

const nameOf = ({ kind, orderType }: Movement): string =>
  kind === 'settlement' ? (orderType ?? 'Deposit') : KINDS[kind];

const COLUMNS: readonly Column<Movement>[] = [
  { id: 'kind', header: 'Movement', cell: nameOf },
  {
    id: 'why',
    header: 'Order or reason',
    cell: ({ orderId, orderReference, note }) =>
      orderId === null ? (
        note
      ) : (
        <Link href={`/orders/${orderId}`}>
          <Reference reference={orderReference ?? orderId} />
        </Link>
      ),
  },
  {
    id: 'converted',
    header: 'Order amount × rate',
    align: 'end',
    cell: ({ currency, orderAmount, rate }) =>
      currency === null || orderAmount === null || rate === null || currency === 'PKR' ? null : (
        <span>
          <Money amount={orderAmount} currency={currency} aligned={false} /> ×{' '}
          <Money amount={rate} aligned={false} />
        </span>
      ),
  },
  {
    id: 'amount',
    header: 'Amount, PKR',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} signed />,
  },
  {
    id: 'fee',
    header: 'Fee',
    align: 'end',
    cell: ({ kind, fee }) => (kind === 'settlement' ? <Money amount={fee} /> : null),
  },
  {
    id: 'change',
    header: 'Net',
    align: 'end',
    cell: ({ walletChange }) => <Money amount={walletChange} signed />,
  },
  {
    id: 'balance',
    header: 'Balance after',
    align: 'end',
    cell: ({ walletBalance }) => (
      <strong>
        <Money amount={walletBalance} />
      </strong>
    ),
  },
  {
    id: 'frozen',
    header: 'Frozen after',
    align: 'end',
    cell: ({ frozenBalance }) => <Money amount={frozenBalance} />,
  },
  { id: 'when', header: 'When', cell: ({ at }) => <When at={at} /> },
];

const FILTERS = { from: day(), to: day() };

/** The days of the address, and what they are asked by: the service knows the merchant’s zone. */
export function useMovementTimes() {
  const { values, set, clear, count } = useFilters(FILTERS);
  return { values, set, clear, count, query: datesOfDays(values) };
}

/** Every movement of a wallet, with what was in it after; `csvPath` gives the same as a file. */
export function WalletMovements({
  list,
  times,
  timeZone,
  csvPath,
}: {
  readonly list: List<Movement>;
  readonly times: ReturnType<typeof useMovementTimes>;
  /** Of the merchant. */
  readonly timeZone: string;
  readonly csvPath: string;
}) {
  const { values, set, clear, count, query } = times;
  const rows = list.rows ?? [];
  const isFrozen = rows.some(({ frozenBalance }) => !isZero(frozenBalance));
  const isConverted = rows.some(({ currency }) => currency !== null && currency !== 'PKR');
  return (
    <Card
      title="Movements"
      actions={
        <CsvLink
          path={csvPath}
          query={query}
          label="Save these movements as a CSV file"
          size="xs"
        />
      }
    >
      <p className={classes['hint']}>
        In PKR, the newest first. The balance is the wallet’s, with what is reserved in it. Days and
        times are those of {timeZone}.
      </p>
      <FilterBar count={count} onClear={clear}>
        <TimeZone value={timeZone}>
          <DaysFilter from={values.from} to={values.to} set={set} />
        </TimeZone>
      </FilterBar>
      <TimeZone value={timeZone}>
        <DataTable
          label="Movements"
          list={list}
          hidden={new Set([...(isFrozen ? [] : ['frozen']), ...(isConverted ? [] : ['converted'])])}
          rowId={({ movementId }) => movementId}
          rowLabel={nameOf}
          empty={
            <p>
              {count > 0
                ? 'Nothing moved in this wallet in that time.'
                : 'Nothing has moved in this wallet yet.'}
            </p>
          }
          columns={COLUMNS}
        />
      </TimeZone>
    </Card>
  );
}

/** The balances of a wallet; without the optional ones, as they were at some moment. */
interface Sums {
  readonly currency: string;
  readonly availableBalance?: string;
  readonly reservedBalance?: string;
  readonly walletBalance: string;
  readonly frozenBalance: string;
  readonly overdrawn?: boolean;
}

/** The sums of a wallet, and how they add up. */
export function WalletSums({
  balance,
  reservedBy,
}: {
  readonly balance: Sums;
  /** Under what is reserved. */
  readonly reservedBy?: ReactNode;
}) {
  const { availableBalance, reservedBalance, currency, overdrawn = false } = balance;
  const sums = [
    ['Available', availableBalance],
    ['Reserved', reservedBalance],
    ['Wallet balance', balance.walletBalance],
    ['Frozen', balance.frozenBalance],
  ] as const;
  return (
    <>
      <dl className={classes['sums']}>
        {sums.map(([name, amount]) =>
          amount === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Money amount={amount} currency={currency} large />
                {name === 'Reserved' ? reservedBy : null}
              </dd>
            </div>
          ),
        )}
      </dl>
      <p className={classes['hint']}>
        {availableBalance === undefined
          ? 'By the ledger. What open withdrawals had reserved is part of the wallet balance.'
          : 'Available is the wallet balance less what open withdrawals reserve. Frozen money has left the wallet.'}
      </p>
      {overdrawn ? (
        <Chip tone="failed" label="A late confirmation took the available balance below zero." />
      ) : null}
    </>
  );
}
