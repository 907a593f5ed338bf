import {
  type Given,
  MEMBER_EXPORT_ORDERS,
  MEMBER_LIST_DAYS,
  MEMBER_LIST_MOVEMENTS,
  MEMBER_READ_TIMELINE,
  type MemberStep,
  type OwnMovement,
} from '@munshi/api';
import { isoTime, parseMonth, periodOfMonth, zonesAhead } from '@munshi/core';
import type { MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind, bindCsv } from '../platform/http/bind.ts';
import { amountCell, type CsvColumns, pagesOf, valueCell } from '../platform/http/csv.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { readTime } from '../platform/http/values.ts';
import { FieldErrors, found } from '../platform/refusals.ts';
import { readMemberDays } from './days.service.ts';
import {
  findClosedOrders,
  type MovedOrder,
  type OrderStep,
  readMovedOrders,
  readSteps,
} from './history.store.ts';
import { movementPlaceOf, readMovementPlace } from './movements.routes.ts';
import type { MemberOrder, MemberOrderReader } from './orders.store.ts';
import { listMovements, type Movement } from './standing.store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_SHOWN = 31;
const DAYS_MAX = 93;

/** What a member looks back on: movements of their float, days, an order's steps, a month. */
export function historyRoutes(
  face: MemberFace,
  {
    database: { pool },
    clock,
    readers,
  }: Pick<Deps, 'database' | 'clock'> & { readonly readers: MemberOrderReader },
) {
  bind(face, MEMBER_LIST_MOVEMENTS, async ({ query }, caller) => {
    const { memberId } = caller.principal;
    const page = pageOf(query, readMovementPlace);
    const zones = zonesAhead(query.utcOffset ?? 0);
    const rows = await listMovements(pool, memberId, {
      ...page.place,
      from: readTime('from', query.from, zones) ?? null,
      to: readTime('to', query.to, zones) ?? null,
    });
    const orderIds = rows.flatMap(({ orderId }) => orderId ?? []);
    const orders = await readMovedOrders(pool, orderIds, memberId);
    const show = (row: Movement) => showMovement(row, orders.get(row.orderId ?? ''));
    return pageAnswer(page, rows, movementPlaceOf, show);
  });

  bind(face, MEMBER_LIST_DAYS, async ({ query }, caller) => {
    const { utcOffset = 0 } = query;
    const zones = zonesAhead(utcOffset);
    const to = readTime('to', query.to, zones) ?? clock.now() + DAY_MS;
    const from = readTime('from', query.from, zones) ?? Math.max(0, to - DAYS_SHOWN * DAY_MS);
    if (to - from > DAYS_MAX * DAY_MS)
      throw new FieldErrors({ from: [`must be at most ${DAYS_MAX} days before \`to\`.`] });
    const days = await readMemberDays(pool, caller.principal.memberId, { from, to }, utcOffset);
    return { data: { from, to, days } };
  });

  bind(face, MEMBER_READ_TIMELINE, async ({ params: { orderId } }, caller) => {
    const { memberId } = caller.principal;
    found(await readers.memberOrder({ memberId, orderId }), 'Order');
    const steps = await readSteps(pool, orderId);
    return { data: { orderId, steps: steps.map((step) => showStep(step, memberId)) } };
  });

  bindCsv(face, MEMBER_EXPORT_ORDERS, ({ query }, caller) => {
    const { memberId } = caller.principal;
    const month = found(parseMonth(query.month), 'Month');
    const period = periodOfMonth(month, zonesAhead(query.utcOffset ?? 0));
    const filters = { ...period, accountId: null, search: null };
    const read = (after: string | null, limit: number) =>
      findClosedOrders(pool, { memberId, after, limit }, filters);
    return {
      name: `orders-${query.month}`,
      columns: columnsFor(memberId),
      pages: pagesOf(read, ({ orderId }) => orderId),
    };
  });
}

const columnsFor = (reader: string): CsvColumns<MemberOrder> => ({
  orderReference: ({ orderReference }) => orderReference,
  orderType: ({ orderType }) => orderType,
  walletType: ({ walletType }) => walletType,
  account: ({ account }) => account?.accountNumber ?? null,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => amountCell(amount),
  floatAmount: ({ floatAmount }) => amountCell(floatAmount),
  status: ({ status }) => status,
  handedOver: ({ memberId }) => (memberId === reader ? 'no' : 'yes'),
  transactionDigits: ({ transactionDigits }) => transactionDigits,
  transactionReference: ({ memberId, memberTransactionReference }) =>
    memberId === reader ? memberTransactionReference : null,
  createdAt: ({ createdAt }) => valueCell(isoTime(createdAt)),
  sentAt: ({ sentAt }) => valueCell(isoTime(sentAt)),
  completedAt: ({ completedAt }) => valueCell(isoTime(completedAt)),
  failedAt: ({ failedAt }) => valueCell(isoTime(failedAt)),
});

const showMovement = (movement: Movement, order: MovedOrder | undefined): Given<OwnMovement> => ({
  ...movement,
  orderType: order?.orderType ?? null,
  account: order?.account ?? null,
  countedAt: movement.place.at,
});

/** What others said of the order is theirs and the operators'. */
function showStep(step: OrderStep, memberId: string): Given<MemberStep> {
  const own = step.actorKind === 'member' && step.actorId === memberId;
  const { toStatus: status, actorKind: by } = step;
  return { at: step.at, status, by, own, note: own ? step.note : null };
}
