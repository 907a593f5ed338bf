import { type Chance, chanceOf } from '../simulation/chance.ts';
import { judge } from './judge.ts';
import { MUTATIONS, pickMutation } from './mutations.ts';
import { bodyBytes, type Draft, dump, wireBytes } from './request.ts';
import { type Operation, pickOperation, readOperations } from './routes.ts';
import { type Exchange, Lane } from './wire.ts';
import type { World } from './world.ts';

/**
 * One request: the seed of its sound form, and the mutations done to that, each with a seed of its
 * own.
 */
interface Case {
  readonly seed: number;
  readonly mutations: readonly { readonly name: string; readonly seed: number }[];
}

export interface FuzzRun {
  readonly seed: number;
  /** Cases by status; `none` for a connection that was closed instead. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Operations that were asked, with how many of their answers were successes. */
  readonly successes: ReadonlyMap<string, number>;
  readonly mutations: ReadonlyMap<string, number>;
  readonly cases: number;
  readonly seconds: number;
  readonly slowest: { readonly ms: number; readonly what: string };
  /** Cases that took more than a second. */
  readonly overSecond: number;
  /** What is wrong, in words, with the smallest form of the case and how to send it again. */
  readonly failures: readonly string[];
}

interface FuzzOptions {
  readonly seed: number;
  readonly cases: number;
  readonly lanes: number;
  /** One case of the run alone. */
  readonly only?: number | undefined;
  readonly progress?: (text: string) => void;
}

/** After this many failures a run says no more. */
const FAILURES_MAX = 10;
/** What Node takes for a request's head, less what it counts besides. */
const HEAD_BYTES_MAX = 15_000;
/** Callers and orders are made fresh after so many cases. */
const REFRESH_EVERY = 4_000;

/** Sends `cases` requests made from `seed`, several at a time, and judges every answer. */
export async function fuzz(
  world: World,
  { seed, cases, lanes, only, progress }: FuzzOptions,
): Promise<FuzzRun> {
  const { url } = world.merchant;
  const operations = await readOperations(url);
  const counts = {
    statuses: new Map<string, number>(),
    successes: new Map<string, number>(),
    mutations: new Map<string, number>(),
  };
  const failures: string[] = [];
  let slowest = { ms: 0, what: '' };
  let overSecond = 0;
  const started = performance.now();
  const host = new URL(url).host;

  let next = only ?? 0;
  const last = only === undefined ? cases : only + 1;
  let round = Math.min(last, next + REFRESH_EVERY);

  async function work(): Promise<void> {
    const lane = new Lane(url);
    try {
      while (next < round && failures.length < FAILURES_MAX) {
        const at = next;
        next += 1;
        await one(lane, at);
      }
    } finally {
      lane.close();
    }
  }

  async function one(lane: Lane, at: number): Promise<void> {
    const asked = caseOf(seed, at, operations, world);
    const sent = await send(lane, asked);
    count(counts.statuses, String(sent.exchange.answers[0]?.status ?? 'none'));
    count(
      counts.successes,
      sent.operation.name,
      [200, 303].includes(sent.exchange.answers[0]?.status ?? 0) ? 1 : 0,
    );
    for (const { name } of asked.mutations) count(counts.mutations, name);
    const { ms } = sent.exchange;
    if (ms > 1_000) overSecond += 1;
    if (ms > slowest.ms)
      slowest = {
        ms,
        what: `${sent.operation.name}: ${sent.draft.done.join(', ') || 'as it should be'}`,
      };
    if (sent.wrong !== undefined) failures.push(await describe(lane, at, asked, sent.wrong));
  }

  async function send(lane: Lane, asked: Case) {
    const { operation, draft } = draftOf(asked, operations, world);
    const bytes = wireBytes(draft, host);
    const headOnly = draft.method === 'HEAD';
    // More than a head may hold: no request.
    if (bytes.indexOf('\r\n\r\n') > HEAD_BYTES_MAX) draft.odd.add('framing');
    const exchange: Exchange = draft.odd.has('framing')
      ? await lane.askUntilClosed(bytes, headOnly)
      : await lane.ask(bytes, headOnly);
    return {
      operation,
      draft,
      bytes,
      exchange,
      wrong: judge(exchange, draft, operation, bodyBytes(draft.body)?.length ?? 0),
    };
  }

  /** The case with every mutation left out that it does not need. */
  async function describe(lane: Lane, at: number, asked: Case, wrong: string): Promise<string> {
    let smallest = asked;
    let said = wrong;
    for (const mutation of asked.mutations) {
      const smaller = {
        ...smallest,
        mutations: smallest.mutations.filter((other) => other !== mutation),
      };
      const again = await send(lane, smaller);
      if (again.wrong !== undefined) [smallest, said] = [smaller, again.wrong];
    }
    const { operation, draft } = draftOf(smallest, operations, world);
    return [
      `${operation.name}: ${draft.done.join(', ') || 'as it should be'}`,
      `  ${said}`,
      `  again: FUZZ_SEED=${seed} FUZZ_ONLY=${at} npm run vitest -- run tests/fuzz/fuzz.test.ts`,
      `  ${dump(wireBytes(draft, host), url)}`,
    ].join('\n');
  }

  while (next < last && failures.length < FAILURES_MAX) {
    await Promise.all(Array.from({ length: lanes }, work));
    if (next < last && failures.length < FAILURES_MAX) {
      await world.refresh();
      if (next % (REFRESH_EVERY * 5) === 0)
        progress?.(
          `${next} cases, ${Math.round((performance.now() - started) / 1000)} s, slowest ${Math.round(slowest.ms)} ms (${slowest.what})`,
        );
    }
    round = Math.min(last, next + REFRESH_EVERY);
  }
  return {
    seed,
    ...counts,
    cases: next,
    seconds: (performance.now() - started) / 1000,
    slowest,
    overSecond,
    failures,
  };
}

const count = (counts: Map<string, number>, name: string, by = 1) =>
  counts.set(name, (counts.get(name) ?? 0) + by);

/** The case of this number, the same for the same seed. */
function caseOf(seed: number, at: number, operations: readonly Operation[], world: World): Case {
  const chance = chanceOf(
    (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(at + 1, 0xc2b2ae35)) >>> 0,
  );
  const own = chance.number(2 ** 32);
  const { draft } = draftOf({ seed: own, mutations: [] }, operations, world);
  // One in eight stays sound, so that orders go on; most have one thing wrong, some several.
  const times = chance.pick([0, 1, 1, 1, 1, 2, 2, 3]);
  return {
    seed: own,
    mutations: Array.from({ length: times }, () => ({
      name: pickMutation(draft, chance),
      seed: chance.number(2 ** 32),
    })),
  };
}

function draftOf(
  { seed, mutations }: Case,
  operations: readonly Operation[],
  world: World,
): { readonly operation: Operation; readonly draft: Draft } {
  const chance: Chance = chanceOf(seed);
  const operation = pickOperation(operations, chance);
  const draft = operation.draft(world, chance);
  const borrowed = {
    credentials: world.credentials,
    ids: world.ids,
    bodyLimit: operation.bodyLimit,
  };
  for (const mutation of mutations) {
    MUTATIONS[mutation.name]?.(draft, chanceOf(mutation.seed), borrowed);
    draft.done.push(mutation.name);
  }
  return { operation, draft };
}
