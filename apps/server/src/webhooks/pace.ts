/** Deliveries that may be claimed in each tick, at first. */
const FIRST = 128;
const LEAST = 8;
const MOST = 1_024;
/** A tick that is later than this says that there is too much to do. */
const LATE_MS = 500;
/** A tick that is no later than this says that there may be twice as much. */
const PROMPT_MS = 100;

/** How many deliveries may be claimed now. */
export interface Pace {
  readonly room: number;
  take(count: number): void;
  /** The next tick begins, so much late. Answers whether there is room again. */
  tick(lateMs: number): boolean;
}

/**
 * Adapts to what the process can serve. Each attempt takes several turns of the event loop; if so
 * many begin that a turn takes seconds, none of them ends in time, and those that are begun in
 * their place keep it so.
 */
export function createPace(): Pace {
  let perTick = FIRST;
  let left = FIRST;

  /** What is left of more than half is not worth a claim of its own. */
  const isUsed = () => left < perTick / 2;

  function adapted(lateMs: number): number {
    if (lateMs > LATE_MS) return Math.max(LEAST, Math.floor(perTick / 2));
    // Ticks may be a little late for other reasons: without growth, it would stay at little.
    if (isUsed()) return Math.min(MOST, Math.ceil(perTick * (lateMs <= PROMPT_MS ? 2 : 1.25)));
    // Not needed for now: a burst after a while begins carefully again.
    return perTick > FIRST ? Math.max(FIRST, Math.floor(perTick * 0.9)) : perTick;
  }

  return {
    get room() {
      return isUsed() ? 0 : left;
    },
    take(count) {
      left -= count;
    },
    tick(lateMs) {
      const wasUsed = isUsed();
      perTick = adapted(lateMs);
      left = perTick;
      return wasUsed;
    },
  };
}
