/** Chance that is the same at every start. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: small, and even enough for a demo. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return { next, integer, pick: (list) => list[integer(0, list.length - 1)] as never };
}
