import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectAccessible, expectLanguage } from '../checks.ts';
import { asCustomer, expectView } from './customer.ts';
import { memberDoes, openShop } from './shop.ts';
import { type ShownView, showEveryView, type ViewName } from './views.ts';

/** The page for people who have set large text in their phone or browser. */

const VIEWS = [
  'methods',
  'payer-iban',
  'pay-account',
  'pay-till',
  'pay-qr',
  'pay-wrong-digits',
  'check',
  'verifying',
  'completed',
  'rejected',
  'account',
  'account-check-warnings',
  'paid',
  'link-expired',
] as const satisfies readonly ViewName[];

const shop = await openShop();
const browser = await sharedBrowser();
const displayNames = { providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' } };
const operator = operatorClient(shop.service);
expect((await operator.patch('/settings', { displayNames })).status).toBe(200);
for (const currency of ['INR', 'BDT'])
  expect((await operator.post('/exchange-rates', { currency, rate: 3 })).status).toBe(200);
const bazaar = await createMerchant(shop.service, {
  name: 'Corner Shop',
  currencies: ['INR', 'BDT'],
});
const shown = await showEveryView(shop);
afterAll(shown.close);

/** Numbers that are drawn on several lines though a line has room for them. */
const BROKEN = `(() => {
  const broken = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const match of walker.currentNode.data.matchAll(/[0-9][0-9.,:]*[0-9]/g)) {
      if (match[0].length > 12) continue;
      const range = document.createRange();
      range.setStart(walker.currentNode, match.index);
      range.setEnd(walker.currentNode, match.index + match[0].length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(match[0]);
    }
  }
  return broken;
})()`;

/** Texts that something else is drawn over, wherever the page is scrolled to. */
const COVERED = `(() => {
  const covered = new Set();
  for (let down = 0; down < document.documentElement.scrollHeight; down += innerHeight / 2) {
    scrollTo(0, down);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode;
      if (data.trim() === '' || !parentElement.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { left, top, width, height } of range.getClientRects()) {
        const [x, y] = [left + width / 2, top + height / 2];
        if (width < 2 || y < 1 || y > innerHeight - 1) continue;
        const hit = document.elementFromPoint(x, y);
        if (hit === null || !(hit.contains(parentElement) || parentElement.contains(hit))) covered.add(data.trim());
      }
    }
  }
  scrollTo(0, 0);
  return [...covered];
})()`;

async function setTextSize(page: Page, percent: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const fontSizes = { standard: Math.round((16 * percent) / 100) };
  await session.send('Page.setFontSizes', { fontSizes });
}

const SIZES = [130, 150, 175, 200].flatMap((percent) => [
  [percent, 'en'] as const,
  [percent, 'ur'] as const,
]);

/** Nothing is broken over lines, covered or cut off in what the page shows now. */
async function expectWhole(page: Page, name: string, percent: number): Promise<void> {
  const size = await page.evaluate<string>('getComputedStyle(document.documentElement).fontSize');
  expect(Number.parseFloat(size)).toBe(Math.round((16 * percent) / 100));
  expect({ name, broken: await page.evaluate(BROKEN) }).toEqual({ name, broken: [] });
  expect({ name, covered: await page.evaluate(COVERED) }).toEqual({ name, covered: [] });
  const over = 'document.documentElement.scrollWidth - innerWidth';
  expect({ name, over: await page.evaluate(over) }).toEqual({ name, over: 0 });
}

test.each(SIZES)(
  'at text of %d percent in %s no number is broken, nothing is covered and nothing is cut off',
  (percent, language) =>
    asCustomer(browser, { locale: language }, async ({ page }) => {
      await setTextSize(page, percent);
      for (const name of VIEWS) {
        const view = shown.shown.get(name) as ShownView;
        await page.goto(view.url);
        await view.reach?.(page);
        await expectView(page, view.view);
        await expectWhole(page, name, percent);
        await expectLanguage(page, language);
      }
    }),
);

test.each([
  ['INR', 'hi'],
  ['INR', 'en'],
  ['BDT', 'bn'],
] as const)('nor is it in %s and %s at 200 percent', (currency, language) =>
  asCustomer(browser, { locale: language }, async ({ page }) => {
    await setTextSize(page, 200);
    // The most digits that an amount of a customer is likely to have.
    const order = await createOrder(bazaar, { currency, amount: 12_345.5 });
    await page.goto(order.paymentPageUrl);
    await expectView(page, 'pay');
    await expectWhole(page, 'pay', 200);
    await openPage(order).data('confirm', { transactionDigits: '1234' });
    await page.reload();
    await expectView(page, 'verifying');
    await expectWhole(page, 'verifying', 200);
    await memberDoes(shop, 'confirm', order);
    await page.reload();
    await expectView(page, 'completed');
    await expectWhole(page, 'completed', 200);
    await expectLanguage(page, language);
  }),
);

test.each(['light', 'dark'] as const)('large text in %s is accessible', (theme) =>
  asCustomer(browser, { colorScheme: theme }, async ({ page }) => {
    await setTextSize(page, 200);
    await page.goto((shown.shown.get('pay-account') as ShownView).url);
    await expectView(page, 'pay');
    await page.clock.resume(); // axe has timers
    await expectAccessible(page, [theme]);
  }),
);
