import { expect } from 'vitest';
import { createMerchant, createOrder, orderStatus } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);

const DEFAULTS = {
  paymentPageTtlSeconds: 900,
  awaitingWithdrawalTimeoutSeconds: 7200,
  payoutWindowSeconds: 3600,
  memberConfirmationWindowSeconds: 1800,
  evidenceDays: 180,
  sendingGraceSeconds: 0,
  missedAlertsMax: null,
  memberShareBasisPoints: null,
  adjustmentApprovalLimit: null,
  requireSecondOperator: false,
  requireOneTimeCode: false,
  stopWithdrawalsOnBreach: false,
  displayNames: { methods: {}, providers: {}, currencies: {} },
};

test('settings are the documented ones until they are changed, one by one', async () => {
  expect((await operator.get('/settings')).data).toEqual(DEFAULTS);
  const changed = await operator.patch(
    '/settings',
    '{"paymentPageTtlSeconds": 60, "adjustmentApprovalLimit": 12345678901234.5678}',
  );
  expect(changed.text).toContain('"paymentPageTtlSeconds":60,');
  expect(changed.text).toContain('"adjustmentApprovalLimit":12345678901234.5678,');
  await operator.patch('/settings', { displayNames: { methods: { ProviderA: 'Green Wallet' } } });
  await operator.patch('/settings', { displayNames: { providers: { Bank: 'Banks' } } });
  const { data } = await operator.patch('/settings', {
    paymentPageTtlSeconds: 900,
    adjustmentApprovalLimit: null,
  });
  expect(data).toEqual({
    ...DEFAULTS,
    displayNames: {
      methods: { ProviderA: 'Green Wallet' },
      providers: { Bank: 'Banks' },
      currencies: {},
    },
  });
  const log = await operator.get('/audit-log?target=settings');
  expect(log.data.at(-1).detail).toEqual({
    fields: 'adjustmentApprovalLimit, paymentPageTtlSeconds',
    paymentPageTtlSeconds: 60,
    paymentPageTtlSecondsBefore: 900,
    adjustmentApprovalLimit: '12345678901234.5678',
    adjustmentApprovalLimitBefore: null,
  });
});

test('a new page time holds for the next order', async () => {
  const merchant = await createMerchant(service);
  await operator.patch('/settings', { paymentPageTtlSeconds: 120 });
  const order = await createOrder(merchant);
  const { createdAt, expiresAt } = (await operator.get(`/orders/${order.orderId}`)).data;
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(120_000);
});

test('advancing the sandbox clock runs what falls due before it answers', async () => {
  const merchant = await createMerchant(service);
  const order = await createOrder(merchant);
  const before = service.app.deps.clock.now();
  const answer = await operator.post('/clock/advance', { seconds: 900 });
  expect(Date.parse(answer.data.now) - before).toBeGreaterThanOrEqual(900_000);
  expect((await orderStatus(merchant, order.orderId)).status).toBe('CancelledTimeout');
  expect((await operator.get('/audit-log?action=clock.advance')).data).toMatchObject([
    { detail: { seconds: 900 } },
  ]);
});

test('two advances at once add up', async () => {
  const before = service.app.deps.clock.now();
  await Promise.all([
    operator.post('/clock/advance', { seconds: 100 }),
    operator.post('/clock/advance', { seconds: 50 }),
  ]);
  expect(service.app.deps.clock.now() - before).toBeGreaterThanOrEqual(150_000);
});

test('a real clock is not advanced', async () => {
  const real = await startService({ CLOCK: 'real' });
  try {
    expect(await operatorClient(real).post('/clock/advance', { seconds: 1 })).toMatchObject({
      status: 409,
      error: expect.stringContaining('CLOCK=sandbox'),
    });
  } finally {
    await real.close();
  }
});

test('the audit log says who, what, when and from where, the newest first', async () => {
  const support = await createOperator(service, 'support');
  const order = await createOrder(await createMerchant(service));
  await operatorClient(service, support.token).post(`/orders/${order.orderId}/cancel`, {
    note: 'asked by phone',
  });
  const { data } = await operator.get(`/audit-log?actorId=${support.operatorId}&limit=1`);
  expect(data).toEqual([
    {
      auditId: expect.any(String),
      at: expect.stringMatching(/Z$/),
      actor: {
        kind: 'operator',
        id: support.operatorId,
        name: support.username,
        address: '127.0.0.1',
      },
      action: 'order.cancel',
      target: order.orderId,
      isAsked: false,
      names: { [order.orderId]: order.orderReference },
      detail: { note: 'asked by phone' },
    },
  ]);
  const pages = [await operator.get('/audit-log?limit=3')];
  pages.push(await operator.get(`/audit-log?limit=3&cursor=${pages[0]?.nextCursor}`));
  const times = pages.flatMap((page) => page.data.map(({ at }: { at: string }) => at));
  expect(times).toHaveLength(6);
  expect(times).toEqual([...times].sort().reverse());
});

test('behind a trusted proxy the audit log names the caller, not the proxy', async () => {
  const proxied = await startService({ TRUSTED_PROXIES: '127.0.0.1' });
  try {
    const headers = {
      Authorization: 'Bearer op_test-operator-one',
      'Content-Type': 'application/json',
      'X-Forwarded-For': '203.0.113.7',
    };
    await fetch(`${proxied.url}/api/operator/merchants`, {
      method: 'POST',
      headers,
      body: '{"name": "x"}',
    });
    expect((await operatorClient(proxied).get('/audit-log')).data[0].actor.address).toBe(
      '203.0.113.7',
    );
  } finally {
    await proxied.close();
  }
});
