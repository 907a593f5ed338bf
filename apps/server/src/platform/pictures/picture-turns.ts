import { UnavailableError } from '../database/errors.ts';
import { TooManyWaiting } from '../refusals.ts';

interface Waiting {
  readonly since: number;
  start(): void;
  giveUp(error: Error): void;
}

interface Limits {
  /** Of one caller, with the one at work. */
  readonly perCaller: number;
  /** Of all callers: each holds what was uploaded. */
  readonly total: number;
  /** A caller that has waited longer has been answered meanwhile. */
  readonly waitMs: number;
}

const crowded = () => new UnavailableError('too many pictures wait to be drawn');

/**
 * One piece of work at a time, by turns between callers: nobody waits longer because another caller
 * has sent many. When all places are taken, the caller who has most of them loses the last one to
 * somebody who has fewer.
 */
export class Turns {
  readonly #limits: Limits;
  /** By caller, in the order of their turns. None is empty. */
  readonly #queues = new Map<string, Waiting[]>();
  #atWork: string | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Does the work when it is the caller's turn. Throws TooManyWaiting where all places of the
   * caller are taken, and UnavailableError where those of all are, or it would come too late.
   */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#placesOf(caller);
    if (own >= this.#limits.perCaller) throw new TooManyWaiting();
    this.#makeRoom(own);
    await this.#turn(caller);
    try {
      return await work();
    } finally {
      this.#atWork = undefined;
      this.#next();
    }
  }

  #placesOf(caller: string): number {
    return (this.#queues.get(caller)?.length ?? 0) + (this.#atWork === caller ? 1 : 0);
  }

  #makeRoom(own: number): void {
    const queues = [...this.#queues.entries()];
    const taken = queues.reduce((sum, [, queue]) => sum + queue.length, 0);
    if (taken + (this.#atWork === undefined ? 0 : 1) < this.#limits.total) return;
    const [most] = queues.sort(([, one], [, other]) => other.length - one.length);
    if (most === undefined || most[1].length <= own + 1) throw crowded();
    this.#take(most[0], 'last')?.giveUp(crowded());
  }

  #turn(caller: string): Promise<void> {
    return new Promise((start, giveUp) => {
      const waiting = { since: performance.now(), start, giveUp };
      const queue = this.#queues.get(caller);
      if (queue === undefined) this.#queues.set(caller, [waiting]);
      else queue.push(waiting);
      this.#next();
    });
  }

  #next(): void {
    while (this.#atWork === undefined) {
      const [caller] = this.#queues.keys();
      if (caller === undefined) return;
      const waiting = this.#take(caller, 'first') as Waiting;
      if (performance.now() - waiting.since > this.#limits.waitMs) waiting.giveUp(crowded());
      else {
        this.#atWork = caller;
        waiting.start();
      }
    }
  }

  /** Takes one of a caller, whose next turn then comes after everybody else's. */
  #take(caller: string, which: 'first' | 'last'): Waiting | undefined {
    const queue = this.#queues.get(caller) ?? [];
    const taken = which === 'first' ? queue.shift() : queue.pop();
    if (which === 'first') this.#queues.delete(caller);
    if (queue.length > 0) this.#queues.set(caller, queue);
    else this.#queues.delete(caller);
    return taken;
  }
}
