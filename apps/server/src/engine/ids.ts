import { randomBytes, randomUUID } from 'node:crypto';
import type { Instant } from '@munshi/core';

declare module '../platform/http/deps.ts' {
  interface Deps {
    readonly ids: Ids;
  }
}

/** Ids and order references. One for each process, because they follow the ones before. */
export interface Ids {
  /** A UUIDv7 that sorts after every one made before. */
  uuid(now: Instant): string;
  /**
   * `ORD-<yyyyMMddHHmmss>-<6 Crockford base32>`, unique by a constraint of the database. No suffix
   * repeats before all have been used, and two references do not reveal how many orders lie between
   * them.
   */
  orderReference(now: Instant): string;
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SUFFIXES = 2 ** 30;

export function createIds(): Ids {
  const permuted = randomPermutation();
  let lastMs = 0;
  let sequence = 0;
  let suffixesMade = randomBytes(4).readUInt32BE() % SUFFIXES;

  return {
    uuid(now) {
      if (now > lastMs) {
        lastMs = now;
        sequence = randomBytes(2).readUInt16BE() & 0x3ff;
      } else {
        sequence += 1;
        if (sequence > 0xfff) {
          lastMs += 1;
          sequence = 0;
        }
      }
      const time = lastMs.toString(16).padStart(12, '0');
      const tail = randomUUID().slice(19);
      return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${tail}`;
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
