import type { Move, Order, OrderNote } from '@munshi/core';
import { answers, columns, from, orNull, shaped, t } from '../../platform/database/columns.ts';
import { copyLine, plainArray } from '../../platform/database/pipeline.ts';
import { numeric, time } from '../../platform/database/rows.ts';
import { statement } from '../../platform/database/statement.ts';
import { COPY_ORDERS, ORDER, orderLine, UPDATE_ORDERS, updateArrays } from '../rows/order-row.ts';
import type { LoadedRows, LoadRequest } from './batch.ts';
import { ask, change, copy, guarded, locking, put } from './statements.ts';

/** Orders, the steps of their histories and notes about them. */

export const ORDERS = locking(
  'orders',
  `select ${ORDER.list}
   from orders o
   where o.order_id = any($1::uuid[])
   order by o.order_id`,
  ORDER,
);

const NOTE = shaped(
  columns('', {
    orderId: t.uuid,
    actorKind: t.oneOf<OrderNote['actor']['kind']>(),
    actorId: t.text,
    kind: t.oneOf<OrderNote['kind']>(),
    amount: orNull(t.amount),
    text: from('note', t.text),
    at: t.instant,
  }),
  ({ actorKind, actorId, ...note }): LoadedRows['notes'][number] => ({
    ...note,
    actor: { kind: actorKind, id: actorId } as OrderNote['actor'],
  }),
);

/** At most a few for each member who has held one of them. */
export const NOTES = statement(
  'notes',
  `select ${NOTE.list}
   from order_notes
   where order_id = any($1::uuid[])`,
  NOTE,
);

/**
 * The references of loaded orders that another order holds: asked before a late confirmation takes
 * one back. By LATERAL, because references of rows are no parameter.
 */
export const LIVE_OF_ORDERS = statement(
  'live-of-orders',
  `select o.merchant_id, o.merchant_order_ref as reference, l.order_reference
   from orders o
   cross join lateral (
     select order_reference
     from orders
     where live_reference = o.merchant_order_ref
       and merchant_id = o.merchant_id
       and order_id <> o.order_id
     limit 1
   ) l
   where o.order_id = any($1::uuid[]) and o.live_reference is null`,
  answers({ merchantId: t.uuid, reference: t.text, orderReference: t.text }),
);

export const askOrders = ({ orderIds, notedOrderIds, settledOrderIds }: LoadRequest) => [
  ...ask(orderIds.length > 0, ORDERS, plainArray(orderIds)),
  ...ask(notedOrderIds.length > 0, NOTES, plainArray(notedOrderIds)),
  ...ask(settledOrderIds.length > 0, LIVE_OF_ORDERS, plainArray(settledOrderIds)),
];

export const APPLIED = statement(
  'applied',
  `select command_id
   from order_moves
   where order_id = any($1::uuid[]) and command_id = any($2::uuid[])
   union all
   select command_id
   from audit_log
   where command_id = any($2::uuid[])`,
  answers({ commandId: t.uuid }),
);

export const askApplied = ({ orderIds, doubtful }: LoadRequest) =>
  ask(doubtful.length > 0, APPLIED, plainArray(orderIds), plainArray(doubtful));

export const copyOrders = (orders: readonly Order[]) =>
  copy('copy-orders', COPY_ORDERS, orders.map(orderLine));

const CHANGE_ORDERS = guarded('change-orders', UPDATE_ORDERS, 'cardinality($1::uuid[])');

export const changeOrders = (orders: readonly Order[]) =>
  change(orders, CHANGE_ORDERS, () => updateArrays(orders));

const COPY_MOVES = `copy order_moves (
     merchant_id, order_id, number, from_status, to_status, trigger, actor_kind, actor_id,
     member_id, note, command_id, at
   ) from stdin`;

export const copyMoves = (moves: readonly Move[]) =>
  copy('copy-moves', COPY_MOVES, moves.map(moveLine));

const moveLine = ({
  merchantId,
  orderId,
  number,
  from,
  to,
  trigger,
  actor,
  memberId,
  note,
  commandId,
  at,
}: Move) =>
  copyLine([
    merchantId,
    orderId,
    number,
    from,
    to,
    trigger,
    actor.kind,
    actor.id,
    memberId,
    note,
    commandId,
    time(at),
  ]);

const INSERT_NOTES = statement(
  'insert-notes',
  `insert into order_notes
     (merchant_id, order_id, note_id, number, actor_kind, actor_id, kind, amount, note, at)
   select *
   from json_to_recordset($1) as row (
     merchant_id uuid, order_id uuid, note_id uuid, number smallint, actor_kind text,
     actor_id text, kind text, amount numeric, note text, at timestamptz
   )`,
);

export const insertNotes = (notes: readonly OrderNote[]) => put(INSERT_NOTES, notes.map(noteRow));

const noteRow = (note: OrderNote) => ({
  merchant_id: note.merchantId,
  order_id: note.orderId,
  note_id: note.noteId,
  number: note.number,
  actor_kind: note.actor.kind,
  actor_id: note.actor.id,
  kind: note.kind,
  amount: note.amount === null ? null : numeric(note.amount),
  note: note.text,
  at: time(note.at),
});
