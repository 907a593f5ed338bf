import type { AnswerOf, LIST_ORDERS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, Countdown, Money, OrderStatus, Reference, When } from '@munshi/web-ui';
import { MethodName } from '../../method-names.tsx';
import { texts } from './texts.ts';

type Row = AsText<AnswerOf<typeof LIST_ORDERS>>['data'][number];

export const COLUMN_IDS = [
  'amount',
  'status',
  'merchant',
  'type',
  'method',
  'member',
  'created',
  'due',
  'merchantRef',
  'customer',
  'fee',
  'completed',
  'failed',
  'reason',
] as const;
export const SHOWN_AT_FIRST: readonly (typeof COLUMN_IDS)[number][] = [
  'amount',
  'status',
  'merchant',
  'type',
  'method',
  'member',
  'created',
];

const { heads } = texts;
const maybe = (at: string | null) => (at === null ? null : <When at={at} />);

/** The reference comes first and leads to the order. */
export const COLUMNS_OF_ORDERS: readonly Column<Row>[] = [
  {
    id: 'reference',
    header: heads.reference,
    cell: ({ orderReference }) => <Reference reference={orderReference} />,
  },
  {
    id: 'amount',
    header: heads.amount,
    align: 'end',
    cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    id: 'status',
    header: heads.status,
    cell: ({ status, stage }) => <OrderStatus status={status} stage={stage} />,
  },
  { id: 'merchant', header: heads.merchant, cell: ({ merchantName }) => merchantName },
  { id: 'type', header: heads.type, cell: ({ orderType }) => texts.types[orderType] },
  {
    id: 'method',
    header: heads.method,
    cell: ({ walletType }) => <MethodName method={walletType} />,
  },
  { id: 'member', header: heads.member, cell: ({ memberName }) => memberName },
  { id: 'created', header: heads.created, cell: ({ createdAt }) => <When at={createdAt} /> },
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
  {
    id: 'fee',
    header: heads.fee,
    align: 'end',
    cell: ({ fee, currency }) => (fee === null ? null : <Money amount={fee} currency={currency} />),
  },
  { id: 'completed', header: heads.completed, cell: ({ completedAt }) => maybe(completedAt) },
  { id: 'failed', header: heads.failed, cell: ({ failedAt }) => maybe(failedAt) },
  { id: 'reason', header: heads.reason, cell: ({ failureReason }) => failureReason },
];
