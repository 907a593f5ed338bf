import {
  PORTAL_COUNT_REPLAY,
  PORTAL_LIST_DELIVERIES,
  PORTAL_LIST_RECEIVERS,
  PORTAL_READ_DELIVERY,
  PORTAL_REPLAY_WEBHOOKS,
  PORTAL_RESEND_DELIVERY,
  PORTAL_TEST_WEBHOOK,
} from '@munshi/api';
import { portalOrderActions } from '@munshi/core';
import { zonesOf } from '../merchants/days.ts';
import { findOwnOrder } from '../orders/own-order.portal.ts';
import { findOrder } from '../orders/store.ts';
import type { PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { readingAs } from '../platform/database/limited.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { parseTime, readTime } from '../platform/http/values.ts';
import { FieldErrors, found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { countReplay, findDeliveries } from './lists.service.ts';
import { findDelivery } from './lists.store.ts';
import { answerReceivers } from './receivers.routes.ts';
import { createSentView, readSearch } from './routes.ts';
import { refuseReplay, replayOutcomes, resendOutcome, sendTestEvent } from './service.ts';

/** Webhook deliveries of the merchant, and sending an outcome again. */
export function deliveryRoutes(face: PortalFace, deps: Deps): void {
  const { pool } = deps.database;
  const showSent = createSentView(deps.vault);

  bind(face, PORTAL_LIST_DELIVERIES, async ({ query }, caller) => {
    const page = pageOf(query);
    const { limit: _, cursor: __, from, to, search, ...filters } = query;
    const { merchantId } = caller.principal;
    const own = readingAs(deps, merchantId);
    const zones = await zonesOf(pool, merchantId);
    const times = { from: readTime('from', from, zones), to: readTime('to', to, zones) };
    const text = readSearch(search, deps.clock.now());
    const asked = { ...filters, ...times, merchantId };
    const { rows, searched } = await findDeliveries(own, asked, text, page.place);
    return { ...pageAnswer(page, rows, ({ deliveryId }) => deliveryId), searched };
  });

  bind(face, PORTAL_READ_DELIVERY, async ({ params }, caller) => {
    const { merchantId } = caller.principal;
    const detail = await findDelivery(pool, params.deliveryId);
    const own = found(detail?.merchantId === merchantId ? detail : undefined, 'Delivery');
    const about = await findOrder(pool, own.orderId); // none: a test
    const allowedActions = about ? portalOrderActions(about.order, caller.principal) : [];
    return { data: { ...own, ...showSent(own), allowedActions } };
  });

  bind(face, PORTAL_LIST_RECEIVERS, async ({ query }, caller) => {
    const { merchantId } = caller.principal;
    return answerReceivers(readingAs(deps, merchantId), merchantId, query);
  });

  bind(face, PORTAL_TEST_WEBHOOK, async (_request, caller) => {
    const { merchantId } = caller.principal;
    return { data: await doWrite(deps, caller, sendTestEvent(deps, merchantId)) };
  });

  bind(face, PORTAL_RESEND_DELIVERY, async (request, caller) => {
    const { orderId } = await findOwnOrder(pool, request, caller);
    return { data: await doWrite(deps, caller, resendOutcome(deps, orderId)) };
  });

  bind(face, PORTAL_COUNT_REPLAY, async ({ query }, caller) => {
    const { merchantId } = caller.principal;
    const since = sinceOf(query.since, 'since');
    return { data: await countReplay(readingAs(deps, merchantId), { since, merchantId }) };
  });

  bind(face, PORTAL_REPLAY_WEBHOOKS, async ({ body }, caller) => {
    const { merchantId } = caller.principal;
    const since = sinceOf(body.since, '$.since');
    const replayed = await replayOutcomes(deps, caller, { since, merchantId });
    return { data: { replayed } };
  });

  function sinceOf(text: string, field: string) {
    const since = parseTime(text);
    const wrong =
      since === undefined
        ? 'must be an ISO 8601 time of the years 1 to 9999.'
        : refuseReplay(since, deps.clock.now());
    if (since === undefined || wrong !== undefined)
      throw new FieldErrors({ [field]: [wrong as string] });
    return since;
  }
}
