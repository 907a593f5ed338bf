import * as api from '@munshi/api';
import { readExact } from '@munshi/web';
import { expect, test } from 'vitest';
import { lightEndpoint, lightModule } from './light-endpoints.ts';

const ORDERS =
  '{"data":[{"amount":99999999999999.9990,"floatAmount":1.10,"duplicates":{"own":[{"amount":2500.5}]}}],"nextCursor":null}';

test('answers are read without their schemas as they are with them', () => {
  const light = lightEndpoint(api.MEMBER_LIST_ORDERS);
  expect(readExact(light.answer as never, ORDERS)).toEqual(
    readExact(api.MEMBER_LIST_ORDERS.answer, ORDERS),
  );
  expect(readExact(light.answer as never, ORDERS)).toMatchObject({
    data: [{ amount: '99999999999999.9990', floatAmount: '1.10' }],
  });
});

test('the app is given where an endpoint is, and whether it takes a key', () => {
  expect(lightEndpoint(api.MEMBER_CONFIRM_ORDER)).toEqual({
    ...{ method: 'POST', face: 'member', path: '/orders/:orderId/confirm', headers: {} },
    body: { properties: { receivedAmount: { anyOf: [{ format: 'decimal' }] } } },
    answer: expect.anything(),
  });
  expect(lightEndpoint(api.MEMBER_READ_ME)).not.toHaveProperty('headers');
  expect(lightModule()).toContain('export const FACES = {"operator":');
});
