import { setTimeout as delay } from 'node:timers/promises';
import { type Instant, type RetrySchedule, retriesDueBy } from '@munshi/core';
import type { Clock } from '../platform/clock.ts';
import type { Claimer, Ready } from './claim.ts';
import type { Pace } from './pace.ts';
import type { AttemptRunner } from './run-attempts.ts';
import type { Shares } from './shares.ts';

/**
 * What the loop does now:
 *
 *     idle ── asked ──> gathering ──> claiming <── asked again, or the round goes on ──┐
 *      ^                                 ├─────────────────────────────────────────────┤
 *      │                                 ├── everything due is claimed ──> resting ────┤
 *      │                                 └── nothing, the round goes on ──> pausing ───┤
 *      └───────────────────── not asked, no room, or stopping ─────────────────────────┘
 *
 * A claim is asked for by `wake`: after a commit, every second, by an attempt that was overtaken,
 * and by one that has made room where a limit has cut a claim short. A claim goes through a limited
 * number of destinations, a round through all. A pause takes as long as the claim did.
 */
type Mode = 'idle' | 'gathering' | 'claiming' | 'resting' | 'pausing';

type Request = Parameters<Claimer['claim']>[0];

export interface ClaimLoopOptions {
  readonly claimer: Claimer;
  readonly shares: Shares<Ready>;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly attempts: AttemptRunner;
  readonly log: { warn(detail: object, message: string): void };
  readonly stopping: AbortSignal;
  readonly schedule: RetrySchedule;
}

export interface ClaimLoop extends ClaimLoopOptions {
  mode: Mode;
  /** Resolves when the loop is idle. */
  running: Promise<void>;
  /** Another claim is wanted, since the present round began. */
  asked: boolean;
  /** Asks in a moment, unless a claim begins before. */
  soon: NodeJS.Timeout | undefined;
  /** A limit has left something unclaimed: attempts that end make room for it. */
  cut: boolean;
  /** Where the round goes on; `''`: a new one begins. */
  fromHost: string;
  /** Settlings under way, which want no rests. */
  hurries: number;
  /** Retries that are due by then do not wait for the next round. */
  retriesUpTo: Instant;
}

/** How often deliveries of other processes and of crashed ones are looked for. */
const POLL_MS = 1_000;
/** How long attempts that end make room for the next claim, when it would be small. */
const SOON_MS = 5;
/** After a claim of everything due, so that the next gathers the outcomes of several batches. */
const REST_MS = 10;

/** Runs until `stopping`. */
export function startClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const loop: ClaimLoop = {
    ...options,
    mode: 'idle',
    running: Promise.resolve(),
    asked: false,
    soon: undefined,
    cut: false,
    fromHost: '',
    hurries: 0,
    retriesUpTo: Number.NEGATIVE_INFINITY,
  };
  const poll = setInterval(wake, POLL_MS, loop).unref();
  options.stopping.addEventListener('abort', () => {
    clearInterval(poll);
    clearTimeout(loop.soon);
  });
  return loop;
}

/** Claims at once, or once more if a claim is under way. */
export function wake(loop: ClaimLoop): void {
  if (loop.stopping.aborted) return;
  loop.asked = true;
  if (loop.mode === 'idle') loop.running = run(loop);
}

/** Claims without rests, with the retries that are due by `until`, until the answer is called. */
export function hurry(loop: ClaimLoop, until: Instant): () => void {
  loop.hurries += 1;
  loop.retriesUpTo = Math.max(loop.retriesUpTo, until);
  return () => {
    loop.hurries -= 1;
  };
}

/** An attempt at this host has its answer. `released`: claims were given back. */
export function madeRoom(loop: ClaimLoop, host: string, released: boolean): void {
  loop.cut ||= released;
  if (!loop.cut) return;
  const wanted = loop.shares.wants(host);
  if (wanted === 'claim') wake(loop);
  else if (wanted === 'soon') loop.soon ??= setTimeout(wake, SOON_MS, loop);
}

async function run(loop: ClaimLoop) {
  loop.mode = 'gathering'; // what is committed in the same turn of the event loop
  await new Promise((resolve) => setImmediate(resolve));
  while ((loop.asked || loop.fromHost !== '') && !loop.stopping.aborted) {
    loop.mode = 'claiming';
    const begun = performance.now();
    // What is asked for during a round may belong to a destination that the round has passed: the
    // next round claims it.
    if (loop.fromHost === '') loop.asked = false;
    clearTimeout(loop.soon);
    loop.soon = undefined;
    try {
      const request = requestOf(loop);
      if (request === undefined) break; // an attempt that ends asks again
      loop.mode = await claim(loop, request);
      if (loop.mode === 'resting') await delay(REST_MS);
      else if (loop.mode === 'pausing') await delay(performance.now() - begun);
    } catch (error) {
      loop.fromHost = '';
      loop.log.warn(
        { err: error },
        'webhook deliveries could not be claimed; they are looked for again',
      );
    }
  }
  loop.mode = 'idle';
}

/** The next claim, undefined where there is no room. Notes whether a limit cuts it short. */
function requestOf(loop: ClaimLoop): Request | undefined {
  const { shares, pace, clock, fromHost, schedule } = loop;
  loop.cut = true;
  if (pace.room <= 0) return undefined;
  const shared = shares.room();
  const room = Math.min(shared.room, pace.room);
  if (room <= 0) return undefined;
  loop.cut = shared.hosts.some((host) => host.room <= 0) || shared.withoutMerchants.length > 0;
  const now = clock.now();
  const due = Math.max(retriesDueBy(now, schedule), Math.min(loop.retriesUpTo, now));
  return { ...shared, room, now, retriesDueBy: due, fromHost };
}

/** Claims from some of the destinations and begins the attempts. Answers the mode that follows. */
async function claim(loop: ClaimLoop, request: Request): Promise<Mode> {
  const { claimer, shares, pace, attempts } = loop;
  const { claims, cut, nextHost } = await claimer.claim(request);
  pace.take(claims.length);
  loop.fromHost = nextHost ?? '';
  loop.cut ||= cut;
  const left = claims.filter((one) => !attempts.begin(one));
  if (left.length > 0) {
    loop.cut = true;
    await claimer.release(left);
  }
  loop.asked ||= cut && claims.some(({ host }) => shares.wants(host) === 'claim');
  if (loop.fromHost !== '') return claims.length === 0 ? 'pausing' : 'claiming';
  return loop.cut || loop.hurries > 0 ? 'claiming' : 'resting';
}
