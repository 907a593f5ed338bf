import { median, type Sample } from './samples.ts';

/** A figure with a goal. */
export interface Goal {
  readonly name: string;
  readonly floor: number;
  readonly goal: number;
  readonly unit: '' | 'ms' | 's';
  /** Whether more or less is better. */
  readonly better: 'more' | 'less';
  /** Undefined if the run has not measured it. */
  measure(samples: readonly Sample[]): number | undefined;
}

export interface GoalResult extends Omit<Goal, 'measure'> {
  readonly value: number;
  readonly met: 'goal' | 'floor' | 'neither';
}

interface Wanted {
  readonly workload: string;
  readonly contender?: string;
  readonly parameters?: Readonly<Record<string, string | number>>;
}

/** Samples of a workload by one contender with these parameters, whatever the others. */
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

/** The median of the rounds' ratios, so that neighbours in time are compared. */
function ratio(
  above: readonly Sample[],
  below: readonly Sample[],
  figure = 'perSecond',
): number | undefined {
  const ratios = above.flatMap((sample) => {
    const other = below.find(({ round }) => round === sample.round)?.figures[figure];
    const own = sample.figures[figure];
    return own === undefined || other === undefined ? [] : [own / other];
  });
  return ratios.length === 0 ? undefined : median(ratios);
}

