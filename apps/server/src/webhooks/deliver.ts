/**
 * Sends webhooks: each delivery until it is acknowledged or abandoned, the same bytes every time.
 *
 * `claim-loop.ts` decides when to claim. `claim.ts` claims what is due under a lease and a token,
 * and commits. `run-attempts.ts` signs and sends it with no transaction open, `record.ts` records
 * it by the token. Any number of processes may do so. A crash after sending costs one more copy,
 * when the lease has ended. `shares.ts` keeps to one attempt of an order, also where a clock jumps.
 * Not needed for correctness: `limits.ts` (no receiver delays others), `pace.ts` (no process takes
 * more than it can serve), `health.ts`, `metrics.ts`, and wakes: the loop looks every second.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { type Instant, LIVE_SCHEDULE, type RetrySchedule } from '@munshi/core';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/db.ts';
import { onTick } from '../platform/observe/event-loop.ts';
import type { Sender } from '../platform/outbound/send.ts';
import type { Vault } from '../platform/vault.ts';
import { createAttempt } from './attempt.ts';
import { createClaimer, type Ready } from './claim.ts';
import { hurry, madeRoom, startClaimLoop, wake } from './claim-loop.ts';
import { createPace } from './pace.ts';
import { findNextAttempt } from './queue.store.ts';
import { createRecorder } from './record.ts';
import { type Attempted, createAttemptRunner } from './run-attempts.ts';
import { createShares } from './shares.ts';

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
  readonly schedule?: RetrySchedule;
  /** Called with each attempt after it was recorded; a settling waits for what it does. */
  readonly onAttempted?: (attempted: Attempted) => Promise<void>;
}

/** How long a settling waits for the attempts of other processes; after that they have crashed. */
const SETTLE_MS = 75_000;
const PAUSE_MS = 20;

export function startDeliverer({
  database,
  clock,
  vault,
  sender,
  log,
  schedule = LIVE_SCHEDULE,
  onAttempted,
}: DelivererOptions): Deliverer {
  const stop = new AbortController();
  const stopping = stop.signal;
  const shares = createShares<Ready>();
  const claimer = createClaimer(database);
  const recorder = createRecorder(database);
  const attempts = createAttemptRunner({
    shares,
    claimer,
    recorder,
    send: createAttempt(vault, sender),
    clock,
    log,
    stopping,
    schedule,
    onAnswered: (host, released) => madeRoom(loop, host, released),
    onOvertaken: () => wake(loop),
    onAttempted,
  });
  const pace = createPace();
  const loop = startClaimLoop({ claimer, shares, pace, clock, log, attempts, stopping, schedule });
  const stopTicks = onTick((lateMs) => {
    if (pace.tick(lateMs)) wake(loop);
  });
  const { underWay } = attempts;

  async function settleBy(at: Instant) {
    let waitingSince = performance.now();
    while (!stopping.aborted && performance.now() - waitingSince < SETTLE_MS) {
      wake(loop);
      await loop.running;
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
    wake: () => wake(loop),
    async settle() {
      const at = clock.now();
      const calm = hurry(loop, at);
      await settleBy(at).finally(calm);
    },
    nextDue: () => findNextAttempt(database.pool),
    async stop() {
      stop.abort();
      stopTicks();
      await loop.running;
      while (underWay.size > 0) await Promise.all(underWay); // what was claimed is attempted
      await sender.close();
      await Promise.all([claimer.close(), recorder.close()]);
    },
    inFlight: () => shares.size,
  };
}
