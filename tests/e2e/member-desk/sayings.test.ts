import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  orderStatus,
  setPresence,
  signInMember,
  type TestMember,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What a member says of an order, and of an account, without deciding anything. */

const PASSWORD = 'correct horse';

let member: TestMember & { readonly client: MemberClient };
let other: typeof member;

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });
[member, other] = [await newMember(), await newMember()];

async function newMember() {
  const created = await createMember(service, {
    password: PASSWORD,
    methods: ['ProviderA', 'TillID'],
    online: false,
    float: '100000',
    maxOpenOrders: 100,
  });
  const token = await signInMember(service, created, PASSWORD);
  return { ...created, client: memberClient(service.url, token) };
}

// The first member alone is there, so that every order comes to them.
beforeEach(async () => {
  await everybodyOffline(service);
  await setPresence(service, member.memberId, true);
});

const act = (orderId: string, action: string, body?: object, who = member) =>
  who.client.call('POST', `/orders/${orderId}/${action}`, body);
const detail = async ({ orderId }: CreatedOrder) => (await operator.get(`/orders/${orderId}`)).data;
const queue = async (name: string): Promise<readonly { readonly orderId: string }[]> =>
  (await operator.get(`/queues/orders?queue=${name}`)).data;
const count = async (name: string) =>
  (await operator.get('/queues')).data.queues.find(
    ({ queue: named }: { queue: string }) => named === name,
  ).count;
const withdraw = () =>
  createOrder(merchant, { orderType: 'Withdrawal', customerAccountNumber: '03001112223' });

async function paidDeposit(): Promise<CreatedOrder> {
  const order = await createOrder(merchant, { amount: 2500 });
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4821' });
  return order;
}

describe('another amount than the order’s', () => {
  test('is kept, leaves the deposit as it is, and puts it first in the queue', async () => {
    const escalated = await paidDeposit();
    await operator.post(`/orders/${escalated.orderId}/escalate`, { note: 'n' });
    const order = await paidDeposit();
    const before = await count('paidNotConfirmed');
    const { status, json } = await act(order.orderId, 'note', {
      receivedAmount: 2300.5,
      note: ' two hundred short ',
    });
    expect([status, json.data]).toMatchObject([
      200,
      {
        status: 'AwaitingMemberConfirmation',
        told: [{ kind: 'otherAmount', amount: 2300.5, note: 'two hundred short' }],
        allowedActions: ['confirm', 'reject', 'note'],
      },
    ]);
    const listed = await queue('paidNotConfirmed');
    expect(listed[0]).toMatchObject({
      orderId: order.orderId,
      told: { kind: 'otherAmount', amount: 2300.5, note: 'two hundred short' },
    });
    expect(listed.map(({ orderId }) => orderId)).toContain(escalated.orderId);
    expect(listed).toHaveLength(before + 1);
    await expect.poll(() => count('paidNotConfirmed')).toBe(before + 1);
    expect((await detail(order)).timeline.at(-1)).toMatchObject({
      kind: 'note',
      about: 'otherAmount',
      amount: 2300.5,
      actor: { kind: 'member', id: member.memberId },
    });
    await act(order.orderId, 'confirm');
    expect((await queue('paidNotConfirmed')).map(({ orderId }) => orderId)).not.toContain(
      order.orderId,
    );
  });

  test('is kept once however often it is said, and ten times at most', async () => {
    const { orderId } = await paidDeposit();
    const note = (receivedAmount: number) => act(orderId, 'note', { receivedAmount });
    const statuses = [];
    for (let amount = 1; amount <= 10; amount += 1) statuses.push((await note(amount)).status);
    statuses.push((await note(10)).status);
    expect(statuses).toEqual(Array(11).fill(200));
    expect(await note(11)).toMatchObject({ status: 409, json: { code: 'too-many' } });
    const { told } = await member.client.data('GET', `/orders/${orderId}`);
    expect(told.map(({ amount }: { amount: number }) => amount)).toEqual(
      Array.from({ length: 10 }, (_, at) => at + 1),
    );
  });

  test('is refused where it is the order’s, of a withdrawal, and before the customer confirmed', async () => {
    const paid = await paidDeposit();
    expect(await act(paid.orderId, 'note', { receivedAmount: 2500 })).toMatchObject({
      status: 422,
      json: { code: 'unprocessable' },
    });
    expect((await act(paid.orderId, 'note', { receivedAmount: 0 })).status).toBe(400);
    expect((await act(paid.orderId, 'note', {})).status).toBe(400);
    for (const { orderId } of [await withdraw(), await createOrder(merchant)])
      expect(await act(orderId, 'note', { receivedAmount: 1 })).toMatchObject({
        status: 409,
        json: { code: 'wrong-state' },
      });
    expect((await act(paid.orderId, 'note', { receivedAmount: 1 }, other)).status).toBe(404);
  });
});

