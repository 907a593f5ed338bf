import type { Instant } from '@munshi/core';
import type { Ids } from '../engine/ids.ts';
import type { Database } from '../platform/database/db.ts';
import { type EndpointNews, noteEndpoints } from './health.store.ts';
import type { Attempted } from './run-attempts.ts';

interface HealthOptions {
  readonly database: Database;
  readonly ids: Ids;
  readonly log: { warn(detail: object, message: string): void };
}

/** The last success of a healthy endpoint is written at most this often. */
const FRESH_MS = 10_000;
const KNOWN_MAX = 10_000;

/**
 * Records the health of merchants' endpoints. Failures are written at once, successes of a healthy
 * endpoint at intervals. What cannot be written is dropped: it never delays a delivery.
 */
export function createHealth({ database, ids, log }: HealthOptions) {
  let waiting: Attempted[] = [];
  let writing: Promise<void> | undefined;
  /** When each healthy endpoint was last written. */
  const writtenAt = new Map<string, Instant>();

  async function write() {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const attempts = waiting;
      waiting = [];
      const news = [...Map.groupBy(attempts, keyOf).values()]
        .map(summaryOf)
        .filter((one) => !isFresh(one))
        .map(withAlertId);
      if (news.length === 0) continue;
      try {
        for (const { merchantId, host, failures } of await noteEndpoints(database.pool, news)) {
          const key = keyOf({ merchantId, host });
          if (failures > 0) writtenAt.delete(key);
          else writtenAt.set(key, news.find((one) => keyOf(one) === key)?.successAt ?? 0);
        }
        if (writtenAt.size > KNOWN_MAX) writtenAt.clear();
      } catch (error) {
        log.warn({ err: error }, 'the health of webhook endpoints could not be written');
      }
    }
    writing = undefined;
  }

  const withAlertId = (summary: Summary): EndpointNews => ({
    ...summary,
    alertId: ids.uuid(Math.max(summary.successAt ?? 0, summary.failureAt ?? 0)),
  });
  const isFresh = (summary: Summary) =>
    summary.failureAt === null &&
    Math.abs((summary.successAt ?? 0) - (writtenAt.get(keyOf(summary)) ?? 0)) < FRESH_MS;

  return {
    /** Resolves when the attempt's effect is written. */
    async note(attempted: Attempted): Promise<void> {
      if (attempted.outcome === 'stalled') return; // that says nothing of the receiver
      waiting.push(attempted);
      writing ??= write();
      return writing;
    },
  };
}

const keyOf = ({ merchantId, host }: { readonly merchantId: string; readonly host: string }) =>
  `${merchantId} ${host}`;

type Summary = Omit<EndpointNews, 'alertId'>;

/** Sums up attempts at one endpoint, in the order of their end. */
function summaryOf(attempts: readonly Attempted[]): Summary {
  const [{ merchantId, host }] = attempts as [Attempted];
  const lastSuccess = attempts.findLastIndex(({ outcome }) => outcome === 'acknowledged');
  const failed = attempts.findLast(({ outcome }) => outcome !== 'acknowledged');
  return {
    merchantId,
    host,
    failures: attempts.length - 1 - lastSuccess,
    successAt: attempts[lastSuccess]?.endedAt ?? null,
    failureAt: failed?.endedAt ?? null,
    error: failed?.error ?? null,
  };
}
