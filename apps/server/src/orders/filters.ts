import type { PORTAL_EXPORT_ORDERS, QueryOf } from '@munshi/api';
import { parseMoney, type Zones } from '@munshi/core';
import { readTime } from '../platform/http/values.ts';
import type { OrderFilters } from './searches.store.ts';

/** The filters that operators and merchants share, as the search takes them. */
export const filtersOf = (
  {
    status,
    stage,
    orderType,
    walletType,
    currency,
    from,
    to,
    amountFrom,
    amountTo,
  }: QueryOf<typeof PORTAL_EXPORT_ORDERS>,
  zones: Zones,
): OrderFilters => ({
  ...{ status, stage, orderType, walletType, currency },
  from: readTime('from', from, zones),
  to: readTime('to', to, zones),
  amountFrom: amountOf(amountFrom),
  amountTo: amountOf(amountTo),
});

const amountOf = (text: string | undefined) => (text === undefined ? undefined : parseMoney(text));
