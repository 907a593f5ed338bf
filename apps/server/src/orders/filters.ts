import type { PORTAL_EXPORT_ORDERS, QueryOf } from '@munshi/api';
import {
  type Instant,
  type OrderSearchKind,
  parseMoney,
  readOrderSearch,
  type Zones,
} from '@munshi/core';
import { readTime } from '../platform/http/values.ts';
import type { OrderFilters, TextSearch } from './search-selects.store.ts';

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

/** What was typed into the search box, by the kinds that its writer may search by. */
export function readSearch(
  typed: string | undefined,
  here: { readonly now: Instant; readonly zones: Zones },
  by: readonly OrderSearchKind[],
): TextSearch | undefined {
  const text = typed?.trim() || undefined;
  return text === undefined ? undefined : { what: readOrderSearch(text, here), by };
}
