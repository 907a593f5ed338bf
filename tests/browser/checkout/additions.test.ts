import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { photo } from '../../support/evidence.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { asCustomer, expectView } from './customer.ts';
import { openShop } from './shop.ts';

/** What a customer corrects of a payment that is looked for, or adds to it. */

const shop = await openShop();
const browser = await sharedBrowser();

async function confirmed() {
  const order = await shop.order();
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4711' });
  return order;
}

async function unfold(page: Page): Promise<void> {
  // The words of a <noscript> are no text to a locator.
  const way = page.locator('summary:has-text("Something to add"), a[href*="add=yes"]');
  await way.filter({ visible: true }).click();
  await page.locator('form[action*="/picture?"]').waitFor();
}

describe.each([true, false])('with a script: %s', (javaScriptEnabled) => {
  test('all is sent from the page, which shows it as a change', () =>
    asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
      const order = await confirmed();
      await page.goto(order.paymentPageUrl);
      await expectView(page, 'verifying');
      for (const [name, value] of [
        ['correctedDigits', '4821'],
        ['amountSent', '1,450'],
        ['paidBy', 'Ayesha Khan'],
      ] as const) {
        await unfold(page);
        expect(await page.locator('meta[http-equiv=refresh]').count()).toBe(0);
        const form = page.locator('form', { has: page.locator(`[name=${name}]`) });
        await form.locator('input').fill(value);
        await Promise.all([page.waitForEvent('load'), form.locator('button').click()]);
        await expectView(page, 'verifying');
      }
      await unfold(page);
      await page
        .locator('[name=picture]')
        .setInputFiles({ name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await photo() });
      const form = page.locator('form', { has: page.locator('[name=picture]') });
      await Promise.all([page.waitForEvent('load'), form.locator('button').click()]);
      await expectView(page, 'verifying');
      const { payment } = await openPage(order).state();
      expect(payment).toMatchObject({
        ...{ transactionDigits: '4821', formerDigits: '4711', amountSent: 1450, pictures: 1 },
      });
      const text = await page.locator('main').innerText();
      for (const said of ['4711', '4821', '1,450', 'Ayesha Khan']) expect(text).toContain(said);
    }));
});
