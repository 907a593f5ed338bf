import type { PortalOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, Money, OrderStatus, Reference, When } from '@munshi/web-ui';
import { MethodName } from '../../method-names.tsx';
import classes from './orders.module.css';
import { texts } from './texts.ts';

type Row = AsText<PortalOrderView>;

export const COLUMN_IDS = [
  'amount',
  'status',
  'merchantRef',
  'type',
  'method',
  'created',
  'customer',
  'fee',
  'completed',
  'failed',
  'reason',
] as const;
export const SHOWN_AT_FIRST: readonly (typeof COLUMN_IDS)[number][] = [
  'amount',
  'status',
  'merchantRef',
  'type',
  'method',
  'created',
];

const { heads } = texts;
const maybe = (at: string | null) => (at === null ? null : <When at={at} />);

/** The reference comes first and leads to the order. */
export const COLUMNS_OF_ORDERS: readonly Column<Row>[] = [
  {
    id: 'reference',
    header: heads.reference,
    cell: ({ orderReference }) => <Reference reference={orderReference} />,
  },
  {
    id: 'amount',
    header: heads.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'status',
    header: heads.status,
    cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
  },
  {
    id: 'merchantRef',
    header: heads.merchantRef,
    cell: ({ merchantOrderRef }) => <span className={classes['own']}>{merchantOrderRef}</span>,
  },
  { id: 'type', header: heads.type, cell: ({ orderType }) => texts.types[orderType] },
  {
    id: 'method',
    header: heads.method,
    cell: ({ walletType }) => <MethodName method={walletType} />,
  },
  { id: 'created', header: heads.created, cell: ({ createdAt }) => <When at={createdAt} /> },
  {
    id: 'customer',
    header: heads.customer,
    cell: ({ customerReference }) => <span className={classes['own']}>{customerReference}</span>,
  },
  {
    id: 'fee',
    header: heads.fee,
    align: 'end',
    cell: ({ fee, currency }) => (fee === null ? null : <Money amount={fee} currency={currency} />),
  },
  { id: 'completed', header: heads.completed, cell: ({ completedAt }) => maybe(completedAt) },
  { id: 'failed', header: heads.failed, cell: ({ failedAt }) => maybe(failedAt) },
  { id: 'reason', header: heads.reason, cell: ({ failureReason }) => failureReason },
];
