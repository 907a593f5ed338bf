import { afterAll, expect } from 'vitest';
import { openConsole, sendDialog, tabTo } from '../../support/console.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { busyMember } from './states/members.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
afterAll(() => console.close());
const operator = operatorClient(service);
const { memberId, accountId } = await busyMember(service, 'Sana Iqbal');

const accountStatus = async () =>
  (await operator.get(`/members/${memberId}`)).data.accounts.find(
    (account: { accountId: string }) => account.accountId === accountId,
  ).status;

test('an account is approved by the keyboard alone, from the list of those that wait', async () => {
  const { page, close } = await console.open({ path: '/members?accountStatus=pending' });
  await page.getByRole('link', { name: 'Sana Iqbal' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/accounts$/);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await tabTo(page, '[aria-label^="Approve: "]');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Customers pay to it, and orders come.').waitFor();
  for (const read of ['990044', 'RAHIM TRADERS', 'The code pays into another account.'])
    await dialog.getByText(read, { exact: true }).waitFor();
  await sendDialog(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(accountStatus).toBe('approved');
  await close();
});

test('limits are changed by the keyboard alone, with what they were; what cannot be is said', async () => {
  const { page, close } = await console.open({ path: `/members/${memberId}/accounts` });
  await page.getByRole('button', { name: 'Limits: 9' }).waitFor();
  await tabTo(page, '[aria-label^="Limits: 9"]');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Least per order, PKR').waitFor();
  await page.waitForFunction("document.activeElement.matches('[role=dialog] input')");
  await page.keyboard.type('900');
  await page.keyboard.press('Tab');
  await page.keyboard.type('800');
  await sendDialog(page);
  await dialog.getByText('must not be less than minimumPerOrder.').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('2500.50');
  await dialog.getByText('2,500.50').waitFor();
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('900 to 2,500.50 an order').waitFor();
  const { data } = await operator.get(`/members/${memberId}`);
  const changed = data.accounts.find((one: { accountId: string }) => one.accountId === accountId);
  expect(changed).toMatchObject({
    minimumPerOrder: 900,
    maximumPerOrder: 2500.5,
    maximumPerDay: 50000,
  });
  await close();
});

test('a suspension shows what becomes of each order, and another window sees it at once', async () => {
  const [one, other] = [
    await console.open({ path: `/members/${memberId}` }),
    await console.open({ path: `/members/${memberId}` }),
  ];
  await other.page.getByText('They are offline.').waitFor();
  await one.page.getByRole('button', { name: 'Suspend' }).click();
  const dialog = one.page.getByRole('dialog');
  await dialog.getByText('goes to another member, or waits for one').waitFor();
  await dialog.getByText('cancelled: its customer has seen the account and not paid').waitFor();
  await dialog.getByRole('button', { name: 'Suspend Sana Iqbal' }).click();
  await dialog.waitFor({ state: 'detached' });
  await other.page.getByText('They are suspended.').waitFor();
  await other.page.getByText('Nothing is in hand.').waitFor();
  await one.close();
  await other.close();
});

test('a viewer sees no button that changes a member', async () => {
  const { page, close } = await console.open({
    role: 'viewer',
    path: `/members/${memberId}/float`,
  });
  await page.getByText('test float').waitFor();
  expect(await page.getByRole('button', { name: /Adjust|Suspend|Activate/ }).count()).toBe(0);
  await close();
});
