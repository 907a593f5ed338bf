import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { canSend, expectGoodState, openConsole, sendDialog } from '../../support/console.ts';
import { consoleOrders } from '../../support/console-orders.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** C8: what a second operator is shown, and how several requests are approved. */

const { test, service } = await serviceTest();
const console = await openConsole(service);
const admin = operatorClient(service);
const asma = await createOperator(service, 'approver', 'Asma Naz');
await createOperator(service, 'approver', 'Bilal Raza');
const hina = await createOperator(service, 'admin', 'Hina Malik');
const asker = operatorClient(service, hina.token);
const merchant = await createMerchant(service, { name: 'Bazaar Online', balance: '1000' });
const adjustments = `/merchants/${merchant.merchantId}/adjustments`;
const rule = (on: boolean, limit: number) =>
  service.database.pool.query(
    'update settings set require_second_operator = $1, adjustment_approval_limit = $2',
    [on, limit],
  );
const orders = await consoleOrders(service);
await rule(true, 100);

/** Requests of Hina for credits of these amounts, the newest last. */
async function asked(...amounts: readonly number[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const amount of amounts) {
    const credit = { kind: 'credit', amount, reason: `Slip ${amount}` };
    ids.push((await asker.post(adjustments, credit)).data.approvalId);
  }
  return ids;
}
const statusOf = async (approvalId: string) =>
  (await admin.get(`/approvals/${approvalId}`)).data.status;
const row = (page: Page, text: string) => page.locator('main tbody tr', { hasText: text });

test('a row says whom, how much, what, why and who asked; the panel what changes, before Approve', async () => {
  const [approvalId = ''] = await asked(500);
  const { page, close } = await console.open({ who: asma, path: '/approvals' });
  await row(page, 'Slip 500').waitFor();
  const cells = await row(page, 'Slip 500').locator('td').allInnerTexts();
  expect(cells.slice(1, 6).map((text) => text.replaceAll('\u00A0', ' '))).toEqual([
    'Wallet adjustment: credit',
    'Bazaar Online',
    'PKR 500.00',
    'Slip 500',
    'Hina Malik',
  ]);
  await row(page, 'Slip 500').getByRole('button').click();
  const panel = page.getByRole('region', { name: 'Wallet adjustment: credit' });
  const balances = panel.getByRole('region', { name: 'Balances, PKR' });
  await balances.getByText('1,500').waitFor();
  await panel.getByText('Asma Naz, Bilal Raza, OPERATOR_TOKEN or OPERATOR_TOKEN_2').waitFor();
  await expectGoodState(page, 'approvals-panel');
  await admin.post(`/approvals/${approvalId}/decline`, { note: 'n' });
  await close();
});

test('of an order its evidence and the order itself are shown beside the request', async () => {
  const { orderId } = await orders.inReview('4711');
  const { data } = await asker.post(`/orders/${orderId}/resolve`, {
    ...{ outcome: 'Completed', note: 'The statement has it.' },
  });
  const { page, close } = await console.open({
    ...{ who: asma, path: `/approvals?open=${data.approvalId}` },
  });
  const evidence = page.getByRole('region', { name: 'Evidence' });
  await evidence.getByText('4711').first().waitFor();
  await page.getByRole('region', { name: 'Balances, PKR' }).waitFor();
  await page.getByText('The statement has it.').first().waitFor();
  await expectGoodState(page, 'approvals-order');
  await page.keyboard.press('a');
  await sendDialog(page);
  await page.getByText('Nothing is waiting for a second operator.').waitFor();
  expect((await admin.get(`/orders/${orderId}`)).data.status).toBe('Completed');
  await close();
});

