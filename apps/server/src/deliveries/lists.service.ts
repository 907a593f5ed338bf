import {
  DELIVERIES_BY_ORDER,
  type DeliverySearch,
  type DeliverySearchKind,
  type Instant,
  isInNewestDeliveries,
  kindsOfDeliverySearch,
} from '@munshi/core';
import { findOrderIds } from '../orders/lists.service.ts';
import { TooSlowError, withinTime } from '../platform/database/limited.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { refusingSlow } from '../platform/database/slow.ts';
import type { Page } from '../platform/database/statement.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  countSentSince,
  type DeliveryFilters,
  type EndpointFigures,
  type FoundDeliveries,
  findFirstOfNewestDeliveries,
  listAllDeliveries,
  readEndpointFigures,
} from './lists.store.ts';

/** What operators look up of webhooks, of which some would read too much (apis.md#orders). */

type Deps = Pick<ServiceDeps, 'database'>;

/** The deliveries, and what the text was taken for; null: no text was looked for. Throws `too-slow`. */
export const findDeliveries = (
  { database }: Deps,
  filters: DeliveryFilters,
  search: DeliverySearch | undefined,
  page: Page,
) =>
  refusingSlow(
    () =>
      filters.from === undefined
        ? 'Say since when: set `from`.'
        : 'Move `from` to a later time, or choose a merchant: set `merchantId`.',
    () =>
      withinTime(database, async (db) => {
        if (search === undefined)
          return { rows: await listAllDeliveries(db, filters, page), searched: null };
        const { found, searched } = await findBySearch(db, search, filters.merchantId);
        return { rows: await listAllDeliveries(db, filters, page, found), searched };
      }),
  );

/** The deliveries of so many orders are found; parts of URLs are looked for in so many deliveries. */
const NEWEST = 10_000;

async function findBySearch(
  db: Queryable,
  search: DeliverySearch,
  merchantId: string | undefined,
): Promise<{
  readonly found: FoundDeliveries;
  readonly searched: {
    readonly inAll: readonly DeliverySearchKind[];
    readonly inNewest: readonly DeliverySearchKind[];
    readonly newestFrom: Instant | null;
  };
}> {
  const text = { what: search.order, by: DELIVERIES_BY_ORDER };
  const orders = await findOrderIds(db, { merchantId, search: text }, NEWEST);
  const [first] =
    search.url === null ? [] : await findFirstOfNewestDeliveries(db, merchantId, NEWEST);
  const kinds = kindsOfDeliverySearch(search);
  const since = [orders.searched?.newestFrom, first?.createdAt].filter(
    (at) => typeof at === 'number',
  );
  return {
    found: {
      deliveryId: search.deliveryId,
      orderIds: orders.orderIds,
      url: search.url,
      urlsFrom: first?.deliveryId ?? null,
    },
    searched: {
      inAll: kinds.filter((kind) => !isInNewestDeliveries(kind)),
      inNewest: kinds.filter(isInNewestDeliveries),
      newestFrom: since.length === 0 ? null : Math.max(...since),
    },
  };
}

const COUNTED_MAX = 10_000;

/** How many orders a replay would send again, as far as 10,000. Throws `too-slow`. */
export async function countReplay(
  { database }: Deps,
  asked: { readonly since: Instant; readonly merchantId: string | null },
): Promise<{ readonly orders: number; readonly more: boolean }> {
  const orders = await refusingSlow(
    () => 'Move `since` to a later time.',
    () => withinTime(database, (db) => countSentSince(db, asked, COUNTED_MAX + 1)),
  );
  return { orders: Math.min(orders, COUNTED_MAX), more: orders > COUNTED_MAX };
}

type Endpoint = Pick<EndpointFigures, 'merchantId' | 'host'>;

/** The figures of these receivers; null where they would take too long. */
export async function figuresOf(
  { database }: Deps,
  endpoints: readonly Endpoint[],
  since: Instant,
): Promise<((endpoint: Endpoint) => EndpointFigures) | null> {
  const read = withinTime(database, (db) => readEndpointFigures(db, since, endpoints));
  const rows = await read.catch((error: Error) => {
    if (error instanceof TooSlowError) return null;
    throw error;
  });
  if (rows === null) return null;
  const none = { attempts: 0, succeeded: 0, medianMs: null, p95Ms: null };
  return ({ merchantId, host }) =>
    rows.find((row) => row.merchantId === merchantId && row.host === host) ?? {
      merchantId,
      host,
      ...none,
    };
}
