import type { Instant } from '@munshi/core';

/** No process that could advance the sandbox clock has answered. */
export class NoWorkerError extends Error {}

/** The service's one source of time (decision 1). */
export interface Clock {
  now(): Instant;
  /** True for a clock that operators may advance. */
  readonly sandbox: boolean;
  /** Real time plus this much; never less than before. */
  setOffset(ms: number): void;
  /** Calls `listen` after each advance until the answered function is called. */
  onAdvance(listen: () => void): () => void;
}

/** A sandbox clock shows real time plus what was added; any other shows real time. */
export function createClock({ sandbox, offset = 0 }: { sandbox: boolean; offset?: number }): Clock {
  const listeners = new Set<() => void>();
  return {
    now: () => Date.now() + offset,
    sandbox,
    setOffset(ms) {
      if (!sandbox || ms <= offset) return;
      offset = ms;
      for (const listen of [...listeners]) listen();
    },
    onAdvance(listen) {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
  };
}
