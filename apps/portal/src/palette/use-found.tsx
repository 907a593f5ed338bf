import { useDebouncedValue } from '@mantine/hooks';
import { PORTAL_LIST_ORDERS, type PortalOrderView } from '@munshi/api';
import { type AsText, amountText } from '@munshi/web';
import { errorText, LETTERS_MIN, OrderStatus, useRead, WhatWasSearched } from '@munshi/web-ui';
import Receipt from 'lucide-react/icons/receipt';

/** As long as people pause between two keys. */
const TYPING_MS = 200;
const SHOWN = 8;

/** The orders that the service finds for what was typed. */
export function useFound(typed: string) {
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const enabled = settled.length >= LETTERS_MIN;
  const query = { search: settled, limit: SHOWN };
  const { data, error, isLoading } = useRead(PORTAL_LIST_ORDERS, { query }, { enabled });
  const items = enabled ? (data?.data ?? []).map(orderItem) : [];
  return {
    isSearching: typed.length >= LETTERS_MIN && (settled !== typed || isLoading),
    failures:
      enabled && error !== null ? [`Orders could not be searched. ${errorText(error)}`] : [],
    searched: data?.data.length === 0 && data.searched !== null && (
      <WhatWasSearched searched={data.searched} what="orders" />
    ),
    groups: [{ label: 'Orders', items }],
  };
}

const orderItem = (order: AsText<PortalOrderView>) => ({
  id: order.orderId,
  icon: Receipt,
  label: `${amountText(order.amount, order.currency)} ${order.orderType.toLowerCase()}`,
  detail: [order.orderReference, order.merchantOrderRef].filter(Boolean).join(' · '),
  side: <OrderStatus status={order.status} stage={order.stage} />,
  path: `/orders/${order.orderId}`,
});
