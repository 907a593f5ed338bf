import { expect } from 'vitest';
import { createMember, createMerchant, createOrder, orderStatus } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { expectFits } from '../checks.ts';

/** What people see of a sandbox (testing.md). */
const { test, service } = await serviceTest({ SANDBOX: '1', CLOCK: 'real' });
const browser = await sharedBrowser();
await createMember(service, { float: '1000000' });
const merchant = await createMerchant(service);

test('its payment page completes an order without anybody signing in', async () => {
  const order = await createOrder(merchant);
  const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
  const page = await context.newPage();
  await page.goto(order.paymentPageUrl);
  await page.getByText('Send exactly').waitFor();
  await page.getByText('Sandbox: move this order').click();
  await expectFits(page);
  await page.getByRole('button', { name: 'Completed', exact: true }).click();
  await page.getByText('It is Completed').waitFor({ state: 'attached' });
  expect((await orderStatus(merchant, order.orderId)).status).toBe('Completed');
  await context.close();
});

test.for(['console', 'portal', 'member'])('the %s says so above its sign-in', async (app) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  await page.goto(`${service.url}/${app}`);
  await page.getByText('Sandbox: no real money').waitFor();
  await expectFits(page);
  await page.close();
});
