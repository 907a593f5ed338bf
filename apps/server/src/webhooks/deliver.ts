import { randomUUID } from 'node:crypto';
import type { Instant } from '@munshi/core';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { createSigningKeys, type SigningKey } from '../storage/api-keys.ts';
import { createBatchLoader } from '../storage/batch-loader.ts';
import type { Database } from '../storage/db.ts';
import {
  type AttemptedState,
  type AttemptResult,
  recordAttempts,
} from '../storage/delivery-attempts.ts';
import {
  type Claimed,
  claimDeliveries,
  createQueueLane,
  findNextAttempt,
  LEASE_MS,
  releaseDeliveries,
} from '../storage/delivery-queue.ts';
import type { Vault } from '../vault.ts';
import { nextAttemptAt, retriesDueBy } from './schedule.ts';
import type { Sender, SendResult } from './send.ts';
import { createShares } from './shares.ts';
import { createSigner } from './sign.ts';

/**
 * How an attempt ended: as the sender says, or `unsigned` when there was no key to sign with and
 * nothing was sent.
 */
export type Outcome = SendResult['outcome'] | 'unsigned';

/** What came of an attempt; with the key that signed, null when nothing was sent. */
type Met = Omit<SendResult, 'outcome'> & {
  readonly outcome: Outcome;
  readonly keyId: string | null;
};

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
  /**
   * Makes every attempt that is due at this time, retries included; resolves when they are
   * recorded. For a clock that was advanced.
   */
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
/** Nobody waits for a record. */
const RECORD_REST_MS = 5;
/** A claim that has waited this long is not begun: its lease might end before the attempt does. */
const STALE_CLAIM_MS = LEASE_MS / 4;
/** How long a settling waits for the attempts of other processes; after that they have crashed. */
const SETTLE_MS = 75_000;
const PAUSE_MS = 20;
/**
 * A claim that waits for its turn longer is given back: its order may have a newer event, its key
 * may be another.
 */
const AHEAD_MS = 250;
/** How long attempts that end make room for the next claim, when it would be small. */
const CLAIM_PAUSE_MS = 5;
/**
 * So long after a claim that took all there was the next one waits, so that it takes more than the
 * outcomes of one batch.
 */
const CLAIM_REST_MS = 10;

