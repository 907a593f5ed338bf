import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  setPresence,
  signInMember,
  type TestMember,
} from '../../support/fixtures.ts';
import { type MemberClient, memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const PASSWORD = 'correct horse';
const reason = 'no matching payment';

let first: TestMember & { readonly client: MemberClient };
let second: typeof first;

const newMember = async () => {
  const member = await createMember(service, {
    password: PASSWORD,
    online: false,
    float: '1000000',
    maxOpenOrders: 100,
  });
  return {
    ...member,
    client: memberClient(service.url, await signInMember(service, member, PASSWORD)),
  };
};

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000000' });
[first, second] = [await newMember(), await newMember()];

// The first member is the only one there, so that every order comes to them.
beforeEach(async () => {
  await setPresence(service, first.memberId, true);
  await setPresence(service, second.memberId, false);
});

/** A deposit of the first member whose customer has confirmed. */
async function confirmedDeposit(
  body: Readonly<Record<string, unknown>> = {},
): Promise<CreatedOrder> {
  const order = await createOrder(merchant, body);
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4321' });
  return order;
}

const payout = (body: Readonly<Record<string, unknown>> = {}) =>
  createOrder(merchant, {
    orderType: 'Withdrawal',
    amount: 250.25,
    customerAccountNumber: '03009998887',
    customerAccountName: 'Bilal',
    ...body,
  });

/** As an operator would see the money: what the ledger says an order moved. */
const posting = async ({ orderId }: CreatedOrder) => {
  const { rows } = await service.database.pool.query(
    'select wallet, member_float, member_id from postings where order_id = $1',
    [orderId],
  );
  return rows;
};

describe('deposit transitions', () => {
  test('AwaitingMemberConfirmation, member confirms receipt: Completed, wallet credited; confirming again answers the same', async () => {
    const order = await confirmedDeposit({ amount: 1500.5 });
    expect(await first.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      status: 'AwaitingMemberConfirmation',
      stage: 'Sent',
      amount: 1500.5,
      currency: 'PKR',
      walletType: 'ProviderA',
      transactionDigits: '4321',
      account: { accountNumber: first.accounts[0]?.accountNumber },
      allowedActions: ['confirm', 'reject', 'note'],
      dueAt: expect.any(String),
      handedOver: false,
    });
    const confirmed = await first.client.data('POST', `/orders/${order.orderId}/confirm`, {
      receivedAmount: 1500.5,
      transactionReference: 'TX-99',
    });
    expect(confirmed).toMatchObject({
      status: 'Completed',
      stage: 'Completed',
      transactionReference: 'TX-99',
      allowedActions: [],
      dueAt: null,
    });
    expect(await first.client.data('POST', `/orders/${order.orderId}/confirm`)).toEqual(confirmed);
    expect(await posting(order)).toEqual([
      { wallet: '1500.5000', member_float: '-1500.5000', member_id: first.memberId },
    ]);
  });

  test('AwaitingMemberConfirmation, member rejects: Rejected, and nothing is credited', async () => {
    const order = await confirmedDeposit();
    expect(
      await first.client.data('POST', `/orders/${order.orderId}/reject`, { reason }),
    ).toMatchObject({ status: 'Rejected', failureReason: reason });
    expect(
      await first.client.data('POST', `/orders/${order.orderId}/reject`, { reason: 'again' }),
    ).toMatchObject({ failureReason: reason });
    expect(await first.client.call('POST', `/orders/${order.orderId}/confirm`)).toMatchObject({
      status: 409,
    });
    expect(await posting(order)).toEqual([]);
  });

  test('what a rejecting member chooses to say to the customer stays with the order; the words do not reach the page', async () => {
    const order = await confirmedDeposit();
    const path = `/orders/${order.orderId}`;
    const body = { reason, reasonCode: 'otherAmount' };
    const kept = { status: 'Rejected', failureReason: reason, reasonCode: 'otherAmount' };
    expect(await first.client.data('POST', `${path}/reject`, body)).toMatchObject(kept);
    const again = { reason, reasonCode: 'reversed' };
    expect(await first.client.data('POST', `${path}/reject`, again)).toMatchObject(kept);
    expect(await first.client.data('GET', path)).toMatchObject(kept);

    const { data } = await operator.get(path);
    expect(data).toMatchObject(kept);
    expect(data.timeline.at(-1)).toMatchObject({
      trigger: 'member-rejected',
      note: reason,
      reasonCode: 'otherAmount',
    });
    expect(data.timeline.at(-2)).toMatchObject({ reasonCode: null });

    const shown = await service.app.deps.readers.pageOrder(order.orderId);
    expect(shown?.reasonCode).toBe('otherAmount');
    expect(JSON.stringify(shown, (_, value) => String(value))).not.toContain(reason);
  });

  test.each(['notreceived', '', 7])('%j is no code of a reason', async (reasonCode) => {
    const order = await confirmedDeposit();
    const path = `/orders/${order.orderId}/reject`;
    expect(await first.client.call('POST', path, { reason, reasonCode })).toMatchObject({
      status: 400,
      json: { errors: { '$.reasonCode': expect.anything() } },
    });
    expect(await first.client.data('POST', path, { reason, reasonCode: null })).toMatchObject({
      status: 'Rejected',
      reasonCode: null,
    });
  });

  test('AwaitingMemberConfirmation, member does not act in time: ManualReview, and the member can no longer decide', async () => {
    const order = await confirmedDeposit();
    await advance(service, 1_800);
    expect(await first.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      status: 'ManualReview',
      stage: 'Sent',
      allowedActions: [],
      dueAt: null,
    });
    expect(await first.client.call('POST', `/orders/${order.orderId}/confirm`)).toMatchObject({
      status: 409,
    });
    expect(
      await first.client.call('POST', `/orders/${order.orderId}/reject`, { reason }),
    ).toMatchObject({ status: 409 });
  });

  test.each(['Queued', 'AwaitingCustomerPayment'])(
    '%s, member releases it: Cancelled; after the customer confirmed it is refused',
    async (status) => {
      const order = await createOrder(merchant, {});
      if (status === 'AwaitingCustomerPayment') await openPage(order).data('open');
      expect(await first.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
        status,
        allowedActions: ['release', 'money-seen'],
      });
      expect(await first.client.call('POST', `/orders/${order.orderId}/confirm`)).toMatchObject({
        status: 409,
      });
      expect(
        await first.client.data('POST', `/orders/${order.orderId}/release`, { reason }),
      ).toMatchObject({ status: 'Cancelled' });
      expect(await orderStatus(merchant, order.orderId)).toMatchObject({
        status: 'Cancelled',
        cancelledAt: expect.any(String),
      });
      const paid = await confirmedDeposit();
      expect(
        await first.client.call('POST', `/orders/${paid.orderId}/release`, { reason }),
      ).toMatchObject({ status: 409 });
    },
  );

  test.each([
    ['1500.4999', '1,500.4999'],
    ['1500.5001', '1,500.5001'],
    ['1', '1'],
    ['99999999999999.9999', '99,999,999,999,999.9999'],
  ])('a received amount of %s instead of 1500.5 changes nothing', async (amount, text) => {
    const order = await confirmedDeposit({ amount: 1500.5 });
    const answer = await first.client.raw(
      'POST',
      `/orders/${order.orderId}/confirm`,
      `{"receivedAmount": ${amount}}`,
    );
    expect(answer).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining(`PKR\u00a0${text} is not`) },
    });
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({
      status: 'AwaitingMemberConfirmation',
    });
  });

  test.each(['1500.50001', '15.005e2', '-1', '0', '"1500.5"', 'true', '100000000000000'])(
    'a received amount written %s is refused (400)',
    async (amount) => {
      const order = await confirmedDeposit({ amount: 1500.5 });
      const answer = await first.client.raw(
        'POST',
        `/orders/${order.orderId}/confirm`,
        `{"receivedAmount": ${amount}}`,
      );
      expect(answer).toMatchObject({
        status: 400,
        json: { errors: { '$.receivedAmount': expect.any(Array) } },
      });
    },
  );

  test('1500.50 is the order’s 1500.5, to the digit', async () => {
    const order = await confirmedDeposit({ amount: 1500.5 });
    expect(
      await first.client.raw(
        'POST',
        `/orders/${order.orderId}/confirm`,
        '{"receivedAmount": 1500.50}',
      ),
    ).toMatchObject({ status: 200 });
  });
});