describe('money that is there before the customer has confirmed', () => {
  test('is shown to operators once the deposit has ended without it, until it is confirmed', async () => {
    const order = await createOrder(merchant);
    await openPage(order).data('open');
    const { json } = await act(order.orderId, 'money-seen', {});
    expect(json.data).toMatchObject({
      status: 'AwaitingCustomerPayment',
      told: [{ kind: 'moneySeen' }],
    });
    expect((await act(order.orderId, 'money-seen', { note: 'again' })).json.data.told).toHaveLength(
      1,
    );
    expect(await queue('moneySeen')).toEqual([]);
    await advance(service, 900);
    expect(await queue('moneySeen')).toMatchObject([
      { orderId: order.orderId, status: 'Expired', told: { kind: 'moneySeen' } },
    ]);
    const { memberId } = member;
    await operator.post(`/orders/${order.orderId}/confirm`, { note: 'it came', memberId });
    expect(await queue('moneySeen')).toEqual([]);
  });

  test('is answered as done when it was kept, though the customer goes to another member at once', async () => {
    const third = await createMember(service, { methods: ['ProviderB'], maxOpenOrders: 100 });
    const answers: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const order = await createOrder(merchant);
      await openPage(order).data('open');
      const [said] = await Promise.all([
        act(order.orderId, 'money-seen', {}),
        openPage(order).post('method', { walletType: 'ProviderB' }),
      ]);
      const kept = await service.database.pool.query(
        'select from order_notes where order_id = $1',
        [order.orderId],
      );
      expect([said.status, kept.rowCount]).toEqual(said.status === 200 ? [200, 1] : [404, 0]);
      answers.push(said.status);
    }
    expect(answers).toContain(200);
    await setPresence(service, third.memberId, false);
  });

  test('is refused once the customer has confirmed', async () => {
    const { orderId } = await paidDeposit();
    const { status, json } = await act(orderId, 'money-seen', {});
    expect([status, json.code]).toEqual([409, 'wrong-state']);
    expect(json.error).toContain('The customer has confirmed');
  });
});

describe('a payout that is being sent', () => {
  const dueAt = async ({ orderId }: CreatedOrder) =>
    Date.parse((await member.client.data('GET', `/orders/${orderId}`)).dueAt);

  test('keeps its deadline without a grace, and shows since when', async () => {
    const order = await withdraw();
    const before = await dueAt(order);
    const { json } = await act(order.orderId, 'sending');
    expect(json.data.sendingSince).toEqual(expect.any(String));
    expect(await dueAt(order)).toBe(before);
    expect((await detail(order)).timeline.at(-1)).toMatchObject({ about: 'sending' });
  });

  test('is handed on only after the payout window and the grace, said once or often', async () => {
    await operator.patch('/settings', { sendingGraceSeconds: 600 });
    const [sent, unsaid] = [await withdraw(), await withdraw()];
    const before = await dueAt(sent);
    for (let time = 0; time < 3; time += 1) await act(sent.orderId, 'sending');
    expect(await dueAt(sent)).toBe(before + 600_000);
    await setPresence(service, other.memberId, true);
    await advance(service, 3_601);
    const holder = async (order: CreatedOrder) => (await detail(order)).member.memberId;
    expect([await holder(sent), await holder(unsaid)]).toEqual([member.memberId, other.memberId]);
    expect(await act(unsaid.orderId, 'sending')).toMatchObject({ status: 409 });
    await advance(service, 600);
    expect(await holder(sent)).toBe(other.memberId);
    await operator.patch('/settings', { sendingGraceSeconds: 0 });
  });

  test('may be confirmed, and is no word for deposits', async () => {
    const order = await withdraw();
    await act(order.orderId, 'sending');
    expect((await act(order.orderId, 'confirm')).status).toBe(200);
    expect((await orderStatus(merchant, order.orderId)).status).toBe('Completed');
    const { orderId } = await createOrder(merchant);
    expect((await act(orderId, 'sending')).status).toBe(409);
    expect((await act(order.orderId, 'sending', undefined, other)).status).toBe(404);
  });
});