test('a dialog says that it will wait, why, what is left and for whom; then the request is one click away', async () => {
  const { page, close } = await console.open({
    who: hina,
    path: `/merchants/${merchant.merchantId}`,
  });
  await page.goto(`${service.url}/console/merchants/${merchant.merchantId}/money`);
  await page.getByRole('button', { name: 'Adjust' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('60');
  await dialog.getByText('PKR 100 of it is left today for all operators').waitFor();
  await dialog.getByLabel('Amount').fill('160');
  await dialog
    .getByText('It will wait for Asma Naz, Bilal Raza, OPERATOR_TOKEN or OPERATOR_TOKEN_2.')
    .waitFor();
  await dialog.getByText('It is above PKR 100').waitFor();
  await expectGoodState(page, 'adjust-waits');
  await dialog.getByLabel('Reason').fill('Slip 4471');
  await sendDialog(page);
  await page.getByRole('link', { name: 'Open the request' }).click();
  await page.getByText('You asked for this yourself').waitFor();
  const [waiting] = (await admin.get('/approvals?status=pending')).data;
  await asker.post(`/approvals/${waiting.approvalId}/decline`, { note: 'n' });

  await page.goto(`${service.url}/console/fees`);
  await page.getByRole('button', { name: 'New rate…' }).click();
  await dialog.getByLabel('PKR').fill('3.2');
  await dialog.getByText('This always needs a second operator.').waitFor();
  await close();
});

test('a form of a page says that it will wait before it is saved, and nothing of what will not', async () => {
  const at = (tab: string) => `/merchants/${merchant.merchantId}/${tab}`;
  const { page, close } = await console.open({ who: hina, path: at('settings') });
  const waits = page.getByText('It will wait for Asma Naz, Bilal Raza');
  const url = page.getByLabel('Default callback URL');
  await url.fill('https://shop.example/elsewhere');
  await waits.waitFor();
  await page.getByText('What needs a second operator: Another name').waitFor();
  await expectGoodState(page, 'merchant-settings-wait');
  await url.fill('');
  await waits.waitFor({ state: 'detached' });
  await close();
});

test('where nobody can approve it, the dialog says so and what to do', async () => {
  const { page, close } = await console.open({ who: hina, path: '/fees' });
  // Only in the browser's answers: the service has the approvers of its environment.
  await page.route('**/exchange-rates?preview=true', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const wait = { ...data.wait, approvers: [] };
    await route.fulfill({ response, json: { data: { ...data, wait } } });
  });
  await page.getByRole('button', { name: 'New rate…' }).click();
  await page.getByRole('dialog').getByLabel('PKR').fill('3.2');
  await page.getByText('It will wait, and nobody can approve it.').waitFor();
  await page.getByText('munshi operator-link <name> --approver').waitFor();
  await expectGoodState(page, 'rate-nobody-approves');
  await close();
});

test('those that were open are approved together, each with its own result', async () => {
  const ids = await asked(201, 202, 203);
  const { page, close } = await console.open({ who: asma, path: '/approvals' });
  const box = (amount: number) => row(page, `Slip ${amount}`).getByRole('checkbox');
  await box(201).waitFor();
  expect(await box(201).isDisabled()).toBe(true);
  await page.keyboard.press('j');
  for (const amount of [203, 202, 201]) {
    await page.keyboard.press('Enter');
    await page
      .getByRole('definition')
      .filter({ hasText: `Slip ${amount}` })
      .waitFor();
    await page.locator(`tr[data-open=true] input:enabled`).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
  }
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Approve 3 together' }).waitFor();
  await expectGoodState(page, 'approvals-selected');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Approve 3 requests').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(3);
  await expectGoodState(page, 'approvals-together');
  await asker.post(`/approvals/${ids[1]}/decline`, { note: 'No more.' });
  await sendDialog(page);
  await dialog.getByText('2 of 3 approved').waitFor();
  await dialog.getByText('Not approved: This request is withdrawn').waitFor();
  await expectGoodState(page, 'approvals-results');
  expect(await Promise.all(ids.map(statusOf))).toEqual(['done', 'withdrawn', 'done']);
  await page.keyboard.press('Escape');
  await page.getByText('Nothing is waiting for a second operator.').waitFor();
  await close();
});

test('what holds where nothing is chosen has nothing to remove, and one request is approved alone', async () => {
  const [approvalId = ''] = await asked(301);
  const { page, close } = await console.open({ who: asma, path: '/approvals' });
  const filters = page.getByRole('search', { name: 'Filters' });
  const choose = async (status: string) => {
    await filters.getByLabel('Status').click();
    await page.getByRole('option', { name: status, exact: true }).click();
  };
  const removers = filters.locator('button:visible');
  await row(page, 'Slip 301').waitFor();
  expect(await removers.count()).toBe(0);
  await choose('Declined');
  await page.getByText('No request has this status.').or(row(page, 'Slip 500')).first().waitFor();
  expect(await removers.count()).toBe(2);
  await choose('Waiting');
  await row(page, 'Slip 301').getByRole('button').click();
  expect(await removers.count()).toBe(0);
  await page.locator('tr[data-open=true] input:enabled').check();
  const selected = page.getByRole('status').filter({ hasText: '1 selected' });
  await selected.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('dialog').getByText('Approve 1 request').waitFor();
  await sendDialog(page);
  await page.getByRole('dialog').getByText('1 of 1 approved').waitFor();
  expect(await statusOf(approvalId)).toBe('done');
  await close();
});

test('five are approved by twelve strokes: the next opens by itself', async () => {
  const ids = await asked(301, 302, 303, 304, 305);
  const { page, close } = await console.open({ who: asma, path: '/approvals' });
  await row(page, 'Slip 305').waitFor();
  let strokes = 0;
  const press = async (key: string) => {
    strokes += 1;
    await page.keyboard.press(key);
  };
  await press('j');
  await press('Enter');
  for (const amount of [305, 304, 303, 302, 301]) {
    await page
      .getByRole('definition')
      .filter({ hasText: `Slip ${amount}` })
      .waitFor();
    await press('a');
    await canSend(page);
    await press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByText('Nothing is waiting for a second operator.').waitFor();
  expect(strokes).toBe(12);
  expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set(['done']));
  await close();
});

test('on a phone the open request is above the list', async () => {
  const [approvalId = ''] = await asked(401);
  const { page, close } = await console.open({ who: asma, path: `/approvals?open=${approvalId}` });
  await page.setViewportSize({ width: 390, height: 844 });
  const panel = await page.getByRole('region', { name: 'Wallet adjustment: credit' }).boundingBox();
  const list = await page.getByRole('table', { name: 'Approvals' }).boundingBox();
  expect(panel?.y).toBeLessThan(list?.y ?? 0);
  await asker.post(`/approvals/${approvalId}/decline`, { note: 'n' });
  await close();
});

test('the settings say the rule as it is declared, with what holds now', async () => {
  const { page, close } = await console.open({ who: hina, path: '/settings' });
  const card = page.getByRole('region', { name: 'What needs a second operator' });
  await card.getByText('One operator decides up to PKR 100 a day alone').waitFor();
  await card.getByText('Asma Naz, Bilal Raza').waitFor();
  await card.getByText('Set an exchange rate: always.').waitFor();
  expect(await card.getByRole('term').count()).toBeLessThanOrEqual(11);
  await close();
});
