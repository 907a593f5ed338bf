import { randomBytes, randomUUID } from 'node:crypto';
import type { Instant } from '@munshi/core';

let lastMs = 0;
let sequence = 0;

/** A UUIDv7 that sorts after every one this process made before (D55). */
export function uuidV7(now: Instant): string {
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
}

const HALF = 2 ** 15;
const ROUNDS = 6;

/**
 * A function that takes each number below 2^30 to another one, none twice, in an order that nothing
 * tells without its tables.
 */
export function randomPermutation(): (value: number) => number {
  // A Feistel network whose round functions are drawn by chance: 15 bits to 15 bits, 64 KB each.
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

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SUFFIXES = 2 ** 30;
const permuted = randomPermutation();
let made = randomBytes(4).readUInt32BE() % SUFFIXES;

/**
 * `ORD-<yyyyMMddHHmmss>-<6 Crockford base32>`; the database holds it unique (D55). A process gives
 * no suffix twice before it has given all, and two references do not tell how many lie between.
 */
export function orderReference(now: Instant): string {
  made = (made + 1) % SUFFIXES;
  const suffix = permuted(made);
  let text = '';
  for (let shift = 25; shift >= 0; shift -= 5) text += CROCKFORD[(suffix >>> shift) & 31];
  const stamp = new Date(now).toISOString().replace(/[-T:]/g, '').slice(0, 14);
  return `ORD-${stamp}-${text}`;
}
