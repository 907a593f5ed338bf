import { groupedAmount } from '@munshi/web';
import { statusLabel } from '../order-status.tsx';
import type { FiltersOf } from '../use-filters.ts';
import type { ORDER_FILTERS } from './choices.ts';

type Values = FiltersOf<typeof ORDER_FILTERS>;

/** What each filter but the search, which stands in its box, is set to; undefined where it is not. */
export type InWords<Filters> = {
  readonly [Name in Exclude<keyof Filters, 'search'>]-?: string | undefined;
};

/** The filters of every list of orders in words. */
export const filtersInWords = (
  values: Values,
  methodName: (method: string) => string,
): InWords<Values> => ({
  status: values.status?.map(statusLabel).join(', '),
  stage: values.stage?.join(', '),
  orderType: values.orderType,
  walletType: values.walletType?.map(methodName).join(', '),
  currency: values.currency?.join(', '),
  from: values.from,
  to: values.to,
  amountFrom: values.amountFrom && groupedAmount(values.amountFrom),
  amountTo: values.amountTo && groupedAmount(values.amountTo),
});
