import { expect } from 'vitest';
import { expectGoodState, openConsole, sendDialog, typeInto } from '../../support/console.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const operator = operatorClient(service);

test('a band is drawn among the others, mended where it overlaps, and set, by the keyboard alone', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Bazaar Online' });
  const rule = { merchantId, orderType: 'Deposit', walletType: 'ProviderA' };
  await operator.post('/fee-rules', { ...rule, percent: 1, fromAmount: 1000, toAmount: 5000 });
  const { page, close } = await console.open({ path: `/fees?merchantId=${merchantId}` });
  await page.getByRole('cell', { name: '1,000 to 5,000', exact: true }).waitFor();
  await page.getByRole('button', { name: 'New rule…' }).press('Enter');
  const dialog = page.getByRole('dialog');
  const field = async (label: string, text: string) => {
    const input = dialog.getByLabel(label, { exact: true });
    await input.focus();
    await page.keyboard.press('Control+A');
    await typeInto(input, text);
  };
  const bands = dialog.getByRole('region', { name: 'Bands in force' });
  const said = (mark: string, text: string) =>
    bands
      .getByRole('listitem')
      .filter({ hasText: `${mark}: ${text}` })
      .waitFor();
  await field('Percent', '0.8');
  await field('From amount', '4000');
  await said('Overlap: not allowed', '4,000 to 5,000');
  await said('No rule here', 'below 1,000');
  await said('New', 'from 5,000');
  await dialog.getByRole('alert').waitFor();
  // Each part is as long as its amounts, up to the last end.
  const widths = await bands
    .locator('[data-mark]:not(li *)')
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
  const [gap = 0, inForce = 0, overlap = 0] = widths;
  expect(inForce / gap).toBeCloseTo(3, 1);
  expect(overlap / gap).toBeCloseTo(1, 1);
  await field('From amount', '5000');
  await dialog.getByRole('alert').waitFor({ state: 'detached' });
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'from 5,000', exact: true }).waitFor();
  const { data } = await operator.get(`/fee-rules?merchantId=${merchantId}`);
  expect(data).toMatchObject([{ percent: 0.8, fromAmount: 5000, toAmount: null }, { percent: 1 }]);
  await close();
});

test('one’s own rule is shown at once, and another operator’s is offered', async () => {
  const { merchantId } = await createMerchant(service);
  const rule = { merchantId, orderType: 'Deposit', walletType: 'ProviderA' };
  await operator.post('/fee-rules', { ...rule, percent: 1, fromAmount: 1000, toAmount: 5000 });
  const { page, close } = await console.open({ path: `/fees?merchantId=${merchantId}` });
  await page.getByRole('cell', { name: '1,000 to 5,000', exact: true }).waitFor();
  await page.getByRole('button', { name: 'New rule…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Percent', { exact: true }).fill('2');
  await dialog.getByLabel('From amount', { exact: true }).fill('100');
  await dialog.getByLabel('Below amount', { exact: true }).fill('1000');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: '100 to 1,000', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: /^\d+ new$/ }).count()).toBe(0);
  await operator.post('/fee-rules', { ...rule, percent: 3, fromAmount: 10, toAmount: 100 });
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('cell', { name: '10 to 100', exact: true }).waitFor();
  await close();
});

test('the rule with the same band is replaced, and is shown so', async () => {
  const { merchantId } = await createMerchant(service);
  const rule = { merchantId, orderType: 'Deposit', walletType: 'ProviderA' };
  await operator.post('/fee-rules', { ...rule, percent: 1 });
  const { page, close } = await console.open({ path: `/fees?merchantId=${merchantId}` });
  await page.getByRole('button', { name: 'New rule…' }).press('Enter');
  const replaced = page.getByRole('listitem').filter({ hasText: 'Replaced by the new one' });
  await replaced.waitFor();
  expect(await replaced.textContent()).toContain('any amount');
  await close();
});

