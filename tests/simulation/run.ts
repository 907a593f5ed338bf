import { stepsOf } from './chance.ts';
import type { Act } from './model/index.ts';
import type { Model, Verdict } from './model/state.ts';
import { type Setup, setupOf } from './setup.ts';
import { shrink } from './shrink.ts';
import { stepOf } from './steps.ts';

/** A service beside its model: each act is done to both, and what differs is thrown. */
export interface Subject {
  readonly model: Model;
  /** Lets time pass until then, or a little longer where the service's clock is coarser. */
  elapse(until: number): void | Promise<void>;
  /** Does it at the model's present time. */
  perform(act: Act): Verdict | Promise<Verdict>;
  /** Compares everything there is. */
  finish(): void | Promise<void>;
  close?(): Promise<void>;
}

/** One act of a run, when, and the number that its order got, if it made one. */
interface Planned {
  readonly at: number;
  readonly act: Act;
  made: number | undefined;
}

export type Start<S extends Subject> = (setup: Setup) => S | Promise<S>;

export interface Failed {
  readonly error: Error;
  readonly plan: readonly Planned[];
}

/** Runs a seed's steps; answers how it failed, or undefined. */
export async function runSeed<S extends Subject>(
  start: Start<S>,
  seed: number,
  count: number,
  ended?: (subject: S) => void,
): Promise<Failed | undefined> {
  const plan: Planned[] = [];
  const subject = await start(setupOf(seed));
  try {
    const { model } = subject;
    for (const step of stepsOf(seed, count)) {
      const { wait, act } = stepOf(model, step);
      await subject.elapse(model.now + wait);
      const planned: Planned = { at: model.now, act, made: undefined };
      plan.push(planned);
      const before = model.orders.length;
      await subject.perform(act);
      if (model.orders.length > before) planned.made = before;
    }
    await subject.finish();
    ended?.(subject);
    return undefined;
  } catch (error) {
    return { error: error as Error, plan };
  } finally {
    await subject.close?.();
  }
}

/**
 * Runs a plan, or what is left of one: acts on orders that nobody made any more are passed over.
 */
async function runPlan<S extends Subject>(
  start: Start<S>,
  seed: number,
  plan: readonly Planned[],
): Promise<Error | undefined> {
  const subject = await start(setupOf(seed));
  try {
    const { model } = subject;
    const numbers = new Map<number, number>();
    for (const { at, act, made } of plan) {
      const order = 'order' in act ? numbers.get(act.order) : undefined;
      if ('order' in act && order === undefined) continue;
      await subject.elapse(at);
      const before = model.orders.length;
      await subject.perform(order === undefined ? act : ({ ...act, order } as Act));
      if (made !== undefined && model.orders.length > before) numbers.set(made, before);
    }
    await subject.finish();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await subject.close?.();
  }
}

interface FailureOptions {
  readonly seed: number;
  readonly triesMax: number;
  /** The command that runs it again. */
  readonly again: string;
}

/** The smallest run found that still fails, act by act, and how to see it again. */
export async function describeFailure<S extends Subject>(
  start: Start<S>,
  { error, plan }: Failed,
  { seed, triesMax, again }: FailureOptions,
): Promise<string> {
  const smallest = await shrink(plan, error, (some) => runPlan(start, seed, some), triesMax);
  return [
    `seed ${seed}: ${error.message}`,
    `${smallest.steps.length} acts of ${plan.length} are enough (${smallest.tries} tries): ${smallest.error.message}`,
    ...smallest.steps.map(({ at, act }) => `${new Date(at).toISOString()} ${JSON.stringify(act)}`),
    ...(smallest.error.name === 'Error' ? [] : [smallest.error.stack ?? '']),
    `again: SIMULATION_SEED=${seed} ${again}`,
  ].join('\n');
}
