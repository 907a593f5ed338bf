import { beforeAll, describe, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
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
