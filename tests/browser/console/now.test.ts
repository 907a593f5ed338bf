import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openConsole } from '../../support/console.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);

test('a number changes by itself, opens the list behind it by the keyboard, and where nobody can take an order it is said', async () => {
  const merchant = await createMerchant(service);
  const { page, close } = await console.open({ role: 'support', path: '/' });
  const main = page.locator('main');
  const tile = main.getByRole('link', { name: /Waiting for a member/ });
  await main.getByText('Nothing waits.').waitFor();
  const { orderId } = await createOrder(merchant, { walletType: 'BankAccount' });
  await tile.filter({ hasText: /^1/ }).waitFor();
  const row = page.getByRole('row').filter({ hasText: 'Nobody is free' });
  await row.getByRole('rowheader', { name: /Bank/ }).waitFor();
  await createMember(service, { methods: ['BankAccount'] });
  await row.waitFor({ state: 'detached' });

  const counted = page.getByRole('link', { name: '1, Bank account: Unassigned' });
  await counted.focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 order', { exact: true }).waitFor();
  await page.goBack();
  await tile.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/queue=waitingForMember/);
  await page.getByRole('button', { name: /1,500/ }).waitFor();
  await operatorClient(service).post(`/orders/${orderId}/cancel`, { note: 'n' });
  await page.getByText('Nothing is waiting here').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: 'Now' }).waitFor();
  expect(await page.title()).toBe('Now · Munshi');
  await close();
});

const READ = /\/api\/operator\/(?!session|events)/;
const tileOf = (page: Page) =>
  page.locator('main').getByRole('link', { name: /Waiting for a member/ });

test('nothing is read twice when the page opens', async () => {
  const merchant = await createMerchant(service);
  await createOrder(merchant, { walletType: 'TillID' });
  const { page, seen, close } = await console.open({ path: '/' });
  const count = Number.parseInt(await tileOf(page).innerText(), 10);
  await page.getByRole('rowheader').first().waitFor();
  // The event comes after the reads that the beginning of the stream has caused.
  await createOrder(merchant, { walletType: 'TillID' });
  await tileOf(page)
    .filter({ hasText: `${count + 1}` })
    .waitFor();
  const times: Record<string, number> = {};
  for (const url of seen.requests.filter((each) => READ.test(each))) {
    const name = new URL(url).pathname.split('/')[3] ?? '';
    times[name] = (times[name] ?? 0) + 1;
  }
  expect(times).toMatchObject({ queues: 2, approvals: 1, settings: 1, notices: 1 });
  await close();
});

test('what changes before the stream has begun is shown', async () => {
  const merchant = await createMerchant(service);
  await createOrder(merchant, { walletType: 'TillID' });
  const { page, context, close } = await console.open({ role: null });
  const begin = Promise.withResolvers<void>();
  await context.route('**/api/operator/events', async (route) => {
    await begin.promise;
    await route.continue();
  });
  await console.go(page, { path: '/' });
  const count = Number.parseInt(await tileOf(page).innerText(), 10);
  await createOrder(merchant, { walletType: 'TillID' });
  begin.resolve();
  await tileOf(page)
    .filter({ hasText: `${count + 1}` })
    .waitFor();
  await close();
});
