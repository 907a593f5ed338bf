import { randomBytes, randomUUID } from 'node:crypto';
import type { Instant } from '@munshi/core';

/** Ids and order references. One for each process, because they follow the ones before. */
export interface Ids {
  /**
   * A UUIDv7 that sorts after every one made before, but not after those of times that turn out to
   * be wrong: of a clock that was set back since, or of an order that has got its times from one.
   */
  uuid<Id extends string = string>(now: Instant): Id;
  /**
   * `ORD-<yyyyMMddHHmmss>-<6 Crockford base32>`, unique by a constraint of the database. No suffix
   * repeats before all have been used, and two references do not reveal how many orders lie between
   * them.
   */
  orderReference(now: Instant): string;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SUFFIXES = 2 ** 30;

/** How much clocks differ and are set back in normal operation. */
const CLOCK_STEP_MS = 10_000;

/** `clock` is the process's own; `now` of an id may be the later time of an order. */
export function createIds(clock: () => Instant = Date.now): Ids {
  const permuted = randomPermutation();
  const present = risingTimes();
  const ahead = risingTimes();
  let suffixesMade = randomBytes(4).readUInt32BE() % SUFFIXES;

  return {
    uuid<Id extends string>(now: Instant) {
      const time = (now - clock() > CLOCK_STEP_MS ? ahead : present)(now);
      return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${time.slice(12)}-${randomUUID().slice(19)}` as Id;
    },
    orderReference(now) {
      suffixesMade = (suffixesMade + 1) % SUFFIXES;
      const suffix = permuted(suffixesMade);
      let text = '';
      for (let shift = 25; shift >= 0; shift -= 5) text += CROCKFORD[(suffix >>> shift) & 31];
      const stamp = new Date(now).toISOString().replace(/[-T:]/g, '').slice(0, 14);
      return `ORD-${stamp}-${text}`;
    },
  };
}

/**
 * Milliseconds (12 hex digits) and a number within them (3), each pair greater than the one before.
 * They start again where the time is far behind the last one.
 */
function risingTimes(): (now: Instant) => string {
  let lastMs = 0;
  let sequence = 0;
  return (now) => {
    if (now > lastMs || lastMs - now > CLOCK_STEP_MS) {
      lastMs = now;
      sequence = randomBytes(2).readUInt16BE() & 0x3ff;
    } else {
      sequence += 1;
      if (sequence > 0xfff) {
        lastMs += 1;
        sequence = 0;
      }
    }
    return lastMs.toString(16).padStart(12, '0') + sequence.toString(16).padStart(3, '0');
  };
}

const HALF = 2 ** 15;
const ROUNDS = 6;

/** A random permutation of the numbers below 2^30, which cannot be predicted without its tables. */
export function randomPermutation(): (value: number) => number {
  // A Feistel network with random round functions: 15 bits to 15 bits, 64 KB each.
  const tables = Array.from(
    { length: ROUNDS },
    () => new Uint16Array(new Uint8Array(randomBytes(2 * HALF)).buffer),
  );
  return (value) => {
    let left = value >>> 15;
    let right = value & (HALF - 1);
    for (const table of tables)
      [left, right] = [right, left ^ ((table[right] as number) & (HALF - 1))];
    return (left << 15) | right;
  };
}
