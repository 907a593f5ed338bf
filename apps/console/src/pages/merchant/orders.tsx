import { LIST_ORDERS, type OrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, DataTable, Money, OrderStatus, useList, When } from '@munshi/web-ui';
import { useMethodName } from '../../method-names.tsx';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

export function OrdersTab({ merchant: { merchantId } }: TabProps) {
  const nameOf = useMethodName();
  const list = useList(LIST_ORDERS, { query: { merchantId } }, { watch: ['order'] });
  const columns: readonly Column<AsText<OrderView>>[] = [
    { id: 'reference', header: texts.order, cell: ({ orderReference }) => orderReference },
    { id: 'type', header: texts.type, cell: ({ orderType }) => texts.types[orderType] },
    { id: 'method', header: texts.method, cell: ({ walletType }) => nameOf(walletType) },
    {
      id: 'amount',
      header: texts.amount.split(',')[0] as string,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'status',
      header: texts.status,
      cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
    },
    { id: 'created', header: texts.when, cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
  return (
    <DataTable
      label={texts.tabs.orders}
      list={list}
      rowId={({ orderId }) => orderId}
      rowLabel={({ orderReference }) => orderReference}
      href={({ orderId }) => `/orders/${orderId}`}
      empty={<p>{texts.noOrders}</p>}
      columns={columns}
    />
  );
}
