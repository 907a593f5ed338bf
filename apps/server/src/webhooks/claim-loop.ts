import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '@munshi/core';
import type { Clock } from '../clock.ts';
import type { Claimer, Ready } from './claim.ts';
import { retriesDueBy } from './schedule.ts';
import type { Shares } from './shares.ts';

/** Decides when deliveries are claimed, and how many. */
export interface ClaimLoop {
  /** Claims at once, or once more if a claim is under way. */
  wake(): void;
  /** An attempt at this host has ended. `released`: claims were given back, to be claimed again. */
  madeRoom(host: string, released: boolean): void;
  /**
   * Claims without pauses, with the retries that are due by `until`, until the answered function is
   * called.
   */
  hurry(until: Instant): () => void;
  /** Resolves when the present round of claims has ended. */
  idle(): Promise<void>;
  stop(): void;
}

export interface ClaimLoopOptions {
  readonly claimer: Claimer;
  readonly shares: Shares<Ready>;
  readonly clock: Clock;
  readonly log: { warn(detail: object, message: string): void };
  /** Begins an attempt, now or in its turn. Answers false where there is no room for it. */
  readonly begin: (claim: Ready) => boolean;
  readonly stopping: AbortSignal;
}

/** How often deliveries of other processes and of crashed ones are looked for. */
const POLL_MS = 1_000;
/** How long attempts that end make room for the next claim, when it would be small. */
const CLAIM_PAUSE_MS = 5;
/**
 * So long after a claim that took all there was the next one waits, so that it takes more than the
 * outcomes of one batch.
 */
const CLAIM_REST_MS = 10;

export function startClaimLoop({
  claimer,
  shares,
  clock,
  log,
  begin,
  stopping,
}: ClaimLoopOptions): ClaimLoop {
  let claiming: Promise<void> | undefined;
  /** Asked for while a claim was on its way: there is one more. */
  let again = false;
  /** The last claim was cut short by a limit: attempts that end make room for more. */
  let more = false;
  let claimSoon: NodeJS.Timeout | undefined;
  /** Where the round through the hosts goes on; `''`: a new one begins. */
  let fromHost = '';
  let hurries = 0;
  let retriesUpTo: Instant = Number.NEGATIVE_INFINITY;

  const timer = setInterval(wake, POLL_MS).unref();

  function wake() {
    if (stopping.aborted) return;
    again = true;
    claiming ??= claimAll().finally(() => {
      claiming = undefined;
      if (again) wake();
    });
  }

  async function claimAll() {
    // What is committed in the same turn of the event loop is claimed together.
    await new Promise((resolve) => setImmediate(resolve));
    while ((again || fromHost !== '') && !stopping.aborted) {
      const begun = performance.now();
      // Whoever asks while a round goes on may have what it has gone past already: they are heard
      // in the next one.
      if (fromHost === '') again = false;
      try {
        const claimed = await claimSome();
        if (claimed === 'no room') return;
        if (claimed === 'much') again = true;
        else if (fromHost !== '' && claimed === 'nothing') await delay(performance.now() - begun);
        else if (fromHost === '' && !more && hurries === 0) await delay(CLAIM_REST_MS);
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

  return {
    wake,
    madeRoom(host, released) {
      more ||= released;
      if (!more) return;
      const wanted = shares.wants(host);
      if (wanted === 'claim') wake();
      else if (wanted === 'soon') claimSoon ??= setTimeout(wake, CLAIM_PAUSE_MS);
    },
    hurry(until) {
      hurries += 1;
      retriesUpTo = Math.max(retriesUpTo, until);
      return () => {
        hurries -= 1;
      };
    },
    idle: async () => claiming,
    stop() {
      clearInterval(timer);
      clearTimeout(claimSoon);
    },
  };
}
