import type { Machine } from './environment.ts';

/** Figures of one measured stretch by name; the unit is in the name or in UNITS. */
export type Figures = Readonly<Record<string, number>>;

/** Where a figure was measured. Samples that agree in all of this are rounds of the same thing. */
export interface Sample {
  readonly workload: string;
  /** What was measured: `munshi`, a ceiling or a peer. */
  readonly contender: string;
  /** Its parameters: connections, orders stored, members … */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly round: number;
  readonly figures: Figures;
}

/** A check and its result. */
export interface Check {
  readonly workload: string;
  readonly what: string;
  readonly ok: boolean;
  readonly detail?: string;
}

/** A run as it is saved. */
export interface Results {
  readonly machine: Machine;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** What was left out, and why. */
  readonly notes: readonly string[];
  readonly samples: readonly Sample[];
  readonly checks: readonly Check[];
}

export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** All rounds of the same thing. */
export interface Summary extends Omit<Sample, 'round' | 'figures'> {
  readonly rounds: number;
  readonly figures: Readonly<Record<string, Spread>>;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** One summary for each thing measured, in the order in which they were first measured. */
export function summarize(samples: readonly Sample[]): readonly Summary[] {
  const groups = Map.groupBy(samples, ({ workload, contender, parameters }) =>
    JSON.stringify([workload, contender, parameters]),
  );
  return [...groups.values()].map((rounds) => {
    const { workload, contender, parameters } = rounds[0] as Sample;
    const names = [...new Set(rounds.flatMap(({ figures }) => Object.keys(figures)))];
    const figures = Object.fromEntries(
      names.map((name) => {
        const values = rounds.flatMap((sample) => sample.figures[name] ?? []);
        return [
          name,
          { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) },
        ];
      }),
    );
    return { workload, contender, parameters, rounds: rounds.length, figures };
  });
}
