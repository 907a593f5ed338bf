import { isFinal, isInHand, isLegacy, STATUSES, type Status } from '@munshi/core';

/** For `status in …`: written out and not a parameter, so that partial indexes can be used. */
export const statusList = (statuses: readonly Status[]): string =>
  `(${statuses.map((status) => `'${status}'`).join(', ')})`;

/** Those of the index orders_in_hand: assigned to a member, or with an operator. */
export const IN_HAND = statusList(
  STATUSES.filter((status) => isInHand(status) && status !== 'Awaiting'),
);
export const ENDED = statusList(STATUSES.filter(isFinal));
/** Time ends none of them (D72). */
export const LEGACY = statusList(STATUSES.filter(isLegacy));
