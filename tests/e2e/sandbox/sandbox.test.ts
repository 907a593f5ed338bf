import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  everybodyOffline,
  orderStatus,
} from '../../support/fixtures.ts';
import { createOperator, operatorClient, send } from '../../support/operator-client.ts';
import { OPERATOR_TOKEN, startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** With a sandbox clock an admin plays merchant, customer and member. */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, {
  balance: '100000',
  depositMethods: ['ProviderA', 'ProviderAQR', 'ProviderBQR', 'BankAccount'],
  defaultCallbackUrl: 'https://shop.example/hook',
});
const pool = service.database.pool;

const DEPOSIT = {
  merchantId: merchant.merchantId,
  orderType: 'Deposit',
  walletType: 'ProviderA',
  amount: 2500,
};
const make = (body: object = {}) => operator.post('/sandbox/orders', { ...DEPOSIT, ...body });
const play = (who: 'customer' | 'member', orderId: string, body: object) =>
  operator.post(`/sandbox/orders/${orderId}/${who}`, body);
async function alone(...methods: ('ProviderA' | 'ProviderAQR' | 'ProviderBQR')[]) {
  await everybodyOffline(service);
  return createMember(service, { name: 'Bilal', methods });
}

test('a deposit is made, paid and confirmed as merchant, customer and member would', async () => {
  const { memberId } = await alone('ProviderA');
  const made = await make({ merchantOrderRef: 'INV-1' });
  expect(made).toMatchObject({
    status: 200,
    data: {
      status: 'Queued',
      merchantName: 'Test Merchant',
      customer: {
        allowedActions: ['open', 'method', 'cancel'],
        asksFor: 'transactionDigits',
        transactionDigits: 4,
      },
      member: { memberId, name: 'Bilal', online: true },
    },
  });
  const { orderId, paymentPageUrl } = made.data;
  const page = await fetch(paymentPageUrl);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('2,500');

  const opened = await play('customer', orderId, { action: 'open' });
  expect(opened.data.customer.allowedActions).toContain('confirm');
  const paid = await play('customer', orderId, { action: 'confirm', transactionDigits: '4821' });
  expect(paid.data).toMatchObject({
    status: 'AwaitingMemberConfirmation',
    customer: { allowedActions: [] },
    member: { allowedActions: ['confirm', 'reject'] },
  });
  const ended = await play('member', orderId, { action: 'confirm' });
  expect(ended.data).toMatchObject({ status: 'Completed', member: { allowedActions: [] } });
  expect(await orderStatus(merchant, orderId)).toMatchObject({ status: 'Completed' });

  const { timeline, deliveries, postings } = (await operator.get(`/orders/${orderId}`)).data;
  expect(timeline.map(({ actor }: { actor: { kind: string } }) => actor.kind)).toEqual([
    'merchant',
    'customer',
    'customer',
    'member',
  ]);
  expect([deliveries.length, postings.length]).toEqual([1, 1]);
});

test('each of it names the admin in the audit log', async () => {
  await alone('ProviderA');
  const { orderId } = (await make()).data;
  await play('customer', orderId, { action: 'open' });
  await play('member', orderId, { action: 'release', reason: 'busy' });
  const { rows } = await pool.query(
    `select action, actor_name, target, detail from audit_log
     where target = any($1) and action like 'sandbox.%' order by audit_id desc limit 3`,
    [[orderId, merchant.merchantId]],
  );
  expect(rows.reverse()).toMatchObject([
    { action: 'sandbox.order', target: merchant.merchantId, actor_name: 'OPERATOR_TOKEN' },
    { action: 'sandbox.customer', target: orderId, detail: { act: 'open' } },
    { action: 'sandbox.member', target: orderId, detail: { act: 'release' } },
  ]);
});

test('QR methods ask for the payer first', async () => {
  await alone('ProviderAQR', 'ProviderBQR');
  for (const [walletType, asksFor, payer] of [
    ['ProviderAQR', 'payerAccount', { accountNumber: '0300 1234567' }],
    ['ProviderBQR', 'payerIbanLast4', { ibanLast4: '0702' }],
  ] as const) {
    const { orderId, customer } = (await make({ walletType })).data;
    expect(customer.asksFor).toBe(asksFor);
    await play('customer', orderId, { action: 'open' });
    const named = await play('customer', orderId, { action: 'payer', ...payer });
    expect(named.data.customer.allowedActions).toContain('confirm');
    const paid = await play('customer', orderId, { action: 'confirm' });
    expect(paid.data.status).toBe('AwaitingMemberConfirmation');
  }
});