describe('withdrawal transitions', () => {
  test('AwaitingMemberPayout, member confirms: Completed, float added, wallet debited', async () => {
    const order = await payout();
    expect(await first.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      status: 'AwaitingMemberPayout',
      customerAccountNumber: '03009998887',
      customerAccountName: 'Bilal',
      allowedActions: ['confirm', 'reject', 'report', 'sending'],
    });
    expect(
      await first.client.data('POST', `/orders/${order.orderId}/confirm`, {
        transactionReference: 'P-1',
      }),
    ).toMatchObject({ status: 'Completed' });
    expect(await posting(order)).toEqual([
      { wallet: '-250.2500', member_float: '250.2500', member_id: first.memberId },
    ]);
  });

  test('AwaitingMemberPayout, member rejects: Rejected', async () => {
    const order = await payout();
    expect(
      await first.client.data('POST', `/orders/${order.orderId}/reject`, { reason }),
    ).toMatchObject({ status: 'Rejected' });
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({
      status: 'Rejected',
      stage: 'Failed',
      cancelledAt: null,
    });
  });

  test('AwaitingMemberPayout, member reports an abnormal payment: ManualReview, and more words are kept', async () => {
    const order = await payout();
    expect(
      await first.client.data('POST', `/orders/${order.orderId}/report`, {
        reason: 'provider down',
      }),
    ).toMatchObject({
      status: 'ManualReview',
      stage: 'Assigned',
      allowedActions: ['report'],
    });
    await first.client.data('POST', `/orders/${order.orderId}/report`, { reason: 'still down' });
    const { rows } = await service.database.pool.query(
      'select note from order_notes where order_id = $1',
      [order.orderId],
    );
    expect(rows).toEqual([{ note: 'still down' }]);
    expect(await first.client.call('POST', `/orders/${order.orderId}/confirm`)).toMatchObject({
      status: 409,
    });
  });

  test('payout window passes: another member has it; the former one sees it closed, can only report it, and that brings it to review', async () => {
    const order = await payout();
    await setPresence(service, second.memberId, true);
    await advance(service, 3_600);
    expect(await second.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      status: 'AwaitingMemberPayout',
      handedOver: false,
    });
    expect(await first.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      handedOver: true,
      account: null,
      allowedActions: ['report'],
      dueAt: null,
    });
    const { data: closed } = (await first.client.call('GET', '/orders?state=closed&limit=1')).json;
    expect(closed[0]).toMatchObject({ orderId: order.orderId, handedOver: true });
    expect((await first.client.call('GET', '/orders?state=open&limit=200')).text).not.toContain(
      order.orderId,
    );
    for (const action of ['confirm', 'reject', 'release']) {
      expect(
        await first.client.call(
          'POST',
          `/orders/${order.orderId}/${action}`,
          action === 'confirm' ? {} : { reason },
        ),
      ).toMatchObject({ status: 409 });
    }
    expect(
      await first.client.data('POST', `/orders/${order.orderId}/report`, {
        reason: 'I had paid it',
      }),
    ).toMatchObject({
      status: 'ManualReview',
      handedOver: true,
    });
    expect(await second.client.data('GET', `/orders/${order.orderId}`)).toMatchObject({
      status: 'ManualReview',
    });
  });

  test('two members have a payout in turn while retries are left, the one who has it again is asked whether they have paid it; then review', async () => {
    const order = await payout({ maxRetryCount: 3 });
    const path = `/orders/${order.orderId}`;
    await setPresence(service, second.memberId, true);
    const listed = async ({ client }: typeof first, state: 'open' | 'closed') =>
      (await client.call('GET', `/orders?state=${state}&limit=200`)).text.includes(order.orderId);
    for (const [holder, former, heldBefore] of [
      [first, null, false],
      [second, first, false],
      [first, second, true],
      [second, first, true],
    ] as const) {
      expect(await holder.client.data('GET', path)).toMatchObject({
        status: 'AwaitingMemberPayout',
        handedOver: false,
        heldBefore,
        customerAccountNumber: '03009998887',
        account: { accountNumber: expect.any(String) },
        sendingSince: null,
        seenAt: null,
        allowedActions: ['confirm', 'reject', 'report', 'sending'],
      });
      expect([await listed(holder, 'open'), await listed(holder, 'closed')]).toEqual([true, false]);
      await holder.client.data('POST', `${path}/sending`);
      await holder.client.data('POST', `${path}/seen`);
      expect(await holder.client.data('GET', path)).toMatchObject({
        sendingSince: expect.any(String),
        seenAt: expect.any(String),
      });
      if (former !== null) {
        expect(await former.client.data('GET', path)).toMatchObject({
          handedOver: true,
          heldBefore: false,
          allowedActions: ['report'],
        });
        expect([await listed(former, 'open'), await listed(former, 'closed')]).toEqual([
          false,
          true,
        ]);
      }
      await advance(service, 3_600);
    }
    expect(await operator.get(path)).toMatchObject({
      data: {
        status: 'ManualReview',
        reassignments: 3,
        formerMemberIds: [first.memberId, second.memberId, first.memberId],
        member: { memberId: second.memberId },
      },
    });
    expect((await orderStatus(merchant, order.orderId)).status).toBe('ManualReview');
  });

  test('a member who has a payout again and has paid it before confirms it', async () => {
    const order = await payout();
    const path = `/orders/${order.orderId}`;
    await setPresence(service, second.memberId, true);
    await advance(service, 7_260);
    expect(
      await first.client.data('POST', `${path}/confirm`, { transactionReference: 'PAID-BEFORE' }),
    ).toMatchObject({ status: 'Completed', heldBefore: true });
    expect(await posting(order)).toEqual([
      { wallet: '-250.2500', member_float: '250.2500', member_id: first.memberId },
    ]);
    const { text } = await first.client.call('GET', '/orders?state=closed&limit=200');
    expect(text.split(`"orderId":"${order.orderId}"`)).toHaveLength(2);
  });

  test('a deposit is not reported and a withdrawal not released', async () => {
    const [deposit, withdrawal] = [await confirmedDeposit(), await payout()];
    expect(
      await first.client.call('POST', `/orders/${deposit.orderId}/report`, { reason }),
    ).toMatchObject({ status: 409 });
    expect(
      await first.client.call('POST', `/orders/${withdrawal.orderId}/release`, { reason }),
    ).toMatchObject({ status: 409 });
  });
});

