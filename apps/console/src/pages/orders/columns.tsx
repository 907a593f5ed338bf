import { type Column, Countdown, ORDER_COLUMNS } from '@munshi/web-ui';
import { METHOD_COLUMN, type OrderRow } from '../../orders-of.tsx';

/** Until others are chosen; the reference is always shown. */
export const SHOWN_AT_FIRST = [
  'amount',
  'status',
  'merchant',
  'type',
  'method',
  'member',
  'created',
];

const { reference, amount, status, type, created, fee, completed, failed, reason } = ORDER_COLUMNS;

/** In their order. */
export const COLUMNS: readonly Column<OrderRow>[] = [
  reference,
  amount,
  status,
  { id: 'merchant', header: 'Merchant', cell: ({ merchantName }) => merchantName },
  type,
  METHOD_COLUMN,
  { id: 'member', header: 'Member', cell: ({ memberName }) => memberName },
  created,
  {
    id: 'due',
    header: 'Due',
    cell: ({ dueAt }) => (dueAt === null ? null : <Countdown at={dueAt} />),
  },
  {
    id: 'merchantRef',
    header: 'Merchant’s reference',
    cell: ({ merchantOrderRef }) => merchantOrderRef,
  },
  {
    id: 'customer',
    header: 'Customer reference',
    cell: ({ customerReference }) => customerReference,
  },
  fee,
  completed,
  failed,
  reason,
];
