/**
 * Answers what was read less than `forMs` ago, and reads it anew otherwise: for what many ask at
 * once and may be a moment old. A reading that fails is told to whoever waits for it, and no more.
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
