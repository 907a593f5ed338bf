import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLoaded, openConsole } from '../../support/console.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';
import { setTextSize } from '../read-off.ts';

/** Text as large as people set it in their browser. */

const { test, service } = await serviceTest();
const console = await openConsole(service);
const merchant = await createMerchant(service, { name: 'Bazaar Online', balance: '98765432109.5' });
await createMember(service, { name: 'Sana Iqbal', methods: ['ProviderA'] });
await createOrder(merchant);

const PAGES = [
  '/',
  '/orders',
  '/queues',
  '/fees',
  '/settings',
  `/merchants/${merchant.merchantId}`,
];

/** Each text that is shown, with the size of its letters. */
const sizesOf = (page: Page) => page.evaluate<readonly (readonly [string, number])[]>(SIZES);
const SIZES = `[...document.querySelectorAll('main *, nav *')]
  .filter((each) => each.checkVisibility() && [...each.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
  .map((each) => [each.tagName + ' ' + each.className, parseFloat(getComputedStyle(each).fontSize)])`;

test('every text of the console is twice as large where people have set it so, and no page scrolls sideways', async () => {
  const { page, close } = await console.open();
  // The menu stays beside the page at both sizes.
  await page.setViewportSize({ width: 2400, height: 900 });
  for (const path of PAGES) {
    await console.go(page, { path });
    await page.locator('h1').first().waitFor();
    await isLoaded(page);
    const before = await sizesOf(page);
    await setTextSize(page, 200);
    const after = await sizesOf(page);
    expect({ path, sizes: after.map(([which, size]) => [which, size / 2]) }).toEqual({
      path,
      sizes: before,
    });
    const wider = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate(wider)).toBeLessThanOrEqual(0);
    await setTextSize(page, 100);
  }
  await close();
});

test('a row of a list grows with its text', async () => {
  const { page, close } = await console.open({ path: '/members' });
  await page.getByRole('link', { name: 'Sana Iqbal' }).waitFor();
  const height = async () => (await page.locator('tbody tr').first().boundingBox())?.height;
  expect(await height()).toBe(36);
  await setTextSize(page, 200);
  expect(await height()).toBe(72);
  await close();
});
