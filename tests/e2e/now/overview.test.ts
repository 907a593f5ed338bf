import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });

describe('why an order has no member', () => {
  test('is named by the first rule that says no, those first who come nearest', async () => {
    await everybodyOffline(service);
    const methods = ['ProviderA'] as const;
    const named = async (name: string, options: Parameters<typeof createMember>[1]) =>
      (await createMember(service, { name, methods, ...options })).memberId;
    await named('Offline', { online: false });
    await named('Poor', { float: '1499.99' });
    await named('Full', { maxOpenOrders: 0 });
    await named('Small', { limits: { maximumPerDay: '1000' } });
    await createMember(service, { name: 'Other method', methods: ['TillID'] });
    const { orderId } = await createOrder(merchant, { amount: 1500 });
    const { data } = await operator.get(`/orders/${orderId}/candidates`);
    expect(data).toMatchObject({ orderId, floatAmount: 1500 });
    expect(
      data.members.map(
        ({ name, objection, accounts }: { name: string; objection: string; accounts: never[] }) => [
          name,
          objection,
          ...accounts.map(({ objection: against }) => against),
        ],
      ),
    ).toEqual([
      ['Small', null, 'day-used-up'],
      ['Poor', 'float-too-small', null],
      ['Full', 'full', null],
      ['Offline', 'offline', null],
    ]);
    expect((await operator.get(`/orders/${randomUUID()}/candidates`)).status).toBe(404);
  });

  test('names who could take it as things are now', async () => {
    await everybodyOffline(service);
    const { orderId } = await createOrder(merchant, { amount: 1600 });
    const { memberId } = await createMember(service, { methods: ['ProviderA', 'TillID'] });
    const { data } = await operator.get(`/orders/${orderId}/candidates`);
    expect(data.members[0]).toMatchObject({
      memberId,
      objection: null,
      accounts: [{ walletType: 'ProviderA', objection: null }],
    });
  });
});

test('the overview counts what waits, what is in hand and what became of recent orders', async () => {
  await everybodyOffline(service);
  // What was made before is hours ago, and this hour has just begun.
  const intoHour = Math.floor(service.app.deps.clock.now() / 1000) % 3_600;
  await advance(service, 4 * 3_600 - intoHour);
  await createOrder(merchant, { amount: 900, walletType: 'ProviderB' });
  const member = await createMember(service, {
    methods: ['ProviderB'],
    float: '5000',
    maxOpenOrders: 7,
  });
  await createOrder(merchant, { amount: 1000, walletType: 'ProviderB' });
  const method = async () => {
    const { data } = await operator.get('/overview');
    return data.methods.find(({ walletType }: never) => walletType === 'ProviderB');
  };
  await expect.poll(method).toMatchObject({
    waiting: 1,
    oldestWaitingAt: expect.any(String),
    inHand: 1,
    toConfirm: 0,
    soonestDueAt: null,
    membersFree: 1,
    freeCapacity: 6,
    freeFloat: 4000,
  });
  const { hours } = await method();
  expect(hours).toHaveLength(12);
  expect(hours.at(-1)).toMatchObject({ created: 2, completed: 0, failed: 0 });
  const deposit = await createOrder(merchant, { amount: 1100, walletType: 'ProviderB' });
  await completeOrder(service, deposit, member);
  await expect
    .poll(async () => (await method()).hours.at(-1))
    .toMatchObject({ created: 3, completed: 1, medianConfirmSeconds: expect.any(Number) });
  const { data } = await operator.get('/overview');
  expect(data).toMatchObject({
    membersOnline: expect.any(Number),
    lastHour: { created: 3, completed: 1, failed: 0 },
    weekBefore: { created: 0, completed: 0, failed: 0 },
  });
  const parts = data.lastHour.slices.map(({ created }: { created: number }) => created);
  expect(parts).toHaveLength(12);
  expect(parts.reduce((sum: number, created: number) => sum + created)).toBe(3);
  expect(data.lastHour.slices.at(-1)).toEqual({ created: 3, completed: 1, failed: 0 });
  expect(data.weekBefore.slices).toEqual(
    Array.from({ length: 12 }, () => ({ created: 0, completed: 0, failed: 0 })),
  );
});

test('the free float of a member is not less for another one who is overdrawn', async () => {
  await everybodyOffline(service);
  const { orderId } = await createOrder(merchant, { amount: 3000, walletType: 'ProviderB' });
  await operator.post(`/orders/${orderId}/cancel`, { note: 'n' });
  await createMember(service, { methods: ['TillID'], float: '5000' });
  const { memberId } = await createMember(service, { methods: ['TillID'], float: '1000' });
  const late = await operator.post(`/orders/${orderId}/confirm`, { note: 'n', memberId });
  expect(late.status, late.text).toBe(200);
  expect((await operator.get(`/members/${memberId}`)).data.floatBalance).toBe(-2000);
  const method = async () => {
    const { data } = await operator.get('/overview');
    return data.methods.find(({ walletType }: never) => walletType === 'TillID');
  };
  await expect.poll(method).toMatchObject({ membersFree: 2, freeFloat: 5000 });
});
