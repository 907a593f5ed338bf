import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { cellsOf } from '../../support/csv.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  floatMember,
  signInMember,
  type TestMember,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What a member looks back on: sign-ins, days, movements, orders that have ended. */

const PASSWORD = 'correct horse';
const DAY_SECONDS = 24 * 60 * 60;

interface SignedIn extends TestMember {
  readonly client: MemberClient;
}
let member: SignedIn;
let stranger: SignedIn;
let received: CreatedOrder;
let paid: CreatedOrder;
let failed: CreatedOrder;
let openedAt: number;

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '100000' });

async function signedIn(): Promise<SignedIn> {
  const created = await createMember(service, {
    password: PASSWORD,
    methods: ['ProviderA'],
    float: '50000',
  });
  const token = await signInMember(service, created, PASSWORD);
  return { ...created, client: memberClient(service.url, token) };
}

const textOf = async (path: string) => {
  const headers = { Authorization: `Bearer ${member.client.token}` };
  const answer = await fetch(`${service.url}/api/member${path}`, { headers });
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  };
};

// Two days of one member: a deposit and an adjustment, then a payout and a deposit that failed.
beforeAll(async () => {
  stranger = await signedIn();
  await everybodyOffline(service);
  member = await signedIn();
  openedAt = service.app.deps.clock.now();
  received = await createOrder(merchant, { amount: 1500.5 });
  await completeOrder(service, received, member);
  await floatMember(service, member.memberId, '250');
  await advance(service, DAY_SECONDS);
  paid = await createOrder(merchant, {
    orderType: 'Withdrawal',
    amount: 700,
    customerAccountNumber: '03001112223',
  });
  await completeOrder(service, paid, member);
  failed = await createOrder(merchant, { amount: 99 });
  const reason = { reason: 'not me' };
  await member.client.data('POST', `/orders/${failed.orderId}/release`, reason);
});

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

describe('days', () => {
  test('sum what came and went, by account, on the day of an order’s creation', async () => {
    const { days } = await member.client.data('GET', '/days');
    const account = {
      accountId: expect.any(String),
      walletType: 'ProviderA',
      accountNumber: expect.any(String),
    };
    const nothing = { count: 0, amount: 0 };
    expect(days).toEqual([
      {
        date: dayOf(openedAt + DAY_SECONDS * 1000),
        received: nothing,
        paid: { count: 1, amount: 700 },
        failed: 1,
        floatAdded: 0,
        floatTaken: 0,
        accounts: [{ account, received: nothing, paid: { count: 1, amount: 700 } }],
      },
      {
        date: dayOf(openedAt),
        received: { count: 1, amount: 1500.5 },
        paid: nothing,
        failed: 0,
        floatAdded: 50250,
        floatTaken: 0,
        accounts: [{ account, received: { count: 1, amount: 1500.5 }, paid: nothing }],
      },
    ]);
    expect(await stranger.client.data('GET', '/days')).toMatchObject({
      days: [{ received: nothing, floatAdded: 50000 }],
    });
  });

  test('begin at midnight of the member’s clock', async () => {
    const now = service.app.deps.clock.now();
    for (const utcOffset of [-720, 345, 840]) {
      const { days } = await member.client.data('GET', `/days?utcOffset=${utcOffset}`);
      expect(days.map(({ date }: { date: string }) => date)).toEqual(
        [now, openedAt].map((at) => dayOf(at + utcOffset * 60_000)),
      );
    }
  });

  test('are those of a period of at most 93 days', async () => {
    const now = service.app.deps.clock.now();
    const from = new Date(now - DAY_SECONDS * 500).toISOString();
    const { days } = await member.client.data('GET', `/days?from=${from}`);
    expect(days).toMatchObject([{ paid: { count: 1 } }]);
    const { status, json } = await member.client.call('GET', '/days?from=2020-01-01');
    expect([status, Object.keys(json.errors)]).toEqual([400, ['from']]);
  });
});

describe('movements of the float', () => {
  test('name the order and the account, and are chosen by a period', async () => {
    const all = await member.client.data('GET', '/movements');
    expect(all).toMatchObject([
      {
        ...{ kind: 'settlement', amount: 700, orderType: 'Withdrawal', orderId: paid.orderId },
        countedAt: (await member.client.data('GET', `/orders/${paid.orderId}`)).createdAt,
      },
      { kind: 'float', amount: 250, orderId: null, orderType: null, account: null },
      {
        kind: 'settlement',
        amount: -1500.5,
        orderType: 'Deposit',
        orderReference: received.orderReference,
        account: { walletType: 'ProviderA' },
      },
      { kind: 'float', amount: 50000 },
    ]);
    const later = new Date(openedAt + DAY_SECONDS * 500).toISOString();
    expect(await member.client.data('GET', `/movements?from=${later}`)).toEqual(all.slice(0, 1));
    expect(await member.client.data('GET', `/movements?to=${later}`)).toEqual(all.slice(1));
    expect(await stranger.client.data('GET', '/movements')).toHaveLength(1);
  });
});

