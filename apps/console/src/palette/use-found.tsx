import { useDebouncedValue } from '@mantine/hooks';
import { LIST_MEMBERS, LIST_MERCHANTS, LIST_ORDERS } from '@munshi/api';
import { amountText } from '@munshi/web';
import {
  errorText,
  type Group,
  LETTERS_MIN,
  OrderStatus,
  useRead,
  WhatWasSearched,
} from '@munshi/web-ui';
import Receipt from 'lucide-react/icons/receipt';
import Store from 'lucide-react/icons/store';
import Users from 'lucide-react/icons/users';

const MERCHANT_STATUS = { active: '', suspended: 'suspended', closed: 'closed' };

const MEMBER_STATUS = { active: '', suspended: 'suspended' };

/** As long as people pause between two keys. */
const TYPING_MS = 200;
const SHOWN = 5;

/** What the service finds for what was typed: an order by anything that the list finds it by. */
export function useFound(typed: string) {
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const enabled = settled.length >= LETTERS_MIN;
  const query = { search: settled, limit: SHOWN };
  const utcOffset = -new Date().getTimezoneOffset();
  const orders = useRead(LIST_ORDERS, { query: { ...query, utcOffset } }, { enabled });
  const merchants = useRead(LIST_MERCHANTS, { query }, { enabled });
  const members = useRead(LIST_MEMBERS, { query }, { enabled });
  const reads = [
    ['Orders', orders],
    ['Merchants', merchants],
    ['Members', members],
  ] as const;
  return {
    isSearching:
      typed.length >= LETTERS_MIN &&
      (settled !== typed || reads.some(([, { isLoading }]) => isLoading)),
    failures: enabled
      ? reads.flatMap(([what, { error }]) =>
          error === null ? [] : [`${what} could not be searched. ${errorText(error)}`],
        )
      : [],
    searched: orders.data?.data.length === 0 && orders.data.searched !== null && (
      <WhatWasSearched searched={orders.data.searched} what="orders" />
    ),
    groups: enabled
      ? [
          // A name also finds its orders: the person or merchant comes first.
          group('Merchants', merchants.data?.data.map(merchantItem)),
          group('Members', members.data?.data.map(memberItem)),
          group('Orders', orders.data?.data.map(orderItem)),
        ]
      : [],
  };
}

const group = (label: string, items: Group['items'] = []): Group => ({ label, items });

type OrderRow = NonNullable<ReturnType<typeof useRead<typeof LIST_ORDERS>>['data']>['data'][number];
type MerchantRow = NonNullable<
  ReturnType<typeof useRead<typeof LIST_MERCHANTS>>['data']
>['data'][number];
type MemberRow = NonNullable<
  ReturnType<typeof useRead<typeof LIST_MEMBERS>>['data']
>['data'][number];

const orderItem = (order: OrderRow) => ({
  id: order.orderId,
  icon: Receipt,
  label: `${amountText(order.amount, order.currency)} ${order.orderType.toLowerCase()}`,
  detail: [order.orderReference, order.merchantName, order.memberName].filter(Boolean).join(' · '),
  side: <OrderStatus status={order.status} stage={order.stage} />,
  path: `/orders/${order.orderId}`,
});

const merchantItem = ({ merchantId, name, status }: MerchantRow) => ({
  id: merchantId,
  icon: Store,
  label: name,
  side: MERCHANT_STATUS[status],
  path: `/merchants/${merchantId}`,
});

const memberItem = ({ memberId, name, username, status, online }: MemberRow) => ({
  id: memberId,
  icon: Users,
  label: name,
  detail: username,
  side: MEMBER_STATUS[status] || (online ? 'online' : 'offline'),
  path: `/members/${memberId}`,
});
