import type { TestMerchant } from './fixtures.ts';
import type { Service } from './service.ts';

/**
 * Inserts deliveries that are due without their orders, for loads of webhooks alone. Invariant W1
 * does not hold for them. The `orderId` in the body is the delivery's order.
 */
export async function insertDue(
  { database, app }: Service,
  merchant: TestMerchant,
  url: string,
  count: number,
): Promise<void> {
  await database.pool.query(
    `with written as (
       insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
       select $1, gen_random_uuid(), o.order_id, $2, 'order.failed', $3, convert_to(json_build_object('orderId', o.order_id)::text, 'UTF8'), $4
       from (select gen_random_uuid() as order_id from generate_series(1, $5::integer)) o
       returning order_id, merchant_id, delivery_id, host, created_at)
     insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at) select * from written`,
    [merchant.merchantId, merchant.keyId, url, new Date(app.deps.clock.now()).toISOString(), count],
  );
}

/** The same, one for each URL. */
export async function insertDueTo(
  { database, app }: Service,
  merchant: TestMerchant,
  urls: readonly string[],
): Promise<void> {
  await database.pool.query(
    `with written as (
       insert into deliveries (merchant_id, delivery_id, order_id, api_key_id, event_type, url, body, created_at)
       select $1, gen_random_uuid(), gen_random_uuid(), $2, 'order.failed', url, '{}', $4 from unnest($3::text[]) url
       returning order_id, merchant_id, delivery_id, host, created_at)
     insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at) select * from written`,
    [merchant.merchantId, merchant.keyId, urls, new Date(app.deps.clock.now()).toISOString()],
  );
}

const DEADLOCK = '40P01';

/**
 * Deletes every delivery with its attempts and its place in the queue. The service claims and
 * records in another order of the tables; whichever of the two is abandoned, it is tried again.
 */
export async function removeDeliveries({ database }: Service): Promise<void> {
  for (let tries = 5; ; tries -= 1) {
    try {
      await database.pool.query('truncate deliveries, delivery_queue, delivery_attempts');
      return;
    } catch (error) {
      if (tries === 0 || (error as { code?: string }).code !== DEADLOCK) throw error;
    }
  }
}
