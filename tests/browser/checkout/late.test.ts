import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { advance, type CreatedOrder, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectAccessible, expectFits, expectLanguage, expectTouchable } from '../checks.ts';
import { asCustomer, expectClaimed, expectView, submitForm, unfold } from './customer.ts';
import { LANGUAGES } from './pages.ts';
import { accountOf, memberDoes, NOBODY_TAKES, openShop, operatorDoes } from './shop.ts';

/** What a link still says once it has stopped working. */

const shop = await openShop();
const browser = await sharedBrowser();
const operator = operatorClient(shop.service);
const { status, text } = await operator.patch(`/merchants/${shop.merchant.merchantId}`, {
  brandColour: '#7a1fa2',
  supportPhone: '+92 21 1234567',
});
expect(status, text).toBe(200);

const ACCOUNT = { customerAccountNumber: '03007654321', customerAccountName: 'Ayesha Khan' };
const AMOUNT = 1234.25;
const { order } = shop;
const deposit = (body: object = {}) => order({ amount: AMOUNT, ...body });
const payout = (body: object = ACCOUNT) =>
  createOrder(shop.merchant, { orderType: 'Withdrawal', amount: AMOUNT, ...body });

async function opened(body: object = {}): Promise<CreatedOrder> {
  const made = await deposit(body);
  await openPage(made).data('open');
  return made;
}
async function scanned(): Promise<CreatedOrder> {
  const made = await opened({ walletType: 'ProviderAQR' });
  await openPage(made).data('payer', { accountNumber: '03007654321' });
  return made;
}
async function confirmed(): Promise<CreatedOrder> {
  const made = await opened();
  await openPage(made).data('confirm', { transactionDigits: '8264' });
  return made;
}
async function after(
  making: Promise<CreatedOrder>,
  work: (made: CreatedOrder) => Promise<unknown>,
): Promise<CreatedOrder> {
  const made = await making;
  await work(made);
  return made;
}
const confirm = (made: CreatedOrder) => memberDoes(shop, 'confirm', made);
const reject = (made: CreatedOrder) => memberDoes(shop, 'reject', made);

// What was confirmed in time is shown for a day.
const completed = await after(confirmed(), confirm);
const rejected = await after(confirmed(), reject);
await advance(shop.service, 86_401);

/** Orders by what their pages would show, and the sentence of each once it is late. */
const LATE = {
  'opened, not paid': [await opened(), 'This link has expired'],
  'never opened': [await deposit(), 'This link has expired'],
  'with a code that was scanned': [await scanned(), 'This link has expired'],
  'nobody could take': [await opened({ amount: NOBODY_TAKES }), 'This link has expired'],
  'cancelled by the customer': [
    await after(opened(), (made) => openPage(made).data('cancel')),
    'This payment was cancelled',
  ],
  'escalated before it was paid': [
    await after(opened(), (made) => operatorDoes(shop, 'escalate', made)),
    'Our team is looking into it',
  ],
  completed: [completed, 'Paid. Do not pay again.'],
  rejected: [rejected, 'Payment not confirmed'],
  'a withdrawal without its account': [await payout({}), 'This withdrawal was not paid out'],
  'a withdrawal that waits': [
    await payout({ ...ACCOUNT, amount: NOBODY_TAKES }),
    'Your withdrawal is waiting',
  ],
  'a withdrawal that is sent': [await payout(), 'We are sending your money'],
  'a withdrawal in review': [
    await after(payout(), (made) => operatorDoes(shop, 'escalate', made)),
    'Our team is looking into it',
  ],
  'a withdrawal that was paid': [await after(payout(), confirm), 'Your money was sent'],
  'a withdrawal that failed': [await after(payout(), reject), 'This withdrawal was not paid out'],
} as const;
await advance(shop.service, 901);

const late = (name: keyof typeof LATE): CreatedOrder => LATE[name][0];
const shownText = async (page: Page) =>
  (await page.locator('body').innerText()).replace(/[\u2066-\u2069]/g, '');

