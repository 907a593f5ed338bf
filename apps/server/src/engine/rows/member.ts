import type { Member, MemberId } from '@munshi/core';
import { type KindsOf, orNull, t } from '../../platform/database/columns.ts';

/** What a member is matched by, and what orders change of it. */
export const MATCHED = {
  status: t.oneOf<Member['status']>(),
  online: t.boolean,
  maxOpenOrders: t.integer,
  openOrders: t.integer,
  floatBalance: t.amount,
  floatHeld: t.amount,
  lastAssignedAt: orNull(t.instant),
};
/** What orders and operators change of a member. */
export const MEMBER_CHANGES = { ...MATCHED, floatOverdrawn: t.boolean };
/** The member as core has it, without its accounts. */
export const MEMBER_COLUMNS = {
  memberId: t.id<MemberId>(),
  ...MEMBER_CHANGES,
  recoveredAt: orNull(t.instant),
} satisfies KindsOf<Omit<Member, 'accounts'>>;
