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
import { AuditOf } from '../../audit-entries.tsx';
import { useMethodName } from '../../method-names.ts';
import type { TabProps } from './shown.ts';

export function OrdersTab({ member: { memberId } }: TabProps) {
  const nameOf = useMethodName();
  const list = useList(LIST_ORDERS, { query: { memberId } }, { watch: ['order'] });
  const columns: readonly Column<AsText<OrderView>>[] = [
    {
      id: 'reference',
      header: 'Order',
      cell: ({ orderReference }) => <Reference reference={orderReference} />,
    },
    {
      id: 'method',
      header: 'Method',
      cell: ({ walletType, currency }) => nameOf(walletType, currency),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
    },
    { id: 'created', header: 'Created', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
  return (
    <DataTable
      label="Orders"
      list={list}
      rowId={({ orderId }) => orderId}
      rowLabel={({ orderReference }) => orderReference}
      href={({ orderId }) => `/orders/${orderId}`}
      empty={<p>They have had no order yet.</p>}
      columns={columns}
    />
  );
}

export const AuditTab = ({ member: { memberId } }: TabProps) => (
  <AuditOf
    target={memberId}
    watch="member"
    label="Audit"
    empty="Nothing is recorded about this member."
  />
);
