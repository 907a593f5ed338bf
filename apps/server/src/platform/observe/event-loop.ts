/** How often the event loop is looked at. */
export const TICK_MS = 50;
/** What one turn of the event loop counts at most: two ticks, since a timer is always a little late. */
const TURN_MS = 2 * TICK_MS;

const listeners = new Set<(lateMs: number) => void>();
let counted = 0;
let tickedAt = 0;
let timer: NodeJS.Timeout | undefined;

function start() {
  if (timer !== undefined) return;
  tickedAt = performance.now();
  timer = setInterval(tick, TICK_MS).unref();
}

function tick() {
  const now = performance.now();
  const passed = now - tickedAt;
  counted += Math.min(passed, TURN_MS);
  tickedAt = now;
  for (const listener of listeners) listener(passed - TICK_MS);
}

/**
 * A clock for limits on how long others may take to answer. It stops while this process does not
 * run, or is so busy that it reads no socket: that is no delay of theirs. It goes on by at most
 * `TURN_MS` in each turn of the event loop. In milliseconds; its zero means nothing.
 */
export function readingTime(): number {
  start();
  return counted + Math.min(performance.now() - tickedAt, TURN_MS);
}

/** Called in every tick with its lateness, until the answered function is called. */
export function onTick(listener: (lateMs: number) => void): () => void {
  start();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Calls `onOver` when `leftMs` has come down to nothing. After a stall timers fire before sockets
 * are read, so `leftMs` is asked once more after they were: what has arrived comes first. Returns
 * a function that cancels.
 */
export function whenOver(leftMs: () => number, onOver: () => void, firstMs = leftMs()): () => void {
  let waiting: NodeJS.Timeout | undefined = setTimeout(look, firstMs);
  let reading: NodeJS.Immediate | undefined;

  function look() {
    const ms = leftMs();
    if (ms > 0) waiting = setTimeout(look, ms);
    else reading = setImmediate(decide);
  }

  function decide() {
    const ms = leftMs();
    if (ms > 0) waiting = setTimeout(look, ms);
    else onOver();
  }

  return () => {
    clearTimeout(waiting);
    clearImmediate(reading);
  };
}

/** Calls `onOver` after so many milliseconds of `readingTime`. Returns a function that cancels. */
export function afterReading(ms: number, onOver: () => void): () => void {
  const end = readingTime() + ms;
  return whenOver(() => end - readingTime(), onOver);
}
