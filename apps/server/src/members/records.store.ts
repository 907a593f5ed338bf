import type { Instant } from '@munshi/core';
import { CONFIRM_MEDIAN } from '../engine/rows/confirm-times.ts';
import { ENDED_OR_LEGACY, oneMember } from '../engine/rows/order-statuses.ts';
import { answers, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, statement } from '../platform/database/statement.ts';

/** How a member has dealt with the orders that they ended last, at most 200. */
export interface MemberOfLate {
  readonly ended: number;
  readonly rejected: number;
  /** From the customer's word to the member's, of deposits; null where there are none. */
  readonly medianConfirmSeconds: number | null;
  /** Completed since the time that was asked for. */
  readonly completedSince: number;
}

/** Of each member their newest orders, which orders_of_member has at one end. */
const OF_LATE = statement(
  'members-of-late',
  `select m.member_id,
     count(*)::integer as ended,
     (count(*) filter (where status = 'Rejected'))::integer as rejected,
     (${CONFIRM_MEDIAN} filter (where order_type = 'Deposit' and completed_at is not null))::integer
       as median_seconds,
     (count(*) filter (where completed_at >= $2))::integer as completed_since
   from unnest($1::uuid[]) as m (member_id)
   cross join lateral (
     select status, order_type, sent_at, completed_at
     from orders
     where member_id ${oneMember('m.member_id')}
       and status in ${ENDED_OR_LEGACY}
     order by member_id desc, order_id desc
     limit 200
   ) o
   group by m.member_id`,
  answers({
    memberId: t.uuid,
    ended: t.integer,
    rejected: t.integer,
    medianSeconds: orNull(t.integer),
    completedSince: t.integer,
  }),
);

const NOTHING: MemberOfLate = {
  ended: 0,
  rejected: 0,
  medianConfirmSeconds: null,
  completedSince: 0,
};

/** Members' recent record; zeros without an ended order. */
export async function readMembersOfLate(
  db: Queryable,
  memberIds: readonly string[],
  since: Instant,
): Promise<(memberId: string) => MemberOfLate> {
  const rows = await query(db, OF_LATE, [memberIds, time(since)]);
  const byMember = new Map(
    rows.map((row): [string, MemberOfLate] => [
      row.memberId,
      {
        ended: row.ended,
        rejected: row.rejected,
        medianConfirmSeconds: row.medianSeconds,
        completedSince: row.completedSince,
      },
    ]),
  );
  return (memberId) => byMember.get(memberId) ?? NOTHING;
}

/** How one member has done of late. */
export async function readMemberOfLate(
  db: Queryable,
  memberId: string,
): Promise<Omit<MemberOfLate, 'completedSince'>> {
  const of = await readMembersOfLate(db, [memberId], 0);
  const { completedSince: _, ...record } = of(memberId);
  return record;
}
