import {
  COUNT_ORDERS,
  EXPORT_ORDERS,
  LIST_ORDERS,
  type QueryOf,
  READ_ORDER,
  REVEAL_CUSTOMER,
} from '@munshi/api';
import {
  type Instant,
  maskAccount,
  ORDER_SEARCH_KINDS,
  type Zones,
  zonesAhead,
} from '@munshi/core';
import { readShownWith, showRequest } from '../approvals/view.operator.ts';
import { listApprovals } from '../engine/rows/approvals.ts';
import { zonesOf } from '../merchants/days.ts';
import { readOrderClaims } from '../orders/claims.store.ts';
import { ORDER_COLUMNS } from '../orders/columns.operator.ts';
import { filtersOf, readSearch } from '../orders/filters.ts';
import type { ListedOrder } from '../orders/list.store.ts';
import { countFound, exportOrders, findOrders } from '../orders/lists.service.ts';
import { revealCustomer } from '../orders/personal-data.service.ts';
import type { OrderFilters } from '../orders/search-selects.store.ts';
import type { Operator, OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { readTime } from '../platform/http/values.ts';
import { found } from '../platform/refusals.ts';
import { readOrderDetail } from './detail.store.ts';
import { showDetail, showListed } from './view.operator.ts';

type Query = QueryOf<typeof COUNT_ORDERS>;

/** Orders of all merchants: the list with its filters, and everything about one. */
export function orderRoutes(face: OperatorFace, deps: Deps): void {
  const { database, clock } = deps;
  const allFilters = async (query: Query, now: Instant, operator: Operator) =>
    readFilters(query, operator, { now, zones: await zonesOf(database.pool, query.merchantId) });

  bind(face, LIST_ORDERS, async ({ query }, operator) => {
    const page = pageOf(query);
    const now = clock.now();
    const filters = await allFilters(query, now, operator);
    const { rows, searched } = await findOrders(deps, filters, page.place);
    const orderIds = rows.map(({ orderId }) => orderId);
    const claims = await readOrderClaims(database.pool, orderIds, now);
    const show = (order: ListedOrder) => showListed(order, claims.get(order.orderId));
    return { ...pageAnswer(page, rows, ({ orderId }) => orderId, show), searched };
  });

  bind(face, COUNT_ORDERS, async ({ query }, operator) => ({
    data: await countFound(deps, await allFilters(query, clock.now(), operator)),
  }));

  bindCsv(face, EXPORT_ORDERS, async (request, caller) => {
    const filters = await allFilters(request.query, clock.now(), caller);
    const pages = await exportOrders(deps, caller, filters, askedIn(request.query));
    return { name: 'orders', columns: ORDER_COLUMNS, pages };
  });

  bind(face, READ_ORDER, async ({ params }, operator) => {
    const { orderId } = params;
    const detail = found(await readOrderDetail(database, orderId), 'Order');
    const now = clock.now();
    const question = { status: 'pending', target: orderId, now, after: null, limit: 10 };
    const waiting = await listApprovals(database.pool, question);
    const claims = await readOrderClaims(database.pool, [orderId], now);
    const beside = await readShownWith(database.pool, deps, waiting);
    const requests = waiting.map((one) => showRequest(one, operator, now, beside));
    return { data: showDetail(detail, requests, claims.get(orderId), operator) };
  });

  bind(face, REVEAL_CUSTOMER, async (request, caller) => ({
    data: await revealCustomer(deps, caller, request.params.orderId),
  }));
}

/** The filters as the audit log keeps them: what is searched for may be a customer's account. */
function askedIn({ search, ...filters }: QueryOf<typeof EXPORT_ORDERS>) {
  const texts = Object.entries(filters).map(([name, value]) => [name, String(value)]);
  const masked = search === undefined ? {} : { search: maskAccount(search.trim()) };
  return { ...Object.fromEntries(texts), ...masked };
}

const MINUTE_MS = 60_000;

/** The earlier one where both ends are given. */
function dueToOf(
  { dueTo, dueWithinMinutes }: Query,
  now: Instant,
  zones: Zones,
): Instant | undefined {
  const to = readTime('dueTo', dueTo, zones);
  if (dueWithinMinutes === undefined) return to;
  return Math.min(to ?? Number.POSITIVE_INFINITY, now + dueWithinMinutes * MINUTE_MS);
}

function readFilters(
  query: Query,
  { capabilities }: Operator,
  { now, zones }: { readonly now: Instant; readonly zones: Zones },
): OrderFilters {
  const { merchantId, memberId, hasLateClaim, hasFailingWebhook, utcOffset = 0 } = query;
  const here = { now, zones: zonesAhead(utcOffset) };
  const by = capabilities.has('see-customers') ? ORDER_SEARCH_KINDS : WITHOUT_CUSTOMERS;
  return {
    ...filtersOf(query, zones),
    merchantId,
    memberId,
    dueFrom: readTime('dueFrom', query.dueFrom, zones),
    dueTo: dueToOf(query, now, zones),
    hasLateClaim,
    hasFailingWebhook,
    search: readSearch(query.search, here, by),
  };
}

/** Who sees customers masked could otherwise find their names letter by letter. */
const WITHOUT_CUSTOMERS = ORDER_SEARCH_KINDS.filter((kind) => kind !== 'customerName');
