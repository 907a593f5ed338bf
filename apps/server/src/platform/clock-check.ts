import { type ClockDifference, leastDifference } from './database/database-clock.ts';

/**
 * Why a clock is in doubt: it differs from the database's, or it has just been set to another time.
 */
export type ClockDoubt = 'differs' | 'jumped';
export const CLOCK_DOUBTS: readonly ClockDoubt[] = ['differs', 'jumped'];

/** Under a step that could be taken for elapsed time; over what time daemons set right. */
const DIFFERENCE_MS_MAX = 10_000;
/** A clock that has jumped is believed once it has gone on evenly for this long. */
const SETTLED_MS = 60_000;

/** This machine's clocks, in milliseconds: the one that is set, and the one that only elapses. */
export interface ClockReading {
  readonly wall: number;
  readonly monotonic: number;
}

export interface ClockCheck {
  /**
   * Whether what time does, and what cannot be undone, has to wait, and why (decision 32).
   * Undefined: it need not. Throws what the database throws.
   */
  doubt(): Promise<ClockDoubt | undefined>;
}

interface ClockCheckOptions {
  readonly compare: () => Promise<ClockDifference>;
  readonly read?: () => ClockReading;
  readonly log: { warn(detail: object, message: string): void };
}

const readClocks = (): ClockReading => ({ wall: Date.now(), monotonic: performance.now() });

export function createClockCheck({
  compare,
  read = readClocks,
  log,
}: ClockCheckOptions): ClockCheck {
  const hasJumped = createJumpWatch(read());
  let last: ClockDoubt | undefined;
  return {
    async doubt() {
      const differs = leastDifference(await compare()) > DIFFERENCE_MS_MAX;
      // Looked at last, so that a jump while the database was asked is noticed.
      const jumped = hasJumped(read());
      const doubt = differs ? 'differs' : jumped ? 'jumped' : undefined;
      if (doubt !== last && doubt !== undefined)
        log.warn({ clock: doubt }, 'this process passes no deadline: its clock is in doubt');
      last = doubt;
      return doubt;
    },
  };
}

/**
 * Whether the wall clock has left the monotonic one less than a minute ago. After a suspension too:
 * the monotonic clock may have stood still. Daemons that slew a clock slew both.
 */
export function createJumpWatch(first: ClockReading): (now: ClockReading) => boolean {
  let offset = first.wall - first.monotonic;
  let since = Number.NEGATIVE_INFINITY;
  return ({ wall, monotonic }) => {
    if (Math.abs(wall - monotonic - offset) > DIFFERENCE_MS_MAX) {
      offset = wall - monotonic;
      since = monotonic;
    }
    return monotonic - since < SETTLED_MS;
  };
}
