import { LIST_QUEUE, type QueuedOrderView, READ_QUEUES } from '@munshi/api';
import { includesRole, isoTime, QUEUES, type Queue } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { paced } from '../../services/lasting.ts';
import { readOrderClaims } from '../../storage/orders/order-claims.ts';
import {
  countQueues,
  listQueue,
  type QueuedOrder,
  type QueuePlace,
} from '../../storage/orders/queues.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import { isUuid, jsonMoneyOrNull, jsonTime } from '../values.ts';
import { ROUTE_ROLES } from './access.ts';
import { showListed } from './order-view.ts';

/** Where each queue is listed: a role that may read the list may see its length. */
const LISTED_BY: Readonly<Record<Queue, string>> = {
  paidNotConfirmed: 'GET /queues/orders',
  payoutsInDoubt: 'GET /queues/orders',
  escalatedUnpaid: 'GET /queues/orders',
  moneySeen: 'GET /queues/orders',
  aboutToRunOut: 'GET /queues/orders',
  waitingForMember: 'GET /queues/orders',
  lateClaims: 'GET /late-claims',
  toApprove: 'GET /approvals',
  accountsToApprove: 'GET /members',
  webhooksFailing: 'GET /webhooks/health',
};
const COUNTED_EVERY_MS = 500;

/** What waits for operators. */
export function queueRoutes(app: FastifyInstance, { database: { pool }, clock }: Deps): void {
  const count = paced(COUNTED_EVERY_MS, async () => {
    const now = clock.now();
    return { asOf: now, counts: await countQueues(pool, now) };
  });

  bind(app, READ_QUEUES, async ({ operator: { role } }) => {
    const { asOf, counts } = await count();
    const queues = QUEUES.flatMap((queue) => {
      const needed = ROUTE_ROLES[LISTED_BY[queue]];
      if (needed === undefined || needed === 'anyone' || !includesRole(role, needed)) return [];
      const counted = counts.find((one) => one.queue === queue);
      return [{ queue, count: counted?.count ?? 0, oldestAt: isoTime(counted?.oldestAt ?? null) }];
    });
    return { data: { asOf: jsonTime(asOf), queues } };
  });

  bind(app, LIST_QUEUE, async ({ query }) => {
    const page = pageOf(query, isPlace);
    const now = clock.now();
    const after = page.after === null ? null : readPlace(page.after);
    const { queue = 'paidNotConfirmed' } = query;
    const rows = await listQueue(pool, queue, { now, after, limit: page.limit + 1 });
    const orderIds = rows.map(({ orderId }) => orderId);
    const claims = await readOrderClaims(pool, orderIds, now);
    const show = ({ since, lastMove, told, ...order }: QueuedOrder): QueuedOrderView => ({
      ...showListed(order, claims.get(order.orderId)),
      waitingSince: jsonTime(since),
      lastMove: lastMove && { ...lastMove, at: jsonTime(lastMove.at) },
      told: told && { ...told, amount: jsonMoneyOrNull(told.amount), at: jsonTime(told.at) },
    });
    return pageAnswer(page, rows, placeOf, show);
  });
}

const placeOf = ({ rank, since, orderId }: QueuePlace) => `${rank} ${since} ${orderId}`;

const isPlace = (text: string) =>
  /^[01] \d{1,14} \S+$/.test(text) && isUuid(text.split(' ')[2] ?? '');

function readPlace(text: string): QueuePlace {
  const [rank, since, orderId = ''] = text.split(' ');
  return { rank: Number(rank), since: Number(since), orderId };
}
