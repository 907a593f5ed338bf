import type pg from 'pg';

interface Waiting {
  start(): void;
}

/** Whose read it is. Undefined: of operators and the service itself, without a limit of its own. */
type Reader = string | undefined;

/** Of one reader at once. */
const OF_READER_MAX = 2;

/**
 * Places for reads that take long. A place that becomes free goes to the reader who has the fewest:
 * nobody waits longer because another one asks for much.
 */
class LongReads {
  readonly #total: number;
  #taken = 0;
  readonly #takenBy = new Map<Reader, number>();
  /** By reader, in the order in which they came. None is empty. */
  readonly #waiting = new Map<Reader, Set<Waiting>>();

  constructor(total: number) {
    this.#total = total;
  }

  /** Whether the reader has a place now; false where none became free in time. */
  take(reader: Reader, milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = {
        start() {
          clearTimeout(giveUp);
          resolve(true);
        },
      };
      const giveUp = setTimeout(() => {
        this.#withdraw(reader, waiting);
        resolve(false);
      }, milliseconds);
      this.#waiting.set(reader, (this.#waiting.get(reader) ?? new Set<Waiting>()).add(waiting));
      this.#next();
    });
  }

  leave(reader: Reader): void {
    this.#taken -= 1;
    const own = this.#ownOf(reader) - 1;
    if (own === 0) this.#takenBy.delete(reader);
    else this.#takenBy.set(reader, own);
    this.#next();
  }

  #ownOf(reader: Reader): number {
    return this.#takenBy.get(reader) ?? 0;
  }

  #withdraw(reader: Reader, waiting: Waiting): void {
    const own = this.#waiting.get(reader);
    own?.delete(waiting);
    if (own?.size === 0) this.#waiting.delete(reader);
  }

  #next(): void {
    if (this.#taken >= this.#total) return;
    const [next] = [...this.#waiting]
      .filter(([one]) => one === undefined || this.#ownOf(one) < OF_READER_MAX)
      .sort(([one], [other]) => this.#ownOf(one) - this.#ownOf(other));
    if (next === undefined) return;
    const [reader, own] = next;
    const [first] = own;
    this.#withdraw(reader, first as Waiting);
    this.#taken += 1;
    this.#takenBy.set(reader, this.#ownOf(reader) + 1);
    first?.start();
    this.#next();
  }
}

const ofPool = new WeakMap<pg.Pool, LongReads>();

/** Half of a pool: the other half stays for what is short. */
export function longReadsOf(pool: pg.Pool): LongReads {
  const known = ofPool.get(pool) ?? new LongReads(Math.max(1, Math.floor(pool.options.max / 2)));
  ofPool.set(pool, known);
  return known;
}
