import { lifecycleOf } from '@munshi/core';
import type { FastifyReply } from 'fastify';
import type { ApiKeyReader } from '../api-keys/store.ts';
import { sendError, sendUnauthenticated } from '../platform/http/errors.ts';
import { sendData } from '../platform/http/json.ts';
import { jsonNumber } from '../platform/http/values.ts';
import type { OrderStatus, StatusAnswer, StatusReader } from './status.store.ts';

const ORDER_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const ORDER_REFERENCE = /^ORD-[0-9A-Za-z-]{1,96}$/;

/** The order of a path: by its orderId or orderReference. */
export async function readStatus(
  readers: StatusReader & ApiKeyReader,
  apiKeyHash: string,
  id: string,
): Promise<StatusAnswer> {
  if (ORDER_ID.test(id)) return readers.status({ apiKeyHash, by: 'orderId', value: id });
  if (ORDER_REFERENCE.test(id))
    return readers.status({ apiKeyHash, by: 'orderReference', value: id });
  return (await isKeyActive(readers, apiKeyHash)) ? 'not-found' : 'key-not-active';
}

export const isKeyActive = async (readers: ApiKeyReader, apiKeyHash: string): Promise<boolean> =>
  (await readers.apiKey(apiKeyHash)) !== 'key-not-active';

export function sendStatus(reply: FastifyReply, answer: StatusAnswer): FastifyReply {
  if (answer === 'key-not-active') return sendUnauthenticated(reply);
  if (answer === 'not-found') return sendError(reply, 404, 'Order not found.');
  return sendData(reply, statusReply(answer));
}

/** The reply to a look-up (merchant-api.md#order-status). */
function statusReply(order: OrderStatus) {
  const lifecycle = lifecycleOf(order);
  return {
    orderId: order.orderId,
    orderReference: order.orderReference,
    status: order.status,
    amount: jsonNumber(order.amount),
    queuedAt: order.createdAt,
    confirmedAt: order.completedAt,
    cancelledAt: order.cancelledAt,
    merchantOrderRef: order.merchantOrderRef,
    orderType: order.orderType,
    currency: order.currency,
    fee: order.fee === null ? null : jsonNumber(order.fee),
    stage: lifecycle.stage,
    lifecycle,
  };
}
