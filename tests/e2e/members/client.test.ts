import {
  MEMBER_ADD_ACCOUNT,
  MEMBER_CONFIRM_ORDER,
  MEMBER_LIST_ORDERS,
  MEMBER_READ_ME,
  MEMBER_REJECT_ORDER,
  MEMBER_SIGN_IN,
  PAGE_CONFIRM,
  PAGE_OPEN,
  PAGE_STATE,
} from '@munshi/api';
import { createApiClient } from '@munshi/web';
import { expect } from 'vitest';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';

const PASSWORD = 'correct horse';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
const member = await createMember(service, { password: PASSWORD, float: '12345678901234.5678' });

/** What a call answers. Throws its refusal. */
async function answerOf<Answer>(
  outcome: Promise<{ ok: true; answer: Answer } | { ok: false; refusal: object }>,
): Promise<Answer> {
  const settled = await outcome;
  if (!settled.ok) throw new Error(JSON.stringify(settled.refusal));
  return settled.answer;
}

test('the typed client works an order with a member and a customer, digit for digit', async () => {
  const stranger = createApiClient({ baseUrl: service.url });
  const body = { username: member.username, password: PASSWORD };
  const { data: session } = await answerOf(stranger.call(MEMBER_SIGN_IN, { body }));
  const client = createApiClient({ baseUrl: service.url, token: session.token });
  const { data: me } = await answerOf(client.call(MEMBER_READ_ME, {}));
  expect(me.float.balance).toBe('12345678901234.5678');
  expect(me.capacity.maxOpenOrders).toBe(10);

  const amount = '1500.1234';
  const order = await createOrder(merchant, { amount: 1500.1234 });
  const query = Object.fromEntries(new URL(order.paymentPageUrl).searchParams) as {
    expires: string;
    token: string;
  };
  const link = { params: { orderId: order.orderId }, query };
  const opened = await answerOf(stranger.call(PAGE_OPEN, link));
  expect(opened.data).toMatchObject({
    amount,
    view: 'pay',
    allowedActions: ['method', 'confirm', 'cancel'],
  });
  await answerOf(stranger.call(PAGE_CONFIRM, { ...link, body: { transactionDigits: '4321' } }));

  const { data: open } = await answerOf(client.call(MEMBER_LIST_ORDERS, { query: { limit: 1 } }));
  expect(open).toMatchObject([
    { orderId: order.orderId, amount, allowedActions: ['confirm', 'reject', 'note'] },
  ]);
  const done = { params: { orderId: order.orderId }, body: { receivedAmount: amount } };
  const { data: completed } = await answerOf(client.call(MEMBER_CONFIRM_ORDER, done));
  expect(completed).toMatchObject({ status: 'Completed', allowedActions: [] });
  const { data: state } = await answerOf(stranger.call(PAGE_STATE, link));
  expect(state).toMatchObject({ view: 'completed', allowedActions: [] });

  expect(
    await client.call(MEMBER_REJECT_ORDER, {
      params: { orderId: order.orderId },
      body: { reason: 'no' },
    }),
  ).toMatchObject({ ok: false, refusal: { status: 409, code: 'wrong-state' } });
});

test('a refused field is named, and a write under one key is done once', async () => {
  const stranger = createApiClient({ baseUrl: service.url });
  const { data } = await answerOf(
    stranger.call(MEMBER_SIGN_IN, { body: { username: member.username, password: PASSWORD } }),
  );
  const client = createApiClient({ baseUrl: service.url, token: data.token });
  const body = { walletType: 'ProviderA', accountNumber: '1', accountTitle: 'T' } as const;
  expect(
    await client.call(MEMBER_ADD_ACCOUNT, { body: { ...body, maximumPerOrder: '0' } }),
  ).toMatchObject({
    ok: false,
    refusal: { status: 400, code: 'invalid', errors: { '$.maximumPerOrder': [expect.anything()] } },
  });
  const keyed = { body, idempotencyKey: 'the same' };
  const first = await client.call(MEMBER_ADD_ACCOUNT, keyed);
  expect(await client.call(MEMBER_ADD_ACCOUNT, keyed)).toEqual(first);
  expect(await client.call(MEMBER_ADD_ACCOUNT, { body })).toMatchObject({
    ok: false,
    refusal: { code: 'already-exists' },
  });
});
