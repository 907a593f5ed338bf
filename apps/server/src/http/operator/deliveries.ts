import { LIST_DELIVERIES, type Page, RESEND_DELIVERY, RETRY_DELIVERY } from '@munshi/api';
import {
  type Delivery,
  type Instant,
  isFinal,
  latestStamp,
  type Order,
  outcomeDelivery,
} from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { uuidV7 } from '../../engine/ids.ts';
import {
  type DeliveryRecord,
  insertDeliveries,
  listDeliveries,
  lockQueuePlace,
  retryDelivery,
} from '../../storage/deliveries.ts';
import { findOrder, lockOrder } from '../../storage/order-detail.ts';
import type { Deps } from '../deps.ts';
import { pageOf, Refused, sendData, sendList } from '../json.ts';
import { isRetriable, showDelivery } from './order-view.ts';
import { found, recordedWrite } from './write.ts';

type OrderRequest = { Params: { orderId: string } };

/** An order's webhook deliveries, and sending them again (spec: Delivery and retries; D51). */
export function deliveryRoutes(app: FastifyInstance, deps: Deps): void {
  const { database } = deps;

  app.get<OrderRequest & { Querystring: Page }>(
    '/orders/:orderId/deliveries',
    { schema: LIST_DELIVERIES },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { order } = found(await findOrder(database.pool, request.params.orderId), 'Order');
      const rows = await listDeliveries(database.pool, order, {
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ deliveryId }) => deliveryId, showDelivery);
    },
  );

  app.post<OrderRequest>(
    '/orders/:orderId/deliveries/retry-now',
    { schema: RETRY_DELIVERY },
    async (request, reply) =>
      sendData(reply, showDelivery(await write(request, 'delivery.retry', retryLatest))),
  );
  app.post<OrderRequest>(
    '/orders/:orderId/deliveries/resend',
    { schema: RESEND_DELIVERY },
    async (request, reply) =>
      sendData(reply, showDelivery(await write(request, 'delivery.resend', resend))),
  );

  /**
   * With the order locked, so that no new outcome comes in between; answers the delivery as it is
   * then, and has it sent.
   */
  async function write(
    request: FastifyRequest<OrderRequest>,
    action: string,
    act: (client: pg.PoolClient, order: Order, now: Instant) => Promise<string>,
  ) {
    const delivery = await recordedWrite(deps, request, async (client, now) => {
      const order = found(await lockOrder(client, request.params.orderId), 'Order');
      const deliveryId = await act(client, order, now);
      const result = (await listDeliveries(client, order)).find(
        (one) => one.deliveryId === deliveryId,
      ) as DeliveryRecord;
      return {
        result,
        answer: showDelivery(result),
        action,
        target: order.orderId,
        detail: { deliveryId },
      };
    });
    deps.wake('webhooks');
    return delivery;
  }
}

/**
 * Makes the latest delivery due now when it has failed. An earlier one tells what is no longer so.
 * An attempt that is on its way is recorded before this looks, or after it is committed: what was
 * acknowledged is not sent again (D73).
 */
async function retryLatest(client: pg.PoolClient, order: Order, now: Instant): Promise<string> {
  await lockQueuePlace(client, order);
  const [latest] = await listDeliveries(client, order);
  if (latest === undefined)
    throw new Refused('wrong-state', 'This order has no delivery to retry.');
  if (!isRetriable(latest)) {
    const state = latest.status === 'pending' ? 'being sent for the first time' : latest.status;
    throw new Refused(
      'wrong-state',
      `The latest delivery is ${state}; only a failed one can be retried. Use resend to send the outcome again.`,
    );
  }
  await retryDelivery(client, order, latest.deliveryId, now);
  return latest.deliveryId;
}

/** A new delivery of the present outcome: a new id, a new body timestamp. */
async function resend(client: pg.PoolClient, order: Order, now: Instant): Promise<string> {
  if (!isFinal(order.status))
    throw new Refused('wrong-state', `The order is ${order.status}; only a final outcome is sent.`);
  if (order.callbackUrl === null)
    throw new Refused('wrong-state', 'The order has no callback URL.');
  const delivery = outcomeAgain(order, order.callbackUrl, now);
  await insertDeliveries(client, [delivery]);
  return delivery.deliveryId;
}

/**
 * The outcome of a locked order once more. It is later than what happened to the order, also when
 * that happened while this waited for the lock: its time tells so.
 */
export function outcomeAgain(order: Order, url: string, now: Instant): Delivery {
  const at = Math.max(now, latestStamp(order) + 1);
  return outcomeDelivery(order, url, { now: at, newId: () => uuidV7(at) });
}
