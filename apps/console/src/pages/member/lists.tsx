import { type AuditView, LIST_AUDIT, LIST_ORDERS, type OrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, DataTable, Money, OrderStatus, useList, When } from '@munshi/web-ui';
import { useMethodName } from '../../method-names.tsx';
import { texts as auditTexts } from '../audit/texts.ts';
import type { TabProps } from './page.tsx';
import { texts } from './texts.ts';

export function OrdersTab({ member: { memberId } }: TabProps) {
  const nameOf = useMethodName();
  const list = useList(LIST_ORDERS, { query: { memberId } }, { watch: ['order'] });
  const columns: readonly Column<AsText<OrderView>>[] = [
    { id: 'reference', header: texts.order, cell: ({ orderReference }) => orderReference },
    { id: 'method', header: texts.method, cell: ({ walletType }) => nameOf(walletType) },
    {
      id: 'amount',
      header: texts.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      id: 'status',
      header: texts.status,
      cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
    },
    { id: 'created', header: texts.created, cell: ({ createdAt }) => <When at={createdAt} /> },
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

const AUDIT_COLUMNS: readonly Column<AsText<AuditView>>[] = [
  { id: 'action', header: texts.action, cell: ({ action }) => auditTexts.actionOf(action) },
  { id: 'who', header: texts.who, cell: ({ actor }) => actor.name ?? actor.kind },
  { id: 'where', header: texts.where, cell: ({ actor }) => actor.address ?? '' },
  { id: 'when', header: texts.when, cell: ({ at }) => <When at={at} /> },
];

export function AuditTab({ member: { memberId } }: TabProps) {
  const list = useList(LIST_AUDIT, { query: { target: memberId } }, { watch: ['member'] });
  return (
    <DataTable
      label={texts.tabs.audit}
      list={list}
      rowId={({ auditId }) => auditId}
      rowLabel={({ action }) => auditTexts.actionOf(action)}
      empty={<p>{texts.noAudit}</p>}
      columns={AUDIT_COLUMNS}
    />
  );
}
