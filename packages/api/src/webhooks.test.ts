import { alertBody, alertEventOf, alertTestBody, type Condition, testBody } from '@munshi/core';
import type { TObject } from 'typebox';
import Schema from 'typebox/schema';
import { expect, test } from 'vitest';
import { WEBHOOKS } from './webhooks.ts';

const AT = Date.UTC(2026, 2, 14, 9, 26, 59, 105);
const CONDITIONS: readonly Condition[] = [
  { kind: 'webhook-failing', host: 'shop.example:443', since: AT, lastError: null },
  { kind: 'low-balance', available: 4_200_5000n, limit: 5_000_0000n },
  { kind: 'many-failures', failed: 7, ended: 12 },
  { kind: 'many-refusals', refused: 60, limit: 50 },
];

test.each(CONDITIONS)(
  'the body of $kind has exactly the documented fields, in their order',
  (condition) => {
    const event = alertEventOf(condition.kind);
    const { schema } = WEBHOOKS[event].post.requestBody.content['application/json'];
    for (const endedAt of [null, AT + 1]) {
      const body = JSON.parse(alertBody({ alertId: 'a', condition, beganAt: AT, endedAt }, AT));
      expect(Schema.Errors(schema, body)).toEqual([true, []]);
      expect(Object.keys(body)).toEqual(Object.keys((schema as TObject).properties));
      expect(body.eventType).toBe(event);
    }
  },
);

test('the example of an alert is what is sent', () => {
  const { examples } = WEBHOOKS['alert.low_balance'].post.requestBody.content['application/json'];
  const value = examples['lowBalance']?.value as { readonly alertId: string };
  const [, condition] = CONDITIONS as [unknown, Condition];
  const { alertId } = value;
  const sent = alertBody({ alertId, condition, beganAt: AT, endedAt: null }, AT);
  expect(JSON.stringify(value)).toBe(sent);
});

test('the bodies of tests are as their examples show them', () => {
  for (const [event, sent] of [
    ['webhook.test', testBody(AT)],
    ['alert.test', alertTestBody('019cebab-9f21-7c04-8a6e-41d7c03b5f92', AT)],
  ] as const) {
    const { schema, examples } = WEBHOOKS[event].post.requestBody.content['application/json'];
    expect(JSON.stringify(examples['test']?.value)).toBe(sent);
    expect(Schema.Errors(schema, JSON.parse(sent))).toEqual([true, []]);
  }
});
