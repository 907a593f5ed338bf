import { expect } from 'vitest';
import { hasFocus, isLoaded, openConsole } from '../../support/console.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';
import { prepareReports } from './states/reports.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const operator = operatorClient(service);
const { merchantId } = await prepareReports(service);

test('a merchant’s month is found from the reports, and read as its statement, by the keyboard alone', async () => {
  const { page, close } = await console.open({ role: 'viewer' });
  const { keyboard } = page;
  await hasFocus(page.getByRole('heading', { level: 1 }));
  await keyboard.press('g');
  await keyboard.press('r');
  await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
  const row = page.getByRole('row', { name: 'Ledger Shop' });
  await row.waitFor();
  for (const amount of ['119,500.50', '−1,792.5075', '498,700.50', '613,908.4925'])
    await row.getByText(amount).first().waitFor();
  await expectAccessible(page);

  // The month before had none of it; the one after is the present one again.
  await keyboard.press('[');
  await page.getByText('Ended').waitFor();
  await row.getByText('119,500.50').first().waitFor({ state: 'detached' });
  await keyboard.press(']');
  await page.getByText('Still running').waitFor();
  await row.getByText('119,500.50').first().waitFor();
  for (const link of await page.locator('[data-opens]').all()) {
    await keyboard.press('j');
    if ((await link.textContent()) === 'Ledger Shop') break;
  }
  await hasFocus(page.getByRole('link', { name: 'Ledger Shop' }));
  await keyboard.press('Enter');
  await page.getByRole('article').getByText('613,908.4925').first().waitFor();
  await page.getByRole('link', { name: 'All statements of Ledger Shop' }).waitFor();
  await expectAccessible(page);
  await close();
});

test('an address of a month that is none says so', async () => {
  const path = `/merchants/${merchantId}/statements/2026-13`;
  const { page, close } = await console.open({ role: 'viewer', path });
  await page.getByRole('heading', { name: 'No statement of this month' }).waitFor();
  await close();
});

test('the decimal points of amounts are aligned, regardless of how many decimals they have', async () => {
  const { page, close } = await console.open({ path: '/reports' });
  await page.getByRole('row', { name: 'Ledger Shop' }).getByText('1,792.5075').waitFor();
  const points = await page.evaluate<readonly (readonly number[])[]>(POINTS);
  expect(points.length).toBeGreaterThan(5);
  for (const column of points) expect(new Set(column).size).toBe(1);
  await close();
});

/** Where the points of each column of amounts are, in pixels from the left. */
const POINTS = `(() => {
  const columns = [];
  for (const row of document.querySelectorAll('main table tr')) {
    [...row.cells].forEach((cell, column) => {
      const text = [...(cell.querySelector('data')?.childNodes ?? [])].find((node) => node.data?.includes('.'));
      if (text === undefined) return;
      const range = document.createRange();
      const at = text.data.lastIndexOf('.');
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      (columns[column] ??= []).push(Math.round(range.getBoundingClientRect().left));
    });
  }
  return columns.filter(Boolean);
})()`;

test('the file has the month that is shown', async () => {
  const { page, close } = await console.open({ path: '/reports?month=2020-01' });
  await page.getByText('Ended').waitFor();
  const link = page.getByRole('link', { name: 'Save the merchants of this month as a CSV file' });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(new URL(download.url()).search).toBe('?month=2020-01');
  expect(download.suggestedFilename()).toBe('merchants-2020-01.csv');
  await page.getByRole('tab', { name: 'Members' }).click();
  await page.getByRole('link', { name: 'Sana Malik' }).waitFor();
  expect(new URL(page.url()).search).toBe('?month=2020-01');
  await close();
});

test('success, volume and time to confirm are drawn by day and by week, with their table and file', async () => {
  const { page, close } = await console.open({ path: '/reports' });
  await page.getByRole('tab', { name: 'Orders' }).click();
  const row = page.getByRole('table', { name: 'Orders' }).locator('tbody tr');
  // Three completed orders: too few for a share.
  for (const text of ['3', 'too few', '119,500.50']) await row.getByText(text).first().waitFor();
  for (const chart of ['Volume', 'Time to confirm'])
    await page.getByRole('img', { name: new RegExp(`^${chart}, `) }).waitFor();
  await page.getByText('Too few orders to draw it').waitFor();
  await page.getByRole('button', { name: 'By week' }).click();
  await page.getByRole('columnheader', { name: 'Week' }).waitFor();
  await row.getByText('119,500.50').waitFor();
  for (const [label, file] of [
    ['Save these figures as a CSV file, by method too', 'orders'],
    ['Save these figures as a CSV file: Success, by method too', 'success'],
    ['Save these figures as a CSV file: Volume, by method too', 'volume'],
    ['Save these figures as a CSV file: Time to confirm, by method too', 'time-to-confirm'],
  ] as const) {
    const link = page.getByRole('link', { name: label });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe(`${file}-by-week.csv`);
  }
  await expectAccessible(page);
  await close();
});

test('the trial balance says whether it is zero, now and as it was', async () => {
  const { page, close } = await console.open({ path: '/reports/trial-balance' });
  await page.getByText('sum to exactly 0').waitFor();
  expect(await page.getByText('Agrees').count()).toBe(3);
  await expectAccessible(page);
  await page.getByLabel('As of').fill('2020-01-01T00:00');
  await page.getByText('0 entries of the ledger').waitFor();
  expect(await page.getByText('Agrees').count()).toBe(0);
  await close();
});

test('a merchant’s time zone is chosen by name, and counts from now on', async () => {
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/settings` });
  await isLoaded(page);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.click();
  await zone.fill('Kolk');
  await page.getByRole('option', { name: /^Asia\/Kolkata/ }).click();
  await page.locator('form', { has: zone }).getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => (await operator.get(`/merchants/${merchantId}`)).data.timeZone)
    .toBe('Asia/Kolkata');
  await close();
});
