import { randomUUID } from 'node:crypto';
import type { ReasonCode } from '@munshi/core';
import { describe, expect } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { inOnePiece, openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Customers whose money may have left are neither asked to pay again nor left without a way. */

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { name: 'Corner Shop', balance: '100000' });
const member = await createMember(service, { float: '10000000', maxOpenOrders: 1000 });

const operator = operatorClient(service);
const operatorDoes = async (what: string, { orderId }: CreatedOrder, body: object = {}) =>
  expect(
    (await operator.post(`/orders/${orderId}/${what}`, { note: 'looked into', ...body })).status,
  ).toBe(200);

async function opened(body: Record<string, unknown> = {}): Promise<CreatedOrder> {
  const order = await createOrder(merchant, body);
  await openPage(order).data('open');
  return order;
}

async function confirmed(): Promise<CreatedOrder> {
  const order = await opened();
  await openPage(order).data('confirm', { transactionDigits: '4711' });
  return order;
}

async function rejected(reasonCode: ReasonCode | null): Promise<CreatedOrder> {
  const order = await confirmed();
  await service.app.deps.engine.submit({
    kind: 'member-reject',
    commandId: randomUUID(),
    orderId: order.orderId,
    memberId: member.memberId,
    reason: 'nothing came',
    reasonCode,
  });
  return order;
}

/** As people read it, without marks of direction. */
const textOf = async (order: CreatedOrder) => inOnePiece((await openPage(order).get()).text);

const DO_NOT_PAY_AGAIN = 'If you have paid, do not pay again. Contact Corner Shop';
const START_AGAIN = 'If you have not paid, go back to Corner Shop to start again.';

describe('what the page says', () => {
  test('of an unpaid deposit in review: to keep the ID and come back, which then is true', async () => {
    const order = await opened();
    await operatorDoes('escalate', order);
    const text = await textOf(order);
    expect(text).toContain('Please do not send money now.');
    expect(text).toContain('open this link again after 15 minutes to tell us.');
    expect(text).not.toContain('you need not do anything');
    const page = openPage(order);
    expect((await page.form('confirm', { transactionDigits: '4711' })).status).toBe(409);
    await advance(service, 900);
    expect((await page.form('claim', { transactionDigits: '4711' })).status).toBe(303);
    expect((await page.get()).text).toContain('We have your digits');
  });

  test('of a paid deposit in review: that there is nothing to do', async () => {
    const order = await confirmed();
    await operatorDoes('escalate', order);
    expect(await textOf(order)).toContain('We have the details of your payment');
  });

  test('of a rejected payment: not to pay again', async () => {
    expect(await textOf(await rejected(null))).toContain(DO_NOT_PAY_AGAIN);
  });

  test('of one cancelled before it was paid: to start again, until the customer says that they paid', async () => {
    const order = await opened();
    await operatorDoes('cancel', order);
    expect(await textOf(order)).toContain(START_AGAIN);
    await openPage(order).data('claim', { transactionDigits: '4711' });
    const claimed = await textOf(order);
    expect(claimed).toContain('Please do not pay again before you know the result.');
    expect(claimed).not.toContain('start again');
  });

  test('of one cancelled after it was confirmed: not to pay again, also on its late link', async () => {
    const order = await confirmed();
    await operatorDoes('escalate', order);
    await operatorDoes('resolve', order, { outcome: 'Cancelled' });
    const text = await textOf(order);
    expect(text).toContain('This payment was cancelled');
    await advance(service, 86_401);
    const late = await textOf(order);
    expect(late).toContain('Payment not confirmed');
    for (const said of [text, late]) {
      expect(said).toContain(DO_NOT_PAY_AGAIN);
      expect(said).not.toContain('start again');
    }
  });

  test.each([
    [null, '', true],
    ['notReceived', '', true],
    ['other', '', true],
    ['otherAmount', '', false],
    ['otherSender', '', false],
    ['reversed', '', false],
  ] as const)(
    'of a rejection for %s: the claim has the digits %j filled in, and says that none was found by them: %s',
    async (reasonCode, filledIn, saysNone) => {
      const text = await textOf(await rejected(reasonCode));
      expect(/<input id="claimDigits"[^>]* value="(\d*)"/.exec(text)?.[1]).toBe(filledIn);
      expect(text.includes('No payment was found by the digits 4711.')).toBe(saysNone);
      expect(text.includes('Have you paid already?')).toBe(saysNone);
    },
  );

  test('of a payment that was taken back: where to look, and that nothing is paid again before', async () => {
    const text = await textOf(await rejected('reversed'));
    expect(text).toContain('Look in your app: if the money is back');
    expect(text).not.toContain('If you have paid');
  });

  test('of a withdrawal: whom to tell of a wrong account, and where the money is that was not sent', async () => {
    const account = { customerAccountNumber: '03001112223' };
    const order = await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 100,
      ...account,
    });
    expect(await textOf(order)).toContain('If this account is wrong, tell Corner Shop at once.');
    await operatorDoes('cancel', order);
    expect(await textOf(order)).toContain('No money was sent: it is still with Corner Shop.');
  });
});

