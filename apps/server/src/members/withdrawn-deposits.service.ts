import { randomUUID } from 'node:crypto';
import { needOf } from '@munshi/core';
import { findWithdrawn } from '../engine/rows/due-orders.ts';
import { submitEach } from '../engine/submit-each.ts';
import type { ServiceDeps } from '../writes/deps.ts';

const CHUNK = 500;

/**
 * Withdraws the unpaid deposits of all suspended members, and of accounts that are suspended or back
 * at pending (states.md#cancelled, states.md#queued). One that fails keeps no other back.
 */
export async function withdrawDeposits({
  engine,
  database,
  log,
}: Pick<ServiceDeps, 'engine' | 'database' | 'log'>): Promise<void> {
  const tried = new Set<string>();
  for (;;) {
    const orders = await findWithdrawn(database.pool, [...tried], CHUNK);
    const commands = orders.map((order) => ({
      kind: 'withdraw-member' as const,
      commandId: randomUUID(),
      orderId: order.orderId,
      need: needOf(order),
    }));
    await submitEach(engine, commands, log);
    for (const { orderId } of orders) tried.add(orderId);
    if (orders.length < CHUNK) return;
  }
}
