import { type OrderType, STATUS, STATUSES, type Status } from '@munshi/core';

/** What orders of a type can be in, but for what only orders of an older system have. */
export const statusesOf = (orderType: OrderType): readonly Status[] =>
  STATUSES.filter((status) => {
    const { appliesTo } = STATUS[status];
    return !('legacy' in STATUS[status]) && (appliesTo === 'both' || appliesTo === orderType);
  });
