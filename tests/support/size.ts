import type { Size } from '../rings/rings.ts';

/** How much the sized tests of this run do; `short` unless a ring or campaign says otherwise. */
export const SIZE = (process.env['TEST_SIZE'] ?? 'short') as Size;

export interface Sizes {
  readonly short: number;
  /** As `short` unless given. */
  readonly deep?: number;
  readonly full: number;
}

/** A size of this run; the environment variable of that name sets it by itself. */
export function size(name: string, { short, deep = short, full }: Sizes): number {
  const own = process.env[name];
  return own === undefined ? { short, deep, full }[SIZE] : Number(own);
}

/** All that is random follows from this seed; `TEST_SEED` repeats a run. Set by the global set-up. */
export const SEED = Number(process.env['TEST_SEED']);
