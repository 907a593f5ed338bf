/** Deliveries that may be claimed in each tick, at first. */
const FIRST = 32;
const LEAST = 8;
const MOST = 1_024;
/** A tick that is later than this says that there is too much to do. */
const LATE_MS = 250;
/** A tick that is no later than this says that there may be more. */
const PROMPT_MS = 50;

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
  let room = FIRST;

  function adapted(lateMs: number): number {
    if (lateMs > LATE_MS) return Math.max(LEAST, Math.floor(perTick / 2));
    if (room <= 0) return lateMs <= PROMPT_MS ? Math.min(MOST, perTick * 2) : perTick;
    // Not needed for now: the next burst begins carefully again.
    return perTick > FIRST && room > perTick / 2 ? Math.max(FIRST, perTick / 2) : perTick;
  }

  return {
    get room() {
      return room;
    },
    take(count) {
      room -= count;
    },
    tick(lateMs) {
      const wasFull = room <= 0;
      perTick = adapted(lateMs);
      room = perTick;
      return wasFull;
    },
  };
}
