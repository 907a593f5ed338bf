import { randomUUID } from 'node:crypto';
import { METHODS, needOf, type Provider, REPLAY_WINDOW_MS, WITHDRAWAL_METHODS } from '@munshi/core';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { Database } from '../storage/db.ts';
import { type DueOrder, deleteReplaysBefore, findDue, findWaiting, findWithdrawn } from '../storage/due.ts';
import type { Job } from './worker.ts';

interface JobDeps {
  readonly engine: Engine;
  readonly database: Database;
  readonly clock: Clock;
}

/** Orders taken up at once; the engine gathers them into its batches. */
const CHUNK = 1_000;
const MINUTE_MS = 60_000;

/** Every piece of work that time brings, all through the engine. */
export const createJobs = (deps: JobDeps): readonly Job[] => [deadlines(deps), waitingWithdrawals(deps), withdrawnMembers(deps), oldReplays(deps)];

/** Expiry, the ends of waits, of payout windows and of confirmation windows: at most a second late. */
function deadlines({ engine, database, clock }: JobDeps): Job {
  return {
    name: 'deadlines',
    everyMs: 1_000,
    async run() {
      const due = await findDue(database.pool, clock.now(), CHUNK);
      await Promise.all(
        due.map((order) => engine.submit({ kind: 'pass-deadline', commandId: randomUUID(), orderId: order.orderId, need: reassignmentNeed(order) })),
      );
      return due.length === CHUNK;
    },
  };
}

function reassignmentNeed(order: DueOrder) {
  if (order.status !== 'AwaitingMemberPayout' || order.reassignments >= order.maxRetryCount) return undefined;
  return needOf(order, order.memberId === null ? order.formerMemberIds : [...order.formerMemberIds, order.memberId]);
}

const PROVIDERS: readonly Provider[] = [...new Set(WITHDRAWAL_METHODS.map((method) => METHODS[method].provider))];

/**
 * Waiting withdrawals to members, oldest first: once a minute, and at once when a member comes online or frees capacity
 * (D32, D59). For each provider it goes on while a chunk found members, and stops at the first that found none.
 */
function waitingWithdrawals({ engine, database }: JobDeps): Job {
  return {
    name: 'waiting-withdrawals',
    everyMs: MINUTE_MS,
    async run() {
      for (const provider of PROVIDERS) {
        const methods = WITHDRAWAL_METHODS.filter((method) => METHODS[method].provider === provider);
        let after: string | null = null;
        for (;;) {
          const waiting: readonly DueOrder[] = await findWaiting(database.pool, methods, after, CHUNK);
          const decisions = await Promise.all(
            waiting.map((order) => engine.submit({ kind: 'assign-waiting', commandId: randomUUID(), orderId: order.orderId, need: needOf(order) })),
          );
          after = waiting.at(-1)?.orderId ?? null;
          const taken = decisions.some((decision) => decision.ok && decision.result.status !== 'Awaiting');
          if (waiting.length < CHUNK || !taken) break;
        }
      }
      return false;
    },
  };
}

/** Unpaid deposits of suspended members and accounts leave them. Woken at once; once a minute for what a crash left behind. */
function withdrawnMembers({ engine, database }: JobDeps): Job {
  return {
    name: 'withdrawn-members',
    everyMs: MINUTE_MS,
    async run() {
      const orders = await findWithdrawn(database.pool, CHUNK);
      await Promise.all(
        orders.map((order) => engine.submit({ kind: 'withdraw-member', commandId: randomUUID(), orderId: order.orderId, need: needOf(order) })),
      );
      return orders.length === CHUNK;
    },
  };
}

function oldReplays({ database, clock }: JobDeps): Job {
  return {
    name: 'old-replays',
    everyMs: 10 * MINUTE_MS,
    run: async () => (await deleteReplaysBefore(database.pool, clock.now() - REPLAY_WINDOW_MS, 10_000)) === 10_000,
  };
}