describe('what an action answers is what reading the order then answers', () => {
  const queued = () => createOrder(merchant, {});
  test.each([
    ['confirm', confirmedDeposit, 'Completed'],
    ['confirm', payout, 'Completed'],
    ['reject', confirmedDeposit, 'Rejected'],
    ['reject', payout, 'Rejected'],
    ['release', queued, 'Cancelled'],
    ['report', payout, 'ManualReview'],
  ] as const)('%s, first and once more', async (action, make, status) => {
    const { orderId } = await make();
    const body = action === 'confirm' ? { transactionReference: randomUUID() } : { reason };
    for (let times = 0; times < 2; times += 1) {
      const answered = await first.client.data('POST', `/orders/${orderId}/${action}`, body);
      expect(answered).toMatchObject({ status, account: { accountNumber: expect.any(String) } });
      expect(await first.client.data('GET', `/orders/${orderId}`)).toEqual(answered);
    }
  });

  test('report, by the member who has handed the order on', async () => {
    const { orderId } = await payout();
    await setPresence(service, second.memberId, true);
    await advance(service, 3_600);
    const answered = await first.client.data('POST', `/orders/${orderId}/report`, {
      reason: 'I had paid it',
    });
    expect(answered).toMatchObject({ handedOver: true, account: null });
    expect(await first.client.data('GET', `/orders/${orderId}`)).toEqual(answered);
  });
});

