/** What a run of steps ended with: an error, or nothing. */
export type Failing<T> = (steps: readonly T[]) => Promise<Error | undefined> | Error | undefined;

export interface Shrunk<T> {
  readonly steps: readonly T[];
  readonly error: Error;
  /** Runs that it took. */
  readonly tries: number;
}

/**
 * The smallest run found that still fails: chunks of steps are left out, halves first and single
 * steps last, again and again until none can be spared or `tries` are used up. `steps` fails with
 * `error`.
 */
export async function shrink<T>(
  steps: readonly T[],
  error: Error,
  failing: Failing<T>,
  triesMax: number,
): Promise<Shrunk<T>> {
  let smallest: Shrunk<T> = { steps, error, tries: 0 };
  let tries = 0;
  for (let chunk = Math.ceil(steps.length / 2); chunk >= 1 && tries < triesMax; ) {
    let spared = false;
    for (let at = 0; at < smallest.steps.length && tries < triesMax; ) {
      const without = smallest.steps.toSpliced(at, chunk);
      tries += 1;
      const failure = without.length < smallest.steps.length ? await failing(without) : undefined;
      if (failure === undefined) at += chunk;
      else {
        smallest = { steps: without, error: failure, tries };
        spared = true;
      }
    }
    if (chunk > 1) chunk = Math.ceil(chunk / 2);
    else if (!spared) break;
  }
  return { ...smallest, tries };
}
