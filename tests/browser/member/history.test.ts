import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { cellsOf } from '../../support/csv.ts';
import { everybodyOffline } from '../../support/fixtures.ts';
import { memberWork, openMemberApp } from '../../support/member-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';
import { lookingBack } from './states/back.ts';

/** M10: what is over. */

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const work = await lookingBack(service);
const { member: who, ended } = work;

const searchFor = async (page: Page, text: string) => {
  await page.getByRole('searchbox').fill(text);
  await page.keyboard.press('Enter');
};
const day = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name }) });

test('days have the counts and sums of the service, by account too', async () => {
  const { page, close } = await app.open({ who, path: '/history' });
  const today = day(page, 'Today');
  await today.getByText('PKR 12,700').waitFor();
  expect(await today.locator('.sum:visible').allInnerTexts()).toEqual([
    expect.stringMatching(/^Received\s+2\s+PKR\s12,700$/),
    expect.stringMatching(/^Paid out\s+1\s+PKR\s8,000$/),
  ]);
  expect(await today.getByRole('listitem').count()).toBe(4); // one has ended without payment
  await today.getByText('By account').tap();
  await today.getByText('PKR 700').first().waitFor();
  await day(page, 'Yesterday').getByText('PKR 1,500.50').first().waitFor();
  await page.getByLabel('Account', { exact: true }).selectOption({ label: await till() });
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await today.locator('.sum').getByText('PKR 700').waitFor();
  await close();
});

test('where operators set a share, days and the month have what it makes', async () => {
  await work.operator.patch('/settings', { memberShareBasisPoints: 50 });
  const { page, close } = await app.open({ who, path: '/history' });
  const today = day(page, 'Today').locator('.sum', { hasText: 'Your share (0.5%)' });
  await today.getByText('PKR 103.50').waitFor();
  await page.locator('main > .sum').getByText('Your share this month (0.5%)').waitFor();
  await work.operator.patch('/settings', { memberShareBasisPoints: null });
  await page.reload();
  await day(page, 'Today').getByText('PKR 12,700').waitFor();
  await expect.poll(() => page.getByText('Your share').count()).toBe(0);
  await close();
});
const till = async () => `ProviderB Till ID ${short(work.member.accounts[1]?.accountNumber ?? '')}`;
const short = (number: string) => `${number.slice(0, 4)}\u2060…\u2060${number.slice(-3)}`;

test.for([
  ['an amount', '1,500.5', 'PKR 1,500.50'],
  ['digits', '3579', 'PKR 12,000'],
  ['a transaction ID', '8123990', 'PKR 8,000'],
] as const)('an order is found by %s', async ([, text, amount]) => {
  const { page, close } = await app.open({ who, path: '/history' });
  await page.getByRole('listitem').nth(3).waitFor();
  await searchFor(page, text);
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await page.getByRole('listitem').getByText(amount).waitFor();
  await close();
});

test('a search is sent by its button, and digits may be of any script', async () => {
  const { page, close } = await app.open({ who, path: '/history' });
  await page.getByRole('listitem').nth(3).waitFor();
  await page.getByRole('searchbox').fill('۳۵۷۹');
  await page.getByRole('button', { name: 'Search', exact: true }).tap();
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await page.getByRole('listitem').getByText('PKR 12,000').waitFor();
  await page.getByRole('button', { name: 'Clear the search' }).tap();
  await page.getByRole('listitem').nth(3).waitFor();
  await close();
});

test('by keyboard alone: searched by its reference, read with its timeline, and come back from', async () => {
  const { page, close } = await app.open({ who, path: '/history' });
  const [order] = (await work.operator.get(`/orders?search=${ended.orderId}`)).data;
  await page.getByRole('listitem').nth(3).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(order.orderReference.slice(-6).toLowerCase());
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  const link = page.getByRole('listitem').getByRole('link').and(page.locator(':focus'));
  for (let presses = 0; presses < 8 && (await link.count()) === 0; presses += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  await page.getByText('Completed · you').waitFor();
  await expectAccessible(page);
  expect(await page.getByRole('button', { name: /paid|reject|wrong/i }).count()).toBe(0);
  const back = page.locator('.back').and(page.locator(':focus'));
  for (let presses = 0; presses < 4 && (await back.count()) === 0; presses += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox').waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe(
    order.orderReference.slice(-6).toLowerCase(),
  );
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await close();
});

test('a month comes as a file with exact amounts', async () => {
  const { page, close } = await app.open({ who, path: '/history' });
  await page.getByRole('button', { name: 'A month as a file' }).tap();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).tap(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^orders-20\d\d-\d\d\.csv$/);
  const [header, ...lines] = cellsOf(await readFile(await download.path(), 'utf8'));
  expect(header).toContain('orderReference');
  expect(lines.some((line) => line.join(',').includes(',PKR,8000,8000,Completed,'))).toBe(true);
  await page.getByText(/is in your downloads/).waitFor();
  await close();
});

test('without network the last 200 are there, searched on the phone, and gone when somebody signs out', async () => {
  await everybodyOffline(service);
  const other = await memberWork(service, { maxOpenOrders: 100 });
  const { memberId } = other.member;
  // More than a page of the list.
  for (let at = 0; at < 55; at += 1) {
    const { orderId } = await other.payout({ amount: 1000 + at });
    await other.submit({
      ...{ kind: 'member-confirm', commandId: crypto.randomUUID(), orderId, memberId },
      ...{ receivedAmount: null, transactionReference: `TX ${at}` },
    });
  }
  const { page, context, close } = await app.open({ who: other.member, path: '/history' });
  await page.getByRole('button', { name: 'Show more' }).waitFor();
  const keptOrders = () =>
    page.evaluate<number>(`new Promise((resolve) => {
      const opening = indexedDB.open('munshi-member');
      opening.onsuccess = () => {
        const kept = opening.result.transaction('kept').objectStore('kept').get('closed');
        kept.onsuccess = () => { opening.result.close(); resolve(kept.result?.length ?? 0); };
      };
    })`);
  await expect.poll(keptOrders).toBe(55);
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})');
  await page.reload(); // a worker serves the pages that come after it
  await page.getByRole('button', { name: 'Show more' }).waitFor();
  await context.setOffline(true);
  await page.reload();
  await page.getByText('These are the last 200 that this phone has kept.').waitFor();
  await expect.poll(() => page.getByRole('listitem').count()).toBe(55);
  await page.getByText('PKR 56,485').waitFor(); // the day's sum, as it was kept
  await searchFor(page, 'tx ۳۷');
  await page.getByRole('listitem').getByText('PKR 1,037').waitFor();
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await searchFor(page, '1000');
  await page.getByRole('listitem').getByText('PKR 1,000').waitFor();
  expect(await page.getByRole('listitem').count()).toBe(1);
  await page.getByRole('listitem').getByRole('link').tap();
  await page.getByText('TX0').waitFor();
  await page.reload();
  await page.getByText('TX0').waitFor();
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Account' }).tap();
  await page.getByRole('link', { name: 'Settings' }).tap();
  await page.getByRole('button', { name: 'Sign out', exact: true }).tap();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).tap();
  await page.getByLabel('Username').waitFor();
  await expect.poll(keptOrders).toBe(0);
  await close();
});
