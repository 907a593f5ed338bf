/** Attempts that are on their way in one process; a hanging receiver holds each of its own for five seconds. */
const TOTAL_MAX = 2_000;
/** With those that have ended and are not recorded yet. */
const HELD_MAX = 4_000;
/** Of one destination, when there is room enough. */
const HOST_MAX = 100;
/** Nobody is shut out: a destination may always have one while there is any room. */
const HOST_MIN = 1;
/** A destination may take one part in this many of what is free: dozens of hanging ones leave room for the others. */
const HOST_PART = 16;
/** A merchant with many destinations may take as much as it leaves free. */
const MERCHANT_PART = 2;
/** Of what is left to its merchant, a destination may take one part in this many. */
const HOST_PART_OF_MERCHANT = 4;

interface Holder {
  readonly deliveryId: string;
  readonly orderId: string;
  readonly merchantId: string;
  readonly host: string;
}

/**
 * Who may have how many attempts on their way at once. The limits shrink with what is free: with one receiver hanging it may
 * hold a hundred attempts, with hundreds hanging each holds a few, and there is always room for the others.
 */
export function createShares(totalMax = TOTAL_MAX) {
  /** Until they are recorded. */
  const held = new Map<string, Holder>();
  const sending = new Set<string>();
  const merchants = new Map<string, number>();
  const hosts = new Map<string, { count: number; readonly merchantIds: Set<string> }>();
  const free = () => totalMax - sending.size;
  const merchantRoom = (merchantId: string) => {
    const count = merchants.get(merchantId) ?? 0;
    return Math.floor((free() + count) / MERCHANT_PART) - count;
  };
  /** For a destination of which nothing is on its way. */
  const freshHostRoom = () => Math.min(HOST_MAX, Math.max(HOST_MIN, Math.floor(free() / HOST_PART)));

  /** The attempt has its answer: another may begin. */
  function sent({ deliveryId, merchantId, host: name }: Holder) {
    if (!sending.delete(deliveryId)) return;
    const left = (merchants.get(merchantId) ?? 0) - 1;
    if (left > 0) merchants.set(merchantId, left);
    else merchants.delete(merchantId);
    const host = hosts.get(name);
    if (host !== undefined) host.count -= 1;
    if (host?.count === 0) hosts.delete(name);
  }

  return {
    take(holder: Holder) {
      held.set(holder.deliveryId, holder);
      sending.add(holder.deliveryId);
      merchants.set(holder.merchantId, (merchants.get(holder.merchantId) ?? 0) + 1);
      const host = hosts.get(holder.host) ?? { count: 0, merchantIds: new Set() };
      host.count += 1;
      host.merchantIds.add(holder.merchantId);
      hosts.set(holder.host, host);
    },
    sent,
    /** It is recorded, or not made at all. */
    giveBack(holder: Holder) {
      sent(holder);
      held.delete(holder.deliveryId);
    },
    /** Whether this merchant may have one more. */
    hasRoom: ({ merchantId }: { readonly merchantId: string }) => merchantRoom(merchantId) > 0,
    get size() {
      return sending.size;
    },
    /** What a claim may ask for. */
    room() {
      return {
        room: Math.min(free(), HELD_MAX - held.size),
        roomPerHost: freshHostRoom(),
        hosts: [...hosts].map(([host, { count, merchantIds }]) => {
          const ofMerchants = Math.min(...[...merchantIds].map((merchantId) => Math.floor((merchantRoom(merchantId) + count) / HOST_PART_OF_MERCHANT)));
          return { host, room: Math.max(0, Math.min(freshHostRoom(), Math.max(HOST_MIN, ofMerchants)) - count) };
        }),
        withoutMerchants: [...merchants.keys()].filter((merchantId) => merchantRoom(merchantId) <= 0),
        withoutOrders: [...held.values()].map(({ orderId }) => orderId),
      };
    },
  };
}
