import type { Instant } from '@munshi/core';
import { TooSlowError, withinTime } from '../platform/database/limited.ts';
import { refusingSlow } from '../platform/database/slow.ts';
import type { Page } from '../platform/database/statement.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  countSentSince,
  type DeliveryFilters,
  type EndpointFigures,
  listAllDeliveries,
  readEndpointFigures,
} from './lists.store.ts';

/** What operators look up of webhooks, of which some would read too much (apis.md#orders). */

type Deps = Pick<ServiceDeps, 'database'>;

/** Throws `too-slow`. */
export const findDeliveries = ({ database }: Deps, filters: DeliveryFilters, page: Page) =>
  refusingSlow(
    () =>
      filters.from === undefined
        ? 'Say since when: set `from`.'
        : 'Move `from` to a later time, or choose a merchant: set `merchantId`.',
    () => withinTime(database, (db) => listAllDeliveries(db, filters, page)),
  );

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
