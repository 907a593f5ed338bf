import { type AnswerOf, LIST_ORDERS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, DataTable, ORDER_COLUMNS, useList } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { MethodCell } from './method-names.ts';

export type OrderRow = AsText<AnswerOf<typeof LIST_ORDERS>>['data'][number];

export const METHOD_COLUMN: Column<OrderRow> = {
  id: 'method',
  header: 'Method',
  cell: ({ walletType, currency }) => <MethodCell method={walletType} currency={currency} />,
};

const { reference, amount, status, type, created } = ORDER_COLUMNS;
const COLUMNS: readonly Column<OrderRow>[] = [
  ...[reference, amount, status, type],
  ...[METHOD_COLUMN, created],
];

interface OrdersOfProps {
  readonly owner: { readonly merchantId: string } | { readonly memberId: string };
  readonly empty: ReactNode;
}

/** The orders of a merchant or a member, the newest first. */
export function OrdersOf({ owner, empty }: OrdersOfProps) {
  const list = useList(LIST_ORDERS, { query: owner }, { watch: ['order'] });
  return (
    <DataTable
      label="Orders"
      list={list}
      rowId={({ orderId }) => orderId}
      rowLabel={({ orderReference }) => orderReference}
      href={({ orderId }) => `/orders/${orderId}`}
      empty={empty}
      columns={COLUMNS}
    />
  );
}
