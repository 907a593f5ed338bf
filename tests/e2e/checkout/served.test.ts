import { randomUUID } from 'node:crypto';
import type { WalletType } from '@munshi/core';
import { expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
  type TestMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What the page says before a customer taps, and how long it says that it takes. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service);

const leave = ({ memberId }: TestMember) => setPresence(service, memberId, false);

/** The methods that somebody can receive, by the page of an order that waits for a choice. */
async function servedFor(amount: number) {
  const page = openPage(await createOrder(merchant, { walletType: 'BankAccount', amount }));
  const { methods } = await page.state();
  expect(methods).toHaveLength(6);
  return served(methods);
}
const served = (methods: readonly { walletType: WalletType; served: boolean }[]) =>
  methods.filter((method) => method.served).map(({ walletType }) => walletType);

test('a method is served while somebody there can take the order by it', async () => {
  const limits = { maximumPerOrder: '1000' };
  const first = await createMember(service, { methods: ['ProviderA', 'TillID'], limits });
  const second = await createMember(service, { methods: ['ProviderBQR'], float: '500' });
  expect(await servedFor(100)).toEqual(['ProviderA', 'TillID', 'ProviderBQR']);
  expect(await servedFor(800)).toEqual(['ProviderA', 'TillID']);
  expect(await servedFor(1_001)).toEqual([]);
  await operator.patch(`/members/${first.memberId}`, { status: 'suspended' });
  expect(await servedFor(100)).toEqual(['ProviderBQR']);
  await leave(second);
  expect(await servedFor(100)).toEqual([]);
});

test('the member who has the order would give it back for another method', async () => {
  const methods = ['ProviderA', 'ProviderAQR'] as const;
  const member = await createMember(service, { methods, maxOpenOrders: 1, float: '100' });
  expect(await servedFor(100)).toEqual(methods);
  const order = await createOrder(merchant, { amount: 100 });
  const opened = await openPage(order).data('open');
  expect(opened.view).toBe('pay');
  expect(served(opened.methods)).toEqual(['ProviderAQR']);
  expect(await servedFor(100)).toEqual([]);
  await leave(member);
});

test('how long it usually takes is the median of each method, once enough is known', async () => {
  const password = randomUUID();
  const member = await createMember(service, {
    methods: ['ProviderA', 'TillID'],
    password,
    float: '1000000',
    maxOpenOrders: 100,
  });
  const client = memberClient(service.url, await signInMember(service, member, password));
  const paid = async (walletType: WalletType) => {
    const order = await createOrder(merchant, { walletType });
    await openPage(order).data('open');
    const confirmed = await openPage(order).data('confirm', { transactionDigits: '4321' });
    return { order, shown: confirmed.usualSeconds };
  };
  expect((await paid('ProviderA')).shown).toBeNull();
  for (const seconds of [30, 90, 600, 60, 120]) {
    const { order } = await paid('ProviderA');
    await advance(service, seconds);
    await client.data('POST', `/orders/${order.orderId}/confirm`);
  }
  await advance(service, 600);
  const [mobile, till] = [await paid('ProviderA'), await paid('TillID')];
  const shown = async ({ order }: typeof mobile) => (await openPage(order).state()).usualSeconds;
  await expect.poll(() => shown(mobile)).toBeGreaterThanOrEqual(90);
  expect(await shown(mobile)).toBeLessThan(100);
  expect(await shown(till)).toBeNull();
  expect((await openPage(mobile.order).get()).text).toContain('usually takes about 2 minutes');
  expect((await openPage(till.order).get()).text).toContain('usually takes a few minutes');
});