const creationOver = (contender: string) => (samples: readonly Sample[]) =>
  ratio(
    select(samples, { workload: 'creation' }),
    select(samples, { workload: 'creation', contender }),
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

/**
 * Creation with the most orders stored against the fewest, each over the bare server measured right
 * after it.
 */
function overSizes(samples: readonly Sample[]): number | undefined {
  const sizes = samples.filter(
    ({ workload, parameters }) => workload === 'sizes' && parameters['work'] === 'creation',
  );
  const [least, most] = [extreme(sizes, 'orders', Math.min), extreme(sizes, 'orders', Math.max)];
  if (least === undefined || most === undefined) return undefined;
  const overCeiling = (orders: number) =>
    ratio(
      select(sizes, { workload: 'sizes', parameters: { orders } }),
      select(sizes, { workload: 'sizes', contender: 'bare-fastify', parameters: { orders } }),
    );
  return (overCeiling(most) as number) / (overCeiling(least) as number);
}

function overMembers(samples: readonly Sample[]): number | undefined {
  const all = select(samples, { workload: 'members' });
  const [least, most] = [extreme(all, 'members', Math.min), extreme(all, 'members', Math.max)];
  if (least === undefined || most === undefined) return undefined;
  return ratio(
    select(all, { workload: 'members', parameters: { members: most } }),
    select(all, { workload: 'members', parameters: { members: least } }),
  );
}

const deliveries = (samples: readonly Sample[], contender = 'munshi') =>
  select(samples, { workload: 'webhooks', contender }).filter(
    ({ parameters }) => parameters['receivers'] === undefined,
  );

/** The quicker of the commerce servers that were measured. */
function overCommerce(samples: readonly Sample[]): number | undefined {
  const own = medianOf(select(samples, { workload: 'creation' }), 'perSecond');
  const peers = ['vendure', 'medusa'].flatMap(
    (contender) =>
      medianOf(select(samples, { workload: 'commerce', contender }), 'perSecond') ?? [],
  );
  return own === undefined || peers.length === 0 ? undefined : own / Math.max(...peers);
}

const start = (kind: 'cold' | 'warm') => (samples: readonly Sample[]) =>
  medianOf(select(samples, { workload: 'start-up', parameters: { start: kind } }), 'seconds');

/** The table of goals: floor, goal, and how a run's samples give the figure. */
export const GOALS: readonly Goal[] = [
  {
    name: 'creations / bare Fastify POST',
    floor: 0.3,
    goal: 0.5,
    unit: '',
    better: 'more',
    measure: creationOver('bare-fastify'),
  },
  {
    name: 'creations / one transaction per request',
    floor: 5,
    goal: 10,
    unit: '',
    better: 'more',
    measure: creationOver('transaction-per-request'),
  },
  {
    name: 'creations / one-row inserts of 32 clients',
    floor: 0.6,
    goal: 1,
    unit: '',
    better: 'more',
    measure: (samples) =>
      creationOver('pgbench')(samples) ?? creationOver('inserts-by-pg')(samples),
  },
  {
    name: 'status look-ups / bare Fastify GET',
    floor: 0.6,
    goal: 0.85,
    unit: '',
    better: 'more',
    measure: (samples) =>
      ratio(
        select(samples, { workload: 'reads', parameters: { look: 'status by id' } }),
        select(samples, {
          workload: 'reads',
          contender: 'bare-fastify',
          parameters: { look: 'status by id' },
        }),
      ),
  },
  {
    name: 'creations with the most orders stored / with the fewest',
    floor: 0.85,
    goal: 1,
    unit: '',
    better: 'more',
    measure: overSizes,
  },
  {
    name: 'creations with the most members / with the fewest',
    floor: 0.8,
    goal: 0.95,
    unit: '',
    better: 'more',
    measure: overMembers,
  },
  {
    name: 'webhook deliveries / bare undici POSTs',
    floor: 0.35,
    goal: 0.6,
    unit: '',
    better: 'more',
    measure: (samples) => ratio(deliveries(samples), deliveries(samples, 'bare-undici')),
  },
  {
    name: 'webhook deliveries / graphile-worker',
    floor: 1.2,
    goal: 2,
    unit: '',
    better: 'more',
    measure: (samples) => ratio(deliveries(samples), deliveries(samples, 'graphile-worker')),
  },
  {
    name: 'creations / whole orders of the quickest commerce server',
    floor: 100,
    goal: 500,
    unit: '',
    better: 'more',
    measure: overCommerce,
  },
  {
    name: 'p99 of the mixed load at 64 connections',
    floor: 50,
    goal: 25,
    unit: 'ms',
    better: 'less',
    measure: (samples) =>
      medianOf(
        select(samples, { workload: 'mixed', parameters: { arrivals: 'closed loop' } }),
        'p99',
      ),
  },
  {
    name: 'withdrawals that wait, all assigned when one member comes online',
    floor: 2,
    goal: 2,
    unit: 's',
    better: 'less',
    measure: (samples) => {
      const all = select(samples, { workload: 'waiting-withdrawals' });
      const room = extreme(all, 'room', Math.max);
      return room === undefined
        ? undefined
        : medianOf(
            select(all, { workload: 'waiting-withdrawals', parameters: { room } }),
            'seconds',
          );
    },
  },
  {
    name: 'expiry of everything at once, the latest after its deadline',
    floor: 65,
    goal: 65,
    unit: 's',
    better: 'less',
    measure: (samples) => medianOf(select(samples, { workload: 'expiry' }), 'latestSeconds'),
  },
  {
    name: 'half of the receivers hang: p95 of the others',
    floor: 2_000,
    goal: 2_000,
    unit: 'ms',
    better: 'less',
    measure: (samples) =>
      medianOf(
        select(samples, { workload: 'webhooks', parameters: { receivers: 'half of them hang' } }),
        'p95',
      ),
  },
  {
    name: '`npm start` cold to the first answer',
    floor: 6,
    goal: 4,
    unit: 's',
    better: 'less',
    measure: start('cold'),
  },
  {
    name: '`npm start` warm to the first answer',
    floor: 2.5,
    goal: 1.5,
    unit: 's',
    better: 'less',
    measure: start('warm'),
  },
];

/** Every goal that this run has measured. */
export function judge(samples: readonly Sample[]): readonly GoalResult[] {
  return GOALS.flatMap(({ measure, ...goal }) => {
    const value = measure(samples);
    if (value === undefined || Number.isNaN(value)) return [];
    const reaches = (bound: number) => (goal.better === 'more' ? value >= bound : value <= bound);
    return [
      {
        ...goal,
        value,
        met: reaches(goal.goal) ? 'goal' : reaches(goal.floor) ? 'floor' : 'neither',
      } as const,
    ];
  });
}
