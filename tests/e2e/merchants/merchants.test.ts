import { hash, randomUUID } from 'node:crypto';
import { WALLET_TYPES, WITHDRAWAL_METHODS } from '@munshi/core';
import sharp from 'sharp';
import { describe, expect } from 'vitest';
import {
  createMerchant,
  createOrder,
  orderStatus,
  signedOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { operatorClient, secondOperator } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const second = secondOperator(service);

/** A merchant made over the face, with one key. */
async function newMerchant(body: object = {}): Promise<TestMerchant> {
  const { data } = await operator.post('/merchants', { name: 'Corner Shop', ...body });
  const { data: key } = await operator.post(`/merchants/${data.merchantId}/api-keys`);
  return { url: service.url, merchantId: data.merchantId, ...key };
}
const audited = async (target: string) => (await operator.get(`/audit-log?target=${target}`)).data;

describe('merchants', () => {
  test('a new merchant is active, with every method and PKR', async () => {
    const { status, data } = await operator.post('/merchants', { name: 'Corner Shop' });
    expect(status).toBe(200);
    expect(data).toEqual({
      merchantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Corner Shop',
      status: 'active',
      defaultCallbackUrl: null,
      depositMethods: WALLET_TYPES,
      withdrawalMethods: WITHDRAWAL_METHODS,
      currencies: ['PKR'],
      ipWhitelist: { enabled: false, entries: [] },
      displayName: null,
      brandColour: null,
      logo: null,
      supportEmail: null,
      supportPhone: null,
      supportUrl: null,
      timeZone: 'Asia/Karachi',
      ownKeysAllowed: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      allowedActions: [
        'change',
        'suspend',
        'close',
        'adjustments',
        'api-keys',
        'api-keys/regenerate',
      ],
    });
    expect((await operator.get(`/merchants/${data.merchantId}`)).data).toEqual(data);
    expect((await operator.get(`/merchants/${data.merchantId}/balance`)).text).toBe(
      '{"data":{"availableBalance":0,"reservedBalance":0,"frozenBalance":0,"walletBalance":0,"overdrawn":false,"currency":"PKR"}}',
    );
    expect(await audited(data.merchantId)).toMatchObject([
      {
        action: 'merchant.create',
        actor: { kind: 'operator', id: 'env-1', name: 'OPERATOR_TOKEN', address: '127.0.0.1' },
        detail: { name: 'Corner Shop' },
      },
    ]);
  });

  test('a merchant made here creates orders with its key, by its methods', async () => {
    const merchant = await newMerchant({
      depositMethods: ['ProviderA'],
      defaultCallbackUrl: 'https://shop.example/hook',
    });
    expect((await createOrder(merchant)).status).toBe('Awaiting');
    const refused = await signedOrder(merchant, {
      orderType: 'Deposit',
      amount: 5,
      walletType: 'ProviderB',
    });
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { error: 'ProviderB deposits are disabled for this merchant.' },
    ]);
  });

  test('changes hold from the next order on: suspended, whitelisted, closed', async () => {
    const merchant = await newMerchant();
    const path = `/merchants/${merchant.merchantId}`;
    const create = async () => {
      const response = await signedOrder(merchant, {
        orderType: 'Deposit',
        amount: 5,
        walletType: 'ProviderA',
        merchantOrderRef: randomUUID(),
      });
      return [response.status, ((await response.json()) as { error?: string }).error];
    };
    expect((await operator.patch(path, { status: 'suspended' })).data.status).toBe('suspended');
    expect(await create()).toEqual([
      403,
      'Merchant account is suspended; new orders are not accepted.',
    ]);
    const ipWhitelist = { enabled: true, entries: [{ address: '203.0.113.0/24', scope: 'Both' }] };
    expect(
      (await operator.patch(path, { status: 'active', ipWhitelist })).data.ipWhitelist,
    ).toEqual(ipWhitelist);
    expect(await create()).toEqual([403, 'IP not in whitelist.']);
    await operator.patch(path, {
      ipWhitelist: { enabled: true, entries: [{ address: '127.0.0.1', scope: 'Deposit' }] },
    });
    expect((await create())[0]).toBe(200);
    await operator.patch(path, { status: 'closed' });
    expect(await create()).toEqual([
      403,
      'Merchant account is closed; new orders are not accepted.',
    ]);
  });

  test('enabling a currency without an exchange rate is refused; with one its orders settle at it', async () => {
    const merchant = await newMerchant();
    const path = `/merchants/${merchant.merchantId}`;
    const refusal = { status: 409, error: 'Set an exchange rate for INR first.' };
    expect(await operator.patch(path, { currencies: ['PKR', 'INR'] })).toMatchObject(refusal);
    expect(
      await operator.post('/merchants', { name: 'Foreign', currencies: ['INR'] }),
    ).toMatchObject(refusal);
    expect(
      (await operator.post('/exchange-rates', '{"currency": "INR", "rate": 3.12345678}')).text,
    ).toContain('"rate":3.12345678,');
    expect((await operator.patch(path, { currencies: ['PKR', 'INR'] })).data.currencies).toEqual([
      'PKR',
      'INR',
    ]);
    const order = await createOrder(merchant, { currency: 'INR', amount: 100 });
    const detail = await operator.get(`/orders/${order.orderId}`);
    expect(detail.text).toContain('"rate":3.12345678,"settlementAmount":312.3457');
    expect((await operator.get('/exchange-rates')).data).toMatchObject([
      { currency: 'INR', rate: 3.12345678 },
    ]);
  });

  test('the list pages from the newest to the oldest, and finds by part of the name', async () => {
    const tag = randomUUID();
    for (const n of [1, 2, 3]) await operator.post('/merchants', { name: `Shop ${tag} ${n}` });
    const names = [];
    let cursor: string | null = '';
    for (let page = 0; cursor !== null; page += 1) {
      const answer = await operator.get(
        `/merchants?search=${tag.toUpperCase()}&limit=2&cursor=${cursor}`,
      );
      names.push(...answer.data.map(({ name }: { name: string }) => name.slice(-1)));
      cursor = answer.nextCursor as string | null;
      expect(page).toBeLessThan(2);
    }
    expect(names).toEqual(['3', '2', '1']);
    const body = { name: `Shop ${randomUUID()}`, supportPhone: '+92 300 987 65-43' };
    const { merchantId } = (await operator.post('/merchants', body)).data;
    for (const search of ['6543', '03009876543', ` ${body.name.toUpperCase()} `]) {
      const byPhone = (await operator.get(`/merchants?${new URLSearchParams({ search })}`)).data;
      expect(byPhone.map((one: { merchantId: string }) => one.merchantId)).toContain(merchantId);
    }
    expect((await operator.get('/merchants?cursor=nonsense')).errors).toEqual({
      cursor: ['must be the nextCursor of an earlier answer.'],
    });
  });

  test('the list says what each has and how many orders of the last 24 hours', async () => {
    const name = `Shop ${randomUUID()}`;
    const merchant = await createMerchant(service, { name, balance: '1500.50' });
    const listed = async () => (await operator.get(`/merchants?search=${name}`)).text;
    expect(await listed()).toContain(
      '"availableBalance":1500.5,"reservedBalance":0,"ordersOfDay":0',
    );
    await createOrder(merchant, { orderType: 'Withdrawal', amount: 500 });
    expect(await listed()).toMatch(
      /"availableBalance":1000\.5,"reservedBalance":500,"ordersOfDay":1\b/,
    );
  });
});

