import {
  type FiltersOf,
  filtersInWords,
  type InWords,
  ORDER_FILTERS,
  oneOf,
  text,
  useOrderQuery,
} from '@munshi/web-ui';
import { useMemo } from 'react';
import { useMethodName } from '../../method-names.tsx';
import { useMemberName, useMerchantName } from '../../picks.tsx';
import { texts } from './texts.ts';

/** Minutes until the deadline. */
export const DUE = ['0', '5', '15', '60'] as const;
export const YES_NO = ['true', 'false'] as const;

/** All of it is in the address, so that a link shows the same. Days are those of the reader. */
export const FILTERS = {
  ...ORDER_FILTERS,
  merchantId: text(),
  memberId: text(),
  due: oneOf(DUE),
  hasLateClaim: oneOf(YES_NO),
  hasFailingWebhook: oneOf(YES_NO),
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
    due: values.due && texts.due[values.due],
    hasLateClaim: values.hasLateClaim && texts.yesNo[values.hasLateClaim],
    hasFailingWebhook: values.hasFailingWebhook && texts.yesNo[values.hasFailingWebhook],
  };
}
