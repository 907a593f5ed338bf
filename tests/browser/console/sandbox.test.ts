import { expect } from 'vitest';
import { openConsole } from '../../support/console.ts';
import { createMember, createMerchant, createOrder, orderStatus } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const merchant = await createMerchant(service);

test('an admin advances the sandbox clock to the next deadline, and the order is over', async () => {
  const { orderId } = await createOrder(merchant);
  const { page, close } = await console.open({ path: '/merchants' });
  const bar = page.getByRole('region', { name: 'Sandbox clock' });
  await bar.getByText(/next deadline in \d+ (s|min|h)/).waitFor();
  await bar.getByRole('button', { name: 'To the next deadline' }).click();
  await bar.getByText('no order has a deadline').waitFor();
  expect((await orderStatus(merchant, orderId)).stage).toBe('Failed');
  await close();
});

test('a viewer sees the clock and cannot move it', async () => {
  const { page, close } = await console.open({ role: 'viewer', path: '/merchants' });
  const bar = page.getByRole('region', { name: 'Sandbox clock' });
  await bar.getByText('Sandbox: no real money').waitFor();
  expect(await bar.getByRole('button').count()).toBe(0);
  await close();
});

test('an order is made, paid and confirmed from the console, by the keyboard alone', async () => {
  await createMember(service, { name: 'Sana Iqbal' });
  const { page, close } = await console.open({ path: '/merchants' });
  await page.getByRole('link', { name: 'Test Merchant' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.getByRole('heading', { name: 'Sandbox' }).waitFor();
  const amount = page.getByLabel('Amount');
  await page.getByRole('button', { name: /^Make the deposit of PKR/ }).waitFor();
  await amount.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('1,750.50');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { name: /PKR.1,750.50 deposit/ });
  await heading.waitFor();
  expect(await page.evaluate('document.activeElement.tagName')).toBe('H2');

  const press = async (name: RegExp) => {
    await page.getByRole('button', { name }).waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press('Tab');
        return page.evaluate<string>('document.activeElement.textContent');
      })
      .toMatch(name);
    await page.keyboard.press('Enter');
  };
  await press(/^Ask for the account$/);
  await press(/^Say that PKR.1,750.50 is paid$/);
  await press(/^Confirm that PKR.1,750.50 came$/);
  await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor();
  await page
    .getByRole('list', { name: 'What happened' })
    .getByText(/confirmed/)
    .first()
    .waitFor();
  await page.getByText('Nothing to do for the member now.').waitFor();
  const orderId = new URL(page.url()).searchParams.get('order') as string;
  expect((await orderStatus(merchant, orderId)).status).toBe('Completed');
  await close();
});

test('the payment page of the order opens in a new tab', async () => {
  const { page, context, close } = await console.open({ path: '/sandbox' });
  await page.getByRole('button', { name: /^Make the deposit of PKR/ }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Open the payment page in a new tab' }).click();
  await (await opened).getByText('2,500').first().waitFor();
  await close();
});

test('what the merchant face would refuse is said beside the form', async () => {
  const { page, close } = await console.open({ path: '/sandbox' });
  await page.getByText('Withdrawal', { exact: true }).click();
  await page.getByRole('button', { name: /^Make the withdrawal of PKR/ }).click();
  await page.getByRole('alert').getByText('Insufficient merchant balance').waitFor();
  await close();
});

test('only admins find the sandbox, and only with its clock', async () => {
  const support = await console.open({ role: 'support', path: '/sandbox' });
  await support.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await support.close();
  const real = await console.open({ path: '/merchants' });
  await real.context.route('**/api/operator/clock', (route) =>
    route.fulfill({
      json: { data: { now: '2026-11-23T06:00:00.000Z', sandbox: false, nextDueAt: null } },
    }),
  );
  await real.page.goto(`${service.url}/console/sandbox`);
  await real.page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  expect(await real.page.getByRole('link', { name: 'Sandbox' }).count()).toBe(0);
  await real.close();
});
