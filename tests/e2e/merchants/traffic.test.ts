import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { openEventStream } from '../../support/event-stream.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  signBody,
  signedOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { operatorClient, secondOperator } from '../../support/operator-client.ts';
import { completeOrder, failedOrder } from '../../support/outcomes.ts';
import { createPortalUser, PORTAL_PASSWORD, portalClient } from '../../support/portal.ts';
import { startReceiver } from '../../support/receiver.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What a merchant's people see of its requests, live and at first sight. */

const { test, service } = await serviceTest();
const elsewhere = await startService({}, service);
afterAll(() => elsewhere.close());
const operator = operatorClient(service);

async function shop(fields: Parameters<typeof createMerchant>[1] = {}) {
  const merchant = await createMerchant(service, fields);
  const user = await createPortalUser(service, merchant, 'admin');
  return { merchant, user, admin: portalClient(service, user.token) };
}
const written = () => service.app.deps.traffic.write();
const post = (merchant: TestMerchant, body: string, headers: Record<string, string> = {}) =>
  fetch(`${merchant.url}/api/merchant/orders?secret=in-the-query`, {
    method: 'POST',
    headers: { 'SVC-API-Key': merchant.apiKey, 'Idempotency-Key': randomUUID(), ...headers },
    body,
  });
const get = (merchant: TestMerchant, path: string, apiKey = merchant.apiKey) =>
  fetch(`${merchant.url}/api/merchant${path}`, { headers: { 'SVC-API-Key': apiKey } });
const DEPOSIT = { orderType: 'Deposit', amount: 1500, walletType: 'ProviderA' };

describe('refused requests', () => {
  test('say what was wrong, and nothing of a body or a secret', async () => {
    const { merchant, admin } = await shop();
    const other = await shop();
    const account = '03001234567';
    await post(merchant, JSON.stringify({ ...DEPOSIT, customerAccountNumber: account }));
    await post(merchant, signBody({ ...DEPOSIT, customerAccountNumber: account }, 'sksec_wrong'));
    await signedOrder(merchant, { ...DEPOSIT, amount: 'much' });
    await signedOrder(merchant, { ...DEPOSIT, callbackUrl: 'nowhere' });
    await signedOrder(merchant, { ...DEPOSIT, customerAccountName: 'Ali', maxRetryCount: 11 });
    await signedOrder(merchant, DEPOSIT, { idempotencyKey: 'x'.repeat(300) });
    await get(merchant, `/orders/${randomUUID()}/status`);
    await written();
    const { text, json } = await admin.call('GET', '/refused-requests');
    const refusals = json.data.map(({ status, code, fields }: (typeof json.data)[number]) => [
      ...[status, code, fields],
    ]);
    expect(refusals.toReversed()).toEqual([
      [401, 'SIGNATURE_REQUIRED', ['signature']],
      [401, 'SIGNATURE_INVALID', ['signature']],
      [400, 'invalid', ['$.amount']],
      [400, 'invalid', ['callbackUrl']],
      [400, 'invalid', ['customerAccountName', 'maxRetryCount']],
      [400, 'invalid', ['Idempotency-Key']],
      [404, 'not-found', []],
    ]);
    expect(json.data[6]).toMatchObject({
      ...{ method: 'POST', path: '/api/merchant/orders', address: '127.0.0.1' },
      keyPrefix: merchant.apiKey.slice('mk_live_'.length, 'mk_live_'.length + 8),
    });
    for (const secret of [account, 'in-the-query', 'sksec_', merchant.apiKey, 'much'])
      expect(text).not.toContain(secret);
    const { counts } = await admin.data('GET', '/refused-requests/counts?per=minute');
    const sum = counts.reduce((all: number, { count }: { count: number }) => all + count, 0);
    expect(sum).toBe(7);
    expect(await other.admin.data('GET', '/refused-requests')).toEqual([]);
  });

  test('of a flood are the last 200, counted to the last; unknown keys are nobody’s', async () => {
    const { merchant, admin } = await shop();
    const before = await service.database.pool.query('select count(*) from refused_requests');
    for (let round = 0; round < 13; round += 1) {
      const one = () => get(merchant, `/orders/${randomUUID()}/status`);
      await Promise.all(Array.from({ length: 20 }, one));
    }
    for (const key of ['mk_live_unknown', merchant.apiKey.replace('mk_', 'mk_x')])
      expect((await get(merchant, '/orders/balance', key)).status).toBe(401);
    await written();
    const { rows } = await service.database.pool.query(
      'select count(*)::integer from refused_requests where merchant_id = $1',
      [merchant.merchantId],
    );
    expect(rows[0].count).toBe(200);
    const after = await service.database.pool.query('select count(*) from refused_requests');
    expect(after.rows[0].count - before.rows[0].count).toBe(200);
    const { counts } = await admin.data('GET', '/refused-requests/counts');
    expect(counts[0]).toMatchObject({ status: 404, code: 'not-found', count: 260 });
    await advance(service, 8 * 86_400);
    const left = await service.database.pool.query(
      'select (select count(*) from refused_requests) + (select count(*) from refused_minutes) as n',
    );
    expect(Number(left.rows[0].n)).toBe(0);
  });

  test('and used keys are seen with their address', async () => {
    const { merchant, admin } = await shop();
    expect((await admin.data('GET', '/api-keys'))[0].lastUse).toBe(null);
    await get(merchant, '/orders/balance');
    await written();
    const [key] = await admin.data('GET', '/api-keys');
    expect(key.lastUse.address).toBe('127.0.0.1');
    expect(Math.abs(Date.parse(key.lastUse.at) - service.app.deps.clock.now())).toBeLessThan(
      60_000,
    );
  });
});

