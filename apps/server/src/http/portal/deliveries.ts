import {
  PORTAL_LIST_DELIVERIES,
  PORTAL_LIST_RECEIVERS,
  PORTAL_READ_DELIVERY,
  PORTAL_RESEND_DELIVERY,
  PORTAL_TEST_WEBHOOK,
} from '@munshi/api';
import { portalOrderActions } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { resendOutcome, sendTestEvent } from '../../services/deliveries.ts';
import { findDeliveries } from '../../services/delivery-lists.ts';
import { found } from '../../services/refusals.ts';
import { doWrite } from '../../services/write.ts';
import { findOrder } from '../../storage/orders/orders.ts';
import { findDelivery } from '../../storage/webhooks/delivery-list.ts';
import { bind } from '../bind.ts';
import { createSentView } from '../deliveries.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { answerReceivers } from '../receivers.ts';
import { readTime } from '../values.ts';
import { callerOf } from './access.ts';
import { findOwnOrder } from './own-order.ts';

/** Webhook deliveries of the merchant, and sending an outcome again. */
export function deliveryRoutes(app: FastifyInstance, deps: Deps): void {
  const { pool } = deps.database;
  const showSent = createSentView(deps.vault);

  bind(app, PORTAL_LIST_DELIVERIES, async ({ portal, query }) => {
    const page = pageOf(query);
    const { limit: _, cursor: __, from, to, ...filters } = query;
    const { merchantId } = portal.principal;
    const times = { from: readTime('from', from), to: readTime('to', to) };
    const place = { after: page.after, limit: page.limit + 1 };
    const rows = await findDeliveries(deps, { ...filters, ...times, merchantId }, place);
    return pageAnswer(page, rows, ({ deliveryId }) => deliveryId);
  });

  bind(app, PORTAL_READ_DELIVERY, async ({ params, portal }) => {
    const { merchantId } = portal.principal;
    const detail = await findDelivery(pool, params.deliveryId);
    const own = found(detail?.merchantId === merchantId ? detail : undefined, 'Delivery');
    const told = await findOrder(pool, own.orderId); // none: a test
    const allowedActions = told ? portalOrderActions(told.order, portal.principal) : [];
    return { data: { ...own, ...showSent(own), allowedActions } };
  });

  bind(app, PORTAL_LIST_RECEIVERS, async ({ portal, query }) => {
    return answerReceivers(deps, portal.principal.merchantId, query);
  });

  bind(app, PORTAL_TEST_WEBHOOK, async (request) => {
    const { merchantId } = request.portal.principal;
    return { data: await doWrite(deps, callerOf(request), sendTestEvent(deps, merchantId)) };
  });

  bind(app, PORTAL_RESEND_DELIVERY, async (request) => {
    const { orderId } = await findOwnOrder(pool, request);
    return { data: await doWrite(deps, callerOf(request), resendOutcome(deps, orderId)) };
  });
}
