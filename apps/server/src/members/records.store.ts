import type { Instant } from '@munshi/core';
import { CONFIRM_MEDIAN } from '../engine/rows/confirm-times.ts';
import { ENDED_OR_LEGACY, oneMember } from '../engine/rows/order-statuses.ts';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { readsAll } from '../platform/database/statement.ts';

const OF_LATE = answers({
  memberId: t.uuid,
  ended: t.integer,
  rejected: t.integer,
  /** From the customer's word to the member's, of deposits; null where there are none. */
  medianConfirmSeconds: orNull(t.integer),
  /** Completed since the time that was asked for. */
  completedSince: t.integer,
});
/** How a member has dealt with the orders that they ended last, at most 200. */
export type MemberOfLate = Omit<RecordOf<typeof OF_LATE>, 'memberId'>;

/** Of each member their newest orders, which orders_of_member has at one end. */
const listOfLate = readsAll(
  'members-of-late',
  `select m.member_id,
     count(*)::integer as ended,
     (count(*) filter (where status = 'Rejected'))::integer as rejected,
     (${CONFIRM_MEDIAN} filter (where order_type = 'Deposit' and completed_at is not null))::integer
       as median_confirm_seconds,
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
  OF_LATE,
  (memberIds: readonly string[], since: Instant) => [memberIds, time(since)],
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
  const rows = await listOfLate(db, memberIds, since);
  const byMember = new Map(rows.map(({ memberId, ...record }) => [memberId, record]));
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
