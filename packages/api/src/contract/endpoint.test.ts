import { expect, test } from 'vitest';
import * as api from '../index.ts';

const ENDPOINTS = api.endpointsOf(api).map(([, endpoint]) => endpoint);
const routeOf = ({ face, method, path }: api.Endpoint) => `${face} ${method} ${path}`;

test('no two endpoints have one method and path', () => {
  const routes = ENDPOINTS.map(routeOf);
  expect(routes.filter((route, at) => routes.indexOf(route) !== at)).toEqual([]);
});

test('every write takes an Idempotency-Key but those that a repeat does not do twice', () => {
  const without = ENDPOINTS.filter(
    (endpoint) => endpoint.method !== 'GET' && api.keyRuleOf(endpoint) === undefined,
  );
  const expected = [
    'member DELETE /session',
    'member POST /password',
    'member POST /presence',
    'member POST /push/subscriptions/:subscriptionId/test',
    'member POST /push/tests/:testId/seen',
    'member POST /recovery',
    'member POST /recovery/read',
    'member POST /session',
    'operator DELETE /session',
    'operator POST /alert-channels/test',
    'operator POST /clock/advance',
    'operator POST /merchants/:merchantId/address-test',
    'operator POST /merchants/:merchantId/page-preview',
    'operator POST /one-time-code',
    'operator POST /one-time-code/confirm',
    'operator POST /one-time-code/recovery-codes',
    'operator POST /one-time-code/turn-off',
    'operator POST /orders/:orderId/reveal',
    'operator POST /password',
    'operator POST /recovery',
    'operator POST /recovery/read',
    'operator POST /session',
    'portal DELETE /session',
    'portal POST /one-time-code',
    'portal POST /one-time-code/confirm',
    'portal POST /one-time-code/recovery-codes',
    'portal POST /one-time-code/turn-off',
    'portal POST /password',
    'portal POST /recovery',
    'portal POST /recovery/read',
    'portal POST /session',
    'portal POST /settings/address-test',
    'portal POST /settings/page-preview',
  ];
  const [page, others] = [without.filter(({ face }) => face === 'page'), without].map((list) =>
    list.map(routeOf),
  );
  expect(others?.filter((route) => !page?.includes(route)).sort()).toEqual(expected);
});

test('what may wait for a second operator records that it was asked for, and nothing else does', () => {
  const waiting = ENDPOINTS.filter(({ audit = [] }) =>
    audit.some((action) => action.endsWith('request')),
  );
  const mayWait = ENDPOINTS.filter(({ decides }) =>
    ['two', 'amount', 'change'].includes(decides?.by ?? ''),
  );
  // An adjustment of a wallet is one entry, asked for or applied.
  const wallet = 'operator POST /merchants/:merchantId/adjustments';
  expect([...waiting.map(routeOf), wallet].sort()).toEqual(mayWait.map(routeOf).sort());
});

test('what only asks is no write, and leaves no entry but that it was shown', () => {
  const asking = ENDPOINTS.filter(({ decides }) => decides?.by === 'nobody');
  expect(asking.filter((endpoint) => api.keyRuleOf(endpoint) !== undefined)).toEqual([]);
  expect(asking.flatMap(({ audit = [] }) => audit)).toEqual(['order.reveal']);
});

test('money that operators move needs an Idempotency-Key', () => {
  const required = ENDPOINTS.filter((endpoint) => api.keyRuleOf(endpoint) === 'required');
  expect(required.map(routeOf).sort()).toEqual([
    'operator POST /members/:memberId/float-adjustments',
    'operator POST /merchants/:merchantId/adjustments',
  ]);
});
