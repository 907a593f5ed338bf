import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { stopClock } from '../../support/browser.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectAccessible, expectQuiet } from '../checks.ts';
import {
  asCustomer,
  type Customer,
  expectChangeShown,
  expectReturn,
  expectView,
  openLink,
  submitForm,
} from './customer.ts';
import { accountOf, memberDoes, openShop } from './shop.ts';
import { RETURNS } from './views.ts';

/** The hosted page from the link to the money, as `npm test` goes through it. */

const shop = await openShop();
const browser = await sharedBrowser();

const order = (body: object = {}) => shop.order({ ...RETURNS, ...body });
const { statusOf } = shop;
const balance = async () =>
  (await operatorClient(shop.service).get(`/merchants/${shop.merchant.merchantId}/balance`)).data
    .walletBalance as number;

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('%s', (_, javaScriptEnabled) => {
  const customer = (work: (customer: Customer) => Promise<void>) =>
    asCustomer(browser, { javaScriptEnabled }, async (one) => {
      await work(one);
      expectQuiet(one.seen, shop.service.url);
    });
  /** axe needs the page's frames, which do not run without JavaScript. */
  async function expectScreen(page: Page, view: string): Promise<void> {
    await expectView(page, view);
    if (!javaScriptEnabled) return;
    await page.clock.resume(); // axe has timers
    await expectAccessible(page);
    await stopClock(page);
  }

  test('a deposit: account, digits, last check, verifying, completed, back to successUrl by button and by itself', () =>
    customer(async ({ page }) => {
      const before = await balance();
      const made = await order();
      await openLink(page, made, javaScriptEnabled);
      await expectScreen(page, 'pay');
      const { accountNumber, accountTitle } = accountOf(shop, 'ProviderA');
      for (const text of [accountNumber, accountTitle, '1,500.50'])
        expect(await page.locator('main').innerText()).toContain(text);
      await submitForm(page, 'check', { transactionDigits: '9876' });
      await expectScreen(page, 'check');
      for (const text of [accountNumber, accountTitle, '1,500.50', '9876'])
        expect(await page.locator('main').innerText()).toContain(text);
      expect(await statusOf(made)).toBe('AwaitingCustomerPayment');
      await submitForm(page, 'confirm');
      await expectScreen(page, 'verifying');
      expect(page.url()).toBe(made.paymentPageUrl);
      // From here on: the page goes back by itself 20 seconds after it is drawn.
      const taken = page.waitForRequest((request) =>
        request.url().startsWith(RETURNS.successUrl.split('?')[0] as string),
      );
      await memberDoes(shop, 'confirm', made);
      await expectChangeShown(page, javaScriptEnabled);
      await expectView(page, 'completed');
      expectReturn(
        await page.locator('[data-return]').getAttribute('href'),
        RETURNS.successUrl,
        made,
        'Completed',
      );
      if (javaScriptEnabled) await page.clock.runFor(20_000);
      else await page.locator('[data-return]').click();
      expectReturn(
        (await taken).url() + new URL(RETURNS.successUrl).hash,
        RETURNS.successUrl,
        made,
        'Completed',
      );
      await expectScreen(page, 'completed');
      expect(await balance()).toBe(before + 1500.5);
    }));

  test('a withdrawal: read back before it is final, changed, sent, on its way, paid, back to successUrl', () =>
    customer(async ({ page }) => {
      const before = await balance();
      const made = await order({ orderType: 'Withdrawal' });
      await openLink(page, made, javaScriptEnabled);
      await expectScreen(page, 'account');
      await submitForm(page, 'check', {
        accountNumber: '03009876543',
        accountName: 'Ayesha Kahn',
      });
      await expectScreen(page, 'check');
      for (const text of ['03009876543', 'Ayesha Kahn'])
        expect(await page.locator('main dl').innerText()).toContain(text);
      expect(await statusOf(made)).toBe('Awaiting');
      await page.locator('form[action*="/check?"] button').click();
      await expectView(page, 'account');
      expect(await page.locator('[name=accountName]').inputValue()).toBe('Ayesha Kahn');
      await submitForm(page, 'check', { accountName: 'Ayesha Khan' });
      await expectView(page, 'check');
      await submitForm(page, 'account');
      await expectScreen(page, 'on-its-way');
      expect(await page.locator('main').innerText()).toContain('6543');
      await memberDoes(shop, 'confirm', made);
      await expectChangeShown(page, javaScriptEnabled);
      await expectScreen(page, 'paid');
      expectReturn(
        await page.locator('[data-return]').getAttribute('href'),
        RETURNS.successUrl,
        made,
        'Completed',
      );
      expect(await balance()).toBe(before - 1500.5);
    }));
});
