import { LIST_DELIVERIES, RESEND_DELIVERY, RETRY_DELIVERY } from '@munshi/api';
import { showEffect } from '../approvals/effects.ts';
import { findOrder } from '../orders/store.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { previewSending, resendOutcome, retryLatest } from './service.ts';
import { type DeliveryRecord, listDeliveries } from './store.ts';
import { showDelivery } from './view.operator.ts';

/** An order's webhook deliveries, and sending them again. */
export function deliveryRoutes(face: OperatorFace, deps: Deps): void {
  const { database } = deps;

  bind(face, LIST_DELIVERIES, async ({ params, query }, operator) => {
    const page = pageOf(query);
    const { order } = found(await findOrder(database.pool, params.orderId), 'Order');
    const rows = await listDeliveries(database.pool, order, page.place);
    const latest = page.place.after === null ? rows[0] : undefined;
    const show = (one: DeliveryRecord) => showDelivery(one, operator, one === latest);
    return pageAnswer(page, rows, ({ deliveryId }) => deliveryId, show);
  });

  for (const [endpoint, how, send] of [
    [RETRY_DELIVERY, 'retry-now', retryLatest],
    [RESEND_DELIVERY, 'resend', resendOutcome],
  ] as const)
    bind(face, endpoint, async (request, caller) => {
      const { orderId } = request.params;
      if (request.query.preview)
        return { data: showEffect(await previewSending(deps, how, orderId)) };
      const show = (delivery: DeliveryRecord) => showDelivery(delivery, caller, true);
      return { data: await doWrite(deps, caller, send(deps, orderId), show) };
    });
}
