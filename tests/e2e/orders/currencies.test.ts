import { afterEach, beforeAll, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** An account with `currencies` gets orders in these alone, by every way to a member. */

/** More than the engine locks beyond those that it has in mind for an order. */
const CROWD = 8;

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { currencies: ['PKR', 'BDT'], balance: '100000' });
beforeAll(async () => {
  await operator.post('/exchange-rates', { currency: 'BDT', rate: 2.3 });
});
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

const METHODS = ['ProviderA', 'ProviderAQR', 'ProviderB'] as const;
const karachi = (more: object = {}) =>
  createMember(service, { methods: METHODS, currencies: ['PKR'], ...more });
const dhaka = (more: object = {}) =>
  createMember(service, { methods: METHODS, currencies: ['BDT'], ...more });
const crowd = () => Promise.all(Array.from({ length: CROWD }, () => karachi()));

const deposit = (more: object = {}) => createOrder(merchant, { currency: 'BDT', ...more });
const payout = (more: object = {}) =>
  deposit({ orderType: 'Withdrawal', customerAccountNumber: '01712345678', ...more });

interface Created {
  readonly orderId: string;
}
const read = async ({ orderId }: Created) => {
  const { rows } = await service.database.pool.query<Record<'memberId' | 'status', string | null>>(
    'select member_id as "memberId", status from orders where order_id = $1',
    [orderId],
  );
  return rows[0];
};
const holderOf = async (order: Created) => (await read(order))?.memberId;

test('a new order goes to an account of its currency, however many others come before', async () => {
  const others = new Set((await crowd()).map(({ memberId }) => memberId));
  expect(await read(await deposit())).toEqual({ memberId: null, status: 'Awaiting' });
  const { memberId } = await dhaka();
  expect(await holderOf(await deposit())).toBe(memberId);
  expect(await holderOf(await payout())).toBe(memberId);
  expect(others).toContain(await holderOf(await deposit({ currency: 'PKR' })));
  const every = await createMember(service, { methods: METHODS });
  expect(await holderOf(await deposit())).toBe(every.memberId);
});

test('a page that is opened, and another method, find no account of another currency', async () => {
  await crowd();
  const waiting = openPage(await deposit());
  expect(await waiting.data('open')).toMatchObject({ view: 'waiting' });
  const { methods } = await waiting.state();
  expect(methods.filter(({ served }: { served: boolean }) => served)).toEqual([]);

  await createMember(service, { methods: ['ProviderB'], currencies: ['BDT'] });
  const paying = await deposit({ walletType: 'ProviderB' });
  const opened = await openPage(paying).data('open');
  expect(opened).toMatchObject({ view: 'pay', method: { walletType: 'ProviderB' } });
  expect(opened.methods.filter(({ served }: { served: boolean }) => served)).toEqual([]);
  const bySwitch = () => openPage(paying).post('method', { walletType: 'ProviderA' });
  expect(await bySwitch()).toMatchObject({ status: 409, json: { code: 'no-member' } });
  const { memberId } = await dhaka();
  expect((await bySwitch()).status).toBe(200);
  expect(await holderOf(paying)).toBe(memberId);
});

test('a payout that waits, or comes back, goes to an account of its currency', async () => {
  await crowd();
  const waiting = await payout();
  expect(await holderOf(waiting)).toBeNull();
  const first = await dhaka({ maxOpenOrders: 1 });
  await expect.poll(() => holderOf(waiting)).toBe(first.memberId);

  const second = await dhaka();
  await advance(service, 7_200);
  expect(await holderOf(waiting)).toBe(second.memberId);
});

test('a deposit whose member is suspended goes to an account of its currency', async () => {
  await crowd();
  const first = await dhaka();
  const held = await deposit();
  const second = await dhaka();
  await operator.patch(`/members/${first.memberId}`, { status: 'suspended' });
  await expect.poll(() => holderOf(held)).toBe(second.memberId);
});

test('operators read of whom the currency is another one', async () => {
  await karachi({ name: 'Karachi' });
  const { orderId } = await deposit();
  const { data } = await operator.get(`/orders/${orderId}/candidates`);
  const asked = data.members.find(({ name }: { name: string }) => name === 'Karachi');
  expect(asked).toMatchObject({
    objection: null,
    accounts: [{ walletType: 'ProviderA', objection: 'other-currency' }],
  });
});

test('fewer currencies apply to the next order; more wait for a second operator', async () => {
  const member = await createMember(service, { methods: ['ProviderA'] });
  await service.database.pool.query('update settings set require_second_operator = true');
  const path = `/member-accounts/${member.accounts[0]?.accountId}`;
  const held = await deposit();
  expect(await operator.patch(path, { currencies: ['PKR'] })).toMatchObject({ status: 200 });
  expect(await holderOf(held)).toBe(member.memberId);
  expect(await read(await deposit())).toEqual({ memberId: null, status: 'Awaiting' });
  expect(await holderOf(await deposit({ currency: 'PKR' }))).toBe(member.memberId);
  for (const currencies of [null, ['BDT'], ['PKR', 'BDT']])
    expect(await operator.patch(path, { currencies })).toMatchObject({
      data: { status: 'pendingApproval' },
    });
  expect(await operator.patch(path, { currencies: [] })).toMatchObject({ status: 400 });
});
