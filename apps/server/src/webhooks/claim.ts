import { randomUUID } from 'node:crypto';
import type { SigningKey } from '../api-keys/sign-webhook.ts';
import { createSigningKeys } from '../api-keys/store.ts';
import type { Database } from '../platform/database/db.ts';
import {
  type Claimed,
  type ClaimRequest,
  claimDeliveries,
  createQueueLane,
  LEASE_MS,
  releaseDeliveries,
} from './queue.store.ts';

/** A claim with all that its attempt needs. */
export interface Ready extends Claimed {
  readonly key: SigningKey | undefined;
  readonly token: string;
  /** When it was claimed, by `performance.now()`. */
  readonly since: number;
}

export interface Claimer {
  /**
   * Claims deliveries that are due. The signing keys are those that are current right after the
   * claim. `cut`: a limit has cut it short, more may be due.
   */
  claim(request: Omit<ClaimRequest, 'token'>): Promise<{
    readonly claims: readonly Ready[];
    readonly cut: boolean;
    readonly nextHost: string | null;
  }>;
  /** Lets others have them. Never fails: a lease ends by itself. */
  release(claims: readonly Ready[]): Promise<void>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** A claim that has waited this long is not begun: its lease might end before the attempt does. */
const STALE_CLAIM_MS = LEASE_MS / 4;

export function createClaimer(database: Database): Claimer {
  const lane = createQueueLane(database, TIMEOUT_MS);
  const signingKeys = createSigningKeys();

  const releaseAll = (claims: readonly Claimed[], token: string) =>
    lane.run((client) => releaseDeliveries(client, claims, token)).catch(() => {});

  return {
    async claim(request) {
      const token = randomUUID();
      const since = performance.now();
      const { claims, cut, nextHost, keysVersion } = await lane.run((client) =>
        claimDeliveries(client, { ...request, token }),
      );
      if (claims.length === 0) return { claims: [], cut, nextHost };
      try {
        const merchantIds = claims.map(({ merchantId }) => merchantId);
        const keyOf = await lane.run((client) =>
          signingKeys.read(client, keysVersion, merchantIds),
        );
        if (performance.now() - since <= STALE_CLAIM_MS)
          return {
            claims: claims.map((claim) => ({ ...claim, key: keyOf(claim), token, since })),
            cut,
            nextHost,
          };
      } catch (error) {
        await releaseAll(claims, token);
        throw error;
      }
      await releaseAll(claims, token);
      return { claims: [], cut: true, nextHost };
    },
    async release(claims) {
      for (const [token, same] of Map.groupBy(claims, (claim) => claim.token))
        await releaseAll(same, token);
    },
    close: lane.close,
  };
}
