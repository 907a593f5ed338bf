/** Attempts under way in one process. A hanging receiver holds each of its own for five seconds. */
const TOTAL_MAX = 2_000;
/** For one destination, if there is enough room. */
const HOST_MAX = 100;
/** Every destination may have one while there is any room. */
const HOST_MIN = 1;
/**
 * A destination may take one in this many of the free places: dozens of hanging ones leave room for
 * the others.
 */
const HOST_PART = 16;
/** A merchant with many destinations may take as much as it leaves free. */
const MERCHANT_PART = 2;
/** A destination may take one in this many of its merchant's free places. */
const HOST_PART_OF_MERCHANT = 4;

interface Attempt {
  readonly deliveryId: string;
  readonly merchantId: string;
}

/** The attempts under way at one destination. */
export interface HostLoad {
  count: number;
  /** How many of them each merchant has; one without any is absent. */
  readonly merchants: Map<string, number>;
}

function add(counts: Map<string, number>, key: string, change: number) {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/**
 * Counts the attempts under way, and says how many more each destination and merchant may have. The
 * limits shrink with what is free: one hanging receiver may hold a hundred attempts, of hundreds
 * each holds a few.
 */
export function createLimits(totalMax = TOTAL_MAX) {
  const sending = new Set<string>();
  const merchants = new Map<string, number>();
  const free = () => totalMax - sending.size;

  function merchantRoom(merchantId: string) {
    const count = merchants.get(merchantId) ?? 0;
    return Math.floor((free() + count) / MERCHANT_PART) - count;
  }

  /** For an idle destination. */
  const freshHostRoom = () =>
    Math.min(HOST_MAX, Math.max(HOST_MIN, Math.floor(free() / HOST_PART)));

  return {
    free,
    merchantRoom,
    freshHostRoom,
    hostRoom({ count, merchants: sharers }: HostLoad) {
      const ofMerchants = Math.min(
        ...[...sharers.keys()].map((merchantId) =>
          Math.floor((merchantRoom(merchantId) + count) / HOST_PART_OF_MERCHANT),
        ),
      );
      return Math.max(0, Math.min(freshHostRoom(), Math.max(HOST_MIN, ofMerchants)) - count);
    },
    begin({ deliveryId, merchantId }: Attempt, host: HostLoad) {
      sending.add(deliveryId);
      add(merchants, merchantId, 1);
      add(host.merchants, merchantId, 1);
      host.count += 1;
    },
    /** Answers false where it was not under way. */
    end({ deliveryId, merchantId }: Attempt, host: HostLoad) {
      if (!sending.delete(deliveryId)) return false;
      add(merchants, merchantId, -1);
      add(host.merchants, merchantId, -1);
      host.count -= 1;
      return true;
    },
    /** Attempts under way. */
    get size() {
      return sending.size;
    },
    fullMerchants: () =>
      [...merchants.keys()].filter((merchantId) => merchantRoom(merchantId) <= 0),
  };
}
