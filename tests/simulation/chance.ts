import { SEED } from '../support/size.ts';

/** Seeded chance: the same seed draws the same things in the same order, on every machine. */
export interface Chance {
  /** A whole number from 0 up to, not including, `below`. */
  number(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in `times`. */
  oneIn(times: number): boolean;
}

/** Mulberry32: small, fast, and good enough to choose test steps. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  next();
  const number = (below: number) => Math.floor((next() / 2 ** 32) * below);
  return {
    number,
    pick: (from) => from[number(from.length)] as (typeof from)[number],
    oneIn: (times) => number(times) === 0,
  };
}

/**
 * The steps of a run: each is a seed of its own, so that a run without some of its steps still
 * means something.
 */
export function stepsOf(seed: number, count: number): readonly number[] {
  const chance = chanceOf(seed);
  return Array.from({ length: count }, () => chance.number(2 ** 32));
}

/** `SIMULATION_SEED`: the one run to do again. */
export const seedGiven = (): number | undefined =>
  process.env['SIMULATION_SEED'] === undefined ? undefined : Number(process.env['SIMULATION_SEED']);

/**
 * The given seed alone; otherwise the same seeds every time, but for the last tenth (one at least),
 * which are new.
 */
export function seedsFor(runs: number): readonly number[] {
  const given = seedGiven();
  if (given !== undefined) return [given];
  const fresh = chanceOf(SEED);
  const fixed = runs - Math.ceil(runs / 10);
  return Array.from({ length: runs }, (_, at) => (at < fixed ? at + 1 : fresh.number(2 ** 31)));
}
