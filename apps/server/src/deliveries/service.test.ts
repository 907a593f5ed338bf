import { money, type Order } from '@munshi/core';
import { expect, test } from 'vitest';
import { createIds } from '../engine/ids.ts';
import { outcomeAgain } from './service.ts';

const COMPLETED_AT = 1_800_000_000_500;
const URL = 'https://merchant.example/hook';
/** Failed, and confirmed half a second later. */
const ORDER: Order = {
  merchantId: 'mer1',
  orderId: 'ord1',
  apiKeyId: 'key1',
  orderReference: 'ORD-1',
  merchantOrderRef: null,
  callbackUrl: URL,
  orderType: 'Deposit',
  currency: 'PKR',
  amount: money('100'),
  fee: money('2'),
  status: 'Completed',
  createdAt: COMPLETED_AT - 60_000,
  awaitingAt: null,
  assignedAt: null,
  holderSince: null,
  sentAt: null,
  rejectedAt: null,
  cancelledAt: null,
  failedAt: COMPLETED_AT - 500,
  completedAt: COMPLETED_AT,
} as Order;

test.each([
  ['a clock that is behind that of the outcome', COMPLETED_AT - 3_000, COMPLETED_AT + 1],
  ['the very millisecond of the outcome', COMPLETED_AT, COMPLETED_AT + 1],
  ['a later time', COMPLETED_AT + 3_000, COMPLETED_AT + 3_000],
])('an outcome sent again at %s is newer than its first delivery', (_name, now, createdAt) => {
  const again = outcomeAgain(ORDER, now, createIds());
  expect(again).toMatchObject({ eventType: 'order.completed', url: URL, createdAt });
  expect(JSON.parse(again.body).timestamp).toBe(new Date(createdAt).toISOString());
});
