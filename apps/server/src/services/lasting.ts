import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns what was read less than `forMs` ago, and otherwise reads it again: for what many ask at
 * once and may be a moment old. If reading fails, only those who wait for it get the error.
 */
export function lasting<Answer>(forMs: number, read: () => Promise<Answer>): () => Promise<Answer> {
  let latest: Promise<Answer> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (latest !== undefined && performance.now() - readAt < forMs) return latest;
    readAt = performance.now();
    const reading = read();
    latest = reading;
    reading.catch(() => {
      if (latest === reading) latest = undefined;
    });
    return reading;
  };
}

/**
 * Reads at most once in `everyMs`, and never answers what was read before it was asked: whoever
 * asks too early waits for the next reading, with all others who do. For what is asked for again
 * when it has changed, where an answer from before the change would stay on the screen.
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
