import {
  type Given,
  PORTAL_EXPORT_ORDERS,
  PORTAL_LIST_ORDERS,
  PORTAL_MOVE_ORDER,
  PORTAL_READ_ORDER,
  type PortalOrderDetail,
  type PortalOrderView,
  type QueryOf,
} from '@munshi/api';
import {
  type Instant,
  isFinal,
  lifecycleOf,
  MERCHANTS_SEARCH_BY,
  maskAccount,
  maskName,
  type Order,
  portalOrderActions,
  reachable,
  stageOf,
  type Zones,
  zonedTime,
} from '@munshi/core';
import QRCode from 'qrcode';
import { type OrderStep, readSteps } from '../members/history.store.ts';
import { zonesOf } from '../merchants/days.ts';
import { orderColumns } from '../orders/columns.portal.ts';
import { filtersOf, readSearch } from '../orders/filters.ts';
import type { OrderSummary } from '../orders/list.store.ts';
import { exportOrders, findOrders } from '../orders/lists.service.ts';
import { findOwnOrder } from '../orders/own-order.portal.ts';
import { paymentPageUrl } from '../orders/payment-page-url.ts';
import type { OrderFilters } from '../orders/search-selects.store.ts';
import { merchantOf, type PortalCaller, type PortalFace } from '../people/access.portal.ts';
import type { Deps } from '../people/deps.ts';
import { readingAs } from '../platform/database/limited.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { found, Refused } from '../platform/refusals.ts';
import { moveOrder, movesOrders } from '../sandbox/moves.service.ts';
import { insertAuditOnce } from '../writes/audit-log.store.ts';
import { namesOf } from '../writes/write.ts';

/** The merchant's orders, without anything of the members who carry them out. */
export function orderRoutes(face: PortalFace, deps: Deps): void {
  const { pool } = deps.database;

  bind(face, PORTAL_LIST_ORDERS, async (request, caller) => {
    const page = pageOf(request.query);
    const merchantId = merchantOf(caller);
    const zones = await zonesOf(pool, merchantId);
    const filters = ownFilters(merchantId, request.query, { now: deps.clock.now(), zones });
    const { rows, searched } = await findOrders(readingAs(deps, merchantId), filters, page.place);
    return { ...pageAnswer(page, rows, ({ orderId }) => orderId, showOrder), searched };
  });

  bindCsv(face, PORTAL_EXPORT_ORDERS, async (request, caller) => {
    const { query } = request;
    const merchantId = merchantOf(caller);
    const zones = await zonesOf(pool, merchantId);
    const filters = ownFilters(merchantId, query, { now: deps.clock.now(), zones });
    const names = { filters: namesOf(query) };
    const own = readingAs(deps, merchantId);
    const pages = await exportOrders(own, caller, filters, names);
    const columns = orderColumns((at) => (at === null ? null : zonedTime(at, zones)));
    return { name: 'orders', columns, pages };
  });

  bind(face, PORTAL_READ_ORDER, async (request, caller) => {
    const order = await findOwnOrder(pool, request, caller);
    const seesLinks = caller.principal.capabilities.has('see-customers');
    const isOpen = seesLinks && deps.clock.now() < order.expiresAt && !asksForAccount(order);
    const link = isOpen ? paymentPageUrl(order, deps) : null;
    const paymentPageQr =
      link === null || isFinal(order.status)
        ? null
        : await QRCode.toString(link, { type: 'svg', margin: 2 });
    const steps = await readSteps(pool, order.orderId);
    const moves = movesOrders(deps) && seesLinks ? reachable(order) : [];
    return { data: { ...showDetail(order, steps, link, caller), paymentPageQr, moves } };
  });

  bind(face, PORTAL_MOVE_ORDER, async (request, caller) => {
    const { orderId } = await findOwnOrder(pool, request, caller);
    found(movesOrders(deps) || undefined, 'Order');
    const { to } = request.body;
    const { actor, once } = caller;
    const entry = { actor, action: 'sandbox.move', target: orderId, detail: { to } } as const;
    await insertAuditOnce(pool, { auditId: once.commandId, ...entry, at: deps.clock.now() });
    const refused = await moveOrder(deps, orderId, { to });
    if (refused !== undefined) throw new Refused('wrong-state', refused);
    return { data: { orderId, status: to } };
  });
}

/**
 * A withdrawal's page takes the account that is paid. A person whom one operator lets in here could
 * give theirs, so only the merchant's backend has its link (security.md#people-of-a-merchant).
 */
const asksForAccount = ({ orderType, customerAccountNumber }: Order): boolean =>
  orderType === 'Withdrawal' && customerAccountNumber === null;

function ownFilters(
  merchantId: string,
  query: QueryOf<typeof PORTAL_EXPORT_ORDERS>,
  here: { readonly now: Instant; readonly zones: Zones },
): OrderFilters {
  return {
    ...filtersOf(query, here.zones),
    merchantId,
    search: readSearch(query.search, here, MERCHANTS_SEARCH_BY),
  };
}

const showOrder = (order: OrderSummary): Given<PortalOrderView> => ({
  ...order,
  stage: stageOf(order),
});

const showDetail = (
  order: Order,
  steps: readonly OrderStep[],
  link: string | null,
  caller: PortalCaller,
): Omit<Given<PortalOrderDetail>, 'paymentPageQr' | 'moves'> => ({
  ...order,
  stage: stageOf(order),
  lifecycle: lifecycleOf(order),
  customerAccountNumber: order.customerAccountNumber && maskAccount(order.customerAccountNumber),
  customerAccountName: order.customerAccountName && maskName(order.customerAccountName),
  paymentPageUrl: link,
  steps: steps.map(({ at, toStatus, actorKind }) => ({ at, status: toStatus, by: actorKind })),
  allowedActions: portalOrderActions(order, caller.principal),
});
