import type { CustomerNoteKind, Money } from '@munshi/core';
import { answers, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, statement } from '../platform/database/statement.ts';

/** What the customer of an order has said of the payment since they confirmed it. */
export interface Added {
  readonly notes: readonly {
    readonly kind: CustomerNoteKind;
    readonly amount: Money | null;
    readonly text: string;
  }[];
  readonly pictures: number;
}

export const NOTHING_ADDED: Added = { notes: [], pictures: 0 };

const ADDED = statement(
  'added-by-customer',
  `select n.order_id, n.kind, n.amount, n.note
   from order_notes n
   where n.order_id = any($1::uuid[]) and n.actor_kind = 'customer'
   union all
   select e.order_id, 'picture', null, ''
   from evidence e
   where e.order_id = any($1::uuid[]) and e.member_id is null`,
  answers({
    orderId: t.uuid,
    kind: t.oneOf<CustomerNoteKind | 'picture'>(),
    amount: orNull(t.amount),
    note: t.text,
  }),
);

/** By order; those without a word are missing. */
export async function readAdded(
  db: Queryable,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Added>> {
  if (orderIds.length === 0) return new Map();
  const byOrder = Map.groupBy(await query(db, ADDED, [orderIds]), ({ orderId }) => orderId);
  return new Map(
    [...byOrder].map(([orderId, rows]) => [
      orderId,
      {
        notes: rows.flatMap(({ kind, amount, note: text }) =>
          kind === 'picture' ? [] : [{ kind, amount, text }],
        ),
        pictures: rows.filter(({ kind }) => kind === 'picture').length,
      },
    ]),
  );
}

/** The same by what was said. */
export function factsOf({ notes, pictures }: Added) {
  const of = (kind: CustomerNoteKind) => notes.find((note) => note.kind === kind);
  return {
    formerDigits: of('correctedDigits')?.text ?? null,
    amountSent: of('amountSent')?.amount ?? null,
    paidBy: of('paidBy')?.text ?? null,
    pictures,
  };
}
