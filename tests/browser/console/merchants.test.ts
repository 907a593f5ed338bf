import { afterAll, expect } from 'vitest';
import { isLoaded, openConsole, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
afterAll(() => console.close());
const operator = operatorClient(service);

test('a merchant is added and gets a key whose secret is shown once, by the keyboard alone', async () => {
  const { page, close } = await console.open({ path: '/merchants' });
  await page.getByRole('button', { name: 'Add a merchant' }).focus();
  await page.keyboard.press('Enter');
  await typeInto(page.getByLabel('Name of the merchant'), 'Corner Shop');
  await sendDialog(page);
  await page.getByText('No key yet').waitFor();
  await page.getByRole('button', { name: 'New key' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await sendDialog(page);
  const secret = await page.getByText(/^sksec_\w{40}$/).textContent();
  await page.keyboard.press('Escape');
  expect(await page.getByText(secret as string).isVisible()).toBe(true);
  await tabTo(page, 'input[type=checkbox]');
  await page.keyboard.press('Space');
  await tabTo(page, 'button');
  await page.keyboard.press('Enter');
  await page.getByText('In force').waitFor();
  expect(await page.content()).not.toContain(secret);
  await close();
});

test('an adjustment is written to the ledger digit for digit, and the balance follows', async () => {
  const { merchantId } = await createMerchant(service, { balance: '99999999999998.5' });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/money` });
  await page.getByText('PKR\u00a099,999,999,999,998.50').first().waitFor();
  await page.getByRole('button', { name: 'Adjust the wallet' }).click();
  await page.getByLabel('Amount, PKR').fill('0.0001');
  // What it becomes is shown before it is done.
  await page.getByRole('dialog').getByText('99,999,999,999,998.5001').first().waitFor();
  await page.getByLabel('Reason').fill('Rounding of the month');
  await sendDialog(page);
  await page.getByText('PKR\u00a099,999,999,999,998.5001').first().waitFor();
  await page.getByRole('cell', { name: 'Rounding of the month' }).waitFor();
  await close();
});

test('closing a merchant needs its name, and says what goes on working', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Old Shop' });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}` });
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('go on to their end').waitFor();
  await dialog.getByRole('button', { name: 'Close Old Shop' }).click();
  await dialog.getByText('This must read Old Shop.').waitFor();
  await dialog.getByLabel('Type Old Shop to go on').fill('Old Shop');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  expect((await operator.get(`/merchants/${merchantId}`)).data.status).toBe('closed');
  await close();
});

test('a viewer sees the tabs without a button that would be refused', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Seen Shop' });
  const { page, close } = await console.open({ role: 'viewer', path: `/merchants/${merchantId}` });
  const answers: number[] = [];
  page.on('response', (response) => answers.push(response.status()));
  await page.getByRole('tab').first().waitFor();
  for (const name of await page.getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await isLoaded(page);
    const buttons = page.getByRole('tabpanel').getByRole('button', {
      name: /save|new|regenerate|revoke|adjust|add|remove/i,
    });
    expect(await buttons.count(), name).toBe(0);
  }
  expect(answers.filter((status) => status === 403)).toEqual([]);
  await close();
});

test('a session that ends while a reason is typed asks again, and keeps what was typed', async () => {
  const { merchantId } = await createMerchant(service, { balance: '100' });
  const who = await console.operator('admin');
  const { page, context, close } = await console.open({ path: `/merchants/${merchantId}/money` });
  await page.getByRole('button', { name: 'Adjust the wallet' }).click();
  await page.getByLabel('Amount, PKR').fill('5');
  await page.getByRole('dialog').getByText('105').first().waitFor();
  await page.getByLabel('Reason').fill('A long and careful sentence');
  await context.clearCookies({ name: 'munshi_operator' });
  await sendDialog(page);
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(who.password);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Reason').inputValue()).toBe('A long and careful sentence');
  await sendDialog(page);
  await page.getByText('PKR\u00a0105').first().waitFor();
  await close();
});
