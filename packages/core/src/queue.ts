/** What waits for operators, in the order of its urgency. */

/** Queues of orders. */
export const ORDER_QUEUES = [
  'paidNotConfirmed',
  'payoutsInDoubt',
  'escalatedUnpaid',
  'aboutToRunOut',
  'waitingForMember',
  'moneySeen',
] as const;
export type OrderQueue = (typeof ORDER_QUEUES)[number];

/** The others are of late claims, approval requests, members' accounts and webhook endpoints. */
export const QUEUES = [
  'paidNotConfirmed',
  'payoutsInDoubt',
  'lateClaims',
  'moneySeen',
  'aboutToRunOut',
  'waitingForMember',
  'escalatedUnpaid',
  'toApprove',
  'accountsToApprove',
  'webhooksFailing',
] as const;
export type Queue = (typeof QUEUES)[number];
