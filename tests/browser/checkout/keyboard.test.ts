import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createOrder } from '../../support/fixtures.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { asCustomer, expectView } from './customer.ts';
import { accountOf, memberDoes, openShop } from './shop.ts';

const shop = await openShop();
const browser = await sharedBrowser();

interface Focused {
  readonly matches: boolean;
  readonly outline: string;
  readonly inView: boolean;
  readonly what: string;
}

/** Goes on by Tab to the element, and sees on the way where the focus is. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<Focused>(`(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const { top, bottom } = element.getBoundingClientRect();
      return {
        matches: element.matches(${JSON.stringify(selector)}),
        outline: outlineStyle + ' ' + outlineWidth,
        inView: top >= 0 && bottom <= innerHeight + 1,
        what: element.outerHTML.slice(0, 100),
      };
    })()`);
    if (focused.what.startsWith('<body')) continue;
    passed.push(focused.what);
    expect(focused).toMatchObject({
      outline: expect.stringMatching(/^(solid|auto|double) [2-9]/),
      inView: true,
    });
    if (focused.matches) return;
  }
  throw new Error(`Tab did not come to ${selector}, but to:\n${passed.join('\n')}`);
}

test('a whole deposit by the keyboard alone: a method, the account, a copy, the digits, the last check, back to the merchant', () =>
  asCustomer(
    browser,
    { permissions: ['clipboard-read', 'clipboard-write'] },
    async ({ page, seen }) => {
      const made = await createOrder(shop.merchant, {
        amount: 1500.5,
        walletType: 'BankAccount',
        successUrl: 'https://shop.example/paid',
      });
      await page.goto(made.paymentPageUrl);
      await expectView(page, 'methods');
      await tabTo(page, '[name=walletType][value=TillID]');
      await page.keyboard.press('Space');
      await expectView(page, 'pay');
      await tabTo(page, '.marked [data-copy]');
      await page.keyboard.press('Enter');
      await page.locator('[data-copy].done').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        accountOf(shop, 'TillID').accountNumber,
      );
      await tabTo(page, '.sent > summary');
      await page.keyboard.press('Enter');
      await page.locator('[name=transactionDigits]:focus').waitFor();
      await page.keyboard.type('1234');
      await page.keyboard.press('Enter');
      await expectView(page, 'check');
      await tabTo(page, 'form[action*="/check?"] button');
      await page.keyboard.press('Enter');
      await expectView(page, 'pay');
      await tabTo(page, '[name=transactionDigits]');
      await page.keyboard.press('Enter');
      await expectView(page, 'check');
      await tabTo(page, 'form[action*="/confirm?"] button');
      await page.keyboard.press('Space');
      await expectView(page, 'verifying');
      await memberDoes(shop, 'confirm', made);
      await expectView(page, 'completed');
      // A customer who presses a key reads, and is not taken away.
      await page.keyboard.press('Tab');
      await page.clock.runFor(21_000);
      const taken = page.waitForRequest(/^https:\/\/shop\.example\/paid\?/);
      await tabTo(page, '[data-return]');
      await page.keyboard.press('Enter');
      await taken;
      expect(seen.requests.filter((url) => url.startsWith('https://shop.example'))).toHaveLength(1);
    },
  ));

test('a whole withdrawal by the keyboard alone, in a language from right to left', () =>
  asCustomer(browser, { locale: 'ur-PK' }, async ({ page }) => {
    const made = await createOrder(shop.merchant, {
      orderType: 'Withdrawal',
      amount: 900,
      failureUrl: 'https://shop.example/failed',
    });
    await page.goto(made.paymentPageUrl);
    await expectView(page, 'account');
    await tabTo(page, '[name=accountNumber]');
    await page.keyboard.type('03009876543');
    await tabTo(page, '[name=accountName]');
    await page.keyboard.type('عائشہ خان');
    await tabTo(page, 'form[action*="/check?"] button');
    await page.keyboard.press('Space');
    await expectView(page, 'check');
    await tabTo(page, 'form[action*="/account?"] button');
    await page.keyboard.press('Enter');
    await expectView(page, 'on-its-way');
    await memberDoes(shop, 'confirm', made);
    await expectView(page, 'paid');
  }));

test('a deposit is cancelled by the keyboard: the question first, then the answer', () =>
  asCustomer(browser, {}, async ({ page }) => {
    const made = await createOrder(shop.merchant, { amount: 1500.5 });
    await page.goto(made.paymentPageUrl);
    await expectView(page, 'pay');
    await tabTo(page, 'details:has(form[action*="/cancel?"]) summary');
    await page.keyboard.press('Enter');
    await tabTo(page, 'form[action*="/cancel?"] button');
    await page.keyboard.press('Enter');
    await expectView(page, 'cancelled');
  }));
