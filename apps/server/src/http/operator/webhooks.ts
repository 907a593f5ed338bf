import {
  LIST_WEBHOOK_ALERTS,
  type ListWebhookAlerts,
  READ_WEBHOOK_HEALTH,
  REPLAY_WEBHOOKS,
  type ReadWebhookHealth,
  type ReplayWebhooks,
} from '@munshi/api';
import { isFinal } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { inTransaction } from '../../storage/db.ts';
import {
  insertDeliveries,
  listDeliveriesSince,
  type ReplayPosition,
} from '../../storage/deliveries.ts';
import { findMerchant } from '../../storage/merchants.ts';
import { lockOrders } from '../../storage/order-detail.ts';
import {
  countDeliveries,
  type EndpointHealth,
  type EndpointPlace,
  listAlerts,
  listEndpoints,
  type WebhookAlert,
} from '../../storage/webhook-health.ts';
import type { Deps } from '../deps.ts';
import {
  cutPage,
  fieldError,
  isUuid,
  jsonTime,
  pageOf,
  parseTime,
  sendData,
  sendList,
} from '../json.ts';
import { outcomeAgain } from './deliveries.ts';
import { found, recordedWrite } from './write.ts';

/** Orders that are locked together while their outcomes are written again. */
const REPLAY_CHUNK = 500;

/** How merchants' receivers do, and telling them again what they have lost. */
export function webhookRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  app.get<{ Querystring: ReadWebhookHealth }>(
    '/webhooks/health',
    { schema: READ_WEBHOOK_HEALTH },
    async (request, reply) => {
      const page = pageOf(request.query, (text) => placeOf(text) !== undefined);
      const { merchantId = null } = request.query;
      const after = page.after === null ? null : (placeOf(page.after) ?? null);
      const { nextDueAt, ...counts } = await countDeliveries(database.pool, merchantId);
      const rows = await listEndpoints(database.pool, { merchantId, after, limit: page.limit + 1 });
      const { shown, nextCursor } = cutPage(page, rows, keyOf);
      return reply.send({
        data: { ...counts, nextDueAt: jsonTime(nextDueAt), endpoints: shown.map(showEndpoint) },
        nextCursor,
      });
    },
  );

  app.get<{ Querystring: ListWebhookAlerts }>(
    '/webhooks/alerts',
    { schema: LIST_WEBHOOK_ALERTS },
    async (request, reply) => {
      const page = pageOf(request.query);
      const rows = await listAlerts(database.pool, {
        merchantId: request.query.merchantId ?? null,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ alertId }) => alertId, showAlert);
    },
  );

  app.post<{ Body: ReplayWebhooks }>(
    '/webhooks/replay',
    { schema: REPLAY_WEBHOOKS },
    async (request, reply) => {
      const { since, merchantId = null } = request.body;
      const from = parseTime(since);
      if (from === undefined)
        throw fieldError('since', 'must be an ISO 8601 time of the years 1 to 9999.');
      const before = clock.now();
      await recordedWrite(deps, request, async (client) => {
        if (merchantId !== null) found(await findMerchant(client, merchantId), 'Merchant');
        return {
          result: undefined,
          action: 'webhooks.replay',
          target: merchantId ?? 'all',
          detail: { since },
        };
      });
      const replayed = await replay({ since: from, before, merchantId });
      return sendData(reply, { replayed });
    },
  );

  /** Chunk by chunk, each in its own transaction: a later order waits for no earlier one. */
  async function replay(range: Parameters<typeof listDeliveriesSince>[1]): Promise<number> {
    const done = new Set<string>();
    for (let after: ReplayPosition | undefined; ; ) {
      const told = await listDeliveriesSince(database.pool, range, after, REPLAY_CHUNK);
      after = told.at(-1);
      if (after === undefined) return done.size;
      const orderIds = [...new Set(told.map(({ orderId }) => orderId))].filter(
        (orderId) => !done.has(orderId),
      );
      const sent = await inTransaction(database.pool, async (client) => {
        const orders = (await lockOrders(client, orderIds)).filter(({ status }) => isFinal(status));
        const now = clock.now();
        const deliveries = orders.flatMap((order) =>
          order.callbackUrl === null ? [] : [outcomeAgain(order, order.callbackUrl, now)],
        );
        await insertDeliveries(client, deliveries);
        return deliveries;
      });
      for (const { orderId } of sent) done.add(orderId);
      deps.wake('webhooks');
    }
  }
}

/** An endpoint's place in the list as one text, and read back; undefined for what is none. */
const keyOf = ({ failingSince, merchantId, host }: EndpointPlace) =>
  [jsonTime(failingSince) ?? 'healthy', merchantId, host].join(' ');
function placeOf(text: string): EndpointPlace | undefined {
  const [since = '', merchantId = '', host = ''] = text.split(' ');
  const failingSince = since === 'healthy' ? null : parseTime(since);
  return failingSince === undefined || !isUuid(merchantId) || /[\s\p{Cc}\ufffd]/u.test(host)
    ? undefined
    : { failingSince, merchantId, host };
}

const showEndpoint = ({
  failingSince,
  lastSuccessAt,
  lastFailureAt,
  ...endpoint
}: EndpointHealth) => ({
  ...endpoint,
  status: failingSince === null ? 'healthy' : 'failing',
  failingSince: jsonTime(failingSince),
  lastSuccessAt: jsonTime(lastSuccessAt),
  lastFailureAt: jsonTime(lastFailureAt),
});

const showAlert = (alert: WebhookAlert) => ({ ...alert, at: jsonTime(alert.at) });
