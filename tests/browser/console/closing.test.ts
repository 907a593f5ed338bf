import { expect } from 'vitest';
import { hasFocus, openConsole, sendDialog, typeInto } from '../../support/console.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';
import { expectAccessible } from '../checks.ts';
import { prepareReports } from './states/reports.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const operator = operatorClient(service);
await prepareReports(service);

test('a day is counted by one operator and signed by another, by keys alone', async () => {
  const counter = await console.open({ path: '/reports/days' });
  const {
    page,
    page: { keyboard },
  } = counter;
  await page.getByText('No day was closed yet.').waitFor();
  await keyboard.press('c');
  await page.getByRole('dialog').waitFor();
  await hasFocus(page.getByRole('combobox', { name: 'It ends' }));
  await keyboard.press('Enter');
  const shift = page.getByRole('option', { name: 'Now, for a shift' });
  await shift.waitFor();
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await shift.waitFor({ state: 'hidden' });
  expect(await page.getByRole('combobox', { name: 'It ends' }).inputValue()).toMatch(/^Now/);
  // What would be closed, before it is.
  await page.getByRole('dialog').getByText('PKR\u00a0119,500.50').waitFor();
  await sendDialog(page);

  await page.getByRole('table', { name: 'Floats to count' }).waitFor();
  await expectAccessible(page);
  const first = page.getByLabel('Counted float of Bilal Shah');
  await first.focus();
  await keyboard.type('1,49,999.50');
  await keyboard.press('Enter');
  // What differs needs a note before the next one.
  await typeInto(page.getByLabel('Note on Bilal Shah'), 'A note was torn');
  await keyboard.press('Enter');
  await page.getByText('1 of 2 counted').waitFor();
  await typeInto(page.getByLabel('Counted float of Sana Malik'), '৭,৮০,৪৯৯.৫');
  await keyboard.press('Enter');
  await page.getByText('All 2 counted').waitFor();
  const total = page.getByRole('row', { name: 'All 2 counted' });
  await total.getByText('930,499.50').waitFor();
  await total.getByText('930,499.00').waitFor();
  await total.getByText('Short by PKR\u00a00.50').waitFor();
  expect(await page.getByRole('button', { name: 'Sign', exact: true }).count()).toBe(0);
  const [closing] = (await operator.get('/closings')).data;

  const other = await console.open({ role: 'approver', path: `/closings/${closing.closingId}` });
  await other.page.getByText('A note was torn').waitFor();
  await other.page.getByRole('button', { name: 'Sign', exact: true }).waitFor();
  await expectAccessible(other.page);
  await other.page.keyboard.press('s');
  await other.page.getByRole('dialog').waitFor();
  await sendDialog(other.page);
  await other.page.getByText('The approver, ').waitFor();
  // The counter sees it without asking.
  await page.getByText('Signed by').waitFor();
  await page.getByText('The approver, ').waitFor();
  await expectSound(service);

  // On a phone nothing is beside the screen.
  await other.page.setViewportSize({ width: 390, height: 844 });
  const note = await other.page.getByText('A note was torn').boundingBox();
  expect((note?.x ?? 0) + (note?.width ?? 390)).toBeLessThan(390);

  // However many pages its lists are read in, it is printed whole.
  await page.route(/limit=200/, (route) =>
    route.continue({ url: route.request().url().replace('limit=200', 'limit=1') }),
  );
  await page.reload();
  for (const name of ['Bilal Shah', 'Sana Malik', 'Ledger Shop', 'New Shop'])
    await page.getByRole('rowheader', { name }).waitFor();
  await page.emulateMedia({ media: 'print' });
  for (const text of ['Closing of', 'The admin, ', 'The approver, ', 'Short by'])
    await page.getByText(text).first().waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Print' }).count()).toBe(0);
  await counter.close();
  await other.close();
});