test('a change starts from the rule there is, for several methods at once, each shown before and after', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Metro Mart' });
  const rule = { merchantId, orderType: 'Deposit', percent: 1.25, minimum: 5, maximum: 250 };
  await operator.post('/fee-rules', { ...rule, walletType: 'ProviderA' });
  const { page, close } = await console.open({ path: `/fees?merchantId=${merchantId}` });
  const grid = page.getByRole('region', { name: 'Fees by merchant and method' });
  const text = '1.25\u00a0%, at least 5, at most 250';
  // Grey: priced by the rule of its family.
  for (const own of [true, false])
    await grid
      .locator(`tr:last-child [data-own=${own}]`)
      .filter({ hasText: text })
      .first()
      .waitFor();
  await grid.locator('tr:last-child [data-own=true]').press('Enter');
  const dialog = page.getByRole('dialog');
  const percent = dialog.getByLabel('Percent', { exact: true });
  expect(await percent.inputValue()).toBe('1.25');
  await percent.fill('1.4');
  await dialog.getByLabel('ProviderB Till ID').check();
  const changes = dialog.getByRole('region', { name: 'What changes, any amount' });
  await changes.getByText(text).waitFor();
  await changes.getByText('no own rule').waitFor();
  await expectGoodState(page, 'fees-change');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  const { data } = await operator.get(`/fee-rules?merchantId=${merchantId}`);
  const changed = { percent: 1.4, minimum: 5, maximum: 250 };
  expect(data).toMatchObject([
    { ...changed, walletType: 'TillID' },
    { ...changed, walletType: 'ProviderA' },
  ]);
  await close();
});

test('of several methods one may be refused, which is said and stays chosen', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Twice Shop' });
  const rule = { merchantId, orderType: 'Deposit', walletType: 'TillID', percent: 2 };
  await operator.post('/fee-rules', { ...rule, fromAmount: 100 });
  const { page, close } = await console.open({ path: `/fees?merchantId=${merchantId}` });
  await page.getByRole('button', { name: 'New rule…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Percent', { exact: true }).fill('1');
  await dialog.getByLabel('ProviderB Till ID').check();
  await sendDialog(page);
  await dialog.getByText('ProviderB Till ID: The band overlaps').waitFor();
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(1);
  expect(await dialog.getByLabel('ProviderB Till ID').isChecked()).toBe(true);
  const { data } = await operator.get(`/fee-rules?merchantId=${merchantId}`);
  expect(data).toMatchObject([{ walletType: 'ProviderA' }, { walletType: 'TillID' }]);
  await close();
});

test('that a fee will wait is said where the first of several methods is refused, too', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Several Shop' });
  const rule = { merchantId, orderType: 'Deposit', walletType: 'ProviderA', percent: 2 };
  await operator.post('/fee-rules', { ...rule, fromAmount: 100 });
  await operator.patch('/settings', { requireSecondOperator: true });
  const { page, close } = await console.open({ path: `/fees?merchantId=${merchantId}` });
  await page.getByRole('button', { name: 'New rule…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Percent', { exact: true }).fill('1');
  await dialog.getByText('overlap').first().waitFor();
  await dialog.getByLabel('ProviderB Till ID').check();
  await dialog.getByText('It will wait for').waitFor();
  // Of a fixed fee alone, too; without a fee there is nothing to send.
  await dialog.getByLabel('Percent', { exact: true }).fill('');
  await dialog.getByText('It will wait for').waitFor({ state: 'detached' });
  await dialog.getByLabel('Fixed', { exact: true }).fill('10');
  await dialog.getByText('It will wait for').waitFor();
  await close();
  const { data } = await operator.patch('/settings', { requireSecondOperator: false });
  await secondOperator(service).post(`/approvals/${data.approvalId}/approve`);
});

test('a rate that needs a second operator waits, and shows the approver what it does', async () => {
  await operator.post('/exchange-rates', { currency: 'INR', rate: 3.3 });
  const [asker, approver] = [
    await createOperator(service, 'admin'),
    await createOperator(service, 'approver'),
  ];
  await operator.patch('/settings', { requireSecondOperator: true });
  const asking = await console.open({ who: asker, path: '/fees' });
  await asking.page.getByRole('button', { name: 'New rate…' }).click();
  const dialog = asking.page.getByRole('dialog');
  await dialog.getByLabel('PKR').fill('0.0001');
  await dialog.getByRole('button', { name: 'Set the rate from now on' }).click();
  await asking.page.getByRole('link', { name: 'Open the request' }).waitFor();
  await asking.close();

  const { page, close } = await console.open({ who: approver, path: '/approvals' });
  await page.getByRole('cell', { name: 'Set an exchange rate', exact: true }).click();
  await page.getByText('A deposit of 10,000 credits').first().waitFor();
  await expectGoodState(page, 'approvals-rate');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await sendDialog(page);
  await page.getByText('Nothing is waiting for a second operator.').waitFor();
  const { data } = await operator.get('/exchange-rates');
  expect(data).toMatchObject([{ currency: 'INR', rate: 0.0001 }]);
  await operator.post('/fee-rules', {
    orderType: 'Deposit',
    walletType: 'ProviderA',
    percent: 100,
  });
  await page.getByRole('cell', { name: 'Set a fee rule', exact: true }).click();
  await page.getByText('The fee is').first().waitFor();
  await expectGoodState(page, 'approvals-fee-rule');
  await close();
});
