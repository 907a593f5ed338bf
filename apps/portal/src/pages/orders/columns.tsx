import type { PortalOrderView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, ORDER_COLUMNS } from '@munshi/web-ui';
import { MethodCell } from '../../method-names.ts';

type Row = AsText<PortalOrderView>;

/** Until somebody chooses; the reference always stands. */
export const SHOWN_AT_FIRST = ['amount', 'status', 'merchantRef', 'type', 'method', 'created'];

const { reference, amount, status, type, created, fee, completed, failed, reason } = ORDER_COLUMNS;

/** In their order. */
export const COLUMNS: readonly Column<Row>[] = [
  reference,
  amount,
  status,
  {
    id: 'merchantRef',
    header: 'Your reference',
    cell: ({ merchantOrderRef }) => merchantOrderRef,
  },
  type,
  {
    id: 'method',
    header: 'Method',
    cell: ({ walletType, currency }) => <MethodCell method={walletType} currency={currency} />,
  },
  created,
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
