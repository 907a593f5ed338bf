import { randomUUID } from 'node:crypto';
import { needOf } from '@munshi/core';
import type { Engine } from '../engine/engine.ts';
import { submitEach } from '../engine/submit-each.ts';
import type { Database } from '../storage/db.ts';
import { findWithdrawn } from '../storage/due.ts';

interface Deps {
  readonly engine: Engine;
  readonly database: Database;
  readonly log: { error(detail: object, message: string): void };
}

const CHUNK = 500;

/**
 * Takes unpaid deposits from all suspended members and accounts (D38, D58). One that cannot be
 * taken keeps no other from it.
 */
export async function takeWithdrawnDeposits({ engine, database, log }: Deps): Promise<void> {
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
