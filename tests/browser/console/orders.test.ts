import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { openConsole, tabTo } from '../../support/console.ts';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';
import { someOrders } from './states/orders.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
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

test('an address with an amount or a day as people write them shows the list', async () => {
  for (const [written, says] of [
    ['amountFrom=5,000', 'Amount from: 5,000'],
    ['amountFrom=much&from=yesterday', '6 orders'],
    ['merchantId=corner%20shop&memberId=sana', '6 orders'],
  ] as const) {
    const { page, close } = await console.open({ path: `/orders?${written}` });
    await page.getByText(says, { exact: true }).waitFor();
    await close();
  }
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

test('the owner of a view renames it, and gives it the filters of now', async () => {
  const { page, close } = await console.open({ role: 'support', path: '/orders?stage=Failed' });
  const views = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const choose = (name: string) => page.getByRole('menuitem', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await views('Views');
  await choose('Save this view…');
  await dialog.getByLabel('Name').fill('Lost');
  await dialog.getByRole('button', { name: 'Save the view' }).click();
  await views('Lost');
  await choose('Rename or share “Lost”…');
  await dialog.getByLabel('Name').fill('Done and paid');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change the view' }).click();
  await views('Done and paid');
  await choose('Done and paid');

  await page.getByRole('button', { name: 'Remove Stage: Failed' }).click();
  await page.getByLabel('Find any order').fill(reference.slice(-6));
  await page.getByText('1 order', { exact: true }).waitFor();
  await views('Views');
  await choose('Keep these filters as “Done and paid”');
  await page.getByRole('button', { name: 'Done and paid', exact: true }).waitFor();
  await page.goto(`${service.url}/console/orders`);
  await views('Views');
  await choose('Done and paid');
  await page.getByText('1 order', { exact: true }).waitFor();
  await close();
});

test('a view that a colleague has deleted meanwhile is not deleted again, and the screen says so', async () => {
  const { page, close } = await console.open({ role: 'support', path: '/orders?stage=Queued' });
  const views = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await views('Views');
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Waiting');
  await page.getByRole('button', { name: 'Save the view' }).click();
  await views('Waiting');
  await service.database.pool.query(`delete from saved_views where name = 'Waiting'`);
  await page.getByRole('menuitem', { name: 'Delete “Waiting”' }).click();
  await page.getByRole('alert').getByText('View not found.').waitFor();
  await close();
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

test('orders are chosen by the keyboard, with their sum, and their references are copied', async () => {
  const { page, close } = await console.open({ role: 'viewer', path: '/orders' });
  await page.getByText('6 orders').waitFor();
  // They are counted by another request.
  await page.locator('a[data-opens]').nth(5).waitFor();
  await page.keyboard.press('j');
  await page.locator('a[data-opens]:focus').waitFor();
  await page.keyboard.press('x');
  await page.getByText('1 order chosen').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('2 orders chosen').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Copy the references of these orders' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  const first = await page.locator('a[data-opens]').allInnerTexts();
  expect(copied.split('\n')).toEqual(first.slice(0, 2));
  await page.getByRole('button', { name: 'Choose none' }).click();
  await page.getByText('2 orders chosen').waitFor({ state: 'detached' });
  await close();
});

test('a row that changes by itself flashes once, but for people who have asked for less motion', async () => {
  const flashes = async (motion: 'reduce' | 'no-preference') => {
    const merchant = await createMerchant(service);
    const order = await createOrder(merchant, { walletType: 'BankAccount' });
    const { page, context, close } = await console.open({ role: 'support', path: '/orders' });
    await context.addInitScript(COUNT_FLASHES);
    await page.emulateMedia({ reducedMotion: motion });
    await page.goto(`${service.url}/console/orders?search=${order.orderReference}`);
    const row = page.getByRole('row').filter({ hasText: order.orderReference.slice(-6) });
    await row.getByText('Waiting for a member').waitFor();
    await operatorClient(service).post(`/orders/${order.orderId}/cancel`, { note: 'n' });
    await row.getByText('Cancelled').waitFor();
    const count = await page.evaluate<number>('flashes');
    await close();
    return count;
  };
  expect(await flashes('no-preference')).toBe(1);
  expect(await flashes('reduce')).toBe(0);
});

/** Counts what rows of tables animate. */
const COUNT_FLASHES = `
  window.flashes = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    if (this.localName === 'tr') window.flashes += 1;
    return animate.apply(this, given);
  };
`;
