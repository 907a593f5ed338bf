import { LIST_ORDERS, type ListOrders, READ_ORDER } from '@munshi/api';
import type { Instant } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { listApprovals } from '../../storage/approvals.ts';
import { readOrderDetail } from '../../storage/order-detail.ts';
import { listOrders } from '../../storage/order-list.ts';
import type { Deps } from '../deps.ts';
import { FieldErrors, pageOf, parseTime, sendData, sendList } from '../json.ts';
import { showDetail, showOrder } from './order-view.ts';
import { found } from './write.ts';

/** Orders of all merchants: the list with its filters, and everything about one. */
export function orderRoutes(app: FastifyInstance, { database, clock }: Deps): void {
  app.get<{ Querystring: ListOrders }>(
    '/orders',
    { schema: LIST_ORDERS },
    async (request, reply) => {
      const { limit: _, cursor: __, search, from, to, ...filters } = request.query;
      const page = pageOf(request.query);
      const asked = {
        ...filters,
        from: readTime('from', from),
        to: readTime('to', to),
        search: readSearch(search),
      };
      const rows = await listOrders(database.pool, asked, {
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(
        reply,
        page,
        rows,
        ({ orderId }) => orderId,
        (order) => ({
          ...showOrder(order),
          merchantName: order.merchantName,
          memberName: order.memberName,
        }),
      );
    },
  );

  app.get<{ Params: { orderId: string } }>(
    '/orders/:orderId',
    { schema: READ_ORDER },
    async (request, reply) => {
      const detail = found(await readOrderDetail(database, request.params.orderId), 'Order');
      const waiting = await listApprovals(database.pool, {
        status: 'pending',
        target: request.params.orderId,
        now: clock.now(),
        after: null,
        limit: 10,
      });
      return sendData(reply, showDetail(detail, request.operator, waiting));
    },
  );
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A date (its start, UTC) or a time with its zone. */
function readTime(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined || text === '') return undefined;
  // A plus sign that was not encoded arrives as a space.
  const at = ISO_TIME.test(text.replace(' ', '+')) ? parseTime(text.replace(' ', '+')) : undefined;
  if (at === undefined)
    throw new FieldErrors({
      [name]: ['must be an ISO 8601 date or time with its zone, such as 2026-01-31T12:00:00Z.'],
    });
  return at;
}

const readSearch = (text: string | undefined) =>
  text === undefined || text.trim() === '' ? undefined : text.trim();
