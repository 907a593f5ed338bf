import { LIST_ORDERS, READ_ORDER, REVEAL_CUSTOMER } from '@munshi/api';
import type { Instant } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { revealCustomer } from '../../services/personal-data.ts';
import { FieldErrors, found } from '../../services/refusals.ts';
import { listApprovals } from '../../storage/approvals.ts';
import { readOrderClaims } from '../../storage/order-claims.ts';
import { readOrderDetail } from '../../storage/order-detail.ts';
import { type ListedOrder, listOrders } from '../../storage/order-list.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { parseTime } from '../values.ts';
import { callerOf } from './access.ts';
import { showDetail, showListed } from './order-view.ts';

/** Orders of all merchants: the list with its filters, and everything about one. */
export function orderRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  bind(app, LIST_ORDERS, async ({ query }) => {
    const { limit: _, cursor: __, search, from, to, ...filters } = query;
    const page = pageOf(query);
    const asked = {
      ...filters,
      from: readTime('from', from),
      to: readTime('to', to),
      search: search?.trim() || undefined,
    };
    const place = { after: page.after, limit: page.limit + 1 };
    const rows = await listOrders(database.pool, asked, place);
    const orderIds = rows.map(({ orderId }) => orderId);
    const claims = await readOrderClaims(database.pool, orderIds, clock.now());
    const show = (order: ListedOrder) => showListed(order, claims.get(order.orderId));
    return pageAnswer(page, rows, ({ orderId }) => orderId, show);
  });

  bind(app, READ_ORDER, async ({ params, operator }) => {
    const { orderId } = params;
    const detail = found(await readOrderDetail(database, orderId), 'Order');
    const now = clock.now();
    const question = { status: 'pending', target: orderId, now, after: null, limit: 10 };
    const waiting = await listApprovals(database.pool, question);
    const claims = await readOrderClaims(database.pool, [orderId], now);
    return { data: showDetail(detail, waiting, claims.get(orderId), operator, now) };
  });

  bind(app, REVEAL_CUSTOMER, async (request) => ({
    data: await revealCustomer(deps, callerOf(request), request.params.orderId),
  }));
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A date (its start, UTC) or a time with its zone. */
export function readTime(name: string, sent: string | undefined): Instant | undefined {
  if (sent === undefined || sent === '') return undefined;
  const text = sent.replace(' ', '+'); // a plus sign that was not encoded arrives as a space
  const at = ISO_TIME.test(text) ? parseTime(text) : undefined;
  if (at === undefined)
    throw new FieldErrors({
      [name]: ['must be an ISO 8601 date or time with its zone, such as 2026-01-31T12:00:00Z.'],
    });
  return at;
}
