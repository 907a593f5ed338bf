import type { Actor, Move, Order, OrderId, OrderNote } from '@munshi/core';
import {
  answers,
  columns,
  from,
  insertions,
  orNull,
  shaped,
  t,
} from '../../platform/database/columns.ts';
import { plainArray, textArray } from '../../platform/database/pipeline.ts';
import { transactionKeyOf } from '../../platform/database/search-key.ts';
import { statement } from '../../platform/database/statement.ts';
import { NEW_ORDERS, ORDER, UPDATE_ORDERS, updateArrays } from '../rows/order-row.ts';
import { ENDED_OR_LEGACY, SUCCEEDED } from '../rows/order-statuses.ts';
import type { LoadRequest } from './batch.ts';
import { ask, change, copy, foundBy, guarded, locking } from './statements.ts';

/** Orders, the steps of their histories and notes about them. */

const ORDERS = locking(
  'orders',
  `select ${ORDER.list}
   from orders o
   where o.order_id = any($1::uuid[])
   order by o.order_id`,
  ORDER,
);

const NOTE = shaped(
  columns('', {
    merchantId: t.uuid,
    orderId: t.id<OrderId>(),
    noteId: t.uuid,
    number: t.integer,
    actorKind: t.oneOf<OrderNote['actor']['kind']>(),
    actorId: t.text,
    kind: t.oneOf<OrderNote['kind']>(),
    amount: orNull(t.amount),
    text: from('note', t.text),
    at: t.instant,
  }),
  ({ actorKind, actorId, ...note }): OrderNote => ({
    ...note,
    actor: { kind: actorKind, id: actorId } as OrderNote['actor'],
  }),
);

/** At most a few for each member who has held one of them. */
const NOTES = statement(
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

/**
 * Orders that a transaction has completed, of the account of the order that it is to complete. By
 * LATERAL, because accounts of rows are no parameter.
 */
export const COMPLETED = statement(
  'completed-by',
  `select x.account_id, asked.transaction, x.order_reference
   from unnest($1::uuid[], $2::text[]) as asked (order_id, transaction)
   join orders o on o.order_id = asked.order_id
   cross join lateral (
     select x.account_id, x.order_reference
     from orders x
     where ${transactionKeyOf('x.member_transaction_reference')} = asked.transaction
       and x.member_transaction_reference is not null
       and x.status in ${ENDED_OR_LEGACY}
       and x.status in ${SUCCEEDED}
       and x.account_id = o.account_id
       and x.order_id <> o.order_id
     limit 1
   ) x
   where o.order_id = any($1::uuid[])`,
  answers({ accountId: t.uuid, transaction: t.text, orderReference: t.text }),
);

export const askCompleted = ({ transactions }: LoadRequest) =>
  ask(
    transactions.length > 0,
    COMPLETED,
    plainArray(transactions.map(({ orderId }) => orderId)),
    textArray(transactions.map(({ transaction }) => transaction)),
  );

export const askLiveOfOrders = ({ settledOrderIds }: LoadRequest) =>
  ask(settledOrderIds.length > 0, LIVE_OF_ORDERS, plainArray(settledOrderIds));

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

export const askApplied = ({ orders, doubtful }: LoadRequest) =>
  ask(doubtful.length > 0, APPLIED, plainArray(orders), plainArray(doubtful));

export const copyOrders = (orders: readonly Order[]) => copy('copy-orders', NEW_ORDERS, orders);

const CHANGE_ORDERS = guarded('change-orders', UPDATE_ORDERS, 'cardinality($1::uuid[])');

export const orders = foundBy('orders', ORDERS, (rows) =>
  change(rows, CHANGE_ORDERS, () => updateArrays(rows)),
);

/** The name and address of an operator are in the audit log. */
const AUTHOR = { actorKind: t.text, actorId: orNull(t.text) };
const byAuthor = <Authored extends { readonly actor: Actor }>({ actor, ...rest }: Authored) => ({
  ...rest,
  actorKind: actor.kind,
  actorId: actor.id,
});

const NEW_MOVES = insertions('order_moves', {
  merchantId: t.uuid,
  orderId: t.uuid,
  number: t.integer,
  from: from('from_status', t.text),
  to: from('to_status', t.text),
  trigger: t.text,
  ...AUTHOR,
  memberId: orNull(t.uuid),
  note: orNull(t.text),
  commandId: t.uuid,
  at: t.instant,
});

export const copyMoves = (moves: readonly Move[]) =>
  copy('copy-moves', NEW_MOVES, moves.map(byAuthor));

const NEW_NOTES = insertions('order_notes', {
  merchantId: t.uuid,
  orderId: t.uuid,
  noteId: t.uuid,
  number: t.integer,
  ...AUTHOR,
  kind: t.text,
  amount: orNull(t.amount),
  text: from('note', t.text),
  at: t.instant,
});
const INSERT_NOTES = statement('insert-notes', NEW_NOTES.text);

export const notes = foundBy('notes', NOTES, (rows) =>
  change(rows, INSERT_NOTES, () => NEW_NOTES.arraysOf(rows.map(byAuthor))),
);