describe('the page of a link that has stopped working', () => {
  test.each(Object.entries(LATE))(
    'says how the order stands, whose it is and who helps; no account, amount or customer: %s',
    (_name, [made, heading]) =>
      asCustomer(browser, {}, async ({ page }) => {
        const response = await page.goto(made.paymentPageUrl);
        expect(response?.status()).toBe(410);
        await expectView(page, 'link-expired');
        expect(await page.locator('h1').innerText()).toBe(heading);
        const shown = await shownText(page);
        expect(await page.locator('header .merchant').innerText()).toBe('Corner Shop');
        expect(await page.locator('header .mark, header .logo').count()).toBe(1);
        expect(shown).toContain('+92 21 1234567');
        expect(shown).toContain(`Order ${made.orderReference.slice(-6)}`);
        const html = await page.content();
        for (const { accountNumber, accountTitle } of shop.member.accounts)
          for (const secret of [accountNumber, accountTitle]) expect(html).not.toContain(secret);
        for (const secret of ['1,234.25', '1234.25', '60,000', '4321', 'Ayesha', '8264'])
          expect(shown, secret).not.toContain(secret);
      }),
  );

  test('of a completed order invites nobody to pay again', () =>
    asCustomer(browser, {}, async ({ page }) => {
      await page.goto(late('completed').paymentPageUrl);
      const shown = await shownText(page);
      expect(shown).toContain('Paid. Do not pay again.');
      expect(shown).not.toMatch(/start again|do not send money|have you paid/i);
      expect(await page.locator('form').count()).toBe(0);
    }));

  test('takes a claim of a customer who was shown where to pay, and of nobody else', () =>
    asCustomer(browser, {}, async ({ page }) => {
      for (const [name, claims] of [
        ['opened, not paid', 1],
        ['with a code that was scanned', 1],
        ['cancelled by the customer', 1],
        ['rejected', 1],
        ['never opened', 0],
        ['nobody could take', 0],
        ['completed', 0],
        ['a withdrawal that failed', 0],
      ] as const) {
        await page.goto(late(name).paymentPageUrl);
        expect([name, await page.locator('form[action*="/claim?"]').count()]).toEqual([
          name,
          claims,
        ]);
      }
    }));

  test.each([true, false])(
    'takes the claim of a QR payment with one tap and no digits, JavaScript %s',
    (javaScriptEnabled) =>
      asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
        const made = await scanned();
        await advance(shop.service, 901);
        await page.goto(made.paymentPageUrl);
        expect(await page.locator('form[action*="/claim?"] input').count()).toBe(0);
        await submitForm(page, 'claim');
        await expectClaimed(page, 'You told us on');
        expect(page.url()).toBe(made.paymentPageUrl);
        expect(await shownText(page)).toContain('We will look for your payment');
        expect(await shownText(page)).toContain(`Order ${made.orderReference.slice(-6)}`);
        const shown = await shownText(page);
        expect(shown).toMatch(/You told us on .* that you have paid/);
        expect(shown).toContain('do not pay again');
        expect(shown).not.toContain('4321');
      }),
  );

  test('a page with a code whose time is up takes the claim with one tap; one that has shown none asks nothing', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const [shown, unshown] = [await scanned(), await opened({ walletType: 'ProviderAQR' })];
      await page.goto(shown.paymentPageUrl);
      await expectView(page, 'pay');
      const other = await page.context().newPage();
      await other.goto(unshown.paymentPageUrl);
      await expectView(other, 'payer');
      await advance(shop.service, 901);
      await page.clock.runFor(10_000);
      await page.locator('.card.expired').waitFor();
      await submitForm(page, 'claim');
      await expectClaimed(page, 'You told us on');
      await other.evaluate(`window.dispatchEvent(new Event('online'))`);
      await expectView(other, 'link-expired');
      expect(await other.locator('form[action*="/claim?"]').count()).toBe(0);
    }));

  test('a page that was switched to a QR code asks too if an account was shown before, and no other', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const [shown, unshown] = [await opened(), await opened({ walletType: 'BankAccount' })];
      for (const made of [shown, unshown])
        await openPage(made).data('method', { walletType: 'ProviderAQR' });
      await page.goto(unshown.paymentPageUrl);
      await expectView(page, 'payer');
      expect(await page.locator('[data-time-is-up]').count()).toBe(0);
      await page.goto(shown.paymentPageUrl);
      await expectView(page, 'payer');
      expect(await page.locator('[data-time-is-up]').count()).toBe(1);
      await advance(shop.service, 901);
      await page.clock.runFor(10_000);
      await page.locator('.card.expired').waitFor();
      await submitForm(page, 'claim', { transactionDigits: '4711' });
      await expectClaimed(page, '4711');
    }));

  test('a customer who confirms too late keeps the digits that they typed, and sees whose page it is', () =>
    asCustomer(browser, {}, async ({ page }) => {
      const made = await opened();
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'pay');
      await page.locator('.sent > summary').click();
      await page.locator('[name=transactionDigits]').first().fill('5937');
      await advance(shop.service, 901);
      await page.locator('form[action*="/check?"] button').click();
      await expectView(page, 'link-expired');
      expect(await page.locator('#claimDigits').inputValue()).toBe('5937');
      expect(await shownText(page)).toContain('Corner Shop');
      await submitForm(page, 'claim');
      await expectClaimed(page, '5937');
      expect(await page.locator('header .merchant').innerText()).toBe('Corner Shop');
      expect(await shownText(page)).not.toContain(accountOf(shop, 'ProviderA').accountNumber);
    }));

  test.each([true, false])(
    'takes the ID of a pasted message, asks which of two is meant, and says where there is none, JavaScript %s',
    (javaScriptEnabled) =>
      asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
        const made = await opened();
        await advance(shop.service, 901);
        await page.goto(made.paymentPageUrl);
        const send = async (message: string) => {
          const claim = page.locator('form', { has: page.locator('#claimDigits') });
          await unfold(page, claim);
          await claim.locator('#claimDigits').fill(message);
          await claim.locator('button').click();
        };
        await send('Rs 500 paid to SHOP at 07/06/2026 22:45. Fee Rs 1234. Balance Rs 2,245.00');
        await page.getByText('No transaction ID was found in this text.').waitFor();
        await send('Rs 500 sent. Ref TrxID 9AB8C7D6E5. TID 28311906999. Balance Rs 2,245.00');
        await page.getByRole('button', { name: '28311906999' }).click();
        await expectClaimed(page, '6999');
        await send('Rs 500 sent at 07/06/2026 22:45. TID: 28311907001. Balance Rs 2,245.00');
        await expectClaimed(page, '7001');
      }),
  );

  test.each(LANGUAGES)('fits, can be pressed and read by everybody in %s', (language) =>
    asCustomer(browser, {}, async ({ page }) => {
      for (const name of ['opened, not paid', 'completed', 'a withdrawal that is sent'] as const) {
        await page.goto(`${late(name).paymentPageUrl}&lang=${language}`);
        await expectView(page, 'link-expired');
        await expectLanguage(page, language);
        await expectFits(page);
        await expectTouchable(page);
        await page.clock.resume(); // axe has timers
        await expectAccessible(page);
      }
    }),
  );
});
