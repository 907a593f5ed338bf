import { beforeAll, describe, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient, secondOperator } from '../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * While a second operator is required: one operator alone lets a merchant's admin in, so what two
 * decide about the merchant is not decided by that admin.
 */
const { test, service } = await serviceTest();
const operator = operatorClient(service);
const require = (requireSecondOperator: boolean) =>
  service.database.pool.query('update settings set require_second_operator = $1', [
    requireSecondOperator,
  ]);

const entry = (address: string) => ({ address, scope: 'Both' });
const listed = (...addresses: readonly string[]) => ({
  ipWhitelist: { enabled: true, entries: addresses.map(entry) },
});

/** The admin of a merchant with a whitelist and alerts. */
async function shop({ ownKeys }: { readonly ownKeys: boolean }) {
  await require(false);
  const merchant = await createMerchant(service);
  const path = `/merchants/${merchant.merchantId}`;
  await operator.patch(path, listed('10.0.0.0/8'));
  const alerts = { alertEmails: ['ops@shop.example'], failingWebhooks: true };
  await operator.patch(`${path}/alert-settings`, alerts);
  if (ownKeys) await operator.post(`${path}/own-keys`, { allowed: true });
  const { token } = await createPortalUser(service, merchant, 'admin');
  await require(true);
  return portalClient(service, token);
}

const LOOSENED = [
  ['a whitelist that is turned off', '/settings', { ipWhitelist: { enabled: false, entries: [] } }],
  ['a whitelist with another address', '/settings', listed('10.0.0.0/8', '192.0.2.1')],
  ['an alert that is ended', '/alert-settings', { failingWebhooks: false }],
  ['another alert address', '/alert-settings', { alertEmails: ['ops@elsewhere.example'] }],
] as const;
const TIGHTENED = [
  ['a whitelist with fewer addresses', '/settings', listed('10.1.0.0/16')],
  ['one more alert', '/alert-settings', { lowBalance: 10 }],
] as const;

describe('of a merchant whose keys operators issue', () => {
  let admin: Awaited<ReturnType<typeof shop>>;
  beforeAll(async () => {
    admin = await shop({ ownKeys: false });
  });

  test.for(LOOSENED)('%s is refused, and nothing is changed', async ([, path, change]) => {
    const before = await admin.data('GET', path);
    expect(await admin.call('PATCH', path, change)).toMatchObject({
      status: 403,
      json: {
        error:
          'This takes away a protection, which two operators decide. Ask your operator to make this change.',
        code: 'second-operator',
      },
    });
    expect(await admin.data('GET', path)).toEqual(before);
  });

  test.for(TIGHTENED)('%s is its own business', async ([, path, change]) => {
    expect(await admin.data('PATCH', path, change)).toMatchObject(change);
  });
});

test.for(LOOSENED)(
  'a merchant that issues its own keys decides about %s',
  async ([, path, change]) => {
    const admin = await shop({ ownKeys: true });
    expect(await admin.data('PATCH', path, change)).toMatchObject(change);
  },
);

test('where no second operator is required, an admin decides', async () => {
  const admin = await shop({ ownKeys: false });
  await require(false);
  for (const [, path, change] of LOOSENED)
    expect(await admin.data('PATCH', path, change)).toMatchObject(change);
});

describe('two operators decide what customers read of a merchant, and where its webhooks go', () => {
  const second = secondOperator(service);
  const asked = { supportPhone: '+92 42 1', defaultCallbackUrl: 'https://elsewhere.example/' };

  test('the second reads each field beside what it was, and nothing is changed before', async () => {
    const { merchantId } = await createMerchant(service);
    await require(true);
    const { data } = await operator.patch(`/merchants/${merchantId}`, asked);
    expect(data.status).toBe('pendingApproval');
    const read = await second.get(`/approvals/${data.approvalId}`);
    expect(read.data.request).toMatchObject({ ...asked, supportPhoneBefore: null });
    const now = async () => (await second.get(`/merchants/${merchantId}`)).data;
    expect(await now()).toMatchObject({ supportPhone: null });
    await second.post(`/approvals/${data.approvalId}/approve`, {});
    expect(await now()).toMatchObject(asked);
  });

  test('suspending a merchant never waits; what waits is not sent with it, and neither is undone by one', async () => {
    const { merchantId } = await createMerchant(service);
    await require(true);
    const change = (body: object) => operator.patch(`/merchants/${merchantId}`, body);
    expect(await change({ status: 'suspended', name: 'Other' })).toMatchObject({
      status: 409,
      error: expect.stringContaining('a request of its own'),
    });
    expect((await change({ status: 'suspended' })).data.status).toBe('suspended');
    expect((await change({ status: 'active' })).data.status).toBe('pendingApproval');
  });
});
