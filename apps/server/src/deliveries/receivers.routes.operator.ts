import {
  LIST_WEBHOOK_ALERTS,
  READ_WEBHOOK_HEALTH,
  REPLAY_WEBHOOKS,
  TEST_WEBHOOK,
} from '@munshi/api';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { parseTime } from '../platform/http/values.ts';
import { fieldError } from '../platform/refusals.ts';
import { doWrite } from '../writes/write.ts';
import { keyOf, placeOf, showEndpoint } from './receivers.routes.ts';
import { countDeliveries, listAlerts, listEndpoints } from './receivers.store.ts';
import { replayOutcomes, sendTestEvent } from './service.ts';

/** The health of merchants' receivers, and the replay of what they have lost. */
export function receiverRoutes(face: OperatorFace, deps: Deps): void {
  const { pool } = deps.database;

  bind(face, READ_WEBHOOK_HEALTH, async ({ query }) => {
    const page = pageOf(query, placeOf);
    const { merchantId = null } = query;
    const counts = await countDeliveries(pool, merchantId);
    const rows = await listEndpoints(pool, { merchantId, ...page.place });
    const { data: endpoints, nextCursor } = pageAnswer(page, rows, keyOf, showEndpoint);
    return { data: { ...counts, endpoints }, nextCursor };
  });

  bind(face, LIST_WEBHOOK_ALERTS, async ({ query }) => {
    const page = pageOf(query);
    const { merchantId = null } = query;
    const rows = await listAlerts(pool, { merchantId, ...page.place });
    return pageAnswer(page, rows, ({ alertId }) => alertId);
  });

  bind(face, TEST_WEBHOOK, async (request, caller) => ({
    data: await doWrite(deps, caller, sendTestEvent(deps, request.params.merchantId)),
  }));

  bind(face, REPLAY_WEBHOOKS, async (request, caller) => {
    const { merchantId = null } = request.body;
    const since = parseTime(request.body.since);
    if (since === undefined)
      throw fieldError('since', 'must be an ISO 8601 time of the years 1 to 9999.');
    const replayed = await replayOutcomes(deps, caller, { since, merchantId });
    return { data: { replayed } };
  });
}
