import type { Command, Decision } from '@munshi/core';
import { UnavailableError } from '../platform/database/errors.ts';
import type { Outcome } from './run-batch.ts';

/** A command until it is answered. */
export interface Waiting {
  readonly command: Command;
  /** By `performance.now()`. */
  readonly deadline: number;
  /** How many batches with it have failed. */
  attempts: number;
  /** One of them, or an earlier command of the same id, may have been committed. */
  doubtful: boolean;
  answered: boolean;
  readonly promise: Promise<Decision<never>>;
  readonly resolve: (decision: Decision<never>) => void;
  readonly reject: (error: Error) => void;
}

/** Under the 10 s that clients wait. */
export const DEADLINE_MS = 8_000;

/** The commands that are not answered. Each is answered by its deadline, and only once. */
export function createUnanswered() {
  /**
   * In order of arrival, and so of their deadlines; answered ones are removed from the front. A Set
   * would keep everything alive that was ever in it, by its outgrown tables, until the next full
   * garbage collection.
   */
  const arrived: Waiting[] = [];
  const drained = Promise.withResolvers<void>();
  let count = 0;
  let closed = false;

  function settle(waiting: Waiting) {
    waiting.answered = true;
    count -= 1;
    if (closed && count === 0) drained.resolve();
  }

  function dropAnswered() {
    let answered = 0;
    while (arrived[answered]?.answered) answered += 1;
    arrived.splice(0, answered);
  }

  function refuse(waiting: Waiting, error: Error) {
    settle(waiting);
    waiting.reject(error);
  }

  return {
    get count() {
      return count;
    },
    get isClosed() {
      return closed;
    },
    add(command: Command, doubtful: boolean): Waiting {
      const waiting = {
        command,
        deadline: performance.now() + DEADLINE_MS,
        attempts: 0,
        doubtful,
        answered: false,
        ...Promise.withResolvers<Decision<never>>(),
      };
      count += 1;
      arrived.push(waiting);
      return waiting;
    },
    answer(batch: readonly Waiting[], outcomes: readonly Outcome[]) {
      batch.forEach((waiting, at) => {
        const outcome = outcomes[at];
        if (outcome === undefined || waiting.answered) return;
        if ('bug' in outcome) refuse(waiting, outcome.bug);
        else {
          settle(waiting);
          waiting.resolve(outcome.decision as Decision<never>);
        }
      });
      dropAnswered();
    },
    refuse,
    /** Refuses the commands whose deadline has passed. Returns whether there were any. */
    refuseLate() {
      const now = performance.now();
      const late = arrived.filter(({ deadline, answered }) => deadline <= now && !answered);
      for (const waiting of late)
        refuse(waiting, new UnavailableError('the database did not answer in time'));
      dropAnswered();
      return late.length > 0;
    },
    /** How long the oldest has waited, in milliseconds. */
    oldestMs() {
      const oldest = arrived.find(({ answered }) => !answered);
      return oldest === undefined ? 0 : performance.now() + DEADLINE_MS - oldest.deadline;
    },
    /** Takes no further command; resolves when none is left. */
    close() {
      closed = true;
      if (count === 0) drained.resolve();
      return drained.promise;
    },
  };
}
