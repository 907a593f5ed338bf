import type { Command, Decision } from '@munshi/core';
import { UnavailableError } from '../platform/database/errors.ts';
import type { Outcome } from './run-batch.ts';
import { createUnanswered, type Waiting } from './unanswered.ts';

export interface SubmitOptions {
  /**
   * A command of this id may have been submitted before, by anybody: it is looked up by its
   * identity, and answered if it was applied.
   */
  readonly mayBeDone?: boolean;
}

/**
 * Commands that wait to be decided or are being decided. Each is answered by its deadline, and only
 * once.
 */
export interface Queue {
  /** Resolves with the decision. Rejects with UnavailableError when there was none in time. */
  submit(command: Command, options?: SubmitOptions): Promise<Decision<never>>;
  /** How many wait to be decided. */
  readonly length: number;
  /** How many are not answered. */
  readonly unanswered: number;
  /** Resolves when at least so many wait. A newer call takes the place of an older one. */
  filled(count: number): Promise<void>;
  /**
   * Takes the commands to be decided next, as one batch; it is empty if all of them have been
   * answered meanwhile.
   */
  takeBatch(): readonly Waiting[];
  /** Answers the commands of a committed batch. */
  answer(batch: readonly Waiting[], outcomes: readonly Outcome[]): void;
  /** Takes the commands of a failed batch back, to be decided from fresh rows, or refuses them. */
  putBack(batch: readonly Waiting[], error: Error, failure: Failure): void;
  /** Refuses the commands whose deadline has passed. Returns whether there were any. */
  refuseLate(): boolean;
  /** How long the oldest has waited, in milliseconds. */
  oldestMs(): number;
  /** Takes no further command; resolves when all are answered. */
  close(): Promise<void>;
  readonly isClosed: boolean;
}

/**
 * What a failed batch means for its commands. `conflict`: decide again from fresh rows. `lost`: the
 * connection or the server is in trouble, decide again when it is back. `broken`: some command of
 * the batch fails by itself. `mayBeDone`: its commit was on its way.
 */
export interface Failure {
  readonly meaning: 'conflict' | 'lost' | 'broken';
  readonly mayBeDone: boolean;
}

/**
 * Commands decided together. Measured: larger batches gain nothing, smaller ones commit more often.
 */
const BATCH_MAX = 256;
/**
 * Waiting commands beyond this are refused at once: more than can be decided before their deadline.
 */
const QUEUE_MAX = 20_000;
/** Decisions of the same command after conflicts with other processes, before it is tried alone. */
const TOGETHER_MAX = 4;
const ALONE_MAX = 12;

/** Whether a command that has failed is tried again, and how. */
function nextTry({ attempts }: Waiting, { meaning }: Failure, batchSize: number) {
  if (meaning === 'lost' || (meaning === 'conflict' && attempts <= TOGETHER_MAX)) return 'together';
  if (batchSize > 1 || (meaning === 'conflict' && attempts <= ALONE_MAX)) return 'alone';
  return 'none';
}

export function createQueue(log: { error(detail: object, message: string): void }): Queue {
  const together: Waiting[] = [];
  /** To be tried one by one, so that a command that breaks its batch fails alone. */
  const alone: Waiting[] = [];
  const unanswered = createUnanswered();
  let wanted: { readonly count: number; readonly resolve: () => void } | undefined;

  const count = () => together.length + alone.length;

  function wake() {
    if (wanted === undefined || count() < wanted.count) return;
    wanted.resolve();
    wanted = undefined;
  }

  return {
    get length() {
      return count();
    },
    get unanswered() {
      return unanswered.count;
    },
    submit(command, { mayBeDone = false } = {}) {
      if (unanswered.isClosed)
        return Promise.reject(new UnavailableError('the service is stopping'));
      if (unanswered.count >= QUEUE_MAX)
        return Promise.reject(
          new UnavailableError('too many requests are waiting for the database'),
        );
      const waiting = unanswered.add(command, mayBeDone);
      together.push(waiting);
      wake();
      return waiting.promise;
    },
    filled(least) {
      return new Promise((resolve) => {
        wanted = { count: least, resolve };
        wake();
      });
    },
    takeBatch() {
      const batch = alone.length > 0 ? alone.splice(0, 1) : together.splice(0, BATCH_MAX);
      return batch.filter(({ answered }) => !answered);
    },
    putBack(batch, error, failure) {
      const again: Waiting[] = [];
      for (const waiting of batch) {
        if (waiting.answered) continue;
        waiting.attempts += 1;
        waiting.doubtful ||= failure.mayBeDone;
        const next = nextTry(waiting, failure, batch.length);
        if (next === 'together') again.push(waiting);
        else if (next === 'alone') alone.push(waiting);
        else {
          log.error({ err: error, kind: waiting.command.kind }, 'a command failed');
          unanswered.refuse(waiting, error);
        }
      }
      together.unshift(...again);
      wake();
    },
    get isClosed() {
      return unanswered.isClosed;
    },
    answer: unanswered.answer,
    refuseLate: unanswered.refuseLate,
    oldestMs: unanswered.oldestMs,
    close: unanswered.close,
  };
}
