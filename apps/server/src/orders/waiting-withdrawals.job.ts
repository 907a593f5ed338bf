import { randomUUID } from 'node:crypto';
import {
  couldTake,
  hasRoom,
  type Instant,
  METHODS,
  needOf,
  type Provider,
  type WalletType,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import type { Engine } from '../engine/engine.ts';
import { readHintsWithRoom } from '../engine/rows/candidates.ts';
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
  /** There is nothing more to read. */
  ended: boolean;
}

/** The members to whom a pass gives orders, as far as is known. */
type Takers = ReturnType<typeof takersAmong>;

function takersAmong(members: Iterable<Offered>, now: Instant) {
  const withRoom = new Map<string, Offered>();
  const keep = (member: Offered) => {
    if (hasRoom(member)) withRoom.set(member.memberId, member);
    else withRoom.delete(member.memberId);
  };
  for (const member of members) keep(member);
  return {
    /** Whether one of them could take it now: it is tried only then. */
    couldTake(order: DueOrder): boolean {
      const need = needOf(order);
      for (const member of withRoom.values()) if (couldTake(member, need, now)) return true;
      return false;
    },
    /** This member has taken an order. */
    took(memberId: string | null): void {
      const member = withRoom.get(memberId ?? '');
      if (member !== undefined) keep({ ...member, openOrders: member.openOrders + 1 });
    },
    areFull: () => withRoom.size === 0,
  };
}

const newLine = (provider: Provider): Line => {
  const methods = WITHDRAWAL_METHODS.filter((method) => METHODS[method].provider === provider);
  return { methods, waiting: [], after: null, ended: false };
};

/**
 * Gives waiting withdrawals to members, the oldest first over all providers, because a member may
 * serve several: once a minute to all members, and at once to one who comes online or frees
 * capacity (states.md#awaiting, states.md#manualreview). Only what these members may take is tried.
 * Each line is read to its end while they have room: a small order may wait behind thousands that
 * are too large for everybody.
 */
export function waitingWithdrawals({
  engine,
  database,
  clock,
  log,
}: JobDeps & { readonly engine: Engine }) {
  /** As they were after their last commit. */
  const offered = new Map<string, Offered>();

  async function tryAll(orders: readonly DueOrder[], takers: Takers): Promise<void> {
    const commands = orders.map((order) => ({
      kind: 'assign-waiting' as const,
      commandId: randomUUID(),
      orderId: order.orderId,
      need: needOf(order),
    }));
    const decisions = await submitEach(engine, commands, log);
    for (const decision of decisions)
      if (decision?.ok === true && decision.result.status !== 'Awaiting')
        takers.took(decision.result.memberId);
  }

  async function giveOut(takers: Takers): Promise<false> {
    const lines = PROVIDERS.map(newLine);
    while (!takers.areFull()) {
      for (const line of lines)
        if (line.waiting.length === 0 && !line.ended) await readOn(line, database);
      const next = nextInTurn(lines);
      if (next.length === 0) break;
      await tryAll(next.filter(takers.couldTake), takers);
      const tried = new Set(next);
      for (const line of lines) line.waiting = line.waiting.filter((order) => !tried.has(order));
    }
    return false;
  }

  const job: Job = {
    name: 'waiting-withdrawals',
    everyMs: 60_000,
    async run() {
      offered.clear();
      if (!(await anyWaiting(database.pool))) return false;
      return giveOut(takersAmong(await readHintsWithRoom(database.pool), clock.now()));
    },
    async runWoken() {
      const members = [...offered.values()];
      offered.clear();
      // Withdrawals that begin to wait from now on are decided with these members as they are now.
      if (members.length === 0 || !(await anyWaiting(database.pool))) return;
      await giveOut(takersAmong(members, clock.now()));
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
