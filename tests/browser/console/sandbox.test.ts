import { afterAll, expect } from 'vitest';
import { openConsole } from '../../support/console.ts';
import { createMerchant, createOrder, orderStatus } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
afterAll(() => console.close());
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
  await bar.getByText('Sandbox: not the real thing').waitFor();
  expect(await bar.getByRole('button').count()).toBe(0);
  await close();
});
