import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { advance } from '../../support/fixtures.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { asCustomer, expectView } from './customer.ts';
import { openShop } from './shop.ts';

/** What a tap opens stays open, and two taps are one. */

const shop = await openShop();
const browser = await sharedBrowser();

async function tap(page: Page, summary: string, times: number): Promise<void> {
  const button = page.locator(summary);
  await button.scrollIntoViewIfNeeded();
  const box = await button.boundingBox();
  if (box === null) throw new Error(`${summary} is not there`);
  for (let time = 0; time < times; time++)
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
}

async function toPay(page: Page): Promise<void> {
  const order = await shop.order();
  await openPage(order).data('open');
  await page.goto(order.paymentPageUrl);
  await expectView(page, 'pay');
}

async function toExpired(page: Page): Promise<void> {
  const order = await shop.order();
  await openPage(order).data('open');
  await openPage(order).data('cancel');
  await page.goto(order.paymentPageUrl);
  await expectView(page, 'cancelled');
}

/** The form that an open page shows once its time is up. */
async function toTimeUp(page: Page): Promise<void> {
  await toPay(page);
  await advance(shop.service, 901);
  await page.clock.runFor(10_000);
  await page.locator('.answer').waitFor();
}

describe.each([true, false])('with a script: %s', (javaScriptEnabled) => {
  test.each([
    ['“I have sent it”', toPay, '.sent > summary', '#transactionDigits'],
    ['“Yes, I have sent the money”', toExpired, '.answer > summary', '#claimDigits'],
    ...(javaScriptEnabled
      ? ([['the same when the time is up', toTimeUp, '.answer > summary', '#claimDigits']] as const)
      : []),
  ] as const)(
    '%s opens its form by a tap, or two, and keeps it open',
    (_name, to, summary, input) =>
      asCustomer(browser, { javaScriptEnabled }, async ({ page }) => {
        for (const times of [1, 2, 3]) {
          await to(page);
          const address = page.url();
          await tap(page, summary, times);
          const field = page.locator(input);
          await field.waitFor();
          if (javaScriptEnabled) await page.locator(`${input}:focus`).waitFor();
          expect(page.url()).toBe(address);
        }
      }),
  );
});
