import { hasFailed, isFinal, isLegacy, STATUSES, type Status, usesCapacity } from '@munshi/core';

/** For `status in …`: written out and not a parameter, so that partial indexes can be used. */
export const statusList = (statuses: readonly Status[]): string =>
  `(${statuses.map((status) => `'${status}'`).join(', ')})`;

/** Those of the index orders_in_hand: assigned to a member, or with an operator. */
export const IN_HAND = statusList(
  STATUSES.filter((status) => usesCapacity(status) && status !== 'Awaiting'),
);
/** Those of the indexes orders_ended and orders_of_member. */
export const ENDED_OR_LEGACY = statusList(STATUSES.filter((status) => !usesCapacity(status)));
export const ENDED = statusList(STATUSES.filter(isFinal));
export const OPEN = statusList(STATUSES.filter((status) => !isFinal(status)));
export const FAILED = statusList(STATUSES.filter(hasFailed));
/** Time ends none of them (D72). */
export const LEGACY = statusList(STATUSES.filter(isLegacy));