describe('events', () => {
  const follow = (token: string, at = elsewhere) =>
    openEventStream(`${at.url}/api/portal/events`, { Authorization: `Bearer ${token}` });

  test('come from every process, about the own merchant alone', async () => {
    const [own, other] = [await shop({ balance: '5000' }), await shop()];
    const streams = [await follow(own.user.token), await follow(own.user.token, service)];
    const others = await follow(other.user.token);
    const expectEvent = async (kind: string) => {
      for (const stream of streams) await expect.poll(() => stream.data()).toContainEqual({ kind });
    };
    // A process begins to listen to others with its first stream.
    await expect
      .poll(async () => {
        await own.admin.data('PATCH', '/settings', { supportPhone: '+92 300 1234567' });
        return streams.every((stream) => stream.data().some(({ kind }) => kind === 'setting'));
      })
      .toBe(true);
    await createOrder(own.merchant);
    await expectEvent('order');
    await createOrder(own.merchant, {
      orderType: 'Withdrawal',
      customerAccountNumber: '03001234567',
    });
    await expectEvent('wallet');
    await failedOrder(service, own.merchant, { callbackUrl: 'https://shop.example/hook' });
    await expectEvent('delivery');
    // To let its admin in was a setting of the other one.
    const kinds = others.data().map(({ kind }) => kind ?? 'setting');
    expect(kinds.filter((kind) => kind !== 'setting')).toEqual([]);
    for (const stream of [...streams, others]) stream.close();
  });

  test('report what operators do about the people, and a switch that another one approves', async () => {
    const { merchant, user } = await shop();
    const { merchantId } = merchant;
    const people = `/merchants/${merchantId}/portal-users`;
    const { data } = await operator.post(`${people}/invite`, {
      ...{ username: `invited-${merchantId}`, role: 'viewer' },
    });
    const other = (await createPortalUser(service, merchant, 'viewer')).portalUserId;
    const setRequired = (required: boolean) =>
      service.database.pool.query('update settings set require_second_operator = $1', [required]);
    await setRequired(true);
    const { approvalId } = (
      await operator.post(`/merchants/${merchantId}/own-keys`, { allowed: true })
    ).data;
    const calls = [
      () => operator.patch(`/portal-users/${other}`, { name: 'Another Name' }),
      () => operator.delete(`/portal-users/${other}/sessions`),
      () => operator.post(`/portal-users/${other}/recovery-link`),
      () => operator.delete(`/portal-users/${data.portalUserId}/invitation`),
      () => secondOperator(service).post(`/approvals/${approvalId}/approve`),
    ];
    for (const call of calls) {
      const stream = await follow(user.token, service);
      const before = stream.data().length;
      expect((await call()).status).toBe(200);
      await expect.poll(() => stream.data().slice(before)).toContainEqual({ kind: 'setting' });
      stream.close();
    }
    await setRequired(false);
  });

  test('end with the session', async () => {
    const { user, merchant } = await shop();
    const stream = await follow(user.token);
    await operator.patch(`/portal-users/${user.portalUserId}`, { status: 'suspended' });
    await expect.poll(() => stream.ended()).toBe(true);
    expect((await follow(user.token)).status).toBe(401);
    const again = await createPortalUser(service, merchant, 'viewer');
    const next = await follow(again.token);
    await portalClient(service, again.token).data('POST', '/password', {
      ...{ currentPassword: PORTAL_PASSWORD, newPassword: 'quite another one' },
    });
    await expect.poll(() => next.ended()).toBe(true);
  });
});

