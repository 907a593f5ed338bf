import type { Delivery, EventType, Instant, Order } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';

export interface AttemptRecord {
  readonly number: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly succeeded: boolean;
  readonly responseStatus: number | null;
  readonly error: string | null;
  /** The first KB of the answer. */
  readonly answer: string | null;
  /** An operator asked for it. */
  readonly requested: boolean;
}

export interface DeliveryRecord {
  readonly deliveryId: string;
  readonly eventType: EventType;
  readonly url: string;
  readonly status: 'pending' | 'delivered' | 'abandoned' | 'superseded';
  readonly createdAt: Instant;
  readonly nextAttemptAt: Instant | null;
  /** How many attempts have been made; `attempts` holds what they met. */
  readonly attemptsMade: number;
  readonly attempts: readonly AttemptRecord[];
}

type Key = Pick<Order, 'merchantId' | 'orderId'>;

const readDelivery = (row: Row, attempts: readonly AttemptRecord[]): DeliveryRecord => ({
  deliveryId: row['delivery_id'],
  eventType: row['event_type'],
  url: row['url'],
  status: row['status'],
  createdAt: row['created_at'],
  nextAttemptAt: row['next_attempt_at'],
  attemptsMade: row['attempts'],
  attempts,
});

const readAttempt = (row: Row): AttemptRecord => ({
  number: row['number'],
  startedAt: row['started_at'],
  durationMs: row['duration_ms'],
  succeeded: row['succeeded'],
  responseStatus: row['response_status'],
  error: row['error'],
  answer: row['answer'],
  requested: row['requested'],
});

const ATTEMPTS = `select t.delivery_id, t.number, t.started_at, t.duration_ms, t.succeeded, t.response_status, t.error, t.answer, t.requested
  from deliveries d join delivery_attempts t on t.merchant_id = d.merchant_id and t.delivery_id = d.delivery_id
  where d.merchant_id = $1 and d.order_id = $2 order by t.number limit 2000`;

/** An order's deliveries with their attempts, the newest first. */
export async function listDeliveries(db: Queryable, { merchantId, orderId }: Key): Promise<readonly DeliveryRecord[]> {
  const text = `select delivery_id, event_type, url, status, created_at, next_attempt_at, attempts from deliveries
    where merchant_id = $1 and order_id = $2 order by created_at desc, delivery_id desc limit 200`;
  const { rows } = await db.query({ text, values: [merchantId, orderId] });
  const attempts = rows.length === 0 ? [] : (await db.query({ text: ATTEMPTS, values: [merchantId, orderId] })).rows;
  const byDelivery = Map.groupBy(attempts as Row[], (row) => row['delivery_id'] as string);
  return rows.map((row) => readDelivery(row, (byDelivery.get(row.delivery_id) ?? []).map(readAttempt)));
}

/** Makes a failed delivery due now: the same id, the same body, also after it was abandoned (D51). Its attempts go on counting. */
export async function retryDelivery(db: Queryable, { merchantId }: Key, deliveryId: string, at: Instant): Promise<void> {
  const text = `update deliveries set status = 'pending', next_attempt_at = $3, requested = true where merchant_id = $1 and delivery_id = $2`;
  await db.query({ text, values: [merchantId, deliveryId, time(at)] });
}

/** Ends what is still being retried for an order, before a newer delivery takes its place. */
export async function supersedeDeliveries(db: Queryable, { merchantId, orderId }: Key): Promise<void> {
  const text = `update deliveries set status = 'superseded', next_attempt_at = null where merchant_id = $1 and order_id = $2 and status = 'pending'`;
  await db.query({ text, values: [merchantId, orderId] });
}

/** A delivery that is due at once. */
export async function insertDelivery(db: Queryable, delivery: Delivery): Promise<void> {
  const text = `insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at, next_attempt_at)
    values ($1, $2, $3, $4, $5, $6, convert_to($7, 'UTF8'), $8, $8)`;
  const { merchantId, deliveryId, orderId, apiKeyId, eventType, url, body, createdAt } = delivery;
  await db.query({ text, values: [merchantId, deliveryId, orderId, apiKeyId, eventType, url, body, time(createdAt)] });
}