test('a withdrawal gets its account from the customer, and the member may report it', async () => {
  const { memberId } = await alone('ProviderA');
  const { orderId, customer } = (await make({ orderType: 'Withdrawal' })).data;
  expect(customer).toMatchObject({ allowedActions: ['account', 'cancel'], asksFor: null });
  const account = { accountNumber: '03001234567', accountName: 'Imran Ali' };
  const given = await play('customer', orderId, { action: 'account', ...account });
  expect(given.data).toMatchObject({ status: 'AwaitingMemberPayout', member: { memberId } });
  const reported = await play('member', orderId, { action: 'report', reason: 'unsure' });
  expect(reported.data.status).toBe('ManualReview');
});

test('a member whom an admin brings online takes the order that waits', async () => {
  await everybodyOffline(service);
  const { memberId } = await createMember(service, { methods: ['ProviderA'], online: false });
  const { orderId, member } = (await make()).data;
  expect(member).toBe(null);
  const presence = await operator.post(`/sandbox/members/${memberId}/presence`, { online: true });
  expect(presence.data).toEqual({ memberId, online: true });
  const opened = await play('customer', orderId, { action: 'open' });
  expect(opened.data.member).toMatchObject({ memberId });
});

describe('what the faces would refuse', () => {
  test.for<[string, object, number, RegExp]>([
    ['a method that is off', { walletType: 'TillID' }, 409, /TillID deposits are disabled.*\(/],
    ['a currency that is off', { currency: 'INR' }, 409, /the currency INR is not enabled/],
    [
      'money that is not there',
      { orderType: 'Withdrawal', amount: 1_000_000 },
      409,
      /^Insufficient merchant balance/,
    ],
    ['no merchant', { merchantId: randomUUID() }, 404, /^Merchant not found/],
  ])('%s', async ([, body, status, error]) => {
    const answer = await make(body);
    expect(answer.status).toBe(status);
    expect(answer.error).toMatch(error);
  });

  test.for<[string, object]>([
    ['an amount of nothing', { amount: 0 }],
    ['a withdrawal by QR', { orderType: 'Withdrawal', walletType: 'ProviderAQR' }],
    ['a name without a number', { orderType: 'Withdrawal', customerAccountName: 'Imran' }],
    ['a field that is not known', { signature: 'x' }],
  ])('%s, as wrong input', async ([, body]) => {
    expect((await make(body)).status).toBe(400);
  });

  test('a merchant without an active key makes no orders', async () => {
    const other = await createMerchant(service);
    await operator.delete(`/merchants/${other.merchantId}/api-keys/${other.keyId}`);
    expect(await make({ merchantId: other.merchantId })).toMatchObject({
      status: 409,
      error: 'This merchant has no active API key to make an order with.',
    });
  });

  test('customer and member do only what comes next', async () => {
    await everybodyOffline(service);
    const { orderId } = (await make()).data;
    const confirm = { action: 'confirm', transactionDigits: '4821' };
    expect((await play('customer', orderId, confirm)).status).toBe(409);
    expect(await play('member', orderId, { action: 'confirm' })).toMatchObject({
      status: 409,
      error: 'No member has this order.',
    });
    await alone('ProviderA');
    await play('customer', orderId, { action: 'open' });
    const short = { action: 'confirm', transactionDigits: '48' };
    expect((await play('customer', orderId, short)).status).toBe(400);
    expect((await play('member', orderId, { action: 'release' })).errors).toEqual({
      '$.reason': ['is needed.'],
    });
  });
});

test('nobody but an admin plays', async () => {
  const { token } = await createOperator(service, 'support');
  const support = operatorClient(service, token);
  expect((await support.post('/sandbox/orders', DEPOSIT)).status).toBe(403);
});

test('with a real clock there is none of it', async () => {
  const real = await startService({ CLOCK: 'real', ROLES: 'http' }, service);
  try {
    const headers = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
    const orderId = (await make()).data.orderId;
    for (const [method, path, body] of [
      ['POST', '/sandbox/orders', DEPOSIT],
      ['GET', `/sandbox/orders/${orderId}`],
      ['POST', `/sandbox/orders/${orderId}/customer`, { action: 'cancel' }],
      ['POST', `/sandbox/orders/${orderId}/member`, { action: 'confirm' }],
      ['POST', `/sandbox/members/${randomUUID()}/presence`, { online: true }],
    ] as const)
      expect((await send(real, method, path, headers, body)).status).toBe(404);
    const document = await (await fetch(`${real.url}/openapi/operator.json`)).text();
    expect(document).not.toContain('/sandbox/');
  } finally {
    await real.close();
  }
});
