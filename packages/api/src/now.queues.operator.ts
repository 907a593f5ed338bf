import { NOTE_KINDS, ORDER_QUEUES, QUEUES } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  dataOf,
  enumOf,
  listOf,
  money,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE,
  strictObject,
  time,
  timeOf,
} from './contract/operator.ts';
import { ListedOrder } from './order-desk.operator.ts';

/** What waits for operators, in queues. */

const { endpoint } = operator('Queues');

export type QueuesView = Shown<typeof QueuesView>;
const QueuesView = namedObject('Queues', {
  asOf: timeOf('When it was counted.'),
  queues: Type.Array(
    Type.Object({
      queue: enumOf(QUEUES),
      count: Type.Integer(),
      oldestAt: orNull(
        timeOf(
          'Since when the one that is first has waited; in `aboutToRunOut` when its window ends.',
        ),
      ),
    }),
    { description: 'Those whose lists the asking operator may read.' },
  ),
});
export const READ_QUEUES = endpoint('GET /queues', {
  summary: 'Count what waits for operators',
  needs: 'read',
  description:
    'Of the asking operator: without orders, and their late claims, about which a request of theirs waits for a second operator; `toApprove` is what they may approve. Counted at most twice a second. `paidNotConfirmed`: deposits in ManualReview whose customer has paid, and those of which the member says that another amount arrived; `escalatedUnpaid`: those whose customer has not; `payoutsInDoubt`: withdrawals in ManualReview; `aboutToRunOut`: a member’s window to confirm or pay ends within 5 minutes; `waitingForMember`: nobody holds it; `moneySeen`: deposits that failed in the last 3 days although the member saw the money.',
  answer: dataOf(QueuesView, 'The queues, in the order of their urgency.'),
});

export type QueuedOrderView = Shown<typeof QueuedOrderView>;
const QueuedOrderView = namedObject('QueuedOrder', {
  ...ListedOrder.properties,
  waitingSince: timeOf('What the queue is sorted by; in `aboutToRunOut` when the window ends.'),
  lastMove: orNull(
    Type.Object(
      {
        at: time,
        trigger: Type.String({ description: 'What made it move.' }),
        note: orNull(Type.String()),
      },
      { description: 'How it came to its status; null: it was created so.' },
    ),
  ),
  told: orNull(
    Type.Object(
      {
        kind: namedEnum('NoteKind', NOTE_KINDS),
        amount: orNull(money('What arrived, of `otherAmount`.')),
        note: Type.String(),
        at: time,
      },
      { description: 'What its member has said of it last.' },
    ),
  ),
});
export const LIST_QUEUE = endpoint('GET /queues/orders', {
  summary: 'List a queue of orders',
  needs: 'read',
  description:
    'Without orders about which a request of the asking operator waits for a second operator.',
  querystring: strictObject({
    queue: optional(enumOf(ORDER_QUEUES, 'paidNotConfirmed by default.')),
    ...PAGE,
  }),
  answer: listOf(
    QueuedOrderView,
    'Orders, the oldest first; before all others those of `payoutsInDoubt` that a member has reported, and of `paidNotConfirmed` those of which they say that another amount arrived.',
  ),
});
