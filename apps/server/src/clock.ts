import type { Instant } from '@munshi/core';

/** The service's one source of time (D54). */
export interface Clock {
  now(): Instant;
  /** True for a clock that operators may advance. */
  readonly sandbox: boolean;
  /** Real time plus this much. */
  setOffset(ms: number): void;
}

/** A sandbox clock shows real time plus what was added; any other shows real time. */
export function createClock({ sandbox }: { sandbox: boolean }): Clock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    sandbox,
    setOffset(ms) {
      if (sandbox) offset = ms;
    },
  };
}
