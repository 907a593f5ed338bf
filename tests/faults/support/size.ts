import { appendFileSync } from 'node:fs';
import { SEED, size as sizeOf } from '../../support/size.ts';

export { SEED } from '../../support/size.ts';

/**
 * The full size runs by `npm run test:campaign -- faults`; `FAULT_<NAME>=<number>` sets one size by
 * itself.
 */
export const size = (
  name: string,
  sizes: { readonly short: number; readonly full: number },
): number => sizeOf(`FAULT_${name}`, sizes);

/**
 * Tells what a campaign measured, and keeps it as a line of JSON in the file that FAULT_FIGURES
 * names.
 */
export function report(campaign: string, figures: Readonly<Record<string, number | string>>): void {
  console.info(`${campaign}: ${JSON.stringify(figures)}`);
  const file = process.env['FAULT_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ campaign, ...figures })}\n`);
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
