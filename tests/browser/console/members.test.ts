import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  expectGoodState,
  hasFocus,
  openConsole,
  sendDialog,
  tabTo,
  typeInto,
} from '../../support/console.ts';
import { createMember, createMerchant, signInMember } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';
import { busyMember } from './states/members.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const operator = operatorClient(service);
const { memberId, accountId } = await busyMember(service, 'Sana Iqbal');
const approver = await createOperator(service, 'approver');

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
  await page.getByRole('button', { name: 'Change: 9' }).waitFor();
  await tabTo(page, '[aria-label^="Change: 9"]');
  await page.keyboard.press('Enter');
  const { keyboard } = page;
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
  // The switch of the code is the field after the day's limit.
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await hasFocus(dialog.getByRole('switch', { name: 'Order’s amount in the QR code' }));
  await keyboard.press('Space');
  const changes = dialog.getByRole('region', { name: 'What changes' });
  await changes.getByText('Order’s amount in the QR code').waitFor();
  await expectAccessible(page);
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('900 to 2,500.50 an order').waitFor();
  const { data } = await operator.get(`/members/${memberId}`);
  const changed = data.accounts.find((one: { accountId: string }) => one.accountId === accountId);
  expect(changed).toMatchObject({
    minimumPerOrder: 900,
    maximumPerOrder: 2500.5,
    maximumPerDay: 50000,
    qrAmount: false,
  });
  await close();
});

test('one sign-in of a member is ended, and the others stay', async () => {
  const password = 'correct horse';
  const member = await createMember(service, { name: 'Nasir Jamil', online: false, password });
  for (let phone = 0; phone < 2; phone += 1) await signInMember(service, member, password);
  const { page, close } = await console.open({ path: `/members/${member.memberId}/sessions` });
  const ends = page.getByRole('button', { name: /^End the sign-in on / });
  await ends.nth(1).waitFor();
  await tabTo(page, '[aria-label^="End the sign-in on "]');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('They have to sign in there again').waitFor();
  await expectAccessible(page);
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await ends.nth(1).waitFor({ state: 'detached' });
  expect(await ends.count()).toBe(1);
  const { data } = await operator.get(`/members/${member.memberId}/standing`);
  expect(data.sessions).toHaveLength(1);
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

test('a member is added, gets an account, another capacity and a link, by the keyboard alone', async () => {
  const { page, close } = await console.open({ path: '/members' });
  const { keyboard } = page;
  const dialog = page.getByRole('dialog');
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await keyboard.press('Enter');
  };
  const keepLink = async () => {
    const link = await dialog.getByText(/\/member\/recover#[\w-]{43}$/).textContent();
    const kept = dialog.getByRole('button', { name: 'I have saved it' });
    await expectAccessible(page);
    await keyboard.press('Escape');
    expect(await dialog.getByText(link as string).isVisible()).toBe(true);
    await kept.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await page.content()).includes(link as string)).toBe(false);
    return link as string;
  };

  await press('Add a member');
  await typeInto(dialog.getByLabel('Name', { exact: true }), 'Rabia Anwar');
  await keyboard.press('Tab');
  await keyboard.type('rabia anwar');
  await dialog.getByText('Without spaces, and not empty.').waitFor();
  await expectAccessible(page);
  await keyboard.press('Control+A');
  await keyboard.type('rabia.anwar');
  await keyboard.press('Tab');
  await keyboard.type('+92 300 1234567');
  await sendDialog(page);
  await dialog.getByText('Once they have chosen their password by it').waitFor();
  const first = await keepLink();
  await page.waitForURL(/\/accounts$/);
  await page.getByText('They have no account yet.').waitFor();
  const added = page.url().split('/').at(-2) as string;
  const read = async () => (await operator.get(`/members/${added}`)).data;

  await press('Add an account');
  await hasFocus(dialog.getByRole('combobox', { name: 'Method' }));
  await keyboard.press('Tab');
  await keyboard.type(' 03001234567 ');
  await keyboard.press('Tab');
  await keyboard.type('Rabia Anwar');
  await keyboard.press('Tab');
  await keyboard.insertText('x'.repeat(3_000));
  await sendDialog(page);
  // The service says what is wrong with the code, beside it.
  const code = dialog.getByLabel('Content of the QR code');
  await code.and(page.locator('[aria-invalid=true]')).waitFor();
  await hasFocus(code);
  await expectAccessible(page);
  await keyboard.press('Control+A');
  await keyboard.press('Backspace');
  await keyboard.press('Tab');
  await keyboard.type('500');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Approve: 03001234567' }).waitFor();
  await page.getByText('No order comes to it before an operator approves it.').waitFor();
  expect((await read()).accounts).toMatchObject([
    { accountNumber: '03001234567', status: 'pending', minimumPerOrder: 500, qrPayload: null },
  ]);

  await press('Change');
  await hasFocus(dialog.getByLabel('Orders in hand at most'));
  await keyboard.press('Control+A');
  await keyboard.type('25');
  await dialog
    .getByRole('region', { name: 'What changes' })
    .getByText('10', { exact: true })
    .waitFor();
  await expectAccessible(page);
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({
    maxOpenOrders: 25,
    name: 'Rabia Anwar',
    username: 'rabia.anwar',
    phone: '+92 300 1234567',
  });

  await press('Recovery link');
  await dialog.getByText('earlier links stop working').waitFor();
  expect(await dialog.getByText('When it is used').count()).toBe(0);
  await sendDialog(page);
  expect(await keepLink()).not.toBe(first);
  await close();
});

