import type { PortalOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import type { Column } from '../data-table.tsx';
import { Money } from '../money.tsx';
import { OrderStatus } from '../order-status.tsx';
import { When } from '../when.tsx';
import { Reference } from './reference.tsx';
import { texts } from './texts.ts';

const { heads } = texts;
type Row = AsText<PortalOrderView>;
const maybe = (at: string | null) => (at === null ? null : <When at={at} />);

/** What every list of orders shows alike. The reference comes first and leads to the order. */
export const ORDER_COLUMNS = {
  reference: {
    id: 'reference',
    header: heads.reference,
    cell: ({ orderReference }) => <Reference reference={orderReference} />,
  },
  amount: {
    id: 'amount',
    header: heads.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  status: {
    id: 'status',
    header: heads.status,
    cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
  },
  type: { id: 'type', header: heads.type, cell: ({ orderType }) => texts.types[orderType] },
  created: {
    id: 'created',
    header: heads.created,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
  fee: {
    id: 'fee',
    header: heads.fee,
    align: 'end',
    cell: ({ fee, currency }) => (fee === null ? null : <Money amount={fee} currency={currency} />),
  },
  completed: {
    id: 'completed',
    header: heads.completed,
    cell: ({ completedAt }) => maybe(completedAt),
  },
  failed: { id: 'failed', header: heads.failed, cell: ({ failedAt }) => maybe(failedAt) },
  reason: { id: 'reason', header: heads.reason, cell: ({ failureReason }) => failureReason },
} as const satisfies Readonly<Record<string, Column<Row>>>;
