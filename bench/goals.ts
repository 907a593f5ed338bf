import { median, type Sample } from './samples.ts';

/** A figure with a goal. */
interface Goal {
  readonly name: string;
  readonly goal: number;
  readonly unit: '' | 'ms' | 's';
  /** Whether more or less is better. */
  readonly better: 'more' | 'less';
  /** Undefined if the run has not measured it. */
  measure(samples: readonly Sample[]): number | undefined;
}

export interface GoalResult extends Omit<Goal, 'measure'> {
  readonly value: number;
  readonly isMet: boolean;
}

interface Wanted {
  readonly workload: string;
  readonly contender?: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}

/** Samples of a workload by one contender with these parameters, regardless of others. */
const select = (
  samples: readonly Sample[],
  { workload, contender = 'munshi', parameters = {} }: Wanted,
) =>
  samples.filter(
    (sample) =>
      sample.workload === workload &&
      sample.contender === contender &&
      Object.entries(parameters).every(([name, value]) => sample.parameters[name] === value),
  );

/** The median of one figure; undefined if there is none. */
function medianOf(samples: readonly Sample[], figure: string): number | undefined {
  const values = samples.flatMap(({ figures }) => figures[figure] ?? []);
  return values.length === 0 ? undefined : median(values);
}

const figure = (name: string) => (sample: Sample) => sample.figures[name];
const perSecond = figure('perSecond');

/** Processor time of the server and of Postgres together. */
function processorTime({ figures }: Sample): number | undefined {
  const { serverMicros, postgresMicros } = figures;
  return serverMicros === undefined || postgresMicros === undefined
    ? undefined
    : serverMicros + postgresMicros;
}

/** The median of the rounds' ratios, so that neighbours in time are compared. */
function ratio(
  above: readonly Sample[],
  below: readonly Sample[],
  of: (sample: Sample) => number | undefined = perSecond,
): number | undefined {
  const ratios = above.flatMap((sample) => {
    const neighbour = below.find(({ round }) => round === sample.round);
    const [own, other] = [of(sample), neighbour && of(neighbour)];
    return own === undefined || other === undefined ? [] : [own / other];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}

const creationOver =
  (contender: string, of = perSecond) =>
  (samples: readonly Sample[]) =>
    ratio(
      select(samples, { workload: 'creation' }),
      select(samples, { workload: 'creation', contender }),
      of,
    );

/** The largest or smallest number that a parameter had. */
function extreme(
  samples: readonly Sample[],
  name: string,
  of: (...numbers: number[]) => number,
): number | undefined {
  const values = samples.flatMap(({ parameters }) =>
    typeof parameters[name] === 'number' ? [parameters[name]] : [],
  );
  return new Set(values).size < 2 ? undefined : of(...values);
}

/** Creations where a parameter is largest against where it is smallest. */
const over =
  (workload: string, name: string, parameters: Wanted['parameters'] = {}) =>
  (samples: readonly Sample[]) => {
    const all = select(samples, { workload, parameters });
    const [least, most] = [extreme(all, name, Math.min), extreme(all, name, Math.max)];
    if (least === undefined || most === undefined) return undefined;
    return ratio(
      all.filter((sample) => sample.parameters[name] === most),
      all.filter((sample) => sample.parameters[name] === least),
    );
  };

const deliveries = (samples: readonly Sample[], contender = 'munshi') =>
  select(samples, { workload: 'webhooks', contender }).filter(
    ({ parameters }) => parameters['receivers'] === undefined,
  );

const start = (kind: 'cold' | 'warm') => (samples: readonly Sample[]) =>
  medianOf(select(samples, { workload: 'start-up', parameters: { start: kind } }), 'seconds');

const more = { unit: '', better: 'more' } as const;
const less = { better: 'less' } as const;

/** The table of goals, and how a run's samples give each figure. */
const GOALS: readonly Goal[] = [
  { name: 'creations / bare-store', goal: 0.6, ...more, measure: creationOver('bare-store') },
  {
    name: 'processor time of a creation / of one in bare-store',
    ...{ goal: 2, unit: '', ...less },
    measure: creationOver('bare-store', processorTime),
  },
  {
    name: 'creations / one transaction per request',
    ...{ goal: 10, ...more },
    measure: creationOver('transaction-per-request'),
  },
  {
    name: 'creations / one-row inserts of 32 clients',
    ...{ goal: 1, ...more },
    measure: (samples) =>
      creationOver('pgbench')(samples) ?? creationOver('inserts-by-pg')(samples),
  },
  {
    name: 'creations with the most orders stored / with the fewest',
    ...{ goal: 1, ...more },
    measure: over('sizes', 'orders', { work: 'creation' }),
  },
  {
    name: 'creations with the most members / with the fewest',
    ...{ goal: 0.95, ...more },
    measure: over('members', 'members'),
  },
  {
    name: 'status look-ups / bare-read',
    ...{ goal: 0.75, ...more },
    measure: (samples) => {
      const looks = { workload: 'reads', parameters: { look: 'status by id' } };
      return ratio(select(samples, looks), select(samples, { ...looks, contender: 'bare-read' }));
    },
  },
  {
    name: 'p99 of the mixed load at 64 connections',
    ...{ goal: 25, unit: 'ms', ...less },
    measure: (samples) =>
      medianOf(
        select(samples, { workload: 'mixed', parameters: { arrivals: 'closed loop' } }),
        'p99',
      ),
  },
  {
    name: 'webhook deliveries / graphile-worker',
    ...{ goal: 1.5, ...more },
    measure: (samples) => ratio(deliveries(samples), deliveries(samples, 'graphile-worker')),
  },
  {
    name: 'half of the receivers hang: p95 of the others',
    ...{ goal: 2_000, unit: 'ms', ...less },
    measure: (samples) =>
      medianOf(
        select(samples, { workload: 'webhooks', parameters: { receivers: 'half of them hang' } }),
        'p95',
      ),
  },
  {
    name: '`npm start` cold to the first answer',
    ...{ goal: 4, unit: 's', ...less },
    measure: start('cold'),
  },
  {
    name: '`npm start` warm to the first answer',
    ...{ goal: 1.5, unit: 's', ...less },
    measure: start('warm'),
  },
];

/** Every goal that this run has measured. */
export function judge(samples: readonly Sample[]): readonly GoalResult[] {
  return GOALS.flatMap(({ measure, ...goal }) => {
    const value = measure(samples);
    if (value === undefined || Number.isNaN(value)) return [];
    return [
      { ...goal, value, isMet: goal.better === 'more' ? value >= goal.goal : value <= goal.goal },
    ];
  });
}
