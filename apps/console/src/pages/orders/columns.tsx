import type { AnswerOf, LIST_ORDERS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, Countdown, ORDER_COLUMNS } from '@munshi/web-ui';
import { MethodCell } from '../../method-names.ts';

type Row = AsText<AnswerOf<typeof LIST_ORDERS>>['data'][number];

/** Until somebody chooses; the reference always stands. */
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
export const COLUMNS: readonly Column<Row>[] = [
  reference,
  amount,
  status,
  { id: 'merchant', header: 'Merchant', cell: ({ merchantName }) => merchantName },
  type,
  {
    id: 'method',
    header: 'Method',
    cell: ({ walletType, currency }) => <MethodCell method={walletType} currency={currency} />,
  },
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
