import { expect } from 'vitest';
import { hasFocus, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { createMerchant, createOrder, everybodyOffline } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { cancelOrder, failedOrder } from '../../support/outcomes.ts';
import { openPortal } from '../../support/portal-app.ts';
import { portalShop } from '../../support/portal-shop.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const { test, service } = await serviceTest({ SUPPORT_EMAIL: 'help@munshi.example' });
const portal = await openPortal(service);
const shop = await portalShop(service);
const { merchant, failing, paid, open } = shop;

test('signing in by the keyboard alone leads to the address that was asked for', async () => {
  const { username, password } = await portal.user(merchant, 'viewer');
  const path = '/orders?search=INV-1001';
  const { page, close } = await portal.open({ merchant, role: null, path });
  await typeInto(page.getByLabel('Username'), username);
  await tabTo(page, 'input[type=password]');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: paid.orderReference }).waitFor();
  expect(new URL(page.url()).search).toBe('?search=INV-1001');
  await close();
});

test('an order is found by one’s own reference, opened, and its webhook sent again', async () => {
  const { page, close } = await portal.open({ merchant, path: '/orders' });
  await page.getByRole('link', { name: failing.orderReference }).waitFor();
  await page.keyboard.press('/');
  await typeInto(page.getByRole('searchbox', { name: 'Find any order' }), 'INV-1003');
  await page.getByRole('link', { name: paid.orderReference }).waitFor({ state: 'detached' });
  const row = page.getByRole('link', { name: failing.orderReference });
  await row.waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  await hasFocus(row);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/portal/orders/${failing.orderId}`);
  const before = page.getByRole('listitem').filter({ hasText: 'Attempts and body' });
  await before.waitFor();
  await page.getByRole('button', { name: 'Resend the webhook…' }).focus();
  await page.keyboard.press('Enter');
  await sendDialog(page);
  await page.getByText('Superseded', { exact: true }).waitFor();
  expect(await before.count()).toBe(2);
  await close();
});

test('a part of a reference finds orders and webhooks, and an order leads to its webhooks', async () => {
  const { page, close } = await portal.open({ merchant, role: 'viewer', path: '/orders' });
  const link = page.getByRole('link', { name: failing.orderReference });
  const box = page.getByRole('searchbox', { name: 'Find any order' });
  for (const typed of ['v-1003', failing.orderReference.slice(-6).toLowerCase()]) {
    await box.fill('nothing like it');
    await page.getByText(/^Searched whole references/).waitFor();
    await box.fill(typed);
    await link.waitFor();
  }
  await link.click();
  await page.getByRole('link', { name: 'Order failed' }).first().click();
  await page.waitForURL('**/portal/deliveries/**');
  await page.getByRole('heading', { name: 'Webhook · Order failed' }).waitFor();

  await page.goto(`${service.url}/portal/webhooks`);
  const webhooks = page.getByRole('searchbox', { name: 'Find a webhook' });
  for (const typed of ['inv-1003', failing.orderReference, failing.orderId, 'eaf.inva']) {
    await webhooks.fill('nothing like it');
    await page.getByText(/^Searched whole references/).waitFor();
    await webhooks.fill(typed);
    await link.first().waitFor();
  }
  await close();
});

test('an order that comes while the list is open is offered, and its page follows it', async () => {
  const { page, close } = await portal.open({ merchant, role: 'viewer', path: '/orders' });
  await page.getByRole('link', { name: paid.orderReference }).waitFor();
  await everybodyOffline(service);
  const made = await createOrder(merchant, { amount: 777, merchantOrderRef: 'INV-LIVE' });
  const link = page.getByRole('link', { name: made.orderReference });
  const fresh = page.getByRole('button', { name: '1 new' });
  await fresh.waitFor();
  expect(await link.count()).toBe(0);
  await fresh.press('Enter');
  await link.waitFor();
  await expectAccessible(page);
  await link.press('Enter');
  await page.getByText('No account is free to take the payment yet.').waitFor();
  await cancelOrder(service, made);
  await page.getByText('It was cancelled.').waitFor();
  await expectAccessible(page);
  await close();
});

test('an order that came while another page was open is in the list on arrival', async () => {
  const { page, close } = await portal.open({ merchant, role: 'viewer', path: '/orders' });
  await page.getByRole('link', { name: paid.orderReference }).waitFor();
  await page.getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
  await everybodyOffline(service);
  const made = await createOrder(merchant, { amount: 778, merchantOrderRef: 'INV-AWAY' });
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('link', { name: made.orderReference }).waitFor();
  expect(await page.getByRole('button', { name: 'new' }).count()).toBe(0);
  const next = await createOrder(merchant, { amount: 779, merchantOrderRef: 'INV-NEXT' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  expect(await page.getByRole('link', { name: next.orderReference }).count()).toBe(0);
  await close();
});

test('filters and columns are in the address, and the file has what the list has', async () => {
  const path = '/orders?orderType=Withdrawal&columns=amount&columns=fee';
  const { page, close } = await portal.open({ merchant, role: 'viewer', path });
  await page.getByRole('link', { name: shop.payout.orderReference }).waitFor();
  expect(await page.getByRole('columnheader').allTextContents()).toEqual([
    '',
    'Reference',
    'Amount',
    'Fee',
  ]);
  expect(await page.getByRole('row').count()).toBe(2);
  const loading = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download these orders as CSV' }).click();
  const file = await (await loading).createReadStream();
  const lines = (await new Response(file as never).text()).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(shop.payout.orderId);
  await page.getByRole('button', { name: 'Remove Type: Withdrawal' }).press('Enter');
  await page.getByRole('link', { name: paid.orderReference }).waitFor();
  expect(new URL(page.url()).search).toBe('?columns=amount&columns=fee');
  await close();
});

test('a viewer sees the story without a button that is refused, and no payment link', async () => {
  const { page, close } = await portal.open({
    ...{ merchant, role: 'viewer', path: `/orders/${open.orderId}` },
  });
  await page.getByText('has not confirmed a payment yet').waitFor();
  expect(await page.getByRole('region', { name: 'Payment page' }).count()).toBe(0);
  await page.goto(`${service.url}/portal/orders/${failing.orderId}`);
  await page.getByRole('button', { name: 'Ask about this order…' }).waitFor();
  expect(await page.getByRole('button', { name: /Resend/ }).count()).toBe(0);
  await close();
});

test('an admin copies the link of the customer while it works', async () => {
  const { page, close } = await portal.open({ merchant, path: `/orders/${open.orderId}` });
  await page.getByRole('button', { name: 'Copy the payment link' }).press('Enter');
  await page.getByText('Copied').first().waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(new URL(link).pathname).toBe(`/pay/${open.orderId}`);
  expect((await fetch(link)).status).toBe(200);
  await close();
});

test('a question names the order in both references, ready to be sent', async () => {
  const { page, close } = await portal.open({
    ...{ merchant, role: 'viewer', path: `/orders/${failing.orderId}` },
  });
  const ask = page.getByRole('button', { name: 'Ask about this order…' });
  await ask.press('Enter');
  await page.getByLabel('Your question').waitFor();
  await page.getByRole('button', { name: 'Copy the text' }).press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
    `${failing.orderReference} (our reference INV-1003), cancelled`,
  );
  const mail = await page.getByRole('link', { name: 'Write the mail' }).getAttribute('href');
  const { pathname, searchParams } = new URL(mail ?? '');
  expect(decodeURIComponent(pathname)).toBe('help@munshi.example');
  expect(searchParams.get('subject')).toBe(`Order ${failing.orderReference}`);
  expect(searchParams.get('body')).toContain('(our reference INV-1003), cancelled');
  await page.keyboard.press('Escape');
  await hasFocus(ask);
  await close();
});

test('the fee of an order in another currency is in that currency, and its wallet in PKR', async () => {
  const operator = operatorClient(service);
  await operator.post('/exchange-rates', { currency: 'INR', rate: 3.25 });
  const abroad = await createMerchant(service, { currencies: ['INR'] });
  await operator.post('/fee-rules', {
    ...{ merchantId: abroad.merchantId, orderType: 'Deposit', walletType: 'ProviderA' },
    percent: 2,
  });
  const { orderId } = await createOrder(abroad, { amount: 1000, currency: 'INR' });
  const path = '/orders?columns=amount&columns=fee';
  const { page, close } = await portal.open({ merchant: abroad, role: 'viewer', path });
  await page.getByRole('cell', { name: 'INR 20.00', exact: true }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/portal/orders/${orderId}`);
  await page.getByText('INR 20', { exact: true }).waitFor();
  await page.getByText('PKR 3,185').waitFor();
  await close();
});

test('an order of another merchant is not there', async () => {
  const other = await failedOrder(service, shop.newcomer, { amount: 100 });
  const { page, close } = await portal.open({ merchant, path: `/orders/${other.orderId}` });
  await page.getByRole('alert').waitFor();
  expect(await page.getByText(other.orderReference).count()).toBe(0);
  await close();
});
