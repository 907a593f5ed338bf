import {
  hasFailed,
  hasSucceeded,
  isFinal,
  isLegacy,
  STATUSES,
  type Status,
  usesCapacity,
} from '@munshi/core';

/** For `status in …`: written out and not a parameter, so that partial indexes can be used. */
export const statusList = (statuses: readonly Status[]): string =>
  `(${statuses.map((status) => `'${status}'`).join(', ')})`;

/**
 * What `member_id` is compared with beside `order by member_id desc, order_id desc`: one member of a
 * list, in the order of the member's index. With `=` Postgres goes back through the orders of all
 * members by id where they are few (decision 28).
 */
export const oneMember = (id: string): string => `= any(array[${id}::uuid])`;

/** Those of the index orders_in_hand: assigned to a member, or with an operator. */
export const IN_HAND = statusList(
  STATUSES.filter((status) => usesCapacity(status) && status !== 'Awaiting'),
);
/** Those of the indexes orders_ended and orders_of_member. */
export const ENDED_OR_LEGACY = statusList(STATUSES.filter((status) => !usesCapacity(status)));
export const ENDED = statusList(STATUSES.filter(isFinal));
export const OPEN = statusList(STATUSES.filter((status) => !isFinal(status)));
export const SUCCEEDED = statusList(STATUSES.filter(hasSucceeded));
export const FAILED = statusList(STATUSES.filter(hasFailed));
/** Time ends none of them (states.md#assigned). */
export const LEGACY = statusList(STATUSES.filter(isLegacy));
