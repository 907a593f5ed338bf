import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });

describe('how a member stands', () => {
  test('says what suspending would do to each order in hand, which is what it does', async () => {
    const password = 'correct horse';
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['ProviderA'], password });
    const [queued, seen, paid] = [
      await createOrder(merchant, { amount: 610 }),
      await createOrder(merchant, { amount: 620 }),
      await createOrder(merchant, { amount: 630 }),
    ];
    for (const order of [seen, paid]) await openPage(order).data('open');
    await openPage(paid).data('confirm', { transactionDigits: '1234' });
    await signInMember(service, member, password);

    const standing = `/members/${member.memberId}/standing`;
    const { data } = await operator.get(standing);
    expect(data).toMatchObject({
      noOrdersBecause: [],
      record: { ended: 0, rejected: 0, medianConfirmSeconds: null },
      sameNumbers: [],
    });
    expect(data.sessions).toHaveLength(1);
    const fates = data.ordersInHand.map((order: { orderId: string; ifSuspended: string }) => [
      order.orderId,
      order.ifSuspended,
    ]);
    expect(fates).toEqual([
      [queued.orderId, 'matched-again'],
      [seen.orderId, 'cancelled'],
      [paid.orderId, 'stays'],
    ]);
    await operator.patch(`/members/${member.memberId}`, { status: 'suspended' });
    const statuses = [];
    for (const { orderId } of [queued, seen, paid])
      statuses.push((await operator.get(`/orders/${orderId}`)).data);
    expect(statuses.map(({ status, memberId }) => [status, memberId])).toEqual([
      ['Queued', null],
      ['CancelledAuto', member.memberId],
      ['AwaitingMemberConfirmation', member.memberId],
    ]);
    const after = (await operator.get(standing)).data;
    expect(after.noOrdersBecause).toEqual(expect.arrayContaining(['suspended']));
    expect(after.ordersInHand).toHaveLength(1);
  });

  test('lists what moved the float, and ends sign-ins on every phone', async () => {
    const password = 'correct horse';
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['ProviderA'], float: '5000', password });
    const order = await createOrder(merchant, { amount: 640 });
    await completeOrder(service, order, member);
    const { data } = await operator.get(`/members/${member.memberId}/movements`);
    expect(data).toMatchObject([
      { kind: 'settlement', amount: -640, orderReference: order.orderReference },
      { kind: 'float', amount: 5000, orderId: null, note: 'test float' },
    ]);
    const token = await signInMember(service, member, password);
    await signInMember(service, member, password);
    const ended = await operator.delete(`/members/${member.memberId}/sessions`);
    expect(ended.data).toEqual({ ended: 2 });
    const me = await fetch(`${service.url}/api/member/me`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(me.status).toBe(401);
  });

  test('names whoever else has the number of an account', async () => {
    const [one, other] = [
      await createMember(service),
      await createMember(service, { name: 'Bilal' }),
    ];
    const [account] = other.accounts;
    const number = account?.accountNumber as string;
    const { data: added } = await operator.post(`/members/${one.memberId}/accounts`, {
      walletType: 'ProviderA',
      accountNumber: `${number.slice(0, 4)} ${number.slice(4)}`,
      accountTitle: 'T',
    });
    const { data } = await operator.get(`/members/${one.memberId}/standing`);
    expect(data.sameNumbers).toEqual([
      {
        accountId: added.accountId,
        otherAccountId: account?.accountId,
        memberId: other.memberId,
        memberName: 'Bilal',
      },
    ]);
  });
});