describe('what is sent after something else is final', () => {
  test('other digits: the page as it is, with the words that they do not count; JSON answers the order', async () => {
    const page = openPage(await confirmed());
    const other = await page.form('confirm', { transactionDigits: '4712' });
    expect(other.status).toBe(409);
    expect(other.text).toContain('data-view="verifying"');
    expect(other.text).toContain('That can no longer be done');
    expect((await page.form('confirm', { transactionDigits: '47-11' })).status).toBe(303);
    const answer = await page.data('confirm', { transactionDigits: '4712' });
    expect(answer.payment).toMatchObject({ transactionDigits: '4711' });
  });

  test('another account: the same', async () => {
    const page = openPage(await createOrder(merchant, { orderType: 'Withdrawal', amount: 100 }));
    const account = (accountNumber: string) =>
      page.form('account', { accountNumber, accountName: 'Ayesha Khan' });
    expect((await account('03001112223')).status).toBe(303);
    expect((await account(' 0300 111 2223')).status).toBe(303);
    const other = await account('03001112224');
    expect(other.status).toBe(409);
    expect(other.text).toContain('That can no longer be done');
    const fields = { accountNumber: '03001112224', accountName: 'Ayesha Khan' };
    expect(await page.data('account', fields)).toMatchObject({ customerAccount: '••••2223' });
  });
});

describe('a page that still shows the account of a method that was left', () => {
  const versionIn = (text: string) => /name="version" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const changed = 'The account to pay to has changed since, and nothing was confirmed.';

  test('confirms nothing to the new one, neither the next method nor the first again: it shows the present account, without the digits', async () => {
    const order = await opened();
    const page = openPage(order);
    const [first] = member.accounts.filter(({ walletType }) => walletType === 'ProviderA');
    const seen = (await page.get()).text;
    expect(seen).toContain(`data-copy="${first?.accountNumber}"`);
    const version = versionIn(seen);
    const fields = { transactionDigits: '4711', version };
    const checked = (await page.form('check', fields)).text;
    expect(versionIn(checked)).toBe(version);
    for (const walletType of ['TillID', 'ProviderA'] as const) {
      await page.data('method', { walletType });
      const [present] = member.accounts.filter((each) => each.walletType === walletType);
      for (const [action, more] of [
        ['check', {}],
        ['check', { edit: 'yes' }],
        ['confirm', {}],
      ] as const) {
        const { status, text } = await page.form(action, { ...fields, ...more });
        expect(status).toBe(409);
        expect(text).toContain('data-view="pay"');
        expect(text).toContain(`data-copy="${present?.accountNumber}"`);
        expect(text).toContain(changed);
        expect(text).not.toContain('4711');
        expect(await page.post(action, fields)).toMatchObject({
          status: 409,
          json: {
            error: 'The account to pay to has changed. This was not taken: read the page again.',
          },
        });
      }
    }
    const now = versionIn((await page.get()).text);
    for (let time = 0; time < 2; time += 1)
      expect((await page.form('confirm', { ...fields, version: now })).status).toBe(303);
    expect((await page.form('confirm', fields)).status).toBe(303); // it was confirmed by these digits
    expect((await page.state()).status).toBe('AwaitingMemberConfirmation');
  });

  test('takes no other payer either', async () => {
    const page = openPage(await opened({ walletType: 'ProviderAQR' }));
    await page.data('payer', { accountNumber: '03001234567' });
    const version = versionIn((await page.get()).text);
    await page.data('method', { walletType: 'ProviderBQR' });
    await page.data('payer', { ibanLast4: '0071' });
    const { status, text } = await page.form('payer', { accountNumber: '03001234568', version });
    expect(status).toBe(409);
    expect(text).toContain(changed);
    expect((await page.form('payer', { ibanLast4: '0072', version: versionIn(text) })).status).toBe(
      303,
    );
  });

  test('leaves who paid to it their claim once the time is up', async () => {
    const page = openPage(await opened());
    const version = versionIn((await page.get()).text);
    await page.data('method', { walletType: 'TillID' });
    await page.form('confirm', { transactionDigits: '4711', version });
    await advance(service, 900);
    expect((await page.form('claim', { transactionDigits: '4711' })).status).toBe(303);
  });
});

describe('the account that a QR payer gave', () => {
  test.each([
    ['ProviderAQR', 'accountNumber', '03001234567', 'Enter your account number: digits only.'],
    ['ProviderBQR', 'ibanLast4', '0071', 'Enter the last 4 digits of your IBAN.'],
  ] as const)(
    '%s: is read back before the payment is confirmed; a wrong correction is said beside its field',
    async (walletType, field, given, problem) => {
      const page = openPage(await opened({ walletType }));
      await page.data('payer', { [field]: given });
      const shown = (text: string) => text.replace(/<\/?span[^>]*>|[\u2066-\u2069]/g, '');
      expect(shown((await page.form('check')).text)).toContain(
        `dir="ltr" translate="no">${given}</bdi>`,
      );
      const wrong = await page.form('payer', { [field]: '12' });
      expect(wrong.status).toBe(400);
      expect(wrong.text).toContain(`<p class="error" id="${field}-error">${problem}</p>`);
      expect(await page.post('payer', { [field]: '12' })).toMatchObject({
        status: 400,
        json: { error: problem },
      });
    },
  );
});
