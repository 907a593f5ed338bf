import type { PortalOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import type { Column } from '../data-table.tsx';
import { Money } from '../money.tsx';
import { OrderStatus } from '../order-status.tsx';
import { When } from '../when.tsx';
import { Reference } from './reference.tsx';

type Row = AsText<PortalOrderView>;
const maybe = (at: string | null) => (at === null ? null : <When at={at} />);

/** What every list of orders shows alike. The reference comes first and leads to the order. */
export const ORDER_COLUMNS = {
  reference: {
    id: 'reference',
    header: 'Reference',
    cell: ({ orderReference }) => <Reference reference={orderReference} />,
  },
  amount: {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  status: {
    id: 'status',
    header: 'Status',
    cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
  },
  type: { id: 'type', header: 'Type', cell: ({ orderType }) => orderType },
  created: {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  fee: {
    id: 'fee',
    header: 'Fee',
    align: 'end',
    cell: ({ fee, currency }) => (fee === null ? null : <Money amount={fee} currency={currency} />),
  },
  completed: {
    id: 'completed',
    header: 'Completed',
    cell: ({ completedAt }) => maybe(completedAt),
  },
  failed: { id: 'failed', header: 'Failed', cell: ({ failedAt }) => maybe(failedAt) },
  reason: { id: 'reason', header: 'Reason', cell: ({ failureReason }) => failureReason },
} as const satisfies Readonly<Record<string, Column<Row>>>;
