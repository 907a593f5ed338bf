import {
  type AuditActor,
  type Instant,
  kindsOfSearch,
  ORDER_SEARCHES,
  type OrderSearchKind,
} from '@munshi/core';
import { inTransaction } from '../platform/database/db.ts';
import { withinTime } from '../platform/database/limited.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { LONG_MS, refusingSlow } from '../platform/database/slow.ts';
import type { Page } from '../platform/database/statement.ts';
import { insertAuditUnlessNoted } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { auditEntry, type Caller } from '../writes/write.ts';
import {
  countOrders,
  findFirstOfNewest,
  type ListedOrder,
  listOrderIds,
  listOrders,
} from './list.store.ts';
import type { OrderFilters } from './search-selects.store.ts';

/** Lists of orders that operators put together, of which some would read too much (decision 28). */

type Deps = Pick<ServiceDeps, 'database'>;

/** Parts of references and names are looked for in so many orders, the newest. */
const NEWEST = 10_000;

/** As what a text was looked for. */
interface Searched {
  readonly inAll: readonly OrderSearchKind[];
  readonly inNewest: readonly OrderSearchKind[];
  /** When the first of the newest was created; null: they are all that there are. */
  readonly newestFrom: Instant | null;
}

interface Found {
  readonly rows: readonly ListedOrder[];
  /** Null: no text was looked for. */
  readonly searched: Searched | null;
}

/** Throws `too-slow`. */
export const findOrders = (
  { database }: Deps,
  filters: OrderFilters,
  page: Page,
  milliseconds?: number,
): Promise<Found> =>
  refusingSlow(
    () => whatToNarrow(filters),
    () =>
      withinTime(
        database,
        async (db) => {
          const { asked, searched } = await withParts(db, filters);
          return { rows: await listOrders(db, asked, page), searched };
        },
        milliseconds,
      ),
  );

/** The ids of the newest that fit, for a search of something else that has the time. */
export async function findOrderIds(db: Queryable, filters: OrderFilters, limit: number) {
  const { asked, searched } = await withParts(db, filters);
  return { orderIds: await listOrderIds(db, asked, limit), searched };
}

/** The filters with the orders among which parts are looked for. */
async function withParts(db: Queryable, filters: OrderFilters) {
  const { search } = filters;
  if (search === undefined) return { asked: filters, searched: null };
  const kinds = kindsOfSearch(search.what, search.by);
  const inNewest = kinds.filter((kind) => ORDER_SEARCHES[kind] === 'newest');
  const first = inNewest.length > 0 ? await findFirstOfNewest(db, filters, NEWEST) : undefined;
  return {
    asked: { ...filters, search: { ...search, newestFrom: first?.orderId } },
    searched: {
      inAll: kinds.filter((kind) => ORDER_SEARCHES[kind] === 'all'),
      inNewest,
      newestFrom: first?.createdAt ?? null,
    },
  };
}

const COUNTED_MAX = 10_000;

/** How many there are, as far as 10,000. Throws `too-slow`. */
export async function countFound(
  { database }: Deps,
  filters: OrderFilters,
): Promise<{ readonly count: number; readonly more: boolean }> {
  const found = await refusingSlow(
    () => whatToNarrow(filters),
    () =>
      withinTime(database, async (db) =>
        countOrders(db, (await withParts(db, filters)).asked, COUNTED_MAX + 1),
      ),
  );
  return { count: Math.min(found, COUNTED_MAX), more: found > COUNTED_MAX };
}

/** Names the most selective filter. */
function whatToNarrow({ from, to, merchantId, memberId }: OrderFilters): string {
  if (from === undefined) return 'Say since when: set `from`.';
  if (merchantId === undefined && memberId === undefined)
    return 'Choose a merchant: set `merchantId`.';
  return to === undefined
    ? 'Move `from` to a later time.'
    : 'Bring `from` and `to` closer together.';
}

const EXPORT_CHUNK = 500;
/** The audit log is never shortened: who fetches one file in a loop adds to it once in this time. */
const NOTED_FOR_MS = 10 * 60_000;

/**
 * All orders of the filters, chunk by chunk as they are taken. The first chunk is read before this
 * answers, so that a search that is too slow is refused. `asked` are the filters as the audit log
 * keeps them, once for all exports by the same within ten minutes.
 */
export async function exportOrders(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  { actor }: Pick<Caller<AuditActor>, 'actor'>,
  filters: OrderFilters,
  asked: Readonly<Record<string, string>>,
): Promise<AsyncIterable<readonly ListedOrder[]>> {
  const read = async (after: string | null) =>
    (await findOrders(deps, filters, { after, limit: EXPORT_CHUNK }, LONG_MS)).rows;
  const first = await read(null);
  const now = deps.clock.now();
  const written = { action: 'orders.export', target: 'orders', detail: asked } as const;
  const entry = auditEntry(deps.ids, actor, written, now);
  await inTransaction(deps.database.pool, (client) =>
    insertAuditUnlessNoted(client, entry, now - NOTED_FOR_MS),
  );
  return chunks(first, read);
}

async function* chunks(
  first: readonly ListedOrder[],
  read: (after: string) => Promise<readonly ListedOrder[]>,
): AsyncGenerator<readonly ListedOrder[]> {
  for (let chunk = first; ; ) {
    yield chunk;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < EXPORT_CHUNK) return;
    chunk = await read(last.orderId);
  }
}
