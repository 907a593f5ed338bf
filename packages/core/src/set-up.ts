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

/** With more orders than these it is in use, and nobody is shown how to set it up. */
export const SET_UP_ORDERS_MAX = 10;
