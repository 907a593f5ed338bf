import { expect } from 'vitest';
import { isLoaded, openConsole, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { consoleOrders } from '../../support/console-orders.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

/** The console from sign-in to the money and its record, as `npm test` goes through it. */

const { test, service } = await serviceTest();
const console = await openConsole(service);
const { inReview, payout, operator, merchant } = await consoleOrders(service);

const statusOf = async (orderId: string) => (await operator.get(`/orders/${orderId}`)).data.status;
const balance = async () =>
  (await operator.get(`/merchants/${merchant.merchantId}/balance`)).data.walletBalance;

test('an operator signs in, works through the queues by the keyboard, and finds it in the audit log', async () => {
  const before = await balance();
  const deposit = await inReview('4821', { amount: 2500 });
  const withdrawal = await payout({ amount: 1800 });
  await operator.post(`/orders/${withdrawal.orderId}/escalate`, { note: 'Nobody answers.' });
  const { username, password } = await console.operator('admin');
  const { page, close } = await console.open({ role: null, path: '/queues' });
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');

  // C1
  await typeInto(page.getByLabel('Username'), username);
  await expectAccessible(page);
  await tabTo(page, 'input[type=password]');
  await keyboard.type(password);
  await keyboard.press('Enter');

  // C3 and C6: the deposit is completed, as its preview says.
  await page.getByRole('button', { name: /2,500/ }).waitFor();
  await keyboard.press('n');
  await page.getByText('You are working on this order.').waitFor();
  await isLoaded(page);
  await expectAccessible(page);
  await keyboard.press('a');
  await dialog.getByText('Balances, PKR').waitFor();
  await dialog.getByText('499,400', { exact: true }).waitFor();
  await expectAccessible(page);
  await typeInto(dialog.getByLabel('Note'), 'Seen in the statement.');
  await sendDialog(page);
  await page.getByText('PKR 2,500 completed.').waitFor();
  await page.getByText('Nothing is waiting here').waitFor();
  expect(await statusOf(deposit.orderId)).toBe('Completed');

  // The withdrawal is cancelled, and what it held is the merchant's again.
  await page.goto(`${service.url}/console/queues?queue=payoutsInDoubt`);
  await page.getByRole('button', { name: /1,800/ }).click();
  await page.getByRole('button', { name: 'Cancel PKR 1,800…' }).press('Enter');
  await dialog.getByText('Balances, PKR').waitFor();
  await dialog.getByText('The merchant reads this').waitFor();
  await typeInto(dialog.getByLabel('Note'), 'It was never sent.');
  await dialog.getByLabel('For ourselves').fill('Sana has checked it by phone.');
  await expectAccessible(page);
  await sendDialog(page);
  await page.getByText('PKR 1,800 cancelled.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  expect(await statusOf(withdrawal.orderId)).toBe('Cancelled');
  await page.goto(`${service.url}/console/orders/${withdrawal.orderId}`);
  await page.getByText('For ourselves: Sana has checked it by phone.').waitFor();
  expect(await balance()).toBe(before + 2500);

  // C13
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Resolved an order' }).nth(1).click();
  const recorded = page.getByRole('region', { name: 'What was recorded' });
  await recorded.getByText('Seen in the statement.').waitFor();
  await isLoaded(page);
  await expectAccessible(page);
  await close();
});