/** A claim with all that its attempt needs beside it. */
interface Ready extends Claimed {
  readonly key: SigningKey | undefined;
  readonly token: string;
  /** When it was claimed, of the process's own clock in milliseconds. */
  readonly since: number;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Sends webhooks: claims what is due (committed), sends it with no transaction open, records by the
 * claim's token. Any number of processes may do so. A crash between send and record costs one more
 * copy under the same id and bytes, once the lease has ended.
 */
export function startDeliverer({
  database,
  clock,
  vault,
  sender,
  log,
  onAttempted,
}: DelivererOptions): Deliverer {
  const shares = createShares<Ready>();
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
  /** The last claim was cut short by a limit: attempts that end make room for more. */
  let more = false;
  let claimSoon: NodeJS.Timeout | undefined;
  /** Where the round through the hosts goes on; `''`: a new one begins. */
  let fromHost = '';
  let settlings = 0;
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
  function makeRoom(host: string) {
    if (!more) return;
    const wanted = shares.wants(host);
    if (wanted === 'claim') wake();
    else if (wanted === 'soon') claimSoon ??= setTimeout(wake, CLAIM_PAUSE_MS);
  }

  async function pump() {
    // What is committed in the same turn of the event loop is claimed together.
    await new Promise((resolve) => setImmediate(resolve));
    while ((again || fromHost !== '') && !stopped) {
      const begun = performance.now();
      // Whoever asks while a round goes on may have what it has gone past already: they are heard
      // in the next one.
      if (fromHost === '') again = false;
      try {
        const claimed = await claimSome();
        if (claimed === 'no room') return;
        if (claimed === 'much') again = true;
        else if (fromHost !== '' && claimed === 'nothing') await pause(performance.now() - begun);
        else if (fromHost === '' && !more && settlings === 0) await pause(CLAIM_REST_MS);
      } catch (error) {
        fromHost = '';
        log.warn(
          { err: error },
          'webhook deliveries could not be claimed; they are looked for again',
        );
      }
    }
  }

  /**
   * Claims what there is room for, of some of the hosts, and begins its attempts. `much`: there is
   * more to claim at once.
   */
  async function claimSome(): Promise<'no room' | 'nothing' | 'some' | 'much'> {
    const asked = shares.room();
    clearTimeout(claimSoon);
    claimSoon = undefined;
    more =
      asked.room <= 0 ||
      asked.hosts.some(({ room }) => room <= 0) ||
      asked.withoutMerchants.length > 0;
    if (asked.room <= 0) {
      again = false; // an attempt that ends asks again
      return 'no room';
    }
    const now = clock.now();
    const token = randomUUID();
    const since = performance.now();
    const { claims, cut, nextHost, keysVersion } = await claiming.run((client) =>
      claimDeliveries(client, {
        now,
        retriesDueBy: Math.max(retriesDueBy(now), Math.min(retriesUpTo, now)),
        token,
        fromHost,
        ...asked,
      }),
    );
    fromHost = nextHost ?? '';
    if (claims.length > 0) await begin(claims, keysVersion, token, since);
    more ||= cut;
    if (claims.length === 0) return 'nothing';
    return cut && claims.some(({ host }) => shares.wants(host) === 'claim') ? 'much' : 'some';
  }

  /**
   * Starts the attempts that there is room for, with the keys that are current right after the
   * claim. Others wait for their turn.
   */
  async function begin(
    claims: readonly Claimed[],
    keysVersion: string,
    token: string,
    since: number,
  ) {
    const unused = new Set<Pick<Claimed, 'orderId'>>(claims);
    try {
      const merchantIds = claims.map(({ merchantId }) => merchantId);
      const keyOf = await claiming.run((client) =>
        signingKeys.read(client, keysVersion, merchantIds),
      );
      if (performance.now() - since > STALE_CLAIM_MS) return;
      for (const claim of claims) {
        const ready = { ...claim, key: keyOf(claim), token, since };
        if (shares.hasRoom(claim)) start(ready);
        else if (!shares.standInLine(ready)) continue;
        unused.delete(claim);
      }
    } finally {
      // What is left has no room, or comes too late: others may have it.
      if (unused.size > 0) {
        more = true;
        await release([...unused], token);
      }
    }
  }

  const release = (claims: readonly Pick<Claimed, 'orderId'>[], token: string) =>
    claiming.run((client) => releaseDeliveries(client, claims, token)).catch(() => {}); // their leases end by themselves

  /**
   * An attempt has ended: the next of its destination begins, unless it has waited too long for its
   * turn.
   */
  function startNext(host: string) {
    const late: Ready[] = [];
    for (let next = shares.next(host); next !== undefined; next = shares.next(host)) {
      if (!stopped && performance.now() - next.since <= AHEAD_MS) start(next);
      else late.push(next);
    }
    more ||= late.length > 0;
    for (const [token, claims] of Map.groupBy(late, (claim) => claim.token))
      follow(release(claims, token));
    for (const claim of late) shares.giveBack(claim);
  }

  function start(claim: Ready) {
    shares.take(claim);
    follow(attempt(claim));
  }

  /** Work that goes on beside the pump; a settling and the end wait for it. */
  function follow(work: Promise<void>) {
    const running = work
      .catch((error) =>
        log.warn(
          { err: error },
          'webhook attempts could not be made or recorded; they are made again',
        ),
      )
      .finally(() => attempts.delete(running));
    attempts.add(running);
  }

  const record = createBatchLoader(
    (results: readonly AttemptResult[]) => recording.run((client) => recordOnce(client, results)),
    {
      max: RECORDS_MAX,
      restMs: RECORD_REST_MS,
    },
  );

  async function recordOnce(client: pg.Client, results: readonly AttemptResult[]) {
    const states = await recordAttempts(client, results);
    return results.map(({ deliveryId }) => states.get(deliveryId));
  }

  async function attempt(claim: Ready) {
    let attempted: Attempted | undefined;
    try {
      attempted = await makeAttempt(claim);
    } finally {
      shares.giveBack(claim);
    }
    if (attempted !== undefined) await onAttempted?.(attempted);
  }

  /** Signs, sends, records. Answers undefined when the claim was lost on the way. */
  async function makeAttempt(claim: Ready): Promise<Attempted | undefined> {
    const { token, merchantId, deliveryId, orderId, place, host, dueAt, requested } = claim;
    const startedAt = clock.now();
    const since = performance.now();
    const { outcome, ...met } = await send(claim, startedAt);
    const number = claim.attemptsMade + 1;
    const succeeded = outcome === 'acknowledged';
    const retryAt = succeeded ? null : nextAttemptAt(number, startedAt);
    const state = await recordInTime(since, {
      ...met,
      merchantId,
      deliveryId,
      orderId,
      place,
      token,
      dueAt,
      number,
      startedAt,
      succeeded,
      requested,
      retryAt,
    });
    if (state === undefined) return undefined;
    if (state === 'overtaken') wake(); // the newer event has waited for this attempt
    const sinceCreationMs = startedAt - claim.createdAt;
    return {
      merchantId,
      host,
      number,
      outcome,
      error: met.error,
      endedAt: startedAt + met.durationMs,
      sinceCreationMs,
      abandoned: state === 'abandoned',
    };
  }

  /** Signs and sends. Whatever comes of it, another attempt may begin then. */
  async function send(claim: Ready, startedAt: Instant): Promise<Met> {
    const { url, body, host } = claim;
    const since = performance.now();
    try {
      const signed = sign(claim, claim.key, startedAt);
      if (!signed.ok)
        return {
          outcome: 'unsigned',
          responseStatus: null,
          error: signed.error,
          answer: null,
          durationMs: 0,
          keyId: null,
        };
      return {
        ...(await sender.send({ url, headers: signed.headers, body })),
        keyId: signed.keyId,
      };
    } finally {
      shares.sent(claim, performance.now() - since);
      startNext(host);
      makeRoom(host);
    }
  }

  /** Records an attempt, again and again while the database is away and the claim may hold. */
  async function recordInTime(
    since: number,
    result: AttemptResult,
  ): Promise<AttemptedState | undefined> {
    for (let pauseMs = 50; ; pauseMs = Math.min(1_000, pauseMs * 2)) {
      try {
        return await record(result);
      } catch (error) {
        if (performance.now() - since > LEASE_MS) throw error;
        await pause(pauseMs);
      }
    }
  }

  async function settleBy(at: Instant) {
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
  }

  return {
    wake,
    async settle() {
      settlings += 1;
      await settleBy(clock.now()).finally(() => {
        settlings -= 1;
      });
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
