import type { AnswerOf, LIST_ORDERS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, Countdown, ORDER_COLUMNS } from '@munshi/web-ui';
import { MethodName } from '../../method-names.tsx';
import { texts } from './texts.ts';

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

const { heads } = texts;
const { reference, amount, status, type, created, fee, completed, failed, reason } = ORDER_COLUMNS;

/** In their order. */
export const COLUMNS: readonly Column<Row>[] = [
  reference,
  amount,
  status,
  { id: 'merchant', header: heads.merchant, cell: ({ merchantName }) => merchantName },
  type,
  {
    id: 'method',
    header: heads.method,
    cell: ({ walletType }) => <MethodName method={walletType} />,
  },
  { id: 'member', header: heads.member, cell: ({ memberName }) => memberName },
  created,
  {
    id: 'due',
    header: heads.due,
    cell: ({ dueAt }) => (dueAt === null ? null : <Countdown at={dueAt} />),
  },
  {
    id: 'merchantRef',
    header: heads.merchantRef,
    cell: ({ merchantOrderRef }) => merchantOrderRef,
  },
  { id: 'customer', header: heads.customer, cell: ({ customerReference }) => customerReference },
  fee,
  completed,
  failed,
  reason,
];
