import {
  type FiltersOf,
  filtersInWords,
  type InWords,
  id,
  ORDER_FIELDS,
  ORDER_FILTERS,
  oneOf,
  useOrderQuery,
} from '@munshi/web-ui';
import { useMemo } from 'react';
import { useMethodName } from '../../method-names.ts';
import { useMemberName, useMerchantName } from '../../picks.tsx';

/** By minutes until the deadline. */
export const DUE = {
  '0': 'Overdue',
  '5': 'Within 5 min',
  '15': 'Within 15 min',
  '60': 'Within 1 hour',
} as const;
export const YES_NO = { true: 'Yes', false: 'No' } as const;

export const FIELDS = {
  ...ORDER_FIELDS,
  merchantId: 'Merchant',
  memberId: 'Member',
  due: 'Due',
  hasLateClaim: 'Late claim',
  hasFailingWebhook: 'Failing webhook',
};

export const keysOf = <Key extends string>(names: Readonly<Record<Key, string>>) =>
  Object.keys(names) as Key[];

/** All of it is in the address, so that a link shows the same. Days are those of the reader. */
export const FILTERS = {
  ...ORDER_FILTERS,
  merchantId: id(),
  memberId: id(),
  due: oneOf(keysOf(DUE)),
  hasLateClaim: oneOf(keysOf(YES_NO)),
  hasFailingWebhook: oneOf(keysOf(YES_NO)),
};
export type OrderFilters = FiltersOf<typeof FILTERS>;

/** What is asked of the service; the same object while the filters are the same. */
export function useOperatorsQuery(values: OrderFilters) {
  const asked = useOrderQuery(values);
  return useMemo(() => {
    const { due, hasLateClaim, hasFailingWebhook, ...others } = asked;
    return {
      ...others,
      ...(due !== undefined && { dueWithinMinutes: Number(due) }),
      ...(hasLateClaim !== undefined && { hasLateClaim: hasLateClaim === 'true' }),
      ...(hasFailingWebhook !== undefined && { hasFailingWebhook: hasFailingWebhook === 'true' }),
      ...(asked.search !== undefined && { utcOffset: -new Date().getTimezoneOffset() }),
    };
  }, [asked]);
}

/** What each filter is set to. */
export function useInWords(values: OrderFilters): InWords<OrderFilters> {
  const methodName = useMethodName();
  const merchant = useMerchantName(values.merchantId);
  const member = useMemberName(values.memberId);
  return {
    ...filtersInWords(values, methodName),
    merchantId: values.merchantId && (merchant ?? '…'),
    memberId: values.memberId && (member ?? '…'),
    due: values.due && DUE[values.due],
    hasLateClaim: values.hasLateClaim && YES_NO[values.hasLateClaim],
    hasFailingWebhook: values.hasFailingWebhook && YES_NO[values.hasFailingWebhook],
  };
}
