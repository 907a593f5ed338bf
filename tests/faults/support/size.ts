import { appendFileSync } from 'node:fs';
import { load } from '../../support/promises.ts';
import { SEED, type Sizes, size as sizeOf } from '../../support/size.ts';

export { SEED } from '../../support/size.ts';

/**
 * The full size runs by `npm run test:campaign -- faults`; `FAULT_<NAME>=<number>` sets one size by
 * itself.
 */
export const size = (name: string, sizes: Sizes): number => sizeOf(`FAULT_${name}`, sizes);

/**
 * Prints what a campaign measured and how busy the machine was, and keeps it as a line of JSON in
 * the file that FAULT_FIGURES names.
 */
export function report(campaign: string, figures: Readonly<Record<string, number | string>>): void {
  const measured = { ...figures, load: load() };
  console.info(`${campaign}: ${JSON.stringify(measured)}`);
  const file = process.env['FAULT_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ campaign, ...measured })}\n`);
}

/** A whole number from 0 up to, and without, `below`. */
export type Random = (below: number) => number;

/**
 * Mulberry32. The moments of the faults follow from the seed; what the system does between them does
 * not.
 */
export function seeded(seed: number = SEED): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
