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
  /** By whom they can pay: behind thousands with other accounts nobody is looked for. */
  const payersAt = new Map(PROVIDERS.map((provider) => [provider, new Set<string>()]));
  for (const member of members) {
    if (!hasRoom(member)) continue;
    withRoom.set(member.memberId, member);
    for (const { walletType } of member.accounts)
      payersAt.get(METHODS[walletType].provider)?.add(member.memberId);
  }
  const leave = (memberId: string) => {
    withRoom.delete(memberId);
    for (const payers of payersAt.values()) payers.delete(memberId);
  };
  return {
    /** Whether one of them could take it now: it is tried only then. */
    couldTake(order: DueOrder): boolean {
      const need = needOf(order);
      for (const memberId of payersAt.get(METHODS[order.walletType].provider) ?? [])
        if (couldTake(withRoom.get(memberId) as Offered, need, now)) return true;
      return false;
    },
    /** This member has taken an order. */
    took(memberId: string | null): void {
      const member = withRoom.get(memberId ?? '');
      if (member === undefined) return;
      const busier = { ...member, openOrders: member.openOrders + 1 };
      if (hasRoom(busier)) withRoom.set(busier.memberId, busier);
      else leave(busier.memberId);
    },
    /** How many orders they can take together. */
    room: () =>
      withRoom.values().reduce((sum, each) => sum + each.maxOpenOrders - each.openOrders, 0),
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

  /** Answers how many of them have a member now. */
  async function tryAll(orders: readonly DueOrder[], takers: Takers): Promise<number> {
    const commands = orders.map((order) => ({
      kind: 'assign-waiting' as const,
      commandId: randomUUID(),
      orderId: order.orderId,
      need: needOf(order),
    }));
    let assigned = 0;
    for (const decision of await submitEach(engine, commands, log)) {
      if (decision?.ok !== true || decision.result.status === 'Awaiting') continue;
      takers.took(decision.result.memberId);
      assigned += 1;
    }
    return assigned;
  }

  /**
   * Tries no more orders at once than there are places. Where none of them was taken, somebody else
   * has given these members orders meanwhile: they are read again before the backlog is tried on
   * them.
   */
  async function giveOut(offeredTo: Takers): Promise<false> {
    const lines = PROVIDERS.map(newLine);
    let takers = offeredTo;
    let inVain = 0;
    while (takers.room() > 0) {
      for (const line of lines)
        if (line.waiting.length === 0 && !line.ended) await readOn(line, database);
      const next = nextInTurn(lines);
      if (next.length === 0) break;
      const most = takers.room() * 2 ** inVain;
      const tries = next.filter(takers.couldTake).slice(0, most);
      const last = tries.length < most ? next.at(-1) : tries.at(-1);
      for (const line of lines)
        line.waiting = line.waiting.filter(({ orderId }) => orderId > (last?.orderId ?? ''));
      if (tries.length === 0) continue;
      const assigned = await tryAll(tries, takers);
      inVain = assigned > 0 ? 0 : inVain + 1;
      if (assigned === 0) takers = takersAmong(await readHintsWithRoom(database.pool), clock.now());
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