describe('on the payment page', () => {
  const shownOn = ({ orderId }: { readonly orderId: string }) =>
    service.app.deps.readers.pageOrder(orderId);

  test('a merchant is shown by its display name and colour, and by its name without them', async () => {
    const merchant = await newMerchant({
      displayName: 'Corner Shop • دکان',
      brandColour: '#0A7f3C',
    });
    const path = `/merchants/${merchant.merchantId}`;
    const branding = { displayName: 'Corner Shop • دکان', brandColour: '#0a7f3c' };
    expect((await operator.get(path)).data).toMatchObject(branding);
    const order = await createOrder(merchant);
    expect(await shownOn(order)).toMatchObject({
      merchantName: branding.displayName,
      brandColour: branding.brandColour,
    });
    expect((await openPage(order).state()).merchantName).toBe(branding.displayName);

    expect((await operator.patch(path, { displayName: 'Renamed' })).data).toMatchObject({
      ...branding,
      displayName: 'Renamed',
      name: 'Corner Shop',
    });
    expect((await operator.patch(path, { status: 'active' })).data).toMatchObject({
      displayName: 'Renamed',
      brandColour: branding.brandColour,
    });
    expect(
      (await operator.patch(path, { displayName: null, brandColour: null })).data,
    ).toMatchObject({ displayName: null, brandColour: null });
    expect(await shownOn(order)).toMatchObject({ merchantName: 'Corner Shop', brandColour: null });
    expect((await audited(merchant.merchantId))[2]).toMatchObject({
      action: 'merchant.update',
      detail: { fields: 'displayName' },
    });
  });

  test('a merchant’s support contact is the page’s to show, and goes when it is taken away', async () => {
    const support = {
      supportEmail: 'help@corner.shop.example',
      supportPhone: '+92 (42) 111-222-333',
      supportUrl: 'https://corner.example/help?from=pay#top',
    };
    const merchant = await newMerchant(support);
    const path = `/merchants/${merchant.merchantId}`;
    expect((await operator.get(path)).data).toMatchObject(support);
    const order = await createOrder(merchant);
    expect((await shownOn(order))?.support).toEqual({
      email: support.supportEmail,
      phone: support.supportPhone,
      url: support.supportUrl,
    });
    const gone = { supportEmail: null, supportPhone: null, supportUrl: null };
    expect((await operator.patch(path, gone)).data).toMatchObject(gone);
    expect((await shownOn(order))?.support).toEqual({ email: null, phone: null, url: null });
  });

  test('the time zone is that of the currency until it is set, and a change is in the audit log', async () => {
    await operator.post('/exchange-rates', { currency: 'INR', rate: 3.3 });
    const indian = await newMerchant({ currencies: ['INR'] });
    expect((await operator.get(`/merchants/${indian.merchantId}`)).data.timeZone).toBe(
      'Asia/Kolkata',
    );
    const merchant = await newMerchant({ timeZone: 'Asia/Dhaka' });
    const path = `/merchants/${merchant.merchantId}`;
    expect((await operator.get(path)).data.timeZone).toBe('Asia/Dhaka');
    const changed = await operator.patch(path, { timeZone: 'Europe/London' });
    expect(changed.data.timeZone).toBe('Europe/London');
    expect((await operator.get(path)).data.timeZone).toBe('Europe/London');
    const { data } = await operator.get(`/audit-log?action=merchant.update`);
    expect(data[0].detail).toMatchObject({
      timeZone: 'Europe/London',
      timeZoneBefore: 'Asia/Dhaka',
    });
    // Other currencies, and other changes, leave it as it is.
    const other = await operator.patch(path, { currencies: ['PKR', 'INR'], name: 'Renamed' });
    expect(other.data.timeZone).toBe('Europe/London');
  });

  test('a logo is drawn again, answered under its content to keep, and taken away by null', async () => {
    const png = await sharp({
      create: { width: 900, height: 300, channels: 3, background: '#0a7f3c' },
    })
      .png()
      .toBuffer();
    const logo = `data:image/png;base64,${png.toString('base64')}`;
    const merchant = await newMerchant({ logo });
    const path = `/merchants/${merchant.merchantId}`;
    const { data } = await operator.get(path);
    expect(data.logo).toMatch(/^\/pay\/logo\/[0-9a-f]{64}\.webp$/);
    const order = await createOrder(merchant);
    expect(data.logo).toContain((await shownOn(order))?.logo);

    const answer = await fetch(`${service.url}${data.logo}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    const webp = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(webp).metadata()).toMatchObject({ format: 'webp', width: 360, height: 120 });
    expect(data.logo).toContain(hash('sha256', webp));

    // The same picture without its prefix, and called something else, is the same logo.
    for (const again of [png.toString('base64'), logo.replace('image/png', 'image/svg+xml')])
      expect((await operator.patch(path, { logo: again })).data.logo).toBe(data.logo);
    expect((await operator.patch(path, { displayName: 'Corner' })).data.logo).toBe(data.logo);
    expect((await operator.patch(path, { logo: null })).data.logo).toBeNull();
    expect((await shownOn(order))?.logo).toBeNull();
    expect((await audited(merchant.merchantId))[0]).toMatchObject({ detail: { fields: 'logo' } });
  });

  test('a large logo comes through, and one above the bound is refused', async () => {
    const { merchantId } = await newMerchant();
    const create = { width: 1_000, height: 160, channels: 3, background: '#808080' } as const;
    const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const;
    const png = await sharp({ create: { ...create, noise } })
      .png()
      .toBuffer();
    expect(png.length).toBeGreaterThan(200_000);
    const path = `/merchants/${merchantId}`;
    const kept = await operator.patch(path, { logo: png.toString('base64') });
    expect(kept.status).toBe(200);
    const larger = Buffer.concat([png, Buffer.alloc(512 * 1024 + 1 - png.length)]);
    expect((await operator.patch(path, { logo: larger.toString('base64') })).errors).toEqual({
      '$.logo': ['must have at most 512 KB.'],
    });
    expect((await operator.patch(path, { logo: 'A'.repeat(800_000) })).status).toBe(413);
    expect((await operator.get(path)).data.logo).toBe(kept.data.logo);
  });

  test.each([
    '/pay/logo/',
    '/pay/logo/x',
    `/pay/logo/${'0'.repeat(64)}.webp`,
    `/pay/logo/${'0'.repeat(64)}`,
    '/pay/logo/..%2f..%2fpackage.json',
  ])('%s is no logo', async (path) => {
    expect((await fetch(`${service.url}${path}`)).status).toBe(404);
  });

  test.each([
    'Fish & <b>Chips</b> "x\' onload=alert(1)',
    'دکان\u200cدار',
    'क्\u200dष Store',
    'Café ☕️',
    'x'.repeat(60),
    `${'🛒'.repeat(59)}a`,
  ])('the display name %s is kept as it is', async (displayName) => {
    const merchant = await newMerchant({ displayName });
    expect((await operator.get(`/merchants/${merchant.merchantId}`)).data.displayName).toBe(
      displayName,
    );
    expect((await shownOn(await createOrder(merchant)))?.merchantName).toBe(displayName);
  });

  test('names of methods and providers are those that operators have set', async () => {
    const order = await createOrder(await newMerchant());
    expect((await shownOn(order))?.displayNames).toEqual({
      methods: {},
      providers: {},
      currencies: {},
    });
    const displayNames = {
      methods: { TillID: 'Green Till' },
      providers: { ProviderB: 'Green' },
      currencies: { BDT: { providers: { ProviderB: 'Nagad' } } },
    };
    await operator.patch('/settings', { displayNames });
    expect((await shownOn(order))?.displayNames).toEqual(displayNames);
    await operator.patch('/settings', {
      displayNames: { methods: {}, providers: {}, currencies: {} },
    });
  });
});

describe('API keys', () => {
  const alive = async ({ apiKey }: Pick<TestMerchant, 'apiKey'>) =>
    (
      await fetch(`${service.url}/api/merchant/orders/balance`, {
        headers: { 'SVC-API-Key': apiKey },
      })
    ).status;

  test('a key has the documented form, works, and is never shown again', async () => {
    const merchant = await newMerchant();
    expect(merchant.apiKey).toMatch(/^mk_live_[A-Za-z0-9]{32}$/);
    expect(merchant.signingSecret).toMatch(/^sksec_[A-Za-z0-9]{40}$/);
    expect(await alive(merchant)).toBe(200);
    const list = await operator.get(`/merchants/${merchant.merchantId}/api-keys`);
    expect(list.data).toEqual([
      {
        keyId: merchant.keyId,
        prefix: merchant.apiKey.slice(8, 16),
        createdAt: expect.any(String),
        revokedAt: null,
        lastOrderAt: null,
        allowedActions: ['revoke'],
      },
    ]);
    const { rows } = await service.database.pool.query(
      'select row_to_json(k)::text as text from api_keys k where key_id = $1',
      [merchant.keyId],
    );
    const everywhere =
      rows[0].text + list.text + JSON.stringify(await audited(merchant.merchantId));
    expect(everywhere).not.toContain(merchant.apiKey);
    expect(everywhere).not.toContain(merchant.signingSecret);
  });

  test('a key shows when its last order was made, by itself', async () => {
    const merchant = await newMerchant();
    const keys = `/merchants/${merchant.merchantId}/api-keys`;
    const { data: other } = await operator.post(keys, {});
    await createOrder(merchant);
    const { orderId } = await createOrder({ ...merchant, ...other });
    const { createdAt } = (await operator.get(`/orders/${orderId}`)).data;
    const [newest, oldest] = (await operator.get(keys)).data;
    expect(newest).toMatchObject({ keyId: other.keyId, lastOrderAt: createdAt });
    expect(Date.parse(oldest.lastOrderAt)).toBeLessThanOrEqual(Date.parse(createdAt));
  });

  test('a merchant holds several keys; a revoked one stops working on the next request, the others go on', async () => {
    const merchant = await newMerchant();
    const { data: other } = await operator.post(`/merchants/${merchant.merchantId}/api-keys`, {});
    expect(await alive(other)).toBe(200);
    const revoked = await operator.delete(
      `/merchants/${merchant.merchantId}/api-keys/${merchant.keyId}`,
    );
    expect(revoked.data.revokedAt).toEqual(expect.any(String));
    expect(await alive(merchant)).toBe(401);
    const creation = await signedOrder(merchant, {
      orderType: 'Deposit',
      amount: 5,
      walletType: 'ProviderA',
    });
    expect([creation.status, await creation.text()]).toEqual([401, '']);
    expect(await alive(other)).toBe(200);
    const again = await operator.delete(
      `/merchants/${merchant.merchantId}/api-keys/${merchant.keyId}`,
    );
    expect(again.data).toEqual(revoked.data);
    expect(
      (await operator.delete(`/merchants/${merchant.merchantId}/api-keys/${randomUUID()}`)).status,
    ).toBe(404);
  });

  test('regenerating issues a key and revokes every key active before, at once', async () => {
    const merchant = await newMerchant();
    const { data: other } = await operator.post(`/merchants/${merchant.merchantId}/api-keys`);
    const { data: fresh } = await operator.post(
      `/merchants/${merchant.merchantId}/api-keys/regenerate`,
    );
    expect([await alive(merchant), await alive(other), await alive(fresh)]).toEqual([
      401, 401, 200,
    ]);
    expect((await createOrder({ ...merchant, ...fresh })).status).toBe('Awaiting');
  });

  test('regenerating twice at once leaves exactly one active key', async () => {
    const merchant = await newMerchant();
    await Promise.all(
      [1, 2, 3, 4].map(() =>
        operator.post(`/merchants/${merchant.merchantId}/api-keys/regenerate`),
      ),
    );
    const { data } = await operator.get(`/merchants/${merchant.merchantId}/api-keys`);
    expect(
      data.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null),
    ).toHaveLength(1);
  });
});

describe('adjustments', () => {
  const balance = async (merchantId: string) =>
    (await operator.get(`/merchants/${merchantId}/balance`)).text;

  test('99999999999999.9999 comes back digit for digit', async () => {
    const merchant = await newMerchant();
    const path = `/merchants/${merchant.merchantId}/adjustments`;
    const credit = await operator.post(
      path,
      '{"kind": "credit", "amount": 99999999999999.9999, "reason": "settlement"}',
    );
    expect(credit.text).toContain('"amount":99999999999999.9999,');
    expect(credit.data.status).toBe('applied');
    await operator.post(
      path,
      '{"kind": "freeze", "amount": 0.0001, "reason": "settlement request"}',
    );
    expect(await balance(merchant.merchantId)).toBe(
      '{"data":{"availableBalance":99999999999999.9998,"reservedBalance":0,"frozenBalance":0.0001,"walletBalance":99999999999999.9998,"overdrawn":false,"currency":"PKR"}}',
    );
  });

  test.each([
    ['debit', 100.0001, 'Only PKR\u00a0100 is available; PKR\u00a0100.0001 cannot be taken.'],
    ['freeze', 101, 'Only PKR\u00a0100 is available; PKR\u00a0101 cannot be taken.'],
    ['unfreeze', 1, 'Only PKR\u00a00 is frozen; PKR\u00a01 cannot be released.'],
  ])('%s beyond what there is: 422, and nothing changes', async (kind, amount, error) => {
    const merchant = await createMerchant(service, { balance: '100' });
    const before = await balance(merchant.merchantId);
    expect(
      await operator.post(`/merchants/${merchant.merchantId}/adjustments`, {
        kind,
        amount,
        reason: 'r',
      }),
    ).toMatchObject({ status: 422, error });
    expect(await balance(merchant.merchantId)).toBe(before);
  });

  test('freeze and unfreeze move between wallet and frozen, debit and credit change the wallet', async () => {
    const merchant = await createMerchant(service, { balance: '100' });
    for (const [kind, amount] of [
      ['freeze', 40],
      ['unfreeze', 15],
      ['debit', 5],
      ['credit', 0.5],
    ]) {
      expect(
        (
          await operator.post(`/merchants/${merchant.merchantId}/adjustments`, {
            kind,
            amount,
            reason: 'r',
          })
        ).status,
      ).toBe(200);
    }
    expect(JSON.parse(await balance(merchant.merchantId)).data).toMatchObject({
      availableBalance: 70.5,
      frozenBalance: 25,
      walletBalance: 70.5,
    });
    expect(
      (await audited(merchant.merchantId)).map(({ action }: { action: string }) => action),
    ).toEqual([
      'wallet.credit',
      'wallet.debit',
      'wallet.unfreeze',
      'wallet.freeze',
      'wallet.credit',
    ]);
  });

  test('above the limit another operator approves, and only another', async () => {
    const merchant = await newMerchant();
    const path = `/merchants/${merchant.merchantId}/adjustments`;
    await operator.patch('/settings', { adjustmentApprovalLimit: 1000 });
    try {
      expect(
        (await operator.post(path, { kind: 'credit', amount: 1000, reason: 'at the limit' })).data
          .status,
      ).toBe('applied');
      const { data } = await operator.post(path, {
        kind: 'credit',
        amount: 1000.0001,
        reason: 'above the limit',
      });
      expect(data).toMatchObject({
        status: 'pendingApproval',
        requestedBy: 'env-1',
        approvedBy: null,
      });
      expect(JSON.parse(await balance(merchant.merchantId)).data.walletBalance).toBe(1000);
      const waiting = await operator.get(
        `/adjustments?status=pendingApproval&merchantId=${merchant.merchantId}`,
      );
      expect(
        waiting.data.map(({ adjustmentId }: { adjustmentId: string }) => adjustmentId),
      ).toEqual([data.adjustmentId]);

      const approve = `/approvals/${data.approvalId}/approve`;
      expect(await operator.post(approve)).toMatchObject({ status: 403 });
      expect((await second.post(approve)).data).toMatchObject({
        status: 'done',
        decidedBy: 'env-2',
      });
      expect(JSON.parse(await balance(merchant.merchantId)).data.walletBalance).toBe(2000.0001);
      expect((await second.post(approve)).status).toBe(409);
      expect((await second.post(`/approvals/${randomUUID()}/approve`)).status).toBe(404);
    } finally {
      await operator.patch('/settings', { adjustmentApprovalLimit: null });
    }
  });

  test('a merchant that does not exist: 404', async () => {
    expect(
      await operator.post(`/merchants/${randomUUID()}/adjustments`, {
        kind: 'credit',
        amount: 1,
        reason: 'r',
      }),
    ).toMatchObject({ status: 404 });
  });
});

describe('fee rules', () => {
  const feeOf = async (merchant: TestMerchant, amount: number, walletType = 'ProviderA') => {
    const { orderId } = await createOrder(merchant, { amount, walletType });
    return (await orderStatus(merchant, orderId))['fee'];
  };
  const set = (body: object) =>
    operator.post('/fee-rules', { orderType: 'Deposit', walletType: 'ProviderA', ...body });

  test('a rule prices orders from now on: fixed + percent, clamped', async () => {
    const merchant = await newMerchant();
    const early = await createOrder(merchant, { amount: 1000 });
    const { data } = await set({
      merchantId: merchant.merchantId,
      fixed: 1.5,
      percent: 2,
      minimum: 10,
      maximum: 100,
    });
    expect(data).toMatchObject({
      merchantId: merchant.merchantId,
      fixed: 1.5,
      percent: 2,
      minimum: 10,
      maximum: 100,
      fromAmount: null,
      validUntil: null,
    });
    expect([
      await feeOf(merchant, 100),
      await feeOf(merchant, 1000),
      await feeOf(merchant, 10_000),
    ]).toEqual([10, 21.5, 100]);
    expect(await feeOf(merchant, 1000, 'ProviderAQR')).toBe(21.5);
    expect((await orderStatus(merchant, early.orderId))['fee']).toBeNull();
  });

  test('a rule for the same slot and band replaces the one before; ended, no rule prices', async () => {
    const { merchantId, ...merchant } = await newMerchant();
    const first = await set({ merchantId, fixed: 1 });
    const next = await set({ merchantId, fixed: 2 });
    expect(next.status).toBe(200);
    expect(await feeOf({ merchantId, ...merchant }, 100)).toBe(2);
    const inForce = await operator.get(`/fee-rules?merchantId=${merchantId}`);
    expect(inForce.data.map(({ feeRuleId }: { feeRuleId: string }) => feeRuleId)).toEqual([
      next.data.feeRuleId,
    ]);
    const all = await operator.get(`/fee-rules?merchantId=${merchantId}&ended=true`);
    expect(all.data.map(({ feeRuleId }: { feeRuleId: string }) => feeRuleId)).toEqual([
      next.data.feeRuleId,
      first.data.feeRuleId,
    ]);
    expect(all.data[1].validUntil).toBe(next.data.validFrom);

    const ended = await operator.delete(`/fee-rules/${next.data.feeRuleId}`);
    expect(ended.data.validUntil).toEqual(expect.any(String));
    expect(await feeOf({ merchantId, ...merchant }, 100)).toBeNull();
    expect((await operator.delete(`/fee-rules/${next.data.feeRuleId}`)).data).toEqual(ended.data);
    expect((await operator.delete(`/fee-rules/${randomUUID()}`)).status).toBe(404);
  });

  test('bands include their first amount and exclude their last; overlapping ones are refused', async () => {
    const merchant = await newMerchant();
    const { merchantId } = merchant;
    expect((await set({ merchantId, fixed: 1, toAmount: 100 })).status).toBe(200);
    expect((await set({ merchantId, fixed: 2, fromAmount: 100, toAmount: 200 })).status).toBe(200);
    expect([
      await feeOf(merchant, 99.9999),
      await feeOf(merchant, 100),
      await feeOf(merchant, 200),
    ]).toEqual([1, 2, null]);
    for (const band of [
      {},
      { fromAmount: 199.9999 },
      { fromAmount: 50, toAmount: 60 },
      { toAmount: 0.0001 },
      { fromAmount: 99, toAmount: 101 },
    ]) {
      const refused = await set({ merchantId, fixed: 3, ...band });
      expect([band, refused.status]).toEqual([band, 409]);
    }
    expect((await set({ merchantId, fixed: 3, fromAmount: 200 })).status).toBe(200);
    expect((await set({ merchantId, orderType: 'Withdrawal', fixed: 3 })).status).toBe(200);
  });

  test('two rules for one slot at the same time: one stays in force', async () => {
    const { merchantId } = await newMerchant();
    const answers = await Promise.all([1, 2, 3, 4, 5].map((fixed) => set({ merchantId, fixed })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await operator.get(`/fee-rules?merchantId=${merchantId}`)).data).toHaveLength(1);
  });

  test('the platform’s rule is for merchants without one of their own', async () => {
    const [plain, own] = [await newMerchant(), await newMerchant()];
    const platform = await set({ walletType: 'ProviderB', percent: 1 });
    await set({ merchantId: own.merchantId, walletType: 'ProviderB', fixed: 7 });
    expect([await feeOf(plain, 100, 'ProviderB'), await feeOf(own, 100, 'ProviderB')]).toEqual([
      1, 7,
    ]);
    expect(
      (await operator.get('/fee-rules?platform=true')).data.map(
        ({ merchantId }: { merchantId: string | null }) => merchantId,
      ),
    ).toEqual([null]);
    await operator.delete(`/fee-rules/${platform.data.feeRuleId}`);
  });

  test('a rule’s numbers are exact', async () => {
    const { merchantId } = await newMerchant();
    const text = `{"merchantId": "${merchantId}", "orderType": "Deposit", "walletType": "BankAccount", "fixed": 12345678901234.5678, "percent": 0.12345678}`;
    expect((await operator.post('/fee-rules', text)).text).toContain(
      '"fixed":12345678901234.5678,"percent":0.12345678,',
    );
  });
});
