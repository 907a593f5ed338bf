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
