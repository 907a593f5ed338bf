import { setTimeout as delay } from 'node:timers/promises';
import type { Instant } from '@munshi/core';
import { type ClaimRoundsOptions, createClaimRounds } from './claim-rounds.ts';

/** Decides when deliveries are claimed. */
export interface ClaimLoop {
  /** Claims at once, or once more if a claim is under way. */
  wake(): void;
  /**
   * Claims without pauses, with the retries that are due by `until`, until the answered function is
   * called.
   */
  hurry(until: Instant): () => void;
  /** Resolves when the present round of claims has ended. */
  idle(): Promise<void>;
  stop(): void;
}

export interface ClaimLoopOptions extends ClaimRoundsOptions {
  readonly log: { warn(detail: object, message: string): void };
  readonly stopping: AbortSignal;
}

/** How often deliveries of other processes and of crashed ones are looked for. */
const POLL_MS = 1_000;
/** How long attempts that end make room for the next claim, when it would be small. */
const CLAIM_PAUSE_MS = 5;
/**
 * How long the next claim waits after one that took everything that was due, so that it gathers the
 * outcomes of more than one batch.
 */
const CLAIM_REST_MS = 10;

export function startClaimLoop({ log, stopping, ...claiming }: ClaimLoopOptions): ClaimLoop {
  const { shares, attempts } = claiming;
  const rounds = createClaimRounds(claiming);
  let running: Promise<void> | undefined;
  /** Another claim was asked for while one was under way. */
  let again = false;
  let claimSoon: NodeJS.Timeout | undefined;
  let hurries = 0;

  const timer = setInterval(wake, POLL_MS).unref();
  attempts.events.on('answered', madeRoom);
  attempts.events.on('overtaken', wake);

  function wake() {
    if (stopping.aborted) return;
    again = true;
    running ??= claimAll().finally(() => {
      running = undefined;
      if (again) wake();
    });
  }

  async function claimAll() {
    // What is committed in the same turn of the event loop is claimed together.
    await new Promise((resolve) => setImmediate(resolve));
    while ((again || rounds.underWay) && !stopping.aborted) {
      const begun = performance.now();
      // What is asked for during a round may belong to a destination that the round has passed: the
      // next round claims it.
      if (!rounds.underWay) again = false;
      clearTimeout(claimSoon);
      claimSoon = undefined;
      try {
        const claimed = await rounds.claim();
        if (claimed === 'no room') {
          again = false; // an attempt that ends asks again
          return;
        }
        if (claimed === 'much') again = true;
        else if (rounds.underWay && claimed === 'nothing') await delay(performance.now() - begun);
        else if (!rounds.underWay && !rounds.cut && hurries === 0) await delay(CLAIM_REST_MS);
      } catch (error) {
        rounds.startOver();
        log.warn(
          { err: error },
          'webhook deliveries could not be claimed; they are looked for again',
        );
      }
    }
  }

  /** An attempt at this host has its answer. `released`: claims were given back. */
  function madeRoom(host: string, released: boolean) {
    if (released) rounds.returned();
    if (!rounds.cut) return;
    const wanted = shares.wants(host);
    if (wanted === 'claim') wake();
    else if (wanted === 'soon') claimSoon ??= setTimeout(wake, CLAIM_PAUSE_MS);
  }

  return {
    wake,
    hurry(until) {
      hurries += 1;
      rounds.includeRetries(until);
      return () => {
        hurries -= 1;
      };
    },
    idle: async () => running,
    stop() {
      clearInterval(timer);
      clearTimeout(claimSoon);
    },
  };
}