test('a username that is taken is said, and what was typed stays', async () => {
  const { username } = (await operator.get(`/members/${memberId}`)).data;
  const { page, close } = await console.open({ path: '/members' });
  await page.getByRole('button', { name: 'Add a member' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Second Sana');
  await page.getByRole('dialog').getByLabel('Username').fill(username);
  await sendDialog(page);
  await page.getByText(`The username ${username} is taken.`).waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Second Sana');
  await close();
});

test('a viewer sees no button that changes a member', async () => {
  const { page, close } = await console.open({
    role: 'viewer',
    path: `/members/${memberId}/float`,
  });
  await page.getByText('test float').waitFor();
  const changing = page.getByRole('button', { name: /Adjust|Suspend|Activate|Add|Change|link/ });
  expect(await changing.count()).toBe(0);
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByText('RAHIM TRADERS', { exact: true }).waitFor();
  expect(await changing.count()).toBe(0);
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('link', { name: 'Sana Iqbal' }).waitFor();
  expect(await changing.count()).toBe(0);
  await close();
});

test('while a second operator is required, a member is added and their link waits', async () => {
  await operator.patch('/settings', { requireSecondOperator: true });
  const { page, close } = await console.open({ path: '/members' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a member' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Junaid Raza');
  await dialog.getByLabel('Username').fill('junaid.raza');
  await sendDialog(page);
  await page.getByText('Then you fetch the link there.').waitFor();
  await page.getByRole('heading', { name: 'Junaid Raza' }).waitFor();
  const { data } = await operator.get('/approvals?status=pending');
  expect(data).toMatchObject([{ kind: 'member-recovery' }]);
  const account = { walletType: 'TillID', accountNumber: '03001234599', accountTitle: 'Junaid' };
  await operator.post(`/members/${data[0].target}/accounts`, account);
  await page.getByRole('tab', { name: 'Accounts' }).click();
  await page.getByText('You last gave this member a password or link').waitFor();
  await expectGoodState(page, 'member-accounts-credential-by-you');
  await close();
});

test('while a second operator is required, who asks for a link reads what its use does to the member', async () => {
  await operator.patch('/settings', { requireSecondOperator: true });
  const { memberId: other } = await createMember(service, { name: 'Adnan Sheikh', online: false });
  const { page, close } = await console.open({ path: `/members/${other}` });
  await page.getByRole('button', { name: 'Recovery link' }).click();
  await page
    .getByRole('dialog')
    .getByText('Orders that they took before they use it go to review when they confirm them.')
    .waitFor();
  await expectGoodState(page, 'member-recovery-link-of-two');
  await sendDialog(page);
  await page.getByText('Then you fetch the link there.').waitFor();
  await close();
});

test('while a second operator is required, an account that an admin approves waits for an approver', async () => {
  const { memberId: other } = await createMember(service, { name: 'Kamran Butt', online: false });
  const account = { walletType: 'TillID', accountNumber: '03001234577', accountTitle: 'Kamran' };
  await operator.post(`/members/${other}/accounts`, account);
  await operator.patch('/settings', { requireSecondOperator: true });
  const who = await createOperator(service, 'admin', 'Nadia Khan');
  const { page, close } = await console.open({ who, path: `/members/${other}/accounts` });
  await page.getByRole('button', { name: `Approve: ${account.accountNumber}` }).click();
  await page.getByRole('dialog').getByText('What needs a second operator:').waitFor();
  await sendDialog(page);
  await page.getByRole('link', { name: 'Open the request' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { data } = await operator.get(`/members/${other}`);
  expect(data.accounts.at(-1)).toMatchObject({ ...account, status: 'pending' });
  await page
    .getByText('Nadia Khan has asked to approve it; another operator has yet to agree.')
    .waitFor();
  expect(await page.getByText('No order comes to it').count()).toBe(0);
  await expectGoodState(page, 'member-account-waits');
  await close();
});

test('while a second operator is required, wider limits wait and another one approves the difference', async () => {
  await operator.patch('/settings', { requireSecondOperator: true });
  const { memberId: other, accounts } = await createMember(service, {
    name: 'Bushra Aslam',
    methods: ['TillID'],
    online: false,
    limits: { maximumPerOrder: '1000' },
  });
  const one = await console.open({ path: `/members/${other}/accounts` });
  const dialog = one.page.getByRole('dialog');
  await one.page.getByRole('button', { name: /^Change: / }).click();
  await hasFocus(dialog.getByLabel('Least per order, PKR'));
  await dialog.getByLabel('Most per order, PKR').fill('2500');
  await sendDialog(one.page);
  await one.page.getByRole('link', { name: 'Open the request' }).waitFor();
  await one.page.getByText('The admin has asked for a change').waitFor();
  await one.page.getByText('0 to 1,000 an order').waitFor();

  const second = await console.open({ who: approver, path: '/approvals' });
  await second.page.getByRole('button', { name: 'Change of a member’s account' }).click();
  const request = second.page.getByRole('region', { name: 'What will be done' });
  for (const text of ['Bushra Aslam', accounts[0]?.accountNumber as string])
    await request.getByText(text).waitFor();
  await request.getByText('1,000', { exact: false }).first().waitFor();
  await request.getByText('2,500', { exact: false }).waitFor();
  await expectAccessible(second.page);
  await second.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await second.page.getByRole('dialog').getByText('It is done at once').waitFor();
  await sendDialog(second.page);
  await second.page.getByRole('dialog').waitFor({ state: 'detached' });
  // The one who asked sees it without doing anything.
  await one.page.getByText('0 to 2,500 an order').waitFor();
  await one.page.getByText('The admin has asked for a change').waitFor({ state: 'detached' });
  await one.close();
  await second.close();
});

// Last, as merchants take several from here on.
test('currencies of an account are asked for once merchants take several', async () => {
  const { memberId: of } = await createMember(service);
  const path = `/members/${of}/accounts`;
  const add = async (page: Page) => {
    await page.getByRole('button', { name: 'Add an account' }).click();
    await page.getByRole('dialog').getByLabel('Account number').fill('01712345678');
    await page.getByRole('dialog').getByLabel('Title').fill('Nusrat Jahan');
  };
  const before = await console.open({ path });
  await add(before.page);
  expect(await before.page.getByLabel('BDT').count()).toBe(0);
  await before.close();
  await createMerchant(service, { currencies: ['PKR', 'BDT'] });
  const { page, close } = await console.open({ path });
  await add(page);
  await page.getByLabel('BDT').check();
  await page.keyboard.press('Control+Enter');
  await page.getByText('waits for approval').waitFor();
  const { data } = await operator.get(`/members/${of}`);
  const added = data.accounts.find(
    ({ accountTitle }: { accountTitle: string }) => accountTitle === 'Nusrat Jahan',
  );
  expect(added.currencies).toEqual(['BDT']);
  await close();
});

test('a float is shown as the service says that it becomes; more than is free is refused, and says what can be', async () => {
  await service.database.pool.query('update settings set require_second_operator = false');
  const { memberId: of } = await createMember(service, { float: '5000000', online: false });
  const { page, close } = await console.open({ path: `/members/${of}/float` });
  await page.getByRole('button', { name: 'Adjust the float' }).click();
  const dialog = page.getByRole('dialog');
  await typeInto(dialog.getByLabel('Amount'), '−100000000');
  await dialog.getByText('At most PKR\u00a05,000,000 can be taken from this float').waitFor();
  expect(await dialog.getByText('95,000,000').count()).toBe(0);
  expect(await dialog.getByRole('button', { name: /^Adjust the float/ }).isEnabled()).toBe(false);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('-1000.50');
  await dialog.getByText('4,998,999.50').waitFor();
  await dialog.getByLabel('Note').fill('Cash handed back');
  await expectAccessible(page);
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Cash handed back' }).waitFor();
  expect((await operator.get(`/members/${of}`)).data.floatBalance).toBe(4_998_999.5);
  await close();
});

test('new orders alone are paused and come again with the room there was; a telephone is kept', async () => {
  const { memberId: of } = await createMember(service, { name: 'Zoya Mir', maxOpenOrders: 7 });
  const { page, close } = await console.open({ path: `/members/${of}` });
  const dialog = page.getByRole('dialog');
  await page.getByText('They get orders as merchants create them.').waitFor();
  await page.getByRole('button', { name: 'Pause new orders' }).click();
  await dialog.getByText('nothing is in hand').waitFor();
  await expectAccessible(page);
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('New orders are paused.').waitFor();
  await expectGoodState(page, 'member-paused');
  const read = async () => (await operator.get(`/members/${of}`)).data;
  expect(await read()).toMatchObject({ status: 'active', online: true, maxOpenOrders: 0 });
  await page.getByRole('button', { name: 'Resume new orders' }).click();
  await dialog.getByText('7 in hand at most').waitFor();
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  expect(await read()).toMatchObject({ maxOpenOrders: 7 });
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await dialog.getByLabel('Telephone').fill('+92 300 1234567');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: '+92 300 1234567' }).waitFor();
  await close();
});
