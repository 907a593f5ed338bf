import {
  COUNT_REPLAY,
  type DeliveryDetailView,
  type Given,
  LIST_ALL_DELIVERIES,
  LIST_WEBHOOK_ENDPOINTS,
  READ_DELIVERY,
} from '@munshi/api';
import { type Order, sentDeliveryActions } from '@munshi/core';
import { zonesOf } from '../merchants/days.ts';
import { findOrder } from '../orders/store.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { parseTime, readTime } from '../platform/http/values.ts';
import { FieldErrors, found } from '../platform/refusals.ts';
import { countReplay, findDeliveries } from './lists.service.ts';
import { type DeliveryDetail, findDelivery } from './lists.store.ts';
import { answerReceivers } from './receivers.routes.ts';
import { createSentView, readSearch } from './routes.ts';

/** Deliveries of all orders, one as it was sent, and how receivers do. */
export function deliveryListRoutes(face: OperatorFace, deps: Deps): void {
  const { database, clock, vault } = deps;
  const { pool } = database;
  const showSent = createSentView(vault);

  bind(face, LIST_ALL_DELIVERIES, async ({ query }) => {
    const page = pageOf(query);
    const { limit: _, cursor: __, from, to, search, ...filters } = query;
    const zones = await zonesOf(pool, query.merchantId);
    const times = { from: readTime('from', from, zones), to: readTime('to', to, zones) };
    const text = readSearch(search, clock.now());
    const { rows, searched } = await findDeliveries(
      deps,
      { ...filters, ...times },
      text,
      page.place,
    );
    return { ...pageAnswer(page, rows, ({ deliveryId }) => deliveryId), searched };
  });

  bind(face, READ_DELIVERY, async ({ params }, operator) => {
    const detail = found(await findDelivery(pool, params.deliveryId), 'Delivery');
    const about = await findOrder(pool, detail.orderId);
    return { data: showDetail(detail, about?.order, operator) };
  });

  bind(face, LIST_WEBHOOK_ENDPOINTS, ({ query }) =>
    answerReceivers(deps, query.merchantId ?? null, query),
  );

  bind(face, COUNT_REPLAY, async ({ query }) => {
    const since = parseTime(query.since);
    if (since === undefined)
      throw new FieldErrors({ since: ['must be an ISO 8601 time of the years 1 to 9999.'] });
    return { data: await countReplay(deps, { since, merchantId: query.merchantId ?? null }) };
  });

  function showDetail(
    detail: DeliveryDetail,
    order: Order | undefined,
    operator: Operator,
  ): Given<DeliveryDetailView> {
    return {
      ...detail,
      ...showSent(detail),
      allowedActions: order === undefined ? [] : sentDeliveryActions(detail, order, operator),
    };
  }
}
