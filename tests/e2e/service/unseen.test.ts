import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  signedOrder,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Characters that nobody sees, and that turn around or hide what is next to them. */

const PASSWORD = 'correct horse battery';
const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000000' });
const portal = portalClient(service, (await createPortalUser(service, merchant, 'admin')).token);
const member = await createMember(service, { password: PASSWORD, float: '1000000' });
const token = await signInMember(service, member, PASSWORD);
const own = memberClient(service.url, token);

const HIDING = /[\u202e\u2066\u200b\u0085]/;
const textOf = async (path: string, bearer: string) => {
  const response = await fetch(`${service.url}/api${path}`, {
    headers: { Authorization: `Bearer ${bearer}` },
  });
  expect(response.status).toBe(200);
  return response.text();
};

describe('what a merchant sends with such characters', () => {
  const sent = {
    ...{ orderType: 'Withdrawal', walletType: 'ProviderA', amount: 250 },
    customerAccountNumber: '0300\u202e9998\u200b887',
    customerAccountName: '\u2066Bilal\u0085Ahmed',
    merchantOrderRef: `ref\u202e-${randomUUID()}`,
  };

  test('is kept and answered to it as it was sent, and shown to everybody else without them', async () => {
    const key = { idempotencyKey: randomUUID() };
    const answers = [
      await signedOrder(merchant, sent, key),
      await signedOrder(merchant, sent, key),
    ];
    const [first, repeat] = await Promise.all(answers.map((answer) => answer.text()));
    expect(repeat).toBe(first);
    const { orderId, merchantOrderRef, paymentPageUrl } = JSON.parse(first ?? '').data;
    expect(merchantOrderRef).toBe(sent.merchantOrderRef);
    expect((await orderStatus(merchant, orderId))['merchantOrderRef']).toBe(sent.merchantOrderRef);
    const { rows } = await service.database.pool.query(
      'select customer_account_number, customer_account_name from orders where order_id = $1',
      [orderId],
    );
    expect(rows).toEqual([
      {
        customer_account_number: sent.customerAccountNumber,
        customer_account_name: sent.customerAccountName,
      },
    ]);

    // The number that the member has to pay to.
    const inHand = await own.data('GET', `/orders/${orderId}`);
    expect(JSON.stringify(inHand)).toContain('03009998887');
    const page = openPage({ paymentPageUrl });
    const shown = {
      'a member’s order': JSON.stringify(inHand),
      'a member’s orders': await textOf('/member/orders', token),
      'an operator’s order': await textOf(`/operator/orders/${orderId}`, OPERATOR_TOKEN),
      'an operator’s orders': await textOf('/operator/orders', OPERATOR_TOKEN),
      'an operator’s CSV': await textOf('/operator/orders.csv', OPERATOR_TOKEN),
      'what an operator reveals': JSON.stringify(
        (await operator.post(`/orders/${orderId}/reveal`)).data,
      ),
      'the merchant’s order': JSON.stringify(await portal.data('GET', `/orders/${orderId}`)),
      'the merchant’s CSV': (await portal.call('GET', '/orders.csv')).text,
      'the page': (await page.get()).text,
      'the page as JSON': JSON.stringify(await page.state()),
    };
    for (const [where, text] of Object.entries(shown)) {
      expect(text.length, where).toBeGreaterThan(50);
      // The page isolates names by marks of its own, which come in pairs.
      const others = text.replaceAll(/\u2066([^\u2066\u2069]*)\u2069/g, '$1');
      expect(others, where).not.toMatch(HIDING);
    }
  });
});

const VIEW = { name: 'Mine' };
const deposit = await createOrder(merchant);

describe('what people send with such characters is refused, and says what to do', () => {
  const hidden = '0300\u202e1234567';
  const account = { walletType: 'ProviderA', accountNumber: hidden, accountTitle: 'Sana' };

  test.for([
    ['a member’s account', () => own.call('POST', '/accounts', account), '$.accountNumber'],
    [
      'a member’s reason',
      () => own.call('POST', `/orders/${deposit.orderId}/reject`, { reason: `no\u2066` }),
      '$.reason',
    ],
    ['a name of a merchant', () => operator.post('/merchants', { name: hidden }), '$.name'],
    [
      'a username',
      () => portal.call('POST', '/people', { username: hidden, role: 'viewer' }),
      '$.username',
    ],
    // Its schema says nothing of characters.
    [
      'a field that forgets',
      () => operator.post('/views', { ...VIEW, query: `search=${hidden}` }),
      '$.query',
    ],
    [
      'a header of an alert channel',
      () => operator.post('/alert-channels', { position: 'second', headers: { 'X-A': hidden } }),
      '$.headers.X-A',
    ],
  ] as const)('%s', async ([, send, field]) => {
    const answer = await send();
    const errors = 'json' in answer ? answer.json.errors : answer.errors;
    expect([answer.status, errors]).toEqual([
      400,
      { [field]: [expect.stringContaining('must not contain control characters')] },
    ]);
  });

  test('an account that a customer enters on the page', async () => {
    const withdrawal = await createOrder(merchant, { orderType: 'Withdrawal', amount: 100 });
    const page = openPage(withdrawal);
    const { status } = await page.post('account', { accountNumber: hidden, accountName: 'Ali' });
    expect(status).toBe(400);
    const names = { accountNumber: '03001234567', accountName: 'Ali\u202e' };
    expect((await page.post('account', names)).status).toBe(400);
    const { text } = await page.form('account', names);
    expect(text).toContain('A character in it cannot be used.');
  });
});

test('a password may hold any character: nobody is shown it', async () => {
  const name = `odd-${randomUUID()}`;
  const password = `cörrect\u202e\u200b horse ${name}`;
  const made = await operator.post('/members', { name: 'Odd', username: name, password });
  expect(made.status).toBe(200);
  const signedIn = await own.call('POST', '/session', { username: name, password });
  expect(signedIn.status).toBe(200);
});

test('joiners, emoji and line breaks of notes are no such characters', async () => {
  const name = 'می\u200cخواہم क्\u200dष';
  const merchantOfName = await operator.post('/merchants', { name });
  expect([merchantOfName.status, merchantOfName.data.name]).toEqual([200, name]);
  const { orderId } = await createOrder(merchant);
  const note = 'first\nsecond ❤️';
  const answer = await operator.post(`/orders/${orderId}/cancel`, { note });
  expect(answer.status).toBe(200);
  expect((await operator.get(`/orders/${orderId}`)).text).toContain(
    JSON.stringify(note).slice(1, -1),
  );
});
