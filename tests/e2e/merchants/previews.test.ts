import { describe, expect } from 'vitest';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What is shown of a change of a merchant before it is made (apis.md#what-may-be-done). */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, {
  name: 'Corner Shop',
  balance: '10000',
  defaultCallbackUrl: 'https://shop.example/hook',
});
const path = `/merchants/${merchant.merchantId}`;

describe('an address', () => {
  const ipWhitelist = {
    enabled: true,
    entries: [
      { address: '203.0.113.0/24', scope: 'Deposit' },
      { address: '2001:db8::/32', scope: 'Both' },
    ],
  };
  const tested = (body: object) => operator.post(`${path}/address-test`, body);
  const accepted = (entry: string | null) => ({ accepted: true, entry });
  const refused = { accepted: false, entry: null };

  test('is tested against the list that is typed, before it is saved, and names the entry', async () => {
    const cases = [
      ['203.0.113.7', accepted('203.0.113.0/24'), refused],
      ['::ffff:203.0.113.7', accepted('203.0.113.0/24'), refused],
      ['2001:db8::1', accepted('2001:db8::/32'), accepted('2001:db8::/32')],
      ['198.51.100.1', refused, refused],
    ] as const;
    for (const [address, deposits, withdrawals] of cases)
      expect((await tested({ address, ipWhitelist })).data, address).toEqual({
        restricted: true,
        deposits,
        withdrawals,
      });
    expect((await tested({ address: '198.51.100.1' })).data).toEqual({
      restricted: false,
      deposits: accepted(null),
      withdrawals: accepted(null),
    });
  });

  test('is tested against the stored list, as orders are', async () => {
    const other = await createMerchant(service, { ipWhitelist });
    const test = `/merchants/${other.merchantId}/address-test`;
    const { data } = await operator.post(test, { address: '127.0.0.1' });
    expect(data.deposits).toEqual(refused);
    await expect(createOrder(other)).rejects.toThrow('403');
    await operator.patch(`/merchants/${other.merchantId}`, {
      ipWhitelist: { enabled: true, entries: [{ address: '127.0.0.1', scope: 'Deposit' }] },
    });
    expect((await operator.post(test, { address: '127.0.0.1' })).data).toMatchObject({
      deposits: accepted('127.0.0.1'),
      withdrawals: refused,
    });
    expect((await createOrder(other)).status).toBe('Awaiting');
  });

  test('that is none is refused by its field, and so is a block', async () => {
    for (const address of ['home', '203.0.113.0/24', ''])
      expect((await tested({ address })).errors).toEqual({
        '$.address': ['must be an IPv4 or IPv6 address.'],
      });
  });
});

describe('a change of a merchant with ?preview=true', () => {
  test('says what goes on, how much of it, and writes nothing', async () => {
    const shop = await createMerchant(service, {
      balance: '10000',
      defaultCallbackUrl: 'https://shop.example/hook',
    });
    const shopPath = `/merchants/${shop.merchantId}`;
    const [cancelled] = [await createOrder(shop), await createOrder(shop), await createOrder(shop)];
    await createOrder(shop, { orderType: 'Withdrawal', amount: 200 });
    await operator.post(`/orders/${cancelled?.orderId}/cancel`, { note: 'n' });
    const before = await operator.get(shopPath);
    const standing = {
      openDeposits: 2,
      openWithdrawals: 1,
      pendingDeliveries: 1,
      activeKeys: 1,
    };
    for (const status of ['suspended', 'closed'])
      expect((await operator.patch(`${shopPath}?preview=true`, { status })).data).toEqual({
        preview: true,
        status: { before: 'active', after: status },
        takesOrders: { before: true, after: false },
        wait: null,
        limit: null,
        ...standing,
      });
    expect((await operator.get(shopPath)).data).toEqual(before.data);
    const { data: log } = await operator.get(`/audit-log?target=${shop.merchantId}`);
    expect(log.map(({ action }: { action: string }) => action)).not.toContain('merchant.update');
    await operator.patch(shopPath, { status: 'suspended' });
    expect((await operator.patch(`${shopPath}?preview=true`, { status: 'active' })).data).toEqual({
      preview: true,
      status: { before: 'suspended', after: 'active' },
      takesOrders: { before: false, after: true },
      wait: null,
      limit: null,
      ...standing,
    });
  });

  test('is refused as the change would be', async () => {
    const asked = await operator.patch(`${path}?preview=true`, { currencies: ['PKR', 'BDT'] });
    expect(asked).toMatchObject({ status: 409, error: 'Set an exchange rate for BDT first.' });
    const viewer = operatorClient(service, (await createOperator(service, 'viewer')).token);
    expect((await viewer.patch(`${path}?preview=true`, { status: 'closed' })).status).toBe(403);
  });
});

test('the list says how many receivers of a merchant fail', async () => {
  const shop = await createMerchant(service, { name: 'Deaf Shop' });
  await service.database.pool.query(
    `insert into webhook_endpoints (merchant_id, host, consecutive_failures, failing_since)
     values ($1, 'one.example:443', 3, now()), ($1, 'two.example:443', 5, now()),
       ($1, 'three.example:443', 0, null)`,
    [shop.merchantId],
  );
  const { data } = await operator.get('/merchants?search=Shop');
  const counts = data.map((row: { name: string; failingReceivers: number }) => [
    row.name,
    row.failingReceivers,
  ]);
  expect(new Map(counts)).toEqual(
    new Map([
      ['Deaf Shop', 2],
      ['Corner Shop', 0],
    ]),
  );
});
