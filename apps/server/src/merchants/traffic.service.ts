import type { Instant } from '@munshi/core';
import type { Ids } from '../engine/ids.ts';
import { BoundedMap } from '../platform/bounded-map.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/db.ts';
import {
  addRefusedCounts,
  type KeyUse,
  type NotedRefusal,
  putKeyUses,
  putRefusedRequests,
  type RefusedCount,
} from './traffic.store.ts';

/**
 * When keys are used, and which requests are refused, for the merchant's own people
 * (portal.md#figures-and-alerts). It is gathered in memory and written every few seconds: no
 * request writes it, and a flood of a face fills neither memory nor the database.
 */
export interface MerchantTraffic {
  /** Whether the use of a key has to be noted: once a minute is enough. */
  isUseDue(apiKeyHash: string): boolean;
  used(use: Omit<KeyUse, 'at'>): void;
  refused(request: Omit<NotedRefusal, 'refusedId' | 'at'>): void;
  /** Writes what was noted since the last time. */
  write(): Promise<void>;
  /** Writes the rest and ends. */
  stop(): Promise<void>;
}

/** Kept of a merchant, and of a key between two writings. */
export const REFUSED_KEPT = 200;
const WRITE_EVERY_MS = 2_000;
const USE_EVERY_MS = 60_000;
/** Between two writings: of all keys together. */
const REFUSED_MAX = 5_000;
const COUNTS_MAX = 5_000;
const KEYS_MAX = 50_000;
const MINUTE_MS = 60_000;

type Counted = RefusedCount & { readonly apiKeyHash: string };

export function createMerchantTraffic({
  database,
  clock,
  ids,
  onRefused,
  onError,
}: {
  readonly database: Pick<Database, 'pool'>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called with merchants whose refused requests were written. */
  readonly onRefused: (merchantIds: readonly string[]) => void;
  readonly onError: (error: Error) => void;
}): MerchantTraffic {
  const lastUses = new BoundedMap<string, Instant>(KEYS_MAX);
  let gathered = newGathering();
  let writing = Promise.resolve();
  const timer = setInterval(() => void write(), WRITE_EVERY_MS);
  timer.unref();

  async function writeGathered() {
    const { uses, refused, counts } = gathered;
    gathered = newGathering();
    const requests = [...refused.values()].flat();
    try {
      if (uses.size > 0) await putKeyUses(database.pool, [...uses.values()]);
      if (counts.size > 0) await addRefusedCounts(database.pool, [...counts.values()]);
      if (requests.length > 0)
        onRefused(await putRefusedRequests(database.pool, requests, REFUSED_KEPT));
    } catch (error) {
      onError(error as Error);
    }
  }

  /** One after the other. */
  function write(): Promise<void> {
    writing = writing.then(writeGathered);
    return writing;
  }

  return {
    isUseDue(apiKeyHash) {
      const last = lastUses.get(apiKeyHash);
      return last === undefined || clock.now() - last >= USE_EVERY_MS;
    },
    used(use) {
      const at = clock.now();
      lastUses.set(use.apiKeyHash, at);
      gathered.uses.set(use.apiKeyHash, { ...use, at });
    },
    refused(request) {
      const at = clock.now();
      addCount(gathered.counts, request, at - (at % MINUTE_MS));
      const own = gathered.refused.get(request.apiKeyHash) ?? [];
      if (own.length >= REFUSED_KEPT) own.shift();
      else if (gathered.held >= REFUSED_MAX) return;
      else gathered.held += 1;
      own.push({ ...request, refusedId: ids.uuid(at), at });
      gathered.refused.set(request.apiKeyHash, own);
    },
    write,
    async stop() {
      clearInterval(timer);
      await write();
    },
  };
}

/** What is noted until the next writing. */
const newGathering = () => ({
  uses: new BoundedMap<string, KeyUse>(KEYS_MAX),
  /** By key, the oldest first. */
  refused: new Map<string, NotedRefusal[]>(),
  /** How many requests `refused` holds. */
  held: 0,
  counts: new BoundedMap<string, Counted>(COUNTS_MAX),
});

function addCount(
  counts: Map<string, Counted>,
  { apiKeyHash, status, code }: Pick<NotedRefusal, 'apiKeyHash' | 'status' | 'code'>,
  minute: Instant,
): void {
  const name = `${apiKeyHash} ${minute} ${status} ${code}`;
  const count = (counts.get(name)?.count ?? 0) + 1;
  counts.set(name, { apiKeyHash, minute, status, code, count });
}
