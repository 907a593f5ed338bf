import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest({ ROLES: 'http' });
const admin = operatorClient(service);
let names = 1;
const as = async (role: 'viewer' | 'support' | 'admin') =>
  operatorClient(service, (await createOperator(service, role, `The ${role} ${names++}`)).token);
const VIEW = { name: 'In review', query: 'status=ManualReview' };

describe('saved views', () => {
  test('are seen by who keeps them, and by all when they are shared', async () => {
    const [viewer, support] = [await as('viewer'), await as('support')];
    const { data: own } = await viewer.post('/views', VIEW);
    expect(own).toMatchObject({
      ...VIEW,
      shared: false,
      own: true,
      ownerName: expect.stringMatching(/^The viewer /),
    });
    const { data: shared } = await support.post('/views', { ...VIEW, name: 'All', shared: true });
    const seen = async (by: typeof viewer) =>
      (await by.get('/views')).data.map((view: { name: string }) => view.name);
    expect(await seen(viewer)).toEqual(['All', 'In review']);
    expect(await seen(support)).toEqual(['All']);
    expect((await support.patch(`/views/${own.viewId}`, { name: 'x' })).status).toBe(404);
    expect((await viewer.patch(`/views/${shared.viewId}`, { name: 'x' })).status).toBe(403);
    expect((await viewer.delete(`/views/${shared.viewId}`)).status).toBe(403);
    expect((await viewer.get('/views')).data[0].allowedActions).toEqual([]);
    expect((await admin.delete(`/views/${shared.viewId}`)).status).toBe(200);
    expect(await seen(support)).toEqual([]);
  });

  test('are shared by support and admins alone', async () => {
    const viewer = await as('viewer');
    expect((await viewer.post('/views', { ...VIEW, shared: true })).status).toBe(403);
    const { data } = await viewer.post('/views', VIEW);
    expect((await viewer.patch(`/views/${data.viewId}`, { shared: true })).status).toBe(403);
    expect(
      (await viewer.patch(`/views/${data.viewId}`, { query: 'stage=Sent' })).data,
    ).toMatchObject({ name: 'In review', query: 'stage=Sent' });
  });

  test('are at most fifty of one operator, and a deleted one makes room', async () => {
    const support = await as('support');
    const made = [];
    for (let n = 0; n < 50; n += 1) made.push(await support.post('/views', VIEW));
    expect((await support.post('/views', VIEW)).status).toBe(409);
    await support.delete(`/views/${made[7]?.data.viewId}`);
    expect((await support.post('/views', VIEW)).status).toBe(200);
    expect((await support.post('/views', { ...VIEW, name: 'x'.repeat(61) })).status).toBe(400);
    expect((await support.post('/views', { ...VIEW, query: 'x'.repeat(2001) })).status).toBe(400);
  });
});

describe('fees', () => {
  test('are quoted by the rule that wins: the merchant’s before the platform’s, the method’s before its family’s', async () => {
    const { merchantId } = await createMerchant(service);
    const rule = async (terms: object) =>
      (await admin.post('/fee-rules', { orderType: 'Deposit', ...terms })).data.feeRuleId;
    const quote = async (more: Record<string, string> = {}) => {
      const query = { merchantId, orderType: 'Deposit', walletType: 'ProviderAQR', amount: '1000' };
      const { data } = await admin.get(
        `/fee-rules/quote?${new URLSearchParams({ ...query, ...more })}`,
      );
      return [data.fee, data.rule?.feeRuleId, data.settlementAmount];
    };
    expect(await quote()).toEqual([null, undefined, 1000]);
    const platformFamily = await rule({ walletType: 'ProviderA', percent: 1 });
    expect(await quote()).toEqual([10, platformFamily, 990]);
    const platformOwn = await rule({ walletType: 'ProviderAQR', percent: 2 });
    expect(await quote()).toEqual([20, platformOwn, 980]);
    const family = await rule({ merchantId, walletType: 'ProviderA', percent: 3 });
    expect(await quote()).toEqual([30, family, 970]);
    const own = await rule({ merchantId, walletType: 'ProviderAQR', fixed: 5, toAmount: 1000 });
    expect(await quote()).toEqual([30, family, 970]);
    expect(await quote({ amount: '999.5' })).toEqual([5, own, 994.5]);
    expect(await quote({ walletType: 'ProviderB' })).toEqual([null, undefined, 1000]);

    const winning = async (query: string) => {
      const { data } = await admin.get(`/fee-rules?order=winning&appliesTo=${merchantId}${query}`);
      return data.map(({ feeRuleId }: { feeRuleId: string }) => feeRuleId);
    };
    expect(await winning('')).toEqual([family, platformFamily, own, platformOwn]);
    expect(await winning('&walletType=ProviderAQR')).toEqual([own, platformOwn]);
    expect(await winning('&orderType=Withdrawal')).toEqual([]);
  });

  test('are quoted in the order’s currency; without a rate nothing is said of the wallet', async () => {
    const { merchantId } = await createMerchant(service);
    const path = `/fee-rules/quote?merchantId=${merchantId}&orderType=Withdrawal&walletType=TillID&amount=100&currency=INR`;
    expect((await admin.get(path)).data).toMatchObject({ rate: null, settlementAmount: null });
    for (const rate of [3, 3.25]) await admin.post('/exchange-rates', { currency: 'INR', rate });
    expect((await admin.get(path)).data).toMatchObject({ rate: 3.25, settlementAmount: 325 });
    const { data } = await admin.get('/exchange-rates/history?currency=INR');
    expect(data.map(({ rate }: { rate: number }) => rate)).toEqual([3.25, 3]);
  });

  test('an exchange rate begins after the one before, also one that was set by a clock an hour ahead', async () => {
    const { clock } = service.app.deps;
    const ahead = clock.now() + 3_600_000;
    await service.database.pool.query(
      `insert into exchange_rates (currency, valid_from, rate) values ('BDT', $1, 2)`,
      [new Date(ahead).toISOString()],
    );
    const set = async (rate: number) =>
      (await admin.post('/exchange-rates', { currency: 'BDT', rate })).data.validFrom;
    expect(await set(2.5)).toBe(new Date(ahead + 1).toISOString());
    const together = await Promise.all([2.6, 2.7, 2.8].map(set));
    expect(together.toSorted()).toEqual([2, 3, 4].map((n) => new Date(ahead + n).toISOString()));
    clock.setOffset(ahead + 5 - Date.now());
    const last = await set(2.9);
    expect(Date.parse(last)).toBeGreaterThan(ahead + 4);
    const inForce = (await admin.get('/exchange-rates')).data;
    expect(inForce).toContainEqual({ currency: 'BDT', rate: 2.9, validFrom: last });
    const history = (await admin.get('/exchange-rates/history?currency=BDT')).data;
    expect(history).toHaveLength(6);
    expect([history[0].rate, history[4].rate, history[5].rate]).toEqual([2.9, 2.5, 2]);
  });

  test('of nobody, or of no amount, are refused', async () => {
    const { merchantId } = await createMerchant(service);
    const of = (id: string, amount: string) =>
      admin.get(
        `/fee-rules/quote?merchantId=${id}&orderType=Deposit&walletType=TillID&amount=${amount}`,
      );
    expect((await of(randomUUID(), '1')).status).toBe(404);
    expect((await of(merchantId, '0')).errors).toEqual({ amount: ['must be greater than 0.'] });
  });
});
