import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { isLoaded, openConsole } from '../../support/console.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const LONG = 'Shahrah-e-Faisal Wholesale Electronics and Household Goods Traders Ltd'; // 70 letters

const { test, service } = await serviceTest();
const console = await openConsole(service);
const merchant = await createMerchant(service, { name: LONG, balance: '98765432109.5' });
const { merchantId: smallId } = await createMerchant(service, {
  name: 'Bazaar 9',
  balance: '20.25',
});
await createMerchant(service, { name: 'Bazaar 10', balance: '300' });
const member = await createMember(service, {
  name: LONG,
  methods: ['ProviderA'],
  float: '99999999',
});
for (const amount of [5_000_000, 1500.5])
  await completeOrder(
    service,
    await createOrder(merchant, { amount, callbackUrl: 'https://shop.example/hook' }),
    member,
  );
await createOrder(merchant, { amount: 700, merchantOrderRef: LONG.replaceAll(' ', '-') });

const LISTS = [
  ['/orders?columns=amount&columns=status&columns=merchant&columns=merchantRef', 'Orders'],
  ['/merchants', 'Merchants'],
  ['/members', 'Members'],
  ['/webhooks', 'Deliveries'],
  ['/audit', 'Audit'],
  ['/reports', 'Merchants'],
] as const;

const heights = (page: Page, label: string) =>
  page
    .getByRole('table', { name: label })
    .locator('tbody tr')
    .evaluateAll((rows) => [...new Set(rows.map((row) => row.getBoundingClientRect().height))]);

test('every row is 36 pixels high, regardless of its texts, and a cut name is read whole by the pointer', async () => {
  const { page, close } = await console.open();
  for (const [path, label] of LISTS) {
    await console.go(page, { path });
    await page.getByRole('table', { name: label }).waitFor();
    await isLoaded(page);
    expect({ path, heights: await heights(page, label) }).toEqual({ path, heights: [36] });
    const wider = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate(wider)).toBeLessThanOrEqual(0);
  }
  await console.go(page, { path: LISTS[0][0] });
  const name = page.getByRole('table').getByText(LONG).first();
  await name.hover();
  expect(await name.getAttribute('title')).toBe(LONG);
  await close();
});

test('heads end on one line, whether they sort or not', async () => {
  const { page, close } = await console.open({ path: '/members' });
  await page.getByRole('table', { name: 'Members' }).waitFor();
  const lines = await page.evaluate<readonly number[]>(ENDS_OF_HEADS);
  expect([...new Set(lines)]).toHaveLength(1);
  await close();
});

test('a list that is all here sorts by its heads, by the keyboard, and gives its own order back', async () => {
  const { page, close } = await console.open({ path: '/merchants' });
  const names = () => page.locator('tbody [data-main]').allTextContents();
  await page.getByRole('link', { name: 'Bazaar 10' }).waitFor();
  const newestFirst = await names();
  const head = page.getByRole('columnheader', { name: 'Name' });
  const sorted = async (direction: string | null) => {
    expect(await head.getAttribute('aria-sort')).toBe(direction);
    return names();
  };
  await head.getByRole('button').focus();
  await page.keyboard.press('Enter');
  expect(await sorted('ascending')).toEqual(['Bazaar 9', 'Bazaar 10', LONG]);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  expect(await sorted('descending')).toEqual([LONG, 'Bazaar 10', 'Bazaar 9']);
  await page.keyboard.press('Enter');
  expect(await sorted(null)).toEqual(newestFirst);

  await page.getByRole('columnheader', { name: 'Available' }).getByRole('button').click();
  expect(await names()).toEqual([LONG, 'Bazaar 10', 'Bazaar 9']);
  await close();
});

test('today, yesterday and this week are one press, and one more takes them away', async () => {
  const { page, close } = await console.open({ path: '/orders' });
  await page.getByText('3 orders').waitFor();
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await page.getByText('0 orders').waitFor();
  await page.getByRole('button', { name: 'Today' }).click();
  await page.getByText('3 orders').waitFor();
  const today = new Date().toLocaleDateString('en-CA');
  expect(new URL(page.url()).search).toBe(`?from=${today}&to=${today}`);
  const pressed = page.getByRole('button', { name: 'Today', pressed: true });
  await pressed.click();
  await pressed.waitFor({ state: 'detached' });
  expect(new URL(page.url()).search).toBe('');
  await close();
});

test('on a phone a row is a card with its chief facts, and nothing scrolls sideways', async () => {
  const { page, close } = await console.open();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [path, label] of LISTS) {
    await console.go(page, { path });
    await page.getByRole('table', { name: label }).waitFor();
    await isLoaded(page);
    const wider = await page.evaluate<number>(SCROLLED_SIDEWAYS);
    const facts = await page
      .getByRole('table', { name: label })
      .locator('tbody tr:first-child td:not(:has(input)):visible')
      .count();
    expect({ path, wider, many: facts > 4 }).toEqual({ path, wider: 0, many: false });
  }
  await console.go(page, { path: `/audit?target=${smallId}` });
  const card = page.getByRole('row', { name: 'Bazaar 9' }).first();
  await card.getByText('Bazaar 9').waitFor();
  await close();
});

/** How much can be scrolled sideways. */
const SCROLLED_SIDEWAYS = `[...document.querySelectorAll('main :has(> table)')].filter((each) =>
  getComputedStyle(each).overflowX === 'auto' && each.scrollWidth > each.clientWidth).length`;

/** Where the text of each head ends. */
const ENDS_OF_HEADS = `[...document.querySelectorAll('thead th')].map((head) => {
  const range = document.createRange();
  range.selectNodeContents((head.querySelector('button') ?? head).firstChild);
  return range.getBoundingClientRect().bottom;
})`;
