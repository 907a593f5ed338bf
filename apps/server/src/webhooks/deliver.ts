import { randomUUID } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import type { Database } from '../storage/db.ts';
import {
  type AttemptedState,
  type AttemptResult,
  type Claimed,
  claimDeliveries,
  createQueueLane,
  findNextAttempt,
  LEASE_MS,
  recordAttempts,
  releaseDeliveries,
} from '../storage/delivery-queue.ts';
import { gather } from '../storage/gather.ts';
import { createSigningKeys, type SigningKey } from '../storage/signing-keys.ts';
import type { Vault } from '../vault.ts';
import { nextAttemptAt, retriesDueBy } from './schedule.ts';
import type { Sender, SendResult } from './send.ts';
import { createShares } from './shares.ts';
import { createSigner } from './sign.ts';

/** How an attempt ended: as the sender says, or `unsigned` when there was no key to sign with and nothing was sent. */
export type Outcome = SendResult['outcome'] | 'unsigned';

/** An attempt that has been made and recorded. */
export interface Attempted {
  readonly merchantId: string;
  readonly host: string;
  readonly number: number;
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly endedAt: Instant;
  /** From the outcome's commit to the start of this attempt. */
  readonly sinceCreationMs: number;
  readonly abandoned: boolean;
}

export interface Deliverer {
  /** Looks for due deliveries at once: some were committed, or an operator asked. */
  wake(): void;
  /** Makes every attempt that is due at this time, retries included; resolves when they are recorded. For a clock that was advanced. */
  settle(): Promise<void>;
  /** When the next attempt is due, null when nothing is pending. */
  nextDue(): Promise<Instant | null>;
  /** Starts no further attempt; resolves when those on their way are recorded. */
  stop(): Promise<void>;
  readonly inFlight: () => number;
}

export interface DelivererOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'open' | 'platformSecret'>;
  readonly sender: Sender;
  readonly log: { warn(detail: object, message: string): void };
  /** Told of each attempt after it was recorded; a settling waits for what it does. */
  readonly onAttempted?: (attempted: Attempted) => Promise<void>;
}

/** How often deliveries of other processes and of crashed ones are looked for. */
const POLL_MS = 1_000;
const TIMEOUT_MS = 10_000;
const RECORDS_MAX = 500;
/** A claim that has waited this long is not begun: its lease might end before the attempt does. */
const STALE_CLAIM_MS = LEASE_MS / 4;
/** How long a settling waits for the attempts of other processes; after that they have crashed. */
const SETTLE_MS = 75_000;
const PAUSE_MS = 20;
/** Where a share holds claims back, so many attempts are to end before the next claim, or a moment to pass: claims of one cost as much as claims of many. */
const CLAIM_MIN = 40;
const CLAIM_PAUSE_MS = 5;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Sends webhooks: claims what is due (committed), sends it with no transaction open, records by the claim's token. Any number
 * of processes may do so. A crash between send and record costs one more copy under the same id and bytes, once the lease
 * has ended.
 */
