import { ALERT_KINDS, alertBody, alertEventOf, alertTestBody, testBody } from '@munshi/core';
import type { TObject } from 'typebox';
import Schema from 'typebox/schema';
import { expect, test } from 'vitest';
import { WEBHOOKS } from './faces.webhooks.ts';
import { ALERT_EVENT_OF } from './merchant-alerts.ts';

const AT = Date.UTC(2026, 2, 14, 9, 26, 59, 105);

test.each(ALERT_KINDS)(
  'the body of %s has exactly the documented fields, in their order',
  (kind) => {
    const event = alertEventOf(kind);
    const { schema } = WEBHOOKS[event].post.requestBody.content['application/json'];
    const { example: condition } = ALERT_EVENT_OF[kind];
    for (const endedAt of [null, AT + 1]) {
      const body = JSON.parse(alertBody({ alertId: 'a', condition, beganAt: AT, endedAt }, AT));
      expect(Schema.Errors(schema, body)).toEqual([true, []]);
      expect(Object.keys(body)).toEqual(Object.keys((schema as TObject).properties));
      expect(body.eventType).toBe(event);
    }
  },
);

test.each([
  ['webhook.test', testBody(AT)],
  ['alert.test', alertTestBody('a', AT)],
] as const)('%s has exactly the documented fields', (event, sent) => {
  const { schema } = WEBHOOKS[event].post.requestBody.content['application/json'];
  expect(Schema.Errors(schema, JSON.parse(sent))).toEqual([true, []]);
});
