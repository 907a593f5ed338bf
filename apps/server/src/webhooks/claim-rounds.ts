import { type Instant, retriesDueBy } from '@munshi/core';
import type { Clock } from '../platform/clock.ts';
import type { Claimer, Ready } from './claim.ts';
import type { Pace } from './pace.ts';
import type { AttemptRunner } from './run-attempts.ts';
import type { Shares } from './shares.ts';

/** Claims as many deliveries as there is room for, in rounds through the destinations. */
export interface ClaimRounds {
  /**
   * Claims from some of the destinations and begins the attempts. `much`: there is more to claim at
   * once.
   */
  claim(): Promise<'no room' | 'nothing' | 'some' | 'much'>;
  /** A round has begun and has not seen all destinations. */
  readonly underWay: boolean;
  /** Begins the next claim at the first destination. */
  startOver(): void;
  /** A limit has left something unclaimed: attempts that end make room for it. */
  readonly cut: boolean;
  /** Claims were given back. */
  returned(): void;
  /** Retries that are due by `until` no longer wait for the next whole minute. */
  includeRetries(until: Instant): void;
}

export interface ClaimRoundsOptions {
  readonly claimer: Claimer;
  readonly shares: Shares<Ready>;
  readonly pace: Pace;
  readonly clock: Clock;
  readonly attempts: AttemptRunner;
}

export function createClaimRounds({
  claimer,
  shares,
  pace,
  clock,
  attempts,
}: ClaimRoundsOptions): ClaimRounds {
  let cut = false;
  /** Where the round goes on; `''`: a new one begins. */
  let fromHost = '';
  let retriesUpTo: Instant = Number.NEGATIVE_INFINITY;

  return {
    async claim() {
      cut = true;
      if (pace.room <= 0) return 'no room';
      const shared = shares.room();
      const asked = { ...shared, room: Math.min(shared.room, pace.room) };
      cut =
        asked.room <= 0 ||
        asked.hosts.some(({ room }) => room <= 0) ||
        asked.withoutMerchants.length > 0;
      if (asked.room <= 0) return 'no room';
      const now = clock.now();
      const due = Math.max(retriesDueBy(now), Math.min(retriesUpTo, now));
      const claimed = await claimer.claim({ now, retriesDueBy: due, fromHost, ...asked });
      pace.take(claimed.claims.length);
      fromHost = claimed.nextHost ?? '';
      cut ||= claimed.cut;
      const left = claimed.claims.filter((claim) => !attempts.begin(claim));
      if (left.length > 0) {
        cut = true;
        await claimer.release(left);
      }
      if (claimed.claims.length === 0) return 'nothing';
      const wantsMore = () => claimed.claims.some(({ host }) => shares.wants(host) === 'claim');
      return claimed.cut && wantsMore() ? 'much' : 'some';
    },
    get underWay() {
      return fromHost !== '';
    },
    startOver() {
      fromHost = '';
    },
    get cut() {
      return cut;
    },
    returned() {
      cut = true;
    },
    includeRetries(until) {
      retriesUpTo = Math.max(retriesUpTo, until);
    },
  };
}
