import sharp from 'sharp';
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
const stored = () => operator.get(path).then(({ data }) => data);

describe('the payment page before it is saved', () => {
  const preview = (body: object) =>
    operator.post(`${path}/page-preview`, { language: 'en', view: 'pay', ...body });

  test('is drawn with what is typed in the place of what is stored, in every language and step', async () => {
    const before = await stored();
    await operator.patch(path, { supportPhone: '+92 300 1234567' });
    const typed = {
      displayName: '<b>Bazaar</b> & Söhne',
      brandColour: '#0B7A4B',
      supportEmail: 'help@bazaar.example',
    };
    for (const [language, direction] of [
      ['en', 'ltr'],
      ['ur', 'rtl'],
      ['hi', 'ltr'],
      ['bn', 'ltr'],
    ] as const)
      for (const view of ['pay', 'verifying', 'completed']) {
        const { status, data } = await preview({ ...typed, language, view });
        expect(status).toBe(200);
        expect(data.html).toContain(`<html lang="${language}" dir="${direction}">`);
        expect(data.html).toContain(`data-view="${view}"`);
        expect(data.html).toContain('&lt;b&gt;Bazaar&lt;/b&gt; &amp; Söhne');
        expect(data.html).toContain('brand=0b7a4b');
        expect(data.html).toContain('mailto:help@bazaar.example');
        expect(data.html).toContain('tel:+923001234567');
        expect(data.html).not.toMatch(/<script|<noscript/);
        expect(data.logo).toBeNull();
      }
    expect(await stored()).toEqual({ ...before, supportPhone: '+92 300 1234567' });
    const { data: orders } = await operator.get(`/orders?merchantId=${merchant.merchantId}`);
    expect(orders).toEqual([]);
  });

  test('is drawn in one theme, regardless of what the browser asks for', async () => {
    const styleOf = async (theme?: string) => {
      const { data } = await preview({ brandColour: '#0b7a4b', ...(theme && { theme }) });
      const [, href = ''] = /href="([^"]*checkout\.css[^"]*)"/.exec(data.html) ?? [];
      return (await fetch(`${service.url}${href.replaceAll('&amp;', '&')}`)).text();
    };
    expect(await styleOf()).toContain('prefers-color-scheme');
    for (const [theme, becomes] of [
      ['light', '@media not all'],
      ['dark', '@media all'],
    ] as const) {
      const style = await styleOf(theme);
      expect(style).not.toContain('prefers-color-scheme');
      expect(style).toContain(becomes);
      expect(style).toContain(`color-scheme:${theme}`);
    }
  });

  test('shows a picture as customers would load it, and keeps nothing of it', async () => {
    const png = await sharp({
      create: { width: 1200, height: 400, channels: 3, background: '#c02010' },
    })
      .png()
      .toBuffer();
    const { data } = await preview({ logo: png.toString('base64') });
    const [, base64 = ''] = /^data:image\/webp;base64,(.*)$/.exec(data.logo.url) ?? [];
    const webp = Buffer.from(base64, 'base64');
    expect(webp).toHaveLength(data.logo.bytes);
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 360, height: 120 });
    expect(data.html).toContain(`src="${data.logo.url}"`);
    const { rows } = await service.database.pool.query('select count(*)::integer from logos');
    expect(rows[0].count).toBe(0);
    await operator.patch(path, { logo: png.toString('base64') });
    expect((await preview({})).data.logo).toEqual(data.logo);
    expect((await preview({ logo: null })).data.logo).toBeNull();
  });

  test('is refused with what saving it would be refused with', async () => {
    for (const [field, value] of [
      ['brandColour', 'green'],
      ['supportUrl', 'http://shop.example'],
      ['logo', Buffer.from('<svg/>').toString('base64')],
    ] as const) {
      const { status, errors } = await preview({ [field]: value });
      expect([status, Object.keys(errors ?? {})]).toEqual([400, [`$.${field}`]]);
      expect(errors).toEqual((await operator.patch(path, { [field]: value })).errors);
    }
  });
});

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
