import { LIST_WALLET_MOVEMENTS, WALLET_MOVEMENTS_CSV, type WalletMovementView } from '@munshi/api';
import { type AsText, isZero, timesOfDays } from '@munshi/web';
import {
  Card,
  type Column,
  CsvLink,
  DataTable,
  DayFilter,
  FilterBar,
  Money,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './merchant.module.css';
import { texts } from './texts.ts';

type Movement = AsText<WalletMovementView>;

const FILTERS = { from: text(), to: text() };

const nameOf = ({ kind, orderType }: Movement): string =>
  kind === 'settlement' ? texts.types[orderType ?? 'Deposit'] : texts.kinds[kind];

const COLUMNS: readonly Column<Movement>[] = [
  { id: 'kind', header: texts.movement, cell: nameOf },
  {
    id: 'why',
    header: texts.orderOrReason,
    cell: ({ orderId, orderReference, note }) =>
      orderId === null ? note : <Link href={`/orders/${orderId}`}>{orderReference}</Link>,
  },
  {
    id: 'amount',
    header: texts.amount,
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} signed />,
  },
  {
    id: 'fee',
    header: texts.fee,
    align: 'end',
    cell: ({ kind, fee }) => (kind === 'settlement' ? <Money amount={fee} /> : null),
  },
  {
    id: 'change',
    header: texts.walletChange,
    align: 'end',
    cell: ({ walletChange }) => <Money amount={walletChange} signed />,
  },
  {
    id: 'balance',
    header: texts.balanceAfter,
    align: 'end',
    cell: ({ walletBalance }) => (
      <strong>
        <Money amount={walletBalance} />
      </strong>
    ),
  },
  {
    id: 'frozen',
    header: texts.frozenAfter,
    align: 'end',
    cell: ({ frozenBalance }) => <Money amount={frozenBalance} />,
  },
  { id: 'when', header: texts.when, cell: ({ at }) => <When at={at} /> },
];

/** The statement: every movement of the wallet, with what was in it after. */
export function Movements({ merchantId }: { readonly merchantId: string }) {
  const { values, set, clear, count } = useFilters(FILTERS);
  const query = timesOfDays(values);
  const list = useList(
    LIST_WALLET_MOVEMENTS,
    { params: { merchantId }, query },
    { watch: ['order', 'approval'] },
  );
  const isFrozen = list.rows?.some(({ frozenBalance }) => !isZero(frozenBalance)) ?? false;
  return (
    <Card
      title={texts.movements}
      actions={
        <CsvLink
          path={WALLET_MOVEMENTS_CSV.path.replace(':merchantId', merchantId)}
          query={query}
          label={texts.movementsCsv}
          size="xs"
        />
      }
    >
      <p className={classes['hint']}>{texts.movementsHint}</p>
      <FilterBar count={count} onClear={clear}>
        <DayFilter label={texts.fromDay} value={values.from} onChange={(from) => set({ from })} />
        <DayFilter label={texts.toDay} value={values.to} onChange={(to) => set({ to })} />
      </FilterBar>
      <DataTable
        label={texts.movements}
        list={list}
        hidden={new Set(isFrozen ? [] : ['frozen'])}
        rowId={({ movementId }) => movementId}
        rowLabel={nameOf}
        empty={<p>{count > 0 ? texts.noMovementsThen : texts.noMovements}</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
