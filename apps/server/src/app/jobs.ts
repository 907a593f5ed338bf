import { randomUUID } from 'node:crypto';
import {
  couldTake,
  METHODS,
  needOf,
  type Provider,
  REPLAY_WINDOW_MS,
  type WalletType,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import { deleteReplaysBefore } from '../api-keys/replays.store.ts';
import { chainAuditLog, checkAuditChain } from '../audit/chain.service.ts';
import type { BooksChecks } from '../books/service.ts';
import type { Engine } from '../engine/engine.ts';
import { anyWaiting, type DueOrder, findDue, findWaiting } from '../engine/rows/due-orders.ts';
import { submitEach } from '../engine/submit-each.ts';
import { deleteOldPictures } from '../evidence/service.ts';
import type { AlertRounds } from '../member-alerts/rounds.service.ts';
import { withdrawDeposits } from '../members/withdrawn-deposits.service.ts';
import type { MerchantAlertRounds } from '../merchant-alerts/rounds.service.ts';
import { forgetRefusedBefore } from '../merchants/traffic.store.ts';
import { deleteOrderClaimsEndedBy } from '../orders/claims.store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/db.ts';
import type { Job } from '../platform/jobs/worker.ts';
import type { Retention } from '../retention/service.ts';
import { deleteRequestKeysBefore } from '../writes/request-keys.store.ts';

interface JobDeps {
  readonly engine: Engine;
  readonly database: Database;
  readonly clock: Clock;
  readonly log: { error(detail: object, message: string): void };
  readonly alerts: Pick<AlertRounds, 'run'>;
  readonly merchantAlerts: MerchantAlertRounds;
  /** Sends the mails of alerts that are due; answers whether there may be more. */
  readonly sendAlertMails: () => Promise<boolean>;
  readonly books: Pick<BooksChecks, 'run'>;
  readonly retention: Pick<Retention, 'run'> | undefined;
}

/** Orders submitted at once; the engine gathers them into batches. */
const CHUNK = 1_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long a repeat with the same Idempotency-Key is answered like the first request. */
const REQUEST_KEYS_MS = 30 * DAY_MS;

/** What has to be known of a member to tell whether they could take an order. */
export type Offered = Parameters<typeof couldTake>[0];

/** The jobs, and the way to offer waiting withdrawals to members who have new capacity. */
export interface Jobs {
  readonly all: readonly Job[];
  /** The next run of `waiting-withdrawals` tries these members. */
  offer(members: readonly Offered[]): void;
}

/** All work that is done by time, through the engine. */
export function createJobs(deps: JobDeps): Jobs {
  const { offer, job } = waitingWithdrawals(deps);
  return {
    offer,
    all: [
      deadlines(deps),
      job,
      withdrawnMembers(deps),
      { name: 'alerts', everyMs: SECOND_MS, run: deps.alerts.run },
      { name: 'merchant-alerts', everyMs: 15 * SECOND_MS, run: deps.merchantAlerts.run },
      { name: 'alert-mails', everyMs: 5 * SECOND_MS, run: deps.sendAlertMails },
      auditChain(deps),
      auditCheck(deps),
      { name: 'books-check', everyMs: MINUTE_MS, run: deps.books.run },
      oldReplays(deps),
      oldRequestKeys(deps),
      endedClaims(deps),
      oldPictures(deps),
      oldRefusals(deps),
      ...(deps.retention === undefined
        ? []
        : [{ name: 'retention', everyMs: 10 * MINUTE_MS, run: deps.retention.run }]),
    ],
  };
}

/** Expiry and the ends of waits, payout windows and confirmation windows, at most a second late. */
function deadlines({ engine, database, clock, log }: JobDeps): Job {
  /**
   * Orders that did not move at their deadline, and until when they are left alone: tried again
   * every second, they would load the engine and fill the log.
   */
  const left = new Map<string, number>();
  return {
    name: 'deadlines',
    everyMs: SECOND_MS,
    async run() {
      for (const [orderId, until] of left) if (until <= performance.now()) left.delete(orderId);
      const due = await findDue(database.pool, clock.now(), [...left.keys()], CHUNK);
      const commands = due.map((order) => {
        return {
          kind: 'pass-deadline' as const,
          commandId: randomUUID(),
          orderId: order.orderId,
          need: reassignmentNeed(order),
        };
      });
      const decisions = await submitEach(engine, commands, log);
      due.forEach(({ orderId, dueAt }, at) => {
        const decision = decisions[at];
        if (!decision?.ok || decision.result.dueAt === dueAt)
          left.set(orderId, performance.now() + MINUTE_MS);
      });
      return due.length === CHUNK;
    },
  };
}

function reassignmentNeed(order: DueOrder) {
  if (order.status !== 'AwaitingMemberPayout' || order.reassignments >= order.maxRetryCount)
    return undefined;
  return needOf(
    order,
    order.memberId === null ? order.formerMemberIds : [...order.formerMemberIds, order.memberId],
  );
}

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
function waitingWithdrawals({ engine, database, clock, log }: JobDeps) {
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
    everyMs: MINUTE_MS,
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

/**
 * Takes unpaid deposits from suspended members, and from accounts that are not approved any more.
 * This is done before whoever causes it is answered; once a minute it covers what a crash left
 * behind.
 */
function withdrawnMembers(deps: JobDeps): Job {
  return {
    name: 'withdrawn-members',
    everyMs: MINUTE_MS,
    async run() {
      await withdrawDeposits(deps);
      return false;
    },
  };
}

/** Links what was written to the audit log; never in the transaction that wrote it. */
function auditChain(deps: JobDeps): Job {
  return { name: 'audit-chain', everyMs: SECOND_MS, run: () => chainAuditLog(deps) };
}

function auditCheck(deps: JobDeps): Job {
  return {
    name: 'audit-check',
    everyMs: MINUTE_MS,
    async run() {
      const broken = await checkAuditChain(deps);
      if (broken !== undefined)
        deps.log.error({ broken }, 'the audit log was changed: its chain of hashes is broken');
      return false;
    },
  };
}

function oldReplays({ database, clock }: JobDeps): Job {
  return {
    name: 'old-replays',
    everyMs: 10 * MINUTE_MS,
    run: async () =>
      (await deleteReplaysBefore(database.pool, clock.now() - REPLAY_WINDOW_MS, 10_000)) === 10_000,
  };
}

function oldRequestKeys({ database, clock }: JobDeps): Job {
  return {
    name: 'old-request-keys',
    everyMs: 10 * MINUTE_MS,
    run: async () =>
      (await deleteRequestKeysBefore(database.pool, clock.now() - REQUEST_KEYS_MS, 10_000)) ===
      10_000,
  };
}

function endedClaims({ database, clock }: JobDeps): Job {
  return {
    name: 'ended-order-claims',
    everyMs: 10 * MINUTE_MS,
    run: async () =>
      (await deleteOrderClaimsEndedBy(database.pool, clock.now(), 10_000)) === 10_000,
  };
}

function oldPictures(deps: JobDeps): Job {
  return { name: 'old-pictures', everyMs: 10 * MINUTE_MS, run: () => deleteOldPictures(deps) };
}

/** Refused requests are kept for 7 days. */
const REFUSALS_MS = 7 * DAY_MS;

function oldRefusals({ database, clock }: JobDeps): Job {
  return {
    name: 'old-refusals',
    everyMs: 10 * MINUTE_MS,
    run: () => forgetRefusedBefore(database.pool, clock.now() - REFUSALS_MS, CHUNK),
  };
}
