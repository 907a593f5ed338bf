import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns what was read last, and reads it again meanwhile if that was more than `forMs` ago: the
 * caller waits only for the first reading, and for one of more than twice that age. If reading
 * again fails, what was read last stays.
 */
export function renewed<Answer>(forMs: number, read: () => Promise<Answer>): () => Promise<Answer> {
  let latest: Promise<Answer> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<Answer> | undefined;

  function readAgain(): Promise<Answer> {
    const startedAt = performance.now();
    const own = read();
    reading = own;
    own.then(
      () => {
        latest = own;
        readAt = startedAt;
        reading = undefined;
      },
      () => {
        reading = undefined; // callers that wait for it get the error
      },
    );
    return own;
  }
  return () => {
    const age = performance.now() - readAt;
    if (latest === undefined || age > 2 * forMs) return reading ?? readAgain();
    if (age > forMs && reading === undefined) void readAgain().catch(() => {});
    return latest;
  };
}

/**
 * Reads at most once in `everyMs`, and never answers what was read before it was asked: a
 * caller that asks too early waits for the next reading, with all others who do. For what is asked
 * for again when it has changed, where an answer from before the change would stay on the screen.
 */
export function paced<Answer>(everyMs: number, read: () => Promise<Answer>): () => Promise<Answer> {
  let next: Promise<Answer> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;

  async function readNext() {
    await delay(Math.max(0, readAt + everyMs - performance.now()));
    readAt = performance.now();
    next = undefined;
    return read();
  }
  return () => {
    next ??= readNext();
    return next;
  };
}

/** For a reading that took so long: a fifth of a connection is used at most. */
export const restOf = (tookMs: number, mostMs: number): number => Math.min(4 * tookMs, mostMs);

/**
 * The same, with a rest by what the last reading took, `mostMs` at most: what is read quickly is
 * answered soon, and what is slow is not read all the time. Two readings never run at once.
 */
export function rested<Answer>(mostMs: number, read: () => Promise<Answer>): () => Promise<Answer> {
  let next: Promise<Answer> | undefined;
  let last: Promise<void> = Promise.resolve();
  let notBefore = Number.NEGATIVE_INFINITY;

  async function readNext() {
    await last;
    await delay(Math.max(0, notBefore - performance.now()));
    next = undefined;
    const startedAt = performance.now();
    const rest = () => {
      const now = performance.now();
      notBefore = now + restOf(now - startedAt, mostMs);
    };
    const reading = read();
    last = reading.then(rest, rest);
    return reading;
  }
  return () => {
    next ??= readNext();
    return next;
  };
}
