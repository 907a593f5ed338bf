import { describe, expect, test } from 'vitest';
import { AMOUNT_MAX, money } from './money.ts';
import { isoTime, type Order } from './order.ts';
import { deposit, MINUTE, NOW, withdrawal } from './testing/literals.ts';
import { eventSubjectOf, eventTypeOf, webhookBody } from './webhook-event.ts';

const completed = (given: Partial<Order> = {}) =>
  deposit({
    status: 'Completed',
    sentAt: NOW - 2 * MINUTE,
    completedAt: NOW,
    dueAt: null,
    ...given,
  });

describe('the body of a webhook', () => {
  test('order.completed, byte for byte', () => {
    expect(webhookBody(completed(), NOW + 1)).toBe(
      '{"eventType":"order.completed","orderId":"ord1","orderReference":"ORD-20260115115500-000001","merchantOrderRef":"ref1","orderType":"Deposit",' +
        '"amount":100,"fee":2,"currency":"PKR","status":"Completed","stage":"Completed","lifecycle":{"createdAt":"2026-01-15T11:55:00.000Z",' +
        '"awaitingAt":null,"assignedAt":"2026-01-15T11:55:00.000Z","sentAt":"2026-01-15T11:58:00.000Z","approvedAt":"2026-01-15T12:00:00.000Z",' +
        '"rejectedAt":null,"completedAt":"2026-01-15T12:00:00.000Z","failedAt":null},"completedAt":"2026-01-15T12:00:00.000Z",' +
        '"timestamp":"2026-01-15T12:00:00.001Z"}',
    );
  });

  test('order.failed has a reason, no fee and no completedAt of its own', () => {
    const order = withdrawal({
      status: 'Rejected',
      rejectedAt: NOW,
      failedAt: NOW,
      dueAt: null,
      failureReason: 'the account does not exist',
    });
    const body = JSON.parse(webhookBody(order, NOW));
    expect(Object.keys(body)).toEqual([
      'eventType',
      'orderId',
      'orderReference',
      'merchantOrderRef',
      'orderType',
      'amount',
      'currency',
      'status',
      'stage',
      'lifecycle',
      'reason',
      'timestamp',
    ]);
    expect(body).toMatchObject({
      eventType: 'order.failed',
      status: 'Rejected',
      stage: 'Failed',
      reason: 'the account does not exist',
    });
    expect(body.lifecycle).toMatchObject({
      rejectedAt: '2026-01-15T12:00:00.000Z',
      failedAt: '2026-01-15T12:00:00.000Z',
      completedAt: null,
    });
  });

  test('metadata is never sent', () => {
    expect(webhookBody(completed({ metadata: 'secret' }), NOW)).not.toMatch(/metadata|secret/);
  });

  test('I10: amounts are exact decimals; no fee is null, a free order 0', () => {
    const exact = webhookBody(completed({ amount: AMOUNT_MAX, fee: money('0.0001') }), NOW);
    expect(exact).toContain('"amount":99999999999999.9999,"fee":0.0001,');
    expect(webhookBody(completed({ fee: null }), NOW)).toContain('"fee":null,');
    expect(webhookBody(completed({ fee: 0n, amount: money('1500.50') }), NOW)).toContain(
      '"amount":1500.5,"fee":0,',
    );
  });

  test('an absent reference is null, and any text survives', () => {
    const text = '"\\\n\u2028 اردو 😀';
    expect(
      JSON.parse(webhookBody(completed({ merchantOrderRef: null }), NOW)).merchantOrderRef,
    ).toBeNull();
    expect(
      JSON.parse(webhookBody(completed({ merchantOrderRef: text }), NOW)).merchantOrderRef,
    ).toBe(text);
    expect(
      JSON.parse(
        webhookBody(deposit({ status: 'Cancelled', failedAt: NOW, failureReason: text }), NOW),
      ).reason,
    ).toBe(text);
  });
});

test('the event of each final status', () => {
  for (const status of ['Completed', 'Confirmed'] as const)
    expect(eventTypeOf({ status })).toBe('order.completed');
  for (const status of [
    'Rejected',
    'Expired',
    'CancelledTimeout',
    'Cancelled',
    'CancelledAuto',
  ] as const)
    expect(eventTypeOf({ status })).toBe('order.failed');
});

test.each([
  ['order.completed', { kind: 'order', orderId: 's1' }],
  ['order.failed', { kind: 'order', orderId: 's1' }],
  ['webhook.test', { kind: 'merchant' }],
  ['alert.low_balance', { kind: 'alert', alertId: 's1' }],
  ['alert.test', { kind: 'alert', alertId: 's1' }],
] as const)('what %s is about', (eventType, subject) => {
  expect(eventSubjectOf({ eventType, subjectId: 's1' })).toEqual(subject);
});

test('timestamps are ISO 8601 UTC with milliseconds', () => {
  expect(isoTime(NOW)).toBe('2026-01-15T12:00:00.000Z');
  expect(isoTime(null)).toBeNull();
});