describe('whose order it is', () => {
  test('others’ and absent orders are 404 for every call, and nothing changes', async () => {
    const orders = [await confirmedDeposit(), await payout(), await createOrder(merchant, {})];
    const ids = [
      ...orders.map(({ orderId }) => orderId),
      randomUUID(),
      'nonsense',
      orders[0]?.orderReference as string,
      "'%20or%201=1",
    ];
    const states = () =>
      Promise.all(orders.map(async ({ orderId }) => (await orderStatus(merchant, orderId)).status));
    const before = await states();
    for (const id of ids) {
      const answers = [
        await second.client.call('GET', `/orders/${id}`),
        await second.client.call('POST', `/orders/${id}/confirm`, {}),
        await second.client.call('POST', `/orders/${id}/reject`, { reason }),
        await second.client.call('POST', `/orders/${id}/report`, { reason }),
        await second.client.call('POST', `/orders/${id}/release`, { reason }),
      ];
      for (const answer of answers)
        expect(answer).toMatchObject({
          status: 404,
          json: { error: expect.stringMatching(/ot found\.$/) },
        });
    }
    expect(await states()).toEqual(before);
    const lists =
      (await second.client.call('GET', '/orders?limit=200')).text +
      (await second.client.call('GET', '/orders?state=closed&limit=200')).text;
    for (const { orderId } of orders.slice(0, 3)) expect(lists).not.toContain(orderId);
  });

  test.each([
    ['/reject', {}],
    ['/reject', { reason: '' }],
    ['/reject', { reason: '   ' }],
    ['/reject', { reason: 'x'.repeat(1001) }],
    ['/reject', { reason: 'a\0b' }],
    ['/reject', { reason: 1 }],
    ['/reject', { reason: 'x', more: 1 }],
    ['/release', {}],
    ['/report', {}],
    ['/confirm', { transactionReference: 'x'.repeat(101) }],
    ['/confirm', { received: 1 }],
  ])('%s %j is refused (400)', async (path, body) => {
    const order = await confirmedDeposit();
    expect(await first.client.call('POST', `/orders/${order.orderId}${path}`, body)).toMatchObject({
      status: 400,
    });
    expect(await orderStatus(merchant, order.orderId)).toMatchObject({
      status: 'AwaitingMemberConfirmation',
    });
  });
});

