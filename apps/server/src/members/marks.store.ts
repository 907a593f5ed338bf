import type { Instant, MarkKind, Money } from '@munshi/core';
import { answers, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, statement } from '../platform/database/statement.ts';
import type { MemberOrder } from './orders.store.ts';

/** What a member has said of an order in hand, and when they saw its alert. */
export interface MemberMarks {
  readonly seenAt: Instant | null;
  readonly sendingSince: Instant | null;
  readonly told: readonly {
    readonly kind: MarkKind;
    readonly amount: Money | null;
    readonly note: string;
    readonly at: Instant;
  }[];
}

type Mark = 'seen' | 'sending' | MemberMarks['told'][0]['kind'];

const MARKS = statement(
  'marks-of-member',
  `select order_id, kind, amount, note, at
   from order_notes
   where order_id = any($1::uuid[])
     and actor_kind = 'member'
     and actor_id = $2::uuid::text
     and kind <> 'report'
   union all
   select order_id, 'seen', null, '', seen_at
   from order_alerts
   where order_id = any($1::uuid[]) and member_id = $2::uuid and seen_at is not null
   order by at`,
  answers({
    orderId: t.uuid,
    kind: t.oneOf<Mark>(),
    amount: orNull(t.amount),
    note: t.text,
    at: t.instant,
  }),
);

/** Those of one member about orders that they hold, by order. */
export async function readMemberMarks(
  db: Queryable,
  orders: readonly Pick<MemberOrder, 'orderId' | 'holderSince'>[],
  memberId: string,
): Promise<ReadonlyMap<string, MemberMarks>> {
  if (orders.length === 0) return new Map();
  const rows = await query(db, MARKS, [orders.map(({ orderId }) => orderId), memberId]);
  const byOrder = Map.groupBy(rows, (row) => row.orderId);
  return new Map(
    orders.map(({ orderId, holderSince }) => {
      const marks = byOrder.get(orderId) ?? [];
      // What they said and saw of an earlier assignment does not count for this one.
      const sinceThen = (mark: Mark) =>
        marks.find(({ kind, at }) => kind === mark && at >= (holderSince ?? 0))?.at ?? null;
      const told = marks.flatMap(({ kind, amount, note, at }) =>
        kind === 'otherAmount' || kind === 'moneySeen' ? [{ kind, amount, note, at }] : [],
      );
      return [orderId, { seenAt: sinceThen('seen'), sendingSince: sinceThen('sending'), told }];
    }),
  );
}
