import { randomUUID } from 'node:crypto';
import { needOfAnother } from '@munshi/core';
import type { Engine } from '../engine/engine.ts';
import { type DueOrder, findDue } from '../engine/rows/due-orders.ts';
import { submitEach } from '../engine/submit-each.ts';
import type { Job, JobDeps } from '../platform/jobs/worker.ts';

/** Orders submitted at once; the engine gathers them into batches. */
const CHUNK = 1_000;
/** How long an order that did not move is left alone. */
const LEFT_MS = 60_000;

/** Expiry and the ends of waits, payout windows and confirmation windows, at most a second late. */
export function deadlines({
  engine,
  database,
  clock,
  log,
}: JobDeps & { readonly engine: Engine }): Job {
  /**
   * Orders that did not move at their deadline, and until when they are left alone: tried again
   * every second, they would load the engine and fill the log.
   */
  const left = new Map<string, number>();
  return {
    name: 'deadlines',
    everyMs: 1_000,
    irrevocable: true,
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
          left.set(orderId, performance.now() + LEFT_MS);
      });
      return due.length === CHUNK;
    },
  };
}

function reassignmentNeed(order: DueOrder) {
  if (order.status !== 'AwaitingMemberPayout' || order.reassignments >= order.maxRetryCount)
    return undefined;
  return needOfAnother(order);
}
