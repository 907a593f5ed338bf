import { randomUUID } from 'node:crypto';
import {
  couldTake,
  METHODS,
  needOf,
  type Provider,
  type WalletType,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import type { Engine } from '../engine/engine.ts';
import { anyWaiting, type DueOrder, findWaiting } from '../engine/rows/due-orders.ts';
import { submitEach } from '../engine/submit-each.ts';
import type { Database } from '../platform/database/db.ts';
import type { Job, JobDeps } from '../platform/jobs/worker.ts';

/** Orders submitted at once; the engine gathers them into batches. */
const CHUNK = 1_000;

/** What has to be known of a member to decide whether they could take an order. */
export type Offered = Parameters<typeof couldTake>[0];

const PROVIDERS: readonly Provider[] = [
  ...new Set(WITHDRAWAL_METHODS.map((method) => METHODS[method].provider)),
];

/** The waiting withdrawals of one provider, oldest first, as far as they have been read. */
interface Line {
  readonly methods: readonly WalletType[];
  waiting: readonly DueOrder[];
  after: string | null;
  /** There is nothing more to read, or reading more is useless. */
  ended: boolean;
  /** How many in a row nobody could take. */
  unserved: number;
}

const newLine = (provider: Provider): Line => {
  const methods = WITHDRAWAL_METHODS.filter((method) => METHODS[method].provider === provider);
  return { methods, waiting: [], after: null, ended: false, unserved: 0 };
};

/**
 * Gives waiting withdrawals to members, the oldest first over all providers, because a member may
 * serve several: once a minute, and at once when a member comes online or frees capacity
 * (states.md#awaiting, states.md#manualreview). Then only what those members may take is tried:
 * nobody else could take the others. A line is left when a whole chunk in a row found nobody.
 */
export function waitingWithdrawals({
  engine,
  database,
  clock,
  log,
}: JobDeps & { readonly engine: Engine }) {
  /** As they were after their last commit. */
  const offered = new Map<string, Offered>();

  async function tryAll(orders: readonly DueOrder[]): Promise<ReadonlySet<DueOrder>> {
    const commands = orders.map((order) => ({
      kind: 'assign-waiting' as const,
      commandId: randomUUID(),
      orderId: order.orderId,
      need: needOf(order),
    }));
    const decisions = await submitEach(engine, commands, log);
    return new Set(
      orders.filter(
        (_, at) => decisions[at]?.ok === true && decisions[at].result.status !== 'Awaiting',
      ),
    );
  }

  async function giveOut(mayBeTaken: (order: DueOrder) => boolean): Promise<false> {
    const lines = PROVIDERS.map(newLine);
    for (;;) {
      for (const line of lines)
        if (line.waiting.length === 0 && !line.ended) await readOn(line, database);
      const next = nextInTurn(lines);
      if (next.length === 0) return false;
      const served = await tryAll(next.filter(mayBeTaken));
      for (const line of lines) leaveBehind(line, new Set(next), served);
    }
  }

  const job: Job = {
    name: 'waiting-withdrawals',
    everyMs: 60_000,
    run() {
      offered.clear();
      return giveOut(() => true);
    },
    async runWoken() {
      const members = [...offered.values()];
      offered.clear();
      // Withdrawals that begin to wait from now on are decided with these members as they are now.
      if (members.length === 0 || !(await anyWaiting(database.pool))) return;
      const now = clock.now();
      await giveOut((order) => {
        const need = needOf(order);
        return members.some((member) => couldTake(member, need, now));
      });
    },
  };

  return {
    job,
    offer(members: readonly Offered[]) {
      for (const member of members) offered.set(member.memberId, member);
    },
  };
}

async function readOn(line: Line, { pool }: Database): Promise<void> {
  line.waiting = await findWaiting(pool, line.methods, line.after, CHUNK);
  line.after = line.waiting.at(-1)?.orderId ?? null;
  line.ended = line.waiting.length < CHUNK;
}

/** The oldest of all lines, as far as every line has been read. */
function nextInTurn(lines: readonly Line[]): readonly DueOrder[] {
  const readTo = lines
    .flatMap(({ ended, after }) => (ended || after === null ? [] : [after]))
    .toSorted()[0];
  const known = lines.flatMap(({ waiting }) =>
    waiting.filter(({ orderId }) => readTo === undefined || orderId <= readTo),
  );
  return known.toSorted((left, right) => (left.orderId < right.orderId ? -1 : 1));
}

function leaveBehind(
  line: Line,
  asked: ReadonlySet<DueOrder>,
  served: ReadonlySet<DueOrder>,
): void {
  const own = line.waiting.filter((order) => asked.has(order));
  line.unserved = own.some((order) => served.has(order)) ? 0 : line.unserved + own.length;
  line.waiting = line.waiting.filter((order) => !asked.has(order));
  if (line.unserved < CHUNK) return;
  line.waiting = [];
  line.ended = true;
}
