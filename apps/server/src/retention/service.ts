import { setTimeout as delay } from 'node:timers/promises';
import {
  type Context,
  type Instant,
  isDoneWith,
  keptSince,
  maskForGood,
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionPolicy,
} from '@munshi/core';
import type pg from 'pg';
import type { DatabaseTarget } from '../platform/config/database-url.ts';
import { inTransaction, openDatabase } from '../platform/database/db.ts';
import { FIRST_ID, firstIdOf } from '../platform/database/first-id.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import {
  type Considered,
  deleteAttempts,
  deleteBodies,
  deleteClaims,
  deleteHistories,
  deleteSessionsEndedBefore,
  lockDeliveries,
  lockPersonalData,
  noteRemoved,
  type OrderKind,
  passOver,
  READ_LEFT,
  READ_NEXT,
  readConcluded,
  readThrough,
  replacePersonalData,
  takeUp,
} from './store.ts';

interface Deps extends Pick<ServiceDeps, 'clock'> {
  readonly policy: RetentionPolicy;
  /** As the role of retention: the service's own may delete none of it. */
  readonly target: DatabaseTarget;
  readonly keyedDigest: Context['keyedDigest'];
  /** Called with what was removed, after its commit. */
  readonly onRemoved: (kind: RetentionKind, rows: number) => void;
  /** Orders or deliveries of a transaction: 500 take some 30 ms. */
  readonly slice?: number;
}

/** Removes what the policy keeps no longer, a slice at a time. */
export interface Retention {
  /** Removes the next slice; answers whether there is more. */
  run(): Promise<boolean>;
  /** Waits for nothing any more; `close` follows when nothing runs. */
  stop(): void;
  close(): Promise<void>;
}

const SLICE = 500;
/** Longer than nearly every order takes, so that hardly any has to be looked at twice. */
const OPEN_MS = 24 * 3_600_000;
const STATEMENT_MS = 30_000;

/** What is still to be gone through in a round, in this order. */
type Part =
  | { readonly kind: OrderKind; readonly from: 'left'; readonly after: string }
  | { readonly kind: OrderKind; readonly from: 'next' }
  | { readonly kind: 'sessions' };

/**
 * A round goes through what was passed over and then through what is new, kind by kind. It takes
 * half of one connection's time at most: orders come first.
 */
export function createRetention({
  clock,
  policy,
  target,
  keyedDigest,
  onRemoved,
  slice = SLICE,
}: Deps): Retention {
  const database = openDatabase(target, {
    name: 'munshi-retention',
    poolSize: 1,
    timeoutMs: STATEMENT_MS,
  });
  const stopping = new AbortController();
  let round: Part[] = [];

  function begin(): Part[] {
    const kinds = RETENTION_KINDS.filter((kind) => policy[kind] !== undefined);
    return kinds.flatMap((kind): Part[] =>
      kind === 'sessions'
        ? [{ kind }]
        : [
            { kind, from: 'left', after: FIRST_ID },
            { kind, from: 'next' },
          ],
    );
  }

  /** Goes a slice further; answers what is then left of the part. */
  async function go(part: Part, now: Instant): Promise<readonly Part[]> {
    const before = keptSince(now, policy[part.kind] as number);
    const work = { before, now, keyedDigest, limit: slice };
    const { removed, done, last } = await inTransaction(database.pool, (client) =>
      part.kind === 'sessions' ? endSessions(client, work) : goThrough(client, part, work),
    );
    if (removed > 0) onRemoved(part.kind, removed);
    if (done) return [];
    return [part.kind !== 'sessions' && part.from === 'left' ? { ...part, after: last } : part];
  }

  return {
    async run() {
      if (round.length === 0) round = begin();
      const [part, ...rest] = round;
      if (part === undefined || stopping.signal.aborted) return false;
      const since = performance.now();
      round = [...(await go(part, clock.now())), ...rest];
      const took = performance.now() - since;
      await delay(took, undefined, { signal: stopping.signal }).catch(() => {});
      return round.length > 0;
    },
    stop: () => stopping.abort(),
    close: database.close,
  };
}

