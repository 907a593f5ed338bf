import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '@munshi/core';
import type { Clock } from '../clock.ts';
import type { Database } from '../storage/db.ts';
import { findNextAttempt } from '../storage/delivery-queue.ts';
import type { Vault } from '../vault.ts';
import { createAttempt, type Outcome, resultOf } from './attempt.ts';
import { createClaimer, type Ready } from './claim.ts';
import { createRecorder } from './record.ts';
import { retriesDueBy } from './schedule.ts';
import type { Sender } from './send.ts';
import { createShares } from './shares.ts';

/** An attempt that has been made and recorded. */
export interface Attempted {
  readonly merchantId: string;
  readonly orderId: string;
  readonly deliveryId: string;
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
/** How long a settling waits for the attempts of other processes; after that they have crashed. */
const SETTLE_MS = 75_000;
const PAUSE_MS = 20;
/**
 * A claim that waits for its turn longer is released: its order may have a newer event, its key may
 * be another.
 */
const AHEAD_MS = 250;
/** How long attempts that end make room for the next claim, when it would be small. */
const CLAIM_PAUSE_MS = 5;
/**
 * So long after a claim that took all there was the next one waits, so that it takes more than the
 * outcomes of one batch.
 */
const CLAIM_REST_MS = 10;

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
  const claimer = createClaimer(database);
  const recorder = createRecorder(database);
  const send = createAttempt(vault, sender);
  /** Attempts and releases that go on beside the claiming; a settling and the end wait for them. */
  const underWay = new Set<Promise<void>>();
  let stopped = false;
  let claiming: Promise<void> | undefined;
  /** Asked for while a claim was on its way: there is one more. */
  let again = false;
  /** The last claim was cut short by a limit: attempts that end make room for more. */
  let more = false;
  let claimSoon: NodeJS.Timeout | undefined;
  /** Where the round through the hosts goes on; `''`: a new one begins. */
  let fromHost = '';
  let settlings = 0;
  let retriesUpTo: Instant = Number.NEGATIVE_INFINITY;

  const timer = setInterval(wake, POLL_MS).unref();

  function wake() {
    if (stopped) return;
    again = true;
    claiming ??= claimAll().finally(() => {
      claiming = undefined;
      if (again) wake();
    });
  }

  async function claimAll() {
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
        else if (fromHost !== '' && claimed === 'nothing') await delay(performance.now() - begun);
        else if (fromHost === '' && !more && settlings === 0) await delay(CLAIM_REST_MS);
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
    const due = Math.max(retriesDueBy(now), Math.min(retriesUpTo, now));
    const { claims, cut, nextHost } = await claimer.claim({
      now,
      retriesDueBy: due,
      fromHost,
      ...asked,
    });
    fromHost = nextHost ?? '';
    more ||= cut;
    const left = claims.filter((claim) => !begin(claim));
    if (left.length > 0) {
      more = true;
      await claimer.release(left);
    }
    if (claims.length === 0) return 'nothing';
    return cut && claims.some(({ host }) => shares.wants(host) === 'claim') ? 'much' : 'some';
  }

  /** Starts an attempt now or in its turn. Answers false where there is no room for it. */
  function begin(claim: Ready): boolean {
    const reserved = shares.reserve(claim);
    if (reserved === 'now') follow(attempt(claim));
    return reserved !== 'no';
  }

  function follow(work: Promise<void>) {
    const running = work
      .catch((error) =>
        log.warn(
          { err: error },
          'webhook attempts could not be made or recorded; they are made again',
        ),
      )
      .finally(() => underWay.delete(running));
    underWay.add(running);
  }

  async function attempt(claim: Ready) {
    const attempted = await sendAndRecord(claim).finally(() => shares.release(claim));
    if (attempted !== undefined) await onAttempted?.(attempted);
  }

  /** Answers undefined when the claim was lost on the way. */
  async function sendAndRecord(claim: Ready): Promise<Attempted | undefined> {
    const startedAt = clock.now();
    const since = performance.now();
    const made = await send(claim, startedAt).finally(() => {
      shares.answered(claim, performance.now() - since);
      makeRoom(claim.host);
    });
    const result = resultOf(claim, made, startedAt);
    const state = await recorder.record(result, since);
    if (state === undefined) return undefined;
    if (state === 'overtaken') wake(); // the newer event has waited for this attempt
    return {
      merchantId: claim.merchantId,
      orderId: claim.orderId,
      deliveryId: claim.deliveryId,
      host: claim.host,
      number: result.number,
      outcome: made.outcome,
      error: made.error,
      endedAt: startedAt + made.durationMs,
      sinceCreationMs: startedAt - claim.createdAt,
      abandoned: state === 'abandoned',
    };
  }

  /** An attempt has its answer: the next of its destination begin, and more may be claimed. */
  function makeRoom(host: string) {
    const now = performance.now();
    const { begun, late } = shares.advance(host, ({ since }) => stopped || now - since > AHEAD_MS);
    for (const claim of begun) follow(attempt(claim));
    if (late.length > 0) {
      more = true;
      follow(claimer.release(late));
    }
    if (!more) return;
    const wanted = shares.wants(host);
    if (wanted === 'claim') wake();
    else if (wanted === 'soon') claimSoon ??= setTimeout(wake, CLAIM_PAUSE_MS);
  }

  async function settleBy(at: Instant) {
    retriesUpTo = Math.max(retriesUpTo, at);
    let waitingSince = performance.now();
    while (!stopped && performance.now() - waitingSince < SETTLE_MS) {
      wake();
      await claiming;
      if (underWay.size > 0) {
        await Promise.race(underWay);
        waitingSince = performance.now();
        continue;
      }
      const next = await findNextAttempt(database.pool);
      if (next === null || next > at) return;
      await delay(PAUSE_MS); // another process makes the attempt, or has died with it
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
      await claiming;
      while (underWay.size > 0) await Promise.all(underWay); // what was claimed is attempted
      await sender.close();
      await Promise.all([claimer.close(), recorder.close()]);
    },
    inFlight: () => shares.size,
  };
}
