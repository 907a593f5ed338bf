import type { FastifyReply, FastifyRequest } from 'fastify';
import { onceClientLeft } from './connections.ts';
import { clearDeadline } from './server.ts';

/** What may be asked for: `?wait=<seconds>`. */
export const WAIT_SECONDS_MAX = 25;

/** Seconds of `?wait=`; 0 without one, undefined for what is none. */
export function readWait(wait: unknown = '0'): number | undefined {
  const seconds = /^\d{1,2}$/.test(String(wait)) ? Number(wait) : Number.NaN;
  return seconds <= WAIT_SECONDS_MAX ? seconds : undefined;
}

interface Wait<Read> {
  /** What is waited for: so many wait for one at once. */
  readonly key: string;
  readonly seconds: number;
  readonly read: () => Promise<Read>;
  readonly isNews: (found: Read) => boolean;
  /** Calls what it is given whenever there may be news, until the answered function is called. */
  readonly subscribe: (changed: () => void) => () => void;
  /** Reads again after this long without a notice: one may be lost. */
  readonly againMs: (found: Read) => number;
}

/** Requests that are answered when there is news. A wait holds a socket and a timer. */
export interface Waits {
  /** Whether as many wait for this as may. */
  isFull(key: string): boolean;
  /**
   * Reads, again whenever there may be news, until there is, the time is over, the client is gone
   * or the service stops; answers what was read last.
   */
  until<Read>(request: FastifyRequest, reply: FastifyReply, wait: Wait<Read>): Promise<Read>;
  /** Ends all of them. */
  stop(): void;
}

export function createWaits(ofOneMax: number): Waits {
  const counts = new Map<string, number>();
  const stopping = new AbortController();

  return {
    isFull: (key) => (counts.get(key) ?? 0) >= ofOneMax,
    async until(request, reply, { key, seconds, read, isNews, subscribe, againMs }) {
      clearDeadline(request); // it is answered within a time of its own
      const gone = new AbortController();
      onceClientLeft(reply.raw, () => gone.abort());
      counts.set(key, (counts.get(key) ?? 0) + 1);
      let changed = Promise.withResolvers<void>();
      const unsubscribe = subscribe(() => changed.resolve());
      const time = AbortSignal.timeout(seconds * 1000);
      const ended = AbortSignal.any([time, gone.signal, stopping.signal]);
      ended.addEventListener('abort', () => changed.resolve());
      try {
        // Read after the subscription began, so that nothing is missed in between.
        let found = await read();
        while (!isNews(found) && !ended.aborted) {
          const again = setInterval(changed.resolve, againMs(found));
          await changed.promise;
          clearInterval(again);
          if (gone.signal.aborted) break;
          changed = Promise.withResolvers();
          found = await read();
        }
        return found;
      } finally {
        unsubscribe();
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      }
    },
    stop: () => stopping.abort(),
  };
}
