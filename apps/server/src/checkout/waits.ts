import type { Deps } from '../people/deps.ts';

/** What a page that waits for its outcome may ask for: `/state?wait=<seconds>&since=<version>`. */
export const WAIT_SECONDS_MAX = 25;
/** Waits of one order at once: a customer's tabs. Another one is answered at once. */
const OF_ORDER_MAX = 4;
/** A notice may be lost: the order is read again after this long. */
const READ_AGAIN_MS = 10_000;

interface Wait {
  readonly orderId: string;
  readonly ms: number;
  /** The browser has gone. */
  readonly gone: AbortSignal;
}

/** Requests that are answered when their order changes. A wait holds a socket and a timer. */
export interface Waits {
  /**
   * Reads, again whenever the order may have changed, until `isNews` says so of what was read, the
   * time is over, or the service stops; answers what was read last.
   */
  until<Read>(
    wait: Wait,
    read: () => Promise<Read>,
    isNews: (found: Read) => boolean,
  ): Promise<Read>;
  /** Ends all of them. */
  stop(): void;
}

export function createWaits({ notices }: Pick<Deps, 'notices'>): Waits {
  const counts = new Map<string, number>();
  const stopping = new AbortController();

  return {
    async until(wait, read, isNews) {
      const { orderId } = wait;
      const count = counts.get(orderId) ?? 0;
      if (count >= OF_ORDER_MAX) return read();
      counts.set(orderId, count + 1);
      let changed = Promise.withResolvers<void>();
      const unsubscribe = notices.subscribeToOrder(orderId, () => changed.resolve());
      const ended = AbortSignal.any([AbortSignal.timeout(wait.ms), wait.gone, stopping.signal]);
      const again = setInterval(() => changed.resolve(), READ_AGAIN_MS);
      ended.addEventListener('abort', () => changed.resolve());
      try {
        // Read after the subscription began, so that nothing is missed in between.
        let found = await read();
        while (!isNews(found) && !ended.aborted) {
          await changed.promise;
          if (wait.gone.aborted) break;
          changed = Promise.withResolvers();
          found = await read();
        }
        return found;
      } finally {
        clearInterval(again);
        unsubscribe();
        const left = (counts.get(orderId) ?? 1) - 1;
        if (left === 0) counts.delete(orderId);
        else counts.set(orderId, left);
      }
    },
    stop: () => stopping.abort(),
  };
}
