import { randomUUID } from 'node:crypto';
import type { Command } from '@munshi/core';
import { expect, vi } from 'vitest';
import { standsAlone } from '../../packages/core/src/testing/literals.ts';
import {
  type CreatedOrder,
  createOrder,
  OPERATOR,
  type TestMember,
  type TestMerchant,
} from './fixtures.ts';
import { PATIENCE_MS } from './patience.ts';
import type { Service } from './service.ts';

async function submit({ app }: Service, command: Command): Promise<void> {
  const decision = await app.deps.engine.submit(command);
  if (!decision.ok) throw new Error(decision.refusal.message);
}

/** An order that has failed: cancelled by an operator before anybody took it. */
export async function failedOrder(
  service: Service,
  merchant: TestMerchant,
  body: Readonly<Record<string, unknown>>,
): Promise<CreatedOrder> {
  const order = await createOrder(merchant, body);
  await cancelOrder(service, order);
  return order;
}

export const cancelOrder = (
  service: Service,
  { orderId }: { readonly orderId: string },
  note = 'cancelled for the test',
) =>
  submit(service, {
    kind: 'operator-cancel',
    commandId: randomUUID(),
    orderId,
    note,
    ...standsAlone(OPERATOR),
  });

/**
 * An operator confirms a failed order after a dispute: `order.completed` follows `order.failed`.
 */
export const confirmLate = (service: Service, { orderId }: { readonly orderId: string }) =>
  submit(service, {
    kind: 'operator-confirm',
    commandId: randomUUID(),
    orderId,
    note: 'the money came',
    memberId: null,
    ...standsAlone(OPERATOR),
  });

/** Completes an order of this member's; a deposit is paid by the customer first. */
export async function completeOrder(
  service: Service,
  order: CreatedOrder,
  { memberId }: Pick<TestMember, 'memberId'>,
): Promise<void> {
  const { orderId } = order;
  await payDeposit(service, order);
  await submit(service, {
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId,
    memberId,
    receivedAmount: null,
    transactionReference: null,
  });
}

/**
 * The customer opens the page of an assigned deposit and confirms the payment; nothing for a
 * withdrawal.
 */
export async function payDeposit(
  service: Service,
  { orderId, status }: CreatedOrder,
): Promise<void> {
  if (status !== 'Queued') return;
  await submit(service, { kind: 'open-page', commandId: randomUUID(), orderId, need: undefined });
  await submit(service, {
    kind: 'confirm-payment',
    commandId: randomUUID(),
    orderId,
    transactionDigits: '1234',
  });
}

/** A delivery with its attempts, as stored. */
export interface DeliveryRow {
  readonly deliveryId: string;
  readonly status: string;
  readonly eventType: string;
  readonly attempts: number;
  readonly nextAttemptAt: number | null;
  readonly claimed: boolean;
  readonly made: readonly {
    readonly number: number;
    readonly startedAt: number;
    readonly succeeded: boolean;
    readonly responseStatus: number | null;
    readonly error: string | null;
    readonly answer: string | null;
    readonly requested: boolean;
  }[];
}

/** An order's deliveries, oldest first. */
export async function deliveriesOf(
  { database }: Service,
  { orderId }: { readonly orderId: string },
): Promise<readonly DeliveryRow[]> {
  const { rows } = await database.pool.query(
    `select delivery_id as "deliveryId", status, event_type as "eventType", attempts, next_attempt_at as "nextAttemptAt", claim_token is not null as claimed
     from delivery_states where order_id = $1 order by sequence`,
    [orderId],
  );
  const made = await database.pool.query(
    `select t.delivery_id, t.number, t.started_at as "startedAt", t.succeeded, t.response_status as "responseStatus", t.error, t.answer, t.requested
     from delivery_attempts t join deliveries d using (merchant_id, delivery_id) where d.order_id = $1 order by t.number`,
    [orderId],
  );
  return rows.map((row) => ({
    ...row,
    made: made.rows
      .filter(({ delivery_id }) => delivery_id === row.deliveryId)
      .map(({ delivery_id: _, ...attempt }) => attempt),
  }));
}

/** Resolves with the last delivery of an order once it matches. */
export async function deliveryWhen(
  service: Service,
  order: { readonly orderId: string },
  fits: Partial<DeliveryRow>,
): Promise<DeliveryRow> {
  const last = async () => {
    const delivery = (await deliveriesOf(service, order)).at(-1);
    expect(delivery).toMatchObject(fits);
    return delivery as DeliveryRow;
  };
  return vi.waitFor(last, { timeout: PATIENCE_MS, interval: 15 });
}