describe('closed orders', () => {
  const found = async (query: string) =>
    (await member.client.data('GET', `/orders?state=closed&${query}`)).map(
      ({ orderId }: { orderId: string }) => orderId,
    );

  test.each<[string, () => string, () => readonly CreatedOrder[]]>([
    ['the amount', () => '1,500.50', () => [received]],
    ['the digits of the customer', () => '1234', () => [received]],
    ['the reference', () => received.orderReference, () => [received]],
    ['the end of the reference', () => paid.orderReference.slice(-6), () => [paid]],
    ['nothing that is theirs', () => '123456789', () => []],
  ])('are found by %s', async (_what, text, orders) => {
    expect(await found(`search=${encodeURIComponent(text())}`)).toEqual(
      orders().map(({ orderId }) => orderId),
    );
  });

  test('are those of a period and of an account', async () => {
    const later = new Date(openedAt + DAY_SECONDS * 500).toISOString();
    expect(await found(`to=${later}`)).toEqual([received.orderId]);
    expect(await found(`from=${later}`)).toEqual([failed.orderId, paid.orderId]);
    const [{ accountId }] = await member.client.data('GET', '/accounts');
    expect(await found(`accountId=${accountId}`)).toHaveLength(3);
    expect(await found(`accountId=${randomUUID()}`)).toEqual([]);
  });

  test('of another member are never found', async () => {
    const mine = `/orders?state=closed&search=${received.orderReference}`;
    expect(await stranger.client.data('GET', mine)).toEqual([]);
  });

  test('have their steps, with the member’s own words alone', async () => {
    const { steps } = await member.client.data('GET', `/orders/${failed.orderId}/timeline`);
    expect(steps).toEqual([
      { at: expect.any(String), status: 'Queued', by: 'merchant', own: false, note: null },
      { at: expect.any(String), status: 'Cancelled', by: 'member', own: true, note: 'not me' },
    ]);
  });

  test('of a month are a file, with exact amounts', async () => {
    const month = dayOf(openedAt).slice(0, 7);
    const { status, type, text } = await textOf(`/orders.csv?month=${month}`);
    expect([status, type]).toEqual([200, 'text/csv; charset=utf-8']);
    const [header, ...lines] = cellsOf(text).map((cells) => cells.join(','));
    expect(header).toContain('orderReference,orderType,walletType,account,currency,amount');
    expect(lines.find((line) => line.startsWith(received.orderReference))).toContain(
      ',PKR,1500.5,1500.5,Completed,no,1234,',
    );
    expect(cellsOf((await textOf('/orders.csv?month=2020-02')).text)).toHaveLength(1);
    expect((await textOf('/orders.csv?month=2020-13')).status).toBe(400);
  });
});

describe('sign-ins of a member', () => {
  const phones = async ({ client }: SignedIn) => client.data('GET', '/sessions');

  test('are listed with the one that asks, and end one by one or all but that', async () => {
    const owner = await signedIn();
    const other = memberClient(service.url, await signInMember(service, owner, PASSWORD));
    await signInMember(service, owner, PASSWORD);
    const listed = await phones(owner);
    expect(listed).toHaveLength(3);
    const own = listed.find(({ current }: { current: boolean }) => current);
    expect(own).toMatchObject({ address: '127.0.0.1', lastUsedAt: expect.any(String) });
    const [theirs] = (await other.data('GET', '/sessions')).filter(
      ({ current }: { current: boolean }) => current,
    );
    const end = `/sessions/${theirs.sessionId}`;
    expect((await stranger.client.call('DELETE', end)).status).toBe(404);
    expect(await owner.client.data('DELETE', end)).toEqual({ ended: 1 });
    expect((await other.call('GET', '/me')).status).toBe(401);
    expect(await owner.client.data('DELETE', '/sessions')).toEqual({ ended: 1 });
    expect(await phones(owner)).toEqual([own]);
  });

  test('last for 30 days from their last use', async () => {
    const owner = await signedIn();
    for (const days of [29, 29]) {
      await advance(service, days * DAY_SECONDS);
      expect((await owner.client.call('GET', '/me')).status).toBe(200);
      await expect
        .poll(async () => (await phones(owner))[0].lastUsedAt.slice(0, 10))
        .toBe(dayOf(service.app.deps.clock.now()));
    }
    await advance(service, 31 * DAY_SECONDS);
    expect((await owner.client.call('GET', '/me')).status).toBe(401);
  });
});
