import type { Instant } from '@munshi/core';

/** What happens to one order, from its beginning to its end. */
export type Story = (later: Later) => Promise<void>;
/** Resolves when this much more time has passed. */
export type Later = (seconds: number) => Promise<void>;

interface Turn {
  readonly at: Instant;
  readonly go: () => void;
}

/**
 * Plays stories that overlap in time: each goes on when it is its turn, after the clock has been
 * moved there, and the next one goes on when it waits again or has ended.
 */
export function createTimeline(clock: { now(): Instant; moveTo(at: Instant): Promise<void> }) {
  const turns: Turn[] = [];
  let playing = 0;
  let failure: Error | undefined;
  let resting: () => void = () => {};

  function rest() {
    playing -= 1;
    if (playing === 0) resting();
  }
  const later: Later = (seconds) =>
    new Promise((resolve) => {
      turns.push({ at: clock.now() + seconds * 1000, go: resolve });
      rest();
    });

  return {
    /** Has a story begin at this time. */
    plan(at: Instant, story: Story): void {
      const go = () => {
        story(later)
          .catch((error: Error) => {
            failure ??= error;
          })
          .finally(rest);
      };
      turns.push({ at, go });
    },
    /** Resolves when every story has ended. Throws what the first one that failed threw. */
    async play(): Promise<void> {
      while (failure === undefined) {
        turns.sort((left, right) => left.at - right.at);
        const next = turns.shift();
        if (next === undefined) return;
        await clock.moveTo(next.at);
        playing += 1;
        const rested = new Promise<void>((resolve) => {
          resting = resolve;
        });
        next.go();
        await rested;
      }
      throw failure;
    },
  };
}
