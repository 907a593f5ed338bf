import { UTC } from './calendar.ts';
import { withoutLogin } from './mask.ts';
import type { Instant } from './order.ts';
import {
  kindsOfSearch,
  ORDER_SEARCHES,
  type OrderSearch,
  type OrderSearchKind,
  readOrderSearch,
} from './order-search.ts';

/** By what of their order deliveries are found. */
export const DELIVERIES_BY_ORDER = [
  'orderId',
  'reference',
  'shortEnd',
  'merchantReferenceEnd',
  'referencePart',
] as const satisfies readonly OrderSearchKind[];
/** Everything that one text may find a delivery by. */
export const DELIVERY_SEARCH_KINDS = ['deliveryId', ...DELIVERIES_BY_ORDER, 'url'] as const;
export type DeliverySearchKind = (typeof DELIVERY_SEARCH_KINDS)[number];

export const isInNewestDeliveries = (kind: DeliverySearchKind): boolean =>
  kind === 'url' || (kind !== 'deliveryId' && ORDER_SEARCHES[kind] === 'newest');

/** What a search for a delivery may mean. Every kind that is not null is looked for. */
export interface DeliverySearch {
  readonly order: OrderSearch;
  readonly deliveryId: string | null;
  /** Part of the URL without its login, in any case; looked for among the newest deliveries. */
  readonly url: string | null;
}

const URL_PART = /^\S{3,}$/;

/** Reads what was typed into the search box, trimmed. */
export function readDeliverySearch(typed: string, now: Instant): DeliverySearch {
  const order = readOrderSearch(typed, { now, zones: UTC });
  const url = withoutLogin(typed);
  return { order, deliveryId: order.orderId, url: URL_PART.test(url) ? url : null };
}

/** By what a text is looked for. */
export const kindsOfDeliverySearch = (search: DeliverySearch): readonly DeliverySearchKind[] => {
  const byOrder: readonly string[] = kindsOfSearch(search.order, DELIVERIES_BY_ORDER);
  return DELIVERY_SEARCH_KINDS.filter((kind) =>
    kind === 'deliveryId' || kind === 'url' ? search[kind] !== null : byOrder.includes(kind),
  );
};