describe('open orders', () => {
  test('are found by amount, digits, reference and account, as closed ones are; another member finds none', async () => {
    const deposit = await createOrder(merchant, { amount: 2719.5, merchantOrderRef: randomUUID() });
    await openPage(deposit).data('open');
    await openPage(deposit).data('confirm', { transactionDigits: '9081' });
    const withdrawal = await payout({ amount: 613.25, customerAccountNumber: '03331118887' });
    const [deposits, withdrawals] = [[deposit.orderId], [withdrawal.orderId]];
    const found = async (query: string, { client } = first) =>
      (await client.data('GET', `/orders?state=open&${query}`)).map(
        ({ orderId }: { orderId: string }) => orderId,
      );
    expect(await found('search=2%2C719.50')).toEqual(deposits);
    expect(await found('search=9081')).toEqual(deposits);
    expect(await found(`search=${withdrawal.orderReference.slice(-6)}`)).toEqual(withdrawals);
    expect(await found('search=0333-1118887')).toEqual(withdrawals);
    expect(await found('search=77777777')).toEqual([]);
    expect(await found('search=9081', second)).toEqual([]);
    const { account } = await first.client.data('GET', `/orders/${deposit.orderId}`);
    expect(await found(`search=9081&accountId=${account.accountId}`)).toEqual(deposits);
    expect(await found(`search=9081&accountId=${randomUUID()}`)).toEqual([]);
    expect(await found('search=9081&to=2000-01-01')).toEqual([]);
  });
});

describe('lists', () => {
  test('open and closed orders page through everything once, open oldest first, closed newest first', async () => {
    const lister = await newMember();
    await setPresence(service, first.memberId, false);
    await setPresence(service, lister.memberId, true);
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1)
      ids.push((await createOrder(merchant, { amount: 100 + n })).orderId);
    const page = async (state: string) => {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { data, nextCursor } = (
          await lister.client.call('GET', `/orders?state=${state}&limit=3&cursor=${cursor}`)
        ).json;
        seen.push(...data.map(({ orderId }: { orderId: string }) => orderId));
        if (nextCursor === null) return seen;
        cursor = nextCursor;
      }
    };
    expect(await page('open')).toEqual(ids);
    expect(await page('closed')).toEqual([]);
    for (const id of ids.slice(0, 5))
      await lister.client.data('POST', `/orders/${id}/release`, { reason });
    expect(await page('open')).toEqual(ids.slice(5));
    expect(await page('closed')).toEqual(ids.slice(0, 5).reverse());
  });

  test.each(['state=all', 'limit=0', 'limit=201', 'limit=x', 'cursor=nonsense', 'more=1'])(
    '?%s is refused (400)',
    async (query) => {
      expect(await first.client.call('GET', `/orders?${query}`)).toMatchObject({ status: 400 });
    },
  );
});
