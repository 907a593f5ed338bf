import { LIST_ORDERS, type OrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  type Column,
  DataTable,
  Money,
  OrderStatus,
  Reference,
  useList,
  When,
} from '@munshi/web-ui';
import { useMethodName } from '../../method-names.ts';
import type { TabProps } from './shown.ts';

export function OrdersTab({ merchant: { merchantId } }: TabProps) {
  const nameOf = useMethodName();
  const list = useList(LIST_ORDERS, { query: { merchantId } }, { watch: ['order'] });
  const columns: readonly Column<AsText<OrderView>>[] = [
    {
      id: 'reference',
      header: 'Order',
      cell: ({ orderReference }) => <Reference reference={orderReference} />,
    },
    { id: 'type', header: 'Type', cell: ({ orderType }) => orderType },
    {
      id: 'method',
      header: 'Method',
      cell: ({ walletType, currency }) => nameOf(walletType, currency),
    },
    {
      id: 'amount',
      header: 'Amount, PKR'.split(',')[0] as string,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
    },
    { id: 'created', header: 'When', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
  return (
    <DataTable
      label="Orders"
      list={list}
      rowId={({ orderId }) => orderId}
      rowLabel={({ orderReference }) => orderReference}
      href={({ orderId }) => `/orders/${orderId}`}
      empty={<p>No order yet.</p>}
      columns={columns}
    />
  );
}
