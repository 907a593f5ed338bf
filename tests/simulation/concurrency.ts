import { vi } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { expectSound } from '../support/verify.ts';
import { ask } from './ask.ts';
import { type Cast, castFor, type Site, siteOf } from './cast.ts';
import { stepsOf } from './chance.ts';
import { type Branch, explain, type Happened } from './explain.ts';
import { isOver } from './model/tables.ts';
import { Divergence } from './picture.ts';
import { type Round, roundOf } from './rounds.ts';
import { advanceAll } from './server.ts';
import { readRows } from './server-rows.ts';
import { modelOf, setupOf } from './setup.ts';

export interface ConcurrentRun {
  readonly requests: number;
  /** The most acts that were tried to explain one round. */
  readonly triesMost: number;
}

interface Sizes {
  readonly rounds: number;
  /** Requests at once. */
  readonly size: number;
  readonly servers: 1 | 2;
}

/**
 * Rounds of requests at once. Throws when a round's answers and rows follow from no order of its
 * requests.
 */
export async function runConcurrently(
  seed: number,
  { rounds, size, servers }: Sizes,
): Promise<ConcurrentRun> {
  const setup = { ...setupOf(seed), servers };
  vi.setSystemTime(setup.startedAt);
  const service = await startService();
  const other =
    servers === 2 ? await startService({ PUBLIC_URL: service.url }, service) : undefined;
  const receiver = await startReceiver();
  try {
    const cast = await castFor(service, receiver, setup);
    const sites = other === undefined ? [cast.site] : [cast.site, siteOf(service, other.url, cast)];
    let branch: Branch = { model: modelOf(setup), orderIds: [], pages: [], requestIds: [] };
    let requests = 0;
    let triesMost = 0;
    for (const [number, step] of stepsOf(seed, rounds).entries()) {
      const round = roundOf(branch.model, step, size);
      const played = await play(
        { ...cast, ...copyOf(branch) },
        branch,
        servers === 1 ? round : { ...round, tick: 0 },
        sites,
      );
      if (played.branch === undefined)
        throw new Divergence(
          `round ${number + 1} follows from no order of its requests:\n${played.explanation}`,
        );
      requests += round.acts.length;
      triesMost = Math.max(triesMost, played.tries);
      branch = played.branch;
    }
    await expectSound(service);
    return { requests, triesMost };
  } finally {
    await other?.close();
    await service.close();
    await receiver.close();
  }
}

const copyOf = ({ orderIds, pages, requestIds }: Branch) => ({
  orderIds: [...orderIds],
  pages: [...pages],
  requestIds: [...requestIds],
});

interface Played {
  readonly branch: Branch | undefined;
  readonly tries: number;
  readonly explanation: string;
}

/** The sandbox clock is advanced by this, and all that is due by then is done. */
const SETTLING_MS = 1_000;

/**
 * Sends a round's requests at once, lets the background work finish, and looks for an order that
 * explains it all.
 */
async function play(
  cast: Cast,
  branch: Branch,
  { acts, tick }: Round,
  sites: readonly Site[],
): Promise<Played> {
  const { model } = branch;
  const before = await readRows(cast);
  const known = new Set(before.moves.map(({ orderId, number }) => `${orderId} ${number}`));
  const happened: Happened[] = [];
  const sent = acts.map(async (act, at) => {
    const answered = await ask(cast, model, act, sites[at % sites.length] as Site);
    happened.push({ act, answered });
  });
  const at = model.now + tick;
  if (tick > 0) {
    vi.setSystemTime(Date.now() + tick);
    happened.push({ clock: at });
  }
  await Promise.all(sent);
  await advanceAll(sites, SETTLING_MS / 1_000);
  const rows = await readRows(cast);

  // What the background work did, as the history has it, and the deadlines that came.
  const meanwhile: Happened[] = [];
  for (const { orderId, number, trigger, at: stamped } of rows.moves) {
    if (known.has(`${orderId} ${number}`)) continue;
    const job =
      trigger === 'member-found'
        ? 'assign'
        : trigger === 'member-withdrawn'
          ? 'withdraw'
          : undefined;
    if (job !== undefined) (stamped > at ? meanwhile : happened).push({ job, orderId });
  }
  for (const { number, dueAt, status } of model.orders) {
    if (tick > 0 && dueAt !== null && dueAt <= at && !isOver(status))
      happened.push({ job: 'deadline', orderId: branch.orderIds[number] as string });
  }
  // What is stamped later was done while the service settled: for what happened before it, or for a
  // deadline of that second.
  const among = explain(branch, [...happened, ...meanwhile], at + SETTLING_MS, cast, rows);
  const explained =
    among.branch !== undefined || meanwhile.length === 0
      ? among
      : explain(branch, happened, at + SETTLING_MS, cast, rows);
  const { branch: found, tries, contradictions } = explained;
  const explanation = [
    ...[...happened, ...meanwhile].map((each) => JSON.stringify(each)),
    `contradicted, after ${tries} tries, by:`,
    ...contradictions,
  ];
  return { branch: found, tries, explanation: explanation.join('\n') };
}
