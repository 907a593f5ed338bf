import type { Instant } from '@munshi/core';
import type { Ids } from '../engine/ids.ts';
import type { Database } from '../storage/db.ts';
import { type EndpointNews, noteEndpoints } from '../storage/webhook-health.ts';
import type { Attempted } from './run-attempts.ts';

interface HealthOptions {
  readonly database: Database;
  readonly ids: Ids;
  readonly log: { warn(detail: object, message: string): void };
}

/**
 * How long the last success of an endpoint without failures need not be written again: a busy one
 * is written now and then.
 */
const FRESH_MS = 10_000;
const KNOWN_MAX = 10_000;

/**
 * Keeps how each merchant's receivers do. Failures are written at once; successes of an endpoint
 * that is known to be well only every few seconds. It never holds a delivery up: what cannot be
 * written is let go.
 */
export function createHealth({ database, ids, log }: HealthOptions) {
  let waiting: Attempted[] = [];
  let writing: Promise<void> | undefined;
  /** When an endpoint was written last with no failure in a row. */
  const well = new Map<string, Instant>();

  async function write() {
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const attempts = waiting;
      waiting = [];
      const news = [...Map.groupBy(attempts, keyOf).values()]
        .map(newsOf)
        .filter((one) => !isKnown(one))
        .map(withAlertId);
      if (news.length === 0) continue;
      try {
        for (const { merchantId, host, failures } of await noteEndpoints(database.pool, news)) {
          const key = keyOf({ merchantId, host });
          if (failures > 0) well.delete(key);
          else well.set(key, news.find((one) => keyOf(one) === key)?.successAt ?? 0);
        }
        if (well.size > KNOWN_MAX) well.clear();
      } catch (error) {
        log.warn({ err: error }, 'the health of webhook endpoints could not be written');
      }
    }
    writing = undefined;
  }

  const withAlertId = (shown: Shown): EndpointNews => ({
    ...shown,
    alertId: ids.uuid(Math.max(shown.successAt ?? 0, shown.failureAt ?? 0)),
  });
  const isKnown = (news: Shown) =>
    news.failureAt === null &&
    Math.abs((news.successAt ?? 0) - (well.get(keyOf(news)) ?? 0)) < FRESH_MS;

  return {
    /** Resolves when what these attempts have shown is written. */
    note(attempted: Attempted): Promise<void> {
      waiting.push(attempted);
      writing ??= write();
      return writing;
    },
  };
}

const keyOf = ({ merchantId, host }: { readonly merchantId: string; readonly host: string }) =>
  `${merchantId} ${host}`;

type Shown = Omit<EndpointNews, 'alertId'>;

/** What attempts at one endpoint come to, in the order of their end. */
function newsOf(attempts: readonly Attempted[]): Shown {
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
