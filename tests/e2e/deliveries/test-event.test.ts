import { expect } from 'vitest';
import { webhooks } from '../../../packages/sdk/src/index.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { type Received, startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Test events of merchants (webhooks.md#a-test-event). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);

test('a test is signed, delivered and listed like an outcome, and is about no order', async () => {
  const receiver = await startReceiver();
  try {
    const merchant = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/hook` });
    const admin = portalClient(service, (await createPortalUser(service, merchant, 'admin')).token);
    const { deliveryId } = await admin.data('POST', '/webhooks/test');
    const received = (await receiver.arrived(1))[0] as Received;
    const event = webhooks.verify(received.body, received.headers, merchant.signingSecret);
    expect(event).toEqual({
      eventType: 'webhook.test',
      test: true,
      timestamp: expect.stringMatching(/Z$/),
    });
    expect(received.headers).toMatchObject({
      'x-svc-event': 'webhook.test',
      'x-svc-delivery-id': deliveryId,
    });
    await expect
      .poll(async () => (await admin.data('GET', `/deliveries/${deliveryId}`)).status)
      .toBe('delivered');
    const shown = await admin.data('GET', `/deliveries/${deliveryId}`);
    expect(shown).toMatchObject({
      eventType: 'webhook.test',
      orderReference: null,
      allowedActions: [],
    });
    expect(shown.attempts).toHaveLength(1);
    const [listed] = await admin.data('GET', '/deliveries?eventType=webhook.test');
    expect(listed.deliveryId).toBe(deliveryId);
    expect((await operator.get(`/deliveries/${deliveryId}`)).data.allowedActions).toEqual([]);
    const since = encodeURIComponent('2020-01-01T00:00:00Z');
    expect((await operator.get(`/webhooks/replay?since=${since}`)).data.orders).toBe(0);
    const { data } = await operator.get('/audit-log?action=webhook.test');
    expect(data[0]).toMatchObject({ target: merchant.merchantId, actor: { kind: 'portal' } });
  } finally {
    await receiver.close();
  }
});

test('without a URL or a key it is refused, and so is the sixth within a minute', async () => {
  const merchant = await createMerchant(service);
  const path = `/merchants/${merchant.merchantId}`;
  const send = () => operator.post(`${path}/webhooks/test`);
  const refused = (error: string) => ({ status: 409, error });
  expect(await send()).toMatchObject(refused('Set a default callback URL first.'));
  await operator.patch(path, { defaultCallbackUrl: 'http://127.0.0.1:9/hook' });
  const ids: string[] = [];
  for (let sent = 0; sent < 5; sent += 1) ids.push((await send()).data.deliveryId);
  expect(await send()).toMatchObject(refused('Wait: 5 tests a minute at most.'));
  const { data } = await operator.get(`/deliveries/${ids[0]}`);
  expect(data.status).toBe('superseded');
  const { data: keys } = await operator.get(`${path}/api-keys`);
  await operator.delete(`${path}/api-keys/${keys[0].keyId}`);
  const noKey = 'The merchant has no active API key to sign with.';
  expect(await send()).toMatchObject(refused(noKey));
});
