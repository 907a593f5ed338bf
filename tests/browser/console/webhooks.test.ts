import { expect } from 'vitest';
import { openConsole, tabTo } from '../../support/console.ts';
import { serviceTest } from '../../support/service-test.ts';
import { failingDelivery } from './states/webhooks.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const { deliveryId = '', orderId = '', orderReference = '' } = await failingDelivery(service);

test('a failed delivery is found and retried by the keyboard alone', async () => {
  const { page, close } = await console.open({ role: 'support', path: '/webhooks' });
  await page.getByRole('link', { name: orderReference }).waitFor();
  await tabTo(page, 'a[data-opens]');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/deliveries/${deliveryId}`);
  await page.getByText('Attempt 1, no answer').waitFor();
  const button = page.getByRole('button', { name: 'Retry now' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByText(/Attempt 2, no answer.*asked for by an operator/).waitFor();
  await close();
});

test('the signature of the last attempt is compared with what a receiver computed', async () => {
  const { page, close } = await console.open({ path: `/deliveries/${deliveryId}` });
  const sent = await page.locator('bdi', { hasText: /^sha256=/ }).textContent();
  const input = page.getByLabel('Computed by the receiver');
  await input.fill(String(sent).replace('sha256=', '').toUpperCase());
  await page.getByText('The same:').waitFor();
  await input.fill('0'.repeat(64));
  await page.getByText('Not the same:').waitFor();
  await close();
});

test('deliveries are those of the time in the address, and of the day that is chosen', async () => {
  const { page, close } = await console.open({ path: '/webhooks?to=2001-01-01' });
  await page.getByText('No delivery matches these filters.').waitFor();
  const until = page.getByLabel('Until');
  expect(await until.inputValue()).toBe('2001-01-01');
  await until.fill('');
  await page.getByRole('link', { name: orderReference }).waitFor();
  await page.getByLabel('From', { exact: true }).fill('2099-01-01');
  await page.getByText('No delivery matches these filters.').waitFor();
  expect(new URL(page.url()).search).toBe('?from=2099-01-01');
  await page.getByLabel('From', { exact: true }).fill('2001-01-01');
  await page.getByRole('link', { name: orderReference }).waitFor();
  await close();
});

test('a search finds by reference, order, delivery and URL, and says what was searched', async () => {
  const { page, close } = await console.open({ path: '/webhooks' });
  const found = page.getByRole('link', { name: orderReference });
  const box = page.getByRole('searchbox', { name: 'Find a webhook' });
  const none = page.getByText('No delivery matches these filters.');
  await found.waitFor();
  for (const typed of [orderReference.toLowerCase(), orderId, deliveryId, 'EAF.invalid/ho']) {
    await box.fill('no such thing');
    await none.waitFor();
    await box.fill(typed);
    await found.waitFor();
  }
  await page.goto(`${service.url}/console/webhooks?search=no-such&status=delivered`);
  await none.waitFor();
  await page
    .getByText('Searched whole references, the ends of the merchant’s references')
    .waitFor();
  await close();
});

test('an order leads to its webhooks', async () => {
  const { page, close } = await console.open({ path: `/orders/${orderId}` });
  await page.getByText('Failing', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Order failed' }).press('Enter');
  await page.waitForURL(`**/console/deliveries/${deliveryId}`);
  await page.getByRole('heading', { name: 'Webhook · Order failed' }).waitFor();
  await close();
});

test('a receiver leads to what goes to it, and back to all of it', async () => {
  const { page, close } = await console.open({ path: '/webhooks' });
  await page.getByRole('button', { name: 'deaf.invalid' }).press('Enter');
  await page.getByText('Only what goes to').waitFor();
  expect(new URL(page.url()).searchParams.get('host')).toBe('deaf.invalid');
  await page.getByRole('button', { name: 'Every receiver' }).press('Enter');
  await page.getByText('Only what goes to').waitFor({ state: 'detached' });
  expect(new URL(page.url()).searchParams.get('host')).toBeNull();
  await close();
});

test('a viewer has neither retry, resend nor replay', async () => {
  const { page, close } = await console.open({ role: 'viewer', path: `/deliveries/${deliveryId}` });
  await page.getByText('Attempt 1').waitFor();
  expect(await page.getByRole('button', { name: /Retry|Resend/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  await page.getByRole('heading', { name: 'Receivers' }).waitFor();
  expect(await page.getByRole('button', { name: 'Replay…' }).count()).toBe(0);
  await close();
});
