import {
  APPROVE_REQUEST,
  type Given,
  LIST_LATE_CLAIMS,
  LIST_MEMBERS,
  LIST_QUEUE,
  type QueuedOrderView,
  READ_QUEUES,
  READ_WEBHOOK_HEALTH,
} from '@munshi/api';
import type { Queue } from '@munshi/core';
import { readWaiting } from '../approvals/service.ts';
import { showListed } from '../order-desk/view.operator.ts';
import { readOrderClaims } from '../orders/claims.store.ts';
import { mayAsk, type OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { isUuid } from '../platform/http/values.ts';
import { paced } from '../platform/lasting.ts';
import {
  countQueues,
  listQueue,
  type QueuedOrder,
  type QueuePlace,
  totalOf,
} from './queues.store.ts';

/** Where each queue is listed: an operator who may read the list may see its length. */
const LISTED_BY = {
  paidNotConfirmed: LIST_QUEUE,
  payoutsInDoubt: LIST_QUEUE,
  escalatedUnpaid: LIST_QUEUE,
  moneySeen: LIST_QUEUE,
  aboutToRunOut: LIST_QUEUE,
  waitingForMember: LIST_QUEUE,
  lateClaims: LIST_LATE_CLAIMS,
  toApprove: APPROVE_REQUEST,
  accountsToApprove: LIST_MEMBERS,
  webhooksFailing: READ_WEBHOOK_HEALTH,
} as const satisfies Record<Queue, unknown>;
const COUNTED_EVERY_MS = 500;

/** What waits for operators. */
export function queueRoutes(face: OperatorFace, { database: { pool }, clock }: Deps): void {
  const count = paced(COUNTED_EVERY_MS, async () => {
    const now = clock.now();
    const counted = await countQueues(pool, now);
    return { asOf: now, counted, waiting: await readWaiting(pool, now) };
  });

  bind(face, READ_QUEUES, async (_request, operator) => {
    const { asOf, counted, waiting } = await count();
    const queues = totalOf(counted, operator.id)
      .filter(({ queue }) => mayAsk(operator, LISTED_BY[queue]))
      .map((total) =>
        total.queue === 'toApprove' ? { ...total, ...waiting.for(operator) } : total,
      );
    return { data: { asOf, queues } };
  });

  bind(face, LIST_QUEUE, async ({ query }, operator) => {
    const page = pageOf(query, readPlace);
    const now = clock.now();
    const { queue = 'paidNotConfirmed' } = query;
    const rows = await listQueue(pool, queue, operator.id, { now, ...page.place });
    const orderIds = rows.map(({ orderId }) => orderId);
    const claims = await readOrderClaims(pool, orderIds, now);
    const show = (order: QueuedOrder): Given<QueuedOrderView> => ({
      ...showListed(order, claims.get(order.orderId)),
      ...order,
      waitingSince: order.since,
    });
    return pageAnswer(page, rows, placeOf, show);
  });
}

const placeOf = ({ rank, since, orderId }: QueuePlace) => `${rank} ${since} ${orderId}`;

function readPlace(text: string): QueuePlace | undefined {
  const [rank, since, orderId = ''] = text.split(' ');
  if (!/^[01] \d{1,14} \S+$/.test(text) || !isUuid(orderId)) return undefined;
  return { rank: Number(rank), since: Number(since), orderId };
}