export function startDeliverer({ database, clock, vault, sender, log, onAttempted }: DelivererOptions): Deliverer {
  const shares = createShares();
  const sign = createSigner(vault);
  const signingKeys = createSigningKeys();
  const attempts = new Set<Promise<void>>();
  /** Two connections: records do not wait behind claims. */
  const claiming = createQueueLane(database, TIMEOUT_MS);
  const recording = createQueueLane(database, TIMEOUT_MS);
  let stopped = false;
  let pumping: Promise<void> | undefined;
  /** Asked for while the pump was running: it goes round once more. */
  let again = false;
  /** The last claim was cut short by a share: attempts that end make room for more. */
  let more = false;
  let endedSince = 0;
  let claimSoon: NodeJS.Timeout | undefined;
  let retriesUpTo: Instant = Number.NEGATIVE_INFINITY;

  const timer = setInterval(wake, POLL_MS);
  timer.unref();

  function wake() {
    if (stopped) return;
    again = true;
    pumping ??= pump().finally(() => {
      pumping = undefined;
      if (again) wake();
    });
  }

  /** An attempt has ended: its place may be another's. */
  function makeRoom() {
    if (!more) return;
    endedSince += 1;
    if (endedSince >= CLAIM_MIN) wake();
    else claimSoon ??= setTimeout(wake, CLAIM_PAUSE_MS);
  }

  async function pump() {
    // What is committed in the same turn of the event loop is claimed together.
    await new Promise((resolve) => setImmediate(resolve));
    while (again && !stopped) {
      again = false;
      try {
        if (await claimSome()) again = true;
      } catch (error) {
        log.warn({ err: error }, 'webhook deliveries could not be claimed; they are looked for again');
      }
    }
  }

  /** Claims what there is room for and begins its attempts. Answers whether there may be more to claim at once. */
  async function claimSome(): Promise<boolean> {
    const asked = shares.room();
    clearTimeout(claimSoon);
    claimSoon = undefined;
    endedSince = 0;
    more = true;
    if (asked.room <= 0) return false;
    const now = clock.now();
    const token = randomUUID();
    const since = performance.now();
    const { claims, keysVersion } = await claiming.run((client) =>
      claimDeliveries(client, { now, retriesDueBy: Math.max(retriesDueBy(now), Math.min(retriesUpTo, now)), token, ...asked }),
    );
    if (claims.length > 0) follow(begin(claims, keysVersion, token, since));
    const left = shares.room();
    const full = new Set(left.hosts.flatMap(({ host, room }) => (room <= 0 ? [host] : [])));
    more = left.room <= 0 || full.size > 0 || left.withoutMerchants.length > 0;
    return left.room > 0 && claims.some(({ host }) => !full.has(host));
  }

  /** Work that goes on beside the pump; a settling and the end wait for it. */
  function follow(work: Promise<void>) {
    const running = work
      .catch((error) => log.warn({ err: error }, 'webhook attempts could not be made or recorded; they are made again'))
      .finally(() => attempts.delete(running));
    attempts.add(running);
  }

  /** Starts the attempts that there is room for, with the keys that are current right after the claim. */
  async function begin(claims: readonly Claimed[], keysVersion: string, token: string, since: number) {
    const begun = claims.filter((claim) => {
      const room = shares.hasRoom(claim);
      if (room) shares.take(claim);
      return room;
    });
    const unused = new Set(claims);
    try {
      const merchantIds = begun.map(({ merchantId }) => merchantId);
      const keyOf = await claiming.run((client) => signingKeys.read(client, keysVersion, merchantIds));
      if (performance.now() - since > STALE_CLAIM_MS) return;
      for (const claim of begun) {
        unused.delete(claim);
        follow(attempt(claim, keyOf(claim), token));
      }
    } finally {
      // What is left has no room, or comes too late: others may have it.
      for (const claim of unused) shares.giveBack(claim);
      if (unused.size > 0) {
        more = true;
        await claiming.run((client) => releaseDeliveries(client, [...unused], token)).catch(() => {}); // their leases end by themselves
      }
    }
  }

  const record = gather((results: readonly AttemptResult[]) => recording.run((client) => recordOnce(client, results)), { max: RECORDS_MAX });

  async function recordOnce(client: pg.Client, results: readonly AttemptResult[]) {
    const states = await recordAttempts(client, results);
    return results.map(({ deliveryId }) => states.get(deliveryId));
  }

  async function attempt(claim: Claimed, key: SigningKey | undefined, token: string) {
    let attempted: Attempted | undefined;
    try {
      attempted = await makeAttempt(claim, key, token);
    } finally {
      shares.giveBack(claim);
    }
    if (attempted !== undefined) await onAttempted?.(attempted);
  }

  /** Signs, sends, records. Answers undefined when the claim was lost on the way. */
  async function makeAttempt(claim: Claimed, key: SigningKey | undefined, token: string): Promise<Attempted | undefined> {
    const { merchantId, deliveryId, orderId, host, dueAt, requested } = claim;
    const startedAt = clock.now();
    const since = performance.now();
    const signed = sign(claim, key, startedAt);
    const { outcome, ...met }: Omit<SendResult, 'outcome'> & { readonly outcome: Outcome } = signed.ok
      ? await sender.send({ url: claim.url, headers: signed.headers, body: claim.body })
      : { outcome: 'unsigned', responseStatus: null, error: signed.error, answer: null, durationMs: 0 };
    shares.sent(claim);
    makeRoom();
    const number = claim.attemptsMade + 1;
    const succeeded = outcome === 'acknowledged';
    const keyId = signed.ok ? signed.keyId : null;
    const retryAt = succeeded ? null : nextAttemptAt(number, startedAt);
    const state = await recordInTime(since, { ...met, merchantId, deliveryId, orderId, token, dueAt, number, startedAt, succeeded, keyId, requested, retryAt });
    if (state === undefined) return undefined;
    if (state === 'overtaken') wake(); // the newer event has waited for this attempt
    const sinceCreationMs = startedAt - claim.createdAt;
    return { merchantId, host, number, outcome, error: met.error, endedAt: startedAt + met.durationMs, sinceCreationMs, abandoned: state === 'abandoned' };
  }

  /** Records an attempt, again and again while the database is away and the claim may hold. */
  async function recordInTime(since: number, result: AttemptResult): Promise<AttemptedState | undefined> {
    for (let pauseMs = 50; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
      try {
        return await record(result);
      } catch (error) {
        if (performance.now() - since > LEASE_MS) throw error;
        await pause(pauseMs);
      }
    }
  }

  return {
    wake,
    async settle() {
      const at = clock.now();
      retriesUpTo = Math.max(retriesUpTo, at);
      let waitingSince = performance.now();
      while (!stopped && performance.now() - waitingSince < SETTLE_MS) {
        wake();
        await pumping;
        if (attempts.size > 0) {
          await Promise.race(attempts);
          waitingSince = performance.now();
          continue;
        }
        const next = await findNextAttempt(database.pool);
        if (next === null || next > at) return;
        await pause(PAUSE_MS); // another process makes the attempt, or has died with it
      }
    },
    nextDue: () => findNextAttempt(database.pool),
    async stop() {
      stopped = true;
      clearInterval(timer);
      clearTimeout(claimSoon);
      await pumping;
      while (attempts.size > 0) await Promise.all(attempts); // what was claimed goes on to attempts
      await sender.close();
      await Promise.all([claiming.close(), recording.close()]);
    },
    inFlight: () => shares.size,
  };
}
