import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  setPresence,
  signBody,
  type TestMember,
} from '../../support/fixtures.ts';
import { postBytes } from '../../support/merchant-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/**
 * More than the engine locks beyond those that it has in mind for an order: what holds for a few
 * members must hold for a crowd.
 */
const CROWD = 8;

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { currencies: ['PKR', 'INR'] });
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

const members: TestMember[] = [];
beforeEach(() => void members.splice(0));
const join = async (
  ...options: Parameters<typeof createMember> extends [unknown, ...infer Rest] ? Rest : never
) => {
  const member = await createMember(service, ...options);
  members.push(member);
  return member;
};
/** The place in order of joining of the member who holds the order. */
const holderOf = async ({ orderId }: { readonly orderId: string }) => {
  const { rows } = await service.database.pool.query(
    'select member_id from orders where order_id = $1',
    [orderId],
  );
  return members.findIndex(({ memberId }) => memberId === rows[0].member_id);
};
const deposit = (amount: number, more: object = {}) => createOrder(merchant, { amount, ...more });

test('a member who holds no deposit of the same amount comes before any number of members whose turn is earlier but who do', async () => {
  const busy = await join({ methods: ['ProviderA'] });
  for (const amount of [501, 502]) await deposit(amount);
  for (let n = 0; n < CROWD; n += 1) await join({ methods: ['ProviderA'] });
  const holders: number[] = [];
  for (let n = 0; n < CROWD + 2; n += 1) holders.push(await holderOf(await deposit(100)));
  expect(holders.slice(0, CROWD).toSorted()).toEqual(
    Array.from({ length: CROWD }, (_, n) => n + 1),
  );
  expect(members[holders[CROWD] as number]?.memberId).toBe(busy.memberId);
  // Now everybody holds one: again by turn.
  expect(holders[CROWD + 1]).toBe(holders[0]);
});

test('so it is for as many at once, and when a waiting deposit is opened', async () => {
  for (let n = 0; n < 3; n += 1) await join({ methods: ['TillID'], maxOpenOrders: 4 });
  for (const amount of [601, 602, 603, 604, 605, 606])
    await deposit(amount, { walletType: 'TillID' });
  for (let n = 0; n < CROWD; n += 1) await join({ methods: ['TillID'], maxOpenOrders: 4 });
  const holders = await Promise.all(
    Array.from({ length: CROWD + 2 }, async () =>
      holderOf(await deposit(100, { walletType: 'TillID' })),
    ),
  );
  expect(new Set(holders).size).toBe(CROWD + 2);

  await everybodyOffline(service);
  const waiting = await deposit(100, { walletType: 'TillID' });
  for (const { memberId } of members) await setPresence(service, memberId, true);
  expect(await openPage(waiting).data('open')).toMatchObject({ view: 'pay' });
  expect(holders).not.toContain(await holderOf(waiting));
});

test('a member who takes only larger orders gets a smaller amount of a dearer currency in their turn', async () => {
  expect(
    (await operatorClient(service).post('/exchange-rates', { currency: 'INR', rate: 3.33 })).status,
  ).toBe(200);
  for (let n = 0; n < CROWD; n += 1)
    await join({ methods: ['ProviderA'], limits: { minimumPerOrder: '5000' } });
  for (let n = 0; n < CROWD; n += 1) await deposit(9_000 + n);
  const picky = await join({ methods: ['ProviderA'], limits: { minimumPerOrder: '500' } });
  await deposit(900);
  for (let n = 0; n < CROWD; n += 1) await join({ methods: ['ProviderA'] });
  for (let n = 0; n < CROWD; n += 1) await deposit(300 + n);
  // Everybody holds one. Of those who take 666 PKR, which are 200 INR, this one was given theirs
  // first.
  expect(members[await holderOf(await deposit(200, { currency: 'INR' }))]?.memberId).toBe(
    picky.memberId,
  );
});

test('new orders beside one that has been made before, so that all are decided twice, go to the members whose turn it is', async () => {
  const idempotencyKey = randomUUID();
  const body = signBody(
    { orderType: 'Deposit', amount: 77, walletType: 'ProviderA' },
    merchant.signingSecret,
  );
  const made = await postBytes(merchant, body, { idempotencyKey });
  for (let n = 0; n < 6; n += 1) await join({ methods: ['ProviderA'] });
  const holders: (string | undefined)[] = [];
  for (let n = 0; n < members.length; n += 1) {
    const [order, again] = await Promise.all([
      deposit(700 + n),
      postBytes(merchant, body, { idempotencyKey }),
    ]);
    expect(again.json).toEqual(made.json);
    holders.push(members[await holderOf(order)]?.memberId);
  }
  expect(holders).toEqual(members.map(({ memberId }) => memberId).toSorted());
});