describe('home', () => {
  test('of a new merchant is a checklist that ticks itself', async () => {
    const receiver = await startReceiver();
    const { merchant, admin } = await shop();
    const done = async () => {
      const { checklist } = await admin.data('GET', '/home');
      return checklist.flatMap((one: { step: string; done: boolean }) =>
        one.done ? one.step : [],
      );
    };
    const first = await admin.data('GET', '/home');
    expect(first).toMatchObject({ isNew: true, attention: [], balance: { availableBalance: 0 } });
    expect(first.today.deposits).toEqual({
      ...{ created: 0, completed: 0, failed: 0, sum: 0, successRate: null, medianSeconds: null },
    });
    expect(await done()).toEqual(['api-key']);
    await signedOrder(merchant, { ...DEPOSIT, callbackUrl: 'nowhere' });
    await signedOrder(merchant, { ...DEPOSIT, customerAccountName: 'Ali', maxRetryCount: 11 });
    await written();
    expect(await done()).toEqual(['api-key', 'signed-request']);
    await failedOrder(service, merchant, {
      ...{ callbackUrl: `${receiver.url}/hook`, successUrl: 'https://shop.example/thanks' },
    });
    await receiver.arrived(1);
    const ticked = ['api-key', 'signed-request', 'webhook-received', 'return-addresses'];
    await expect.poll(done).toEqual(ticked);
    const ipWhitelist = { enabled: true, entries: [{ address: '127.0.0.1', scope: 'Both' }] };
    await admin.data('PATCH', '/settings', { ipWhitelist });
    expect(await done()).toEqual([...ticked, 'ip-list']);
    await receiver.close();
  });

  test('counts the days as the merchant does', async () => {
    const { merchant, admin } = await shop({ balance: '100000' });
    const member = await createMember(service, { float: '1000000', methods: ['ProviderA'] });
    const order = await createOrder(merchant, { amount: 1500 });
    await completeOrder(service, order, member);
    await failedOrder(service, merchant, {});
    const { today, isNew } = await admin.data('GET', '/home');
    expect(isNew).toBe(false);
    expect(today.deposits).toMatchObject({
      ...{ created: 2, completed: 1, failed: 1, sum: 1500, successRate: 0.5 },
    });
    const { clock } = service.app.deps;
    const local = clock.now() + 5 * 3_600_000; // Karachi is five hours ahead, the whole year
    await advance(service, 86_400 - Math.floor((local % 86_400_000) / 1_000));
    const user = await createPortalUser(service, merchant, 'viewer');
    const next = await portalClient(service, user.token).data('GET', '/home');
    expect(next.yesterday.deposits).toMatchObject({ created: 2, completed: 1 });
    expect(next.today.deposits.created).toBe(0);
    expect(next.today.day).toBe(new Date(clock.now() + 5 * 3_600_000).toISOString().slice(0, 10));
  });

  test('counts orders that waited two hours and failed around midnight', async () => {
    const { merchant } = await shop({ balance: '1000' });
    const { clock } = service.app.deps;
    const evening = (16 * 60 + 40) * 60_000; // 21:40 in Karachi
    const day = 86_400_000;
    await advance(service, Math.ceil((day - ((clock.now() - evening) % day)) / 1_000));
    const makeFive = async () => {
      for (let made = 0; made < 5; made += 1)
        await createOrder(merchant, {
          orderType: 'Withdrawal',
          walletType: 'TillID',
          amount: 10,
          customerAccountNumber: '03001112223',
        });
    };
    await makeFive();
    await advance(service, 1_800);
    await makeFive();
    await advance(service, 121 * 60);
    const user = await createPortalUser(service, merchant, 'viewer');
    const { attention } = await portalClient(service, user.token).data('GET', '/home');
    expect(attention).toContainEqual({ kind: 'many-failures', failed: 10, ended: 10 });
  });

  test('says what needs somebody: failures, receivers, keys', async () => {
    const { merchant, admin } = await shop();
    const attention = async () => (await admin.data('GET', '/home')).attention;
    for (let made = 0; made < 10; made += 1) await failedOrder(service, merchant, {});
    const failures = { kind: 'many-failures', failed: 10, ended: 10 };
    const noCallback = { kind: 'no-callback-url' };
    await expect.poll(attention).toEqual([failures, noCallback]);
    await admin.data('PATCH', '/settings', { defaultCallbackUrl: 'https://shop.example/hook' });
    await expect.poll(attention).toEqual([failures]);
    await service.database.pool.query(
      `insert into webhook_endpoints (
         merchant_id, host, consecutive_failures, failing_since, last_error
       )
       values ($1, 'deaf.example', 3, now(), 'Refused.')`,
      [merchant.merchantId],
    );
    await expect
      .poll(attention)
      .toMatchObject([
        { kind: 'webhook-failing', host: 'deaf.example', lastError: 'Refused.' },
        failures,
      ]);
    expect((await (await shop()).admin.data('GET', '/home')).attention).toEqual([]);
  });
});
