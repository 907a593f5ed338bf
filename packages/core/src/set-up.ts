/**
 * What an installation needs from its first merchant to its first settled order, in this order. The
 * second operator is required last: each step before would wait for one.
 */
export const SET_UP_STEPS = [
  'approvers',
  'merchant',
  'key',
  'callback',
  'portal-person',
  'member',
  'account',
  'float',
  'fee',
  'order',
  'second-operator',
] as const;
export type SetUpStep = (typeof SET_UP_STEPS)[number];

/** An installation with more orders is in use: how to set it up is no longer shown. */
export const SET_UP_ORDERS_MAX = 10;
