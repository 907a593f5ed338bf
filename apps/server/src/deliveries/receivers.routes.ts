import type { EndpointFiguresView, EndpointView, Given } from '@munshi/api';
import { isoTime } from '@munshi/core';
import type { Deps } from '../people/deps.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { isUuid, parseTime } from '../platform/http/values.ts';
import { figuresOf } from './lists.service.ts';
import { type EndpointHealth, type EndpointPlace, listEndpoints } from './receivers.store.ts';

/** Receivers of webhooks, as operators and merchants see how they do. */

const DAY_MS = 24 * 3_600_000;

/** A page of them, of one merchant or of all. */
export async function answerReceivers(
  deps: Deps,
  merchantId: string | null,
  query: Parameters<typeof pageOf>[0],
) {
  const page = pageOf(query, placeOf);
  const { pool } = deps.database;
  const rows = await listEndpoints(pool, { merchantId, ...page.place });
  const since = deps.clock.now() - DAY_MS;
  const figures = await figuresOf(deps, rows, since);
  return pageAnswer(page, rows, keyOf, (endpoint): Given<EndpointFiguresView> => {
    if (figures === null) return { ...showEndpoint(endpoint), lastDay: null };
    const { attempts, succeeded, medianMs, p95Ms } = figures(endpoint);
    const lastDay = { attempts, succeeded, medianMs, p95Ms, since };
    return { ...showEndpoint(endpoint), lastDay };
  });
}

/** An endpoint's place in the list as one text, and read back; undefined for what is none. */
export const keyOf = ({ failingSince, merchantId, host }: EndpointPlace) =>
  [isoTime(failingSince) ?? 'healthy', merchantId, host].join(' ');
export function placeOf(text: string): EndpointPlace | undefined {
  const [since = '', merchantId = '', host = ''] = text.split(' ');
  const failingSince = since === 'healthy' ? null : parseTime(since);
  return failingSince === undefined || !isUuid(merchantId) || /[\s\p{Cc}\ufffd]/u.test(host)
    ? undefined
    : { failingSince, merchantId, host };
}

export const showEndpoint = (endpoint: EndpointHealth): Given<EndpointView> => ({
  ...endpoint,
  status: endpoint.failingSince === null ? 'healthy' : 'failing',
});