interface Slice {
  readonly removed: number;
  readonly done: boolean;
  /** How far it came. */
  readonly last: string;
}

async function endSessions(client: pg.PoolClient, { before, now, limit }: Work): Promise<Slice> {
  const removed = await deleteSessionsEndedBefore(client, before, limit);
  const finished = removed < limit;
  await noteRemoved(client, 'sessions', { now, through: FIRST_ID, removed, finished });
  return { removed, done: finished, last: FIRST_ID };
}

interface Work {
  readonly before: Instant;
  readonly now: Instant;
  readonly keyedDigest: Context['keyedDigest'];
  readonly limit: number;
}

/** Removes what may go of a slice, and writes down what was passed over and how far it came. */
async function goThrough(
  client: pg.PoolClient,
  part: Exclude<Part, { readonly kind: 'sessions' }>,
  work: Work,
): Promise<Slice> {
  const { kind } = part;
  const { before, now, limit } = work;
  const reached = await readThrough(client, kind, now);
  const isNew = part.from === 'next';
  const slice = isNew
    ? await READ_NEXT[kind](client, { after: reached, until: firstIdOf(before - OPEN_MS), limit })
    : await READ_LEFT[kind](client, kind, { after: part.after, limit });
  const last = slice.at(-1)?.id ?? (isNew ? reached : part.after);
  const { ripe, others } = await sortOut(client, kind, slice, before);
  const removed = ripe.length === 0 ? 0 : await REMOVE[kind](client, ripe, work);
  if (isNew) await passOver(client, kind, others);
  else await takeUp(client, kind, ripe);
  const done = slice.length < limit;
  const through = isNew ? last : reached;
  await noteRemoved(client, kind, { now, through, removed, finished: done && isNew });
  return { removed, done, last };
}

/**
 * Those of a slice whose orders are done with, and the others. Tests and alerts have no order: they
 * stay.
 */
async function sortOut(
  client: pg.PoolClient,
  kind: OrderKind,
  slice: readonly Considered[],
  before: Instant,
): Promise<{ readonly ripe: readonly string[]; readonly others: readonly string[] }> {
  if (slice.length === 0) return { ripe: [], others: [] };
  const ids = slice.map(({ id }) => id);
  const ofDeliveries = kind === 'attempts' || kind === 'bodies';
  const free = ofDeliveries ? await lockDeliveries(client, ids) : new Set(ids);
  const orders = await readConcluded(client, [...new Set(slice.map(({ orderId }) => orderId))]);
  const ripe: string[] = [];
  const others: string[] = [];
  for (const { id, orderId } of slice) {
    const order = orders.get(orderId);
    if (order === undefined) continue;
    (free.has(id) && isDoneWith(order, before) ? ripe : others).push(id);
  }
  return { ripe, others };
}

const REMOVE: Readonly<
  Record<OrderKind, (client: pg.PoolClient, ids: readonly string[], work: Work) => Promise<number>>
> = {
  history: (client, ids, { before }) => deleteHistories(client, ids, before),
  attempts: deleteAttempts,
  bodies: (client, ids, { now }) => deleteBodies(client, ids, now),
  'late-claims': deleteClaims,
  'personal-data': maskOrders,
};

async function maskOrders(
  client: pg.PoolClient,
  orderIds: readonly string[],
  { now, keyedDigest }: Work,
): Promise<number> {
  const orders = await lockPersonalData(client, orderIds);
  if (orders.length === 0) return 0;
  const masked = orders.map((order) => ({
    ...order,
    ...maskForGood(order),
    termsDigest: order.termsDigest && keyedDigest(order.termsDigest),
  }));
  return replacePersonalData(client, masked, now);
}
