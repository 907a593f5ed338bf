import {
  PORTAL_COUNT_REFUSED_REQUESTS,
  PORTAL_LIST_REFUSED_REQUESTS,
  REFUSED_COUNTS_MAX,
} from '@munshi/api';
import type { PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { readTime } from '../platform/http/values.ts';
import { zonesOf } from './days.ts';
import { listRefusedRequests, readRefusedCounts } from './traffic.store.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** Why requests of the merchant were refused. */
export function refusedRequestRoutes(face: PortalFace, { database, clock }: Deps): void {
  const { pool } = database;

  bind(face, PORTAL_LIST_REFUSED_REQUESTS, async ({ query }, caller) => {
    const { merchantId } = caller.principal;
    const page = pageOf(query);
    const since = clock.now() - WEEK_MS;
    const rows = await listRefusedRequests(pool, { merchantId, since, ...page.place });
    return pageAnswer(page, rows, ({ refusedId }) => refusedId);
  });

  bind(face, PORTAL_COUNT_REFUSED_REQUESTS, async ({ query }, caller) => {
    const now = clock.now();
    const { merchantId } = caller.principal;
    const zones = await zonesOf(pool, merchantId);
    const counts = await readRefusedCounts(pool, {
      merchantId,
      from: Math.max(readTime('from', query.from, zones) ?? 0, now - WEEK_MS),
      to: readTime('to', query.to, zones) ?? now + 1,
      per: query.per ?? 'hour',
      limit: REFUSED_COUNTS_MAX,
    });
    return { data: { counts } };
  });
}