describe('the alert of an order', () => {
  test('is seen once, with how late, and operators see it', async () => {
    const order = await withdraw();
    expect((await member.client.data('GET', `/orders/${order.orderId}`)).seenAt).toBeNull();
    await advance(service, 7);
    const first = (await act(order.orderId, 'seen')).json.data;
    expect(first.seenAfterMs).toBeGreaterThanOrEqual(7_000);
    await advance(service, 60);
    expect((await act(order.orderId, 'seen')).json.data).toEqual(first);
    expect(await member.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      seenAt: first.seenAt,
    });
    expect((await detail(order)).alerts).toMatchObject([
      { memberId: member.memberId, kind: 'assigned', seenAt: first.seenAt, secondAt: null },
    ]);
  });

  test('of a deposit begins when its customer has confirmed', async () => {
    const order = await createOrder(merchant);
    expect((await act(order.orderId, 'seen')).json.data).toMatchObject({ seenAt: null });
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '4821' });
    const { seenAfterMs } = (await act(order.orderId, 'seen')).json.data;
    expect(seenAfterMs).toBeGreaterThanOrEqual(0);
    expect((await detail(order)).alerts).toMatchObject([{ kind: 'customer-confirmed' }]);
    expect((await act(order.orderId, 'seen', undefined, other)).status).toBe(404);
  });
});

test('an account that its member stops using loses what is not paid, and only an operator opens it again', async () => {
  await everybodyOffline(service);
  const who = await newMember();
  await setPresence(service, who.memberId, true);
  const [account] = who.accounts;
  const accountId = account?.accountId as string;
  const [unpaid, paid] = [await createOrder(merchant), await createOrder(merchant)];
  await openPage(paid).data('open');
  await openPage(paid).data('confirm', { transactionDigits: '4821' });
  const stop = (whose = who) => whose.client.call('POST', `/accounts/${accountId}/stop`);
  expect((await stop(other)).status).toBe(404);
  expect((await stop()).json.data).toMatchObject({ accountId, status: 'suspended' });
  expect((await stop()).json.data.status).toBe('suspended');
  expect(await detail(unpaid)).toMatchObject({ memberId: null });
  expect(await who.client.data('GET', '/orders')).toMatchObject([{ orderId: paid.orderId }]);
  await who.client.data('POST', `/accounts/${accountId}/pause`, { paused: false });
  expect((await createOrder(merchant)).status).toBe('Awaiting');
  const { data } = await operator.get(`/audit-log?target=${who.memberId}`);
  expect(data[0]).toMatchObject({
    action: 'member.update',
    detail: { accountId, accountStatus: 'suspended' },
  });
});

describe('an account that its member has paused', () => {
  const pause = (accountId: string, paused: boolean, who = member) =>
    who.client.call('POST', `/accounts/${accountId}/pause`, { paused });
  const idOf = (walletType: string) =>
    member.accounts.find((account) => account.walletType === walletType)?.accountId as string;
  const codes = async () =>
    (await member.client.data('GET', '/me')).noOrdersBecause.map(
      ({ code }: { code: string }) => code,
    );

  test('is offered no order, keeps those in hand, and is offered them again', async () => {
    const accountId = idOf('TillID');
    const inHand = await createOrder(merchant, { walletType: 'TillID' });
    expect((await pause(accountId, true)).json.data).toMatchObject({ accountId, paused: true });
    expect((await createOrder(merchant, { walletType: 'TillID' })).status).toBe('Awaiting');
    expect((await createOrder(merchant)).status).toBe('Queued');
    expect(await codes()).toEqual(['account-paused']);
    await openPage(inHand).data('open');
    expect((await orderStatus(merchant, inHand.orderId)).status).toBe('AwaitingCustomerPayment');
    await pause(idOf('ProviderA'), true);
    expect(await codes()).toEqual(['all-accounts-paused']);
    await pause(idOf('ProviderA'), false);
    expect((await pause(accountId, false)).json.data.paused).toBe(false);
    expect(await codes()).toEqual([]);
    expect((await createOrder(merchant, { walletType: 'TillID' })).status).toBe('Queued');
  });

  test('takes a withdrawal that waited for it at once when it goes on', async () => {
    await pause(idOf('TillID'), true);
    await pause(idOf('ProviderA'), true);
    const order = await withdraw();
    expect(order.status).toBe('Awaiting');
    await pause(idOf('ProviderA'), false);
    await expect
      .poll(async () => (await orderStatus(merchant, order.orderId)).status)
      .toBe('AwaitingMemberPayout');
    await pause(idOf('TillID'), false);
  });

  test('is the member’s own', async () => {
    expect((await pause(idOf('TillID'), true, other)).status).toBe(404);
    expect((await pause(randomUUID(), true)).status).toBe(404);
  });
});
