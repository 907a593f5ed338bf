import { testBody } from '@munshi/core';
import Schema from 'typebox/schema';
import { expect, test } from 'vitest';
import { WEBHOOKS } from './webhooks.ts';

test('webhook.test has exactly the documented fields', () => {
  const { schema } = WEBHOOKS['webhook.test'].post.requestBody.content['application/json'];
  const sent = testBody(Date.UTC(2026, 2, 14, 9, 26, 59, 105));
  expect(Schema.Errors(schema, JSON.parse(sent))).toEqual([true, []]);
});
