import { readFile } from 'node:fs/promises';
import { afterAll, expect } from 'vitest';
import { openConsole, tabTo } from '../../support/console.ts';
import { serviceTest } from '../../support/service-test.ts';
import { someOrders } from './states/orders.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
afterAll(() => console.close());
const { reference = '' } = await someOrders(service);

test('an order is found by the end of its reference and opened, by the keyboard alone', async () => {
  const { page, close } = await console.open({ role: 'support', path: '/orders' });
  await page.getByText('6 orders').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(reference.slice(-6).toLowerCase());
  await page.getByText('1 order', { exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('search')).toBe(reference.slice(-6).toLowerCase());
  await tabTo(page, 'a[data-opens]');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/orders\/[0-9a-f-]{36}$/);
  await page.goBack();
  await page.getByText('1 order', { exact: true }).waitFor();
  expect(await page.locator('tr[data-visited=true]').count()).toBe(1);
  await close();
});

test('a view is saved, and the address of another window shows the same', async () => {
  const first = await console.open({ role: 'support', path: '/orders?status=Completed' });
  await first.page.getByText('1 order', { exact: true }).waitFor();
  await first.page.getByRole('button', { name: 'Views' }).click();
  await first.page.getByRole('menuitem', { name: 'Save this view…' }).click();
  const dialog = first.page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Done');
  await dialog.getByLabel('For every operator').check();
  await dialog.getByRole('button', { name: 'Save the view' }).click();
  await first.page.getByRole('button', { name: 'Done' }).waitFor();

  const second = await console.open({ role: 'viewer', path: '/orders' });
  await second.page.getByRole('button', { name: 'Views' }).click();
  await second.page.getByRole('menuitem', { name: 'Done' }).click();
  await second.page.getByText('1 order', { exact: true }).waitFor();
  expect(new URL(second.page.url()).search).toBe('?status=Completed');
  await second.page.getByRole('button', { name: 'Done' }).click();
  await second.page.getByRole('menuitem', { name: 'Save this view…' }).waitFor();
  expect(await second.page.getByRole('menuitem', { name: /Delete/ }).count()).toBe(0);
  await first.close();
  await second.close();
});

test('the CSV has what the list shows', async () => {
  const { page, close } = await console.open({ path: '/orders?status=Completed' });
  await page.getByText('1 order', { exact: true }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download these orders as CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.trim().split('\r\n')).toHaveLength(2);
  expect(file).toContain(reference);
  await close();
});
