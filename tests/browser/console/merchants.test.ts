import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import {
  canSend,
  expectGoodState,
  hasFocus,
  isLoaded,
  openConsole,
  sendDialog,
  typeInto,
} from '../../support/console.ts';
import { cellsOf } from '../../support/csv.ts';
import { createMerchant, createOrder } from '../../support/fixtures.ts';
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from '../../support/mail-server.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const mailServer = await startMailServer();
const { test, service } = await serviceTest({
  SMTP_URL: `smtp://${MAIL_USER}:${encodeURIComponent(MAIL_PASSWORD)}@localhost:${mailServer.port}`,
  MAIL_FROM: 'Munshi <munshi@pay.example>',
});
const console = await openConsole(service);
afterAll(() => mailServer.close());
const operator = operatorClient(service);
const red = () =>
  sharp({ create: { width: 300, height: 100, channels: 3, background: '#c02010' } })
    .png()
    .toBuffer();

test('a merchant is added and gets a key whose secret is shown once, by the keyboard alone', async () => {
  const { page, close } = await console.open({ path: '/merchants' });
  await page.getByRole('button', { name: 'Add a merchant' }).focus();
  await page.keyboard.press('Enter');
  await typeInto(page.getByLabel('Name of the merchant'), 'Corner Shop');
  await sendDialog(page);
  await page.getByText('No key yet').waitFor();
  await page.getByRole('button', { name: 'New key' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await sendDialog(page);
  const secret = await page.getByText(/^sksec_\w{40}$/).textContent();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  expect(await page.getByText(secret as string).isVisible()).toBe(true);
  await page.getByRole('button', { name: 'I have saved them' }).press('Enter');
  await page.getByText('In force').waitFor();
  expect(await page.content()).not.toContain(secret);
  await close();
});

test('an adjustment is written to the ledger digit for digit, and the balance follows', async () => {
  const { merchantId } = await createMerchant(service, { balance: '99999999999998.5' });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/money` });
  await page.getByText('PKR\u00a099,999,999,999,998.50').first().waitFor();
  await page.getByRole('button', { name: 'Adjust the wallet' }).click();
  await page.getByLabel('Amount, PKR').fill('0.0001');
  // What it becomes is shown before it is done.
  await page.getByRole('dialog').getByText('99,999,999,999,998.5001').first().waitFor();
  await page.getByLabel('Reason').fill('Rounding of the month');
  await sendDialog(page);
  await page.getByText('PKR\u00a099,999,999,999,998.5001').first().waitFor();
  await page.getByRole('cell', { name: 'Rounding of the month' }).first().waitFor();
  await close();
});

test('closing a merchant needs its name, and says what goes on working', async () => {
  const merchant = await createMerchant(service, { name: 'Old Shop' });
  const { merchantId } = merchant;
  await createOrder(merchant);
  const { page, close } = await console.open({ path: `/merchants/${merchantId}` });
  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitem', { name: 'Close' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 deposit and 0 withdrawals go on to their end').waitFor();
  await dialog.getByRole('button', { name: 'Close Old Shop' }).click();
  await dialog.getByText('This must read Old Shop.').waitFor();
  await dialog.getByLabel('Type Old Shop to continue').fill('Old Shop');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  expect((await operator.get(`/merchants/${merchantId}`)).data.status).toBe('closed');
  await close();
});

test('the movements of a wallet are those of the time in the address, and come as a file', async () => {
  const { merchantId } = await createMerchant(service, { balance: '250.5' });
  const { page, close } = await console.open({
    role: 'viewer',
    path: `/merchants/${merchantId}/money?to=2001-01-01`,
  });
  await page.getByText('Nothing moved in this wallet in that time.').waitFor();
  await page.getByRole('button', { name: 'Clear' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'test funds' }).first().waitFor();
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save these movements as a CSV file' }).focus();
  await page.keyboard.press('Enter');
  const download = await file;
  expect(download.suggestedFilename()).toBe('wallet.csv');
  const lines = cellsOf(await readFile(await download.path(), 'utf8'));
  expect(lines.map((cells) => cells.join(','))).toContainEqual(
    expect.stringContaining(',credit,,,,,,,250.5,0,250.5,'),
  );
  await close();
});

test('the payment page follows what is typed and the picture that is chosen, before it is saved', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Corner Shop Ltd' });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/page` });
  const shown = page.frameLocator('iframe');
  await shown.getByText('Corner Shop Ltd').first().waitFor();
  await page.getByLabel('Name for customers').focus();
  await page.keyboard.type('Bazaar');
  await shown.getByText('Bazaar', { exact: true }).waitFor();
  await page.getByRole('radiogroup', { name: 'Language of the page' }).getByText('اردو').click();
  await shown.locator('html[dir=rtl]').waitFor();
  // Neither Tab nor a press comes into the page.
  const menu = shown.locator('details').first();
  await menu.locator('summary').click({ force: true });
  expect(await menu.getAttribute('open')).toBeNull();

  await page.getByText('Colour of the page', { exact: true }).click();
  await page.keyboard.type('#0b7a4');
  await page.getByText('This cannot be shown, so the page is as it was before').waitFor();
  await page.keyboard.type('b');
  await shown.locator('link[href*="brand=0b7a4b"]').waitFor({ state: 'attached' });

  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a picture' }).focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await red() });
  await page.getByText(/^0\.\d KB as customers load it$/).waitFor();
  await shown.locator('img.logo').waitFor();
  expect((await operator.get(`/merchants/${merchantId}`)).data.logo).toBeNull();
  const part = page.getByRole('region', { name: 'Payment page' });
  await part.getByRole('button', { name: 'Save' }).press('Enter');
  await part.getByText('Saved', { exact: true }).waitFor();
  expect((await operator.get(`/merchants/${merchantId}`)).data).toMatchObject({
    displayName: 'Bazaar',
    brandColour: '#0b7a4b',
    logo: expect.stringMatching(/^\/pay\/logo\//),
  });
  await close();
});

test('a picture is dropped, and taken away again', async () => {
  const { merchantId } = await createMerchant(service);
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/page` });
  const field = page.getByRole('group', { name: 'Logo' });
  const drop = async (name: string, bytes: Buffer) => {
    const data = await page.evaluateHandle(
      `(() => {
        const bytes = Uint8Array.from(atob(${JSON.stringify(bytes.toString('base64'))}), (c) => c.charCodeAt(0));
        const transfer = new DataTransfer();
        transfer.items.add(new File([bytes], ${JSON.stringify(name)}));
        return transfer;
      })()`,
    );
    await field.getByText('No logo').dispatchEvent('drop', { dataTransfer: data });
  };
  await drop('large.png', Buffer.alloc(512 * 1024 + 1));
  await field.getByText('The picture has more than 512 KB.').waitFor();
  await drop('logo.png', await red());
  await field.getByRole('img', { name: 'Logo' }).waitFor();
  await field.getByRole('button', { name: 'Take it away' }).press('Enter');
  await field.getByText('No logo').waitFor();
  await close();
});

test('portal people are invited, and the merchant is let issue its keys, by the keyboard', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Corner Shop' });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/people` });
  await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
  await typeInto(page.getByRole('dialog').getByLabel('Name', { exact: true }), 'Hina Malik');
  await page.keyboard.press('Tab');
  await page.keyboard.type('hina');
  await expectAccessible(page);
  await sendDialog(page);
  const given = page.getByRole('dialog', { name: 'Invitation for Hina Malik' });
  await given.getByText('/portal/invitation#').waitFor();
  await expectAccessible(page);
  await given.getByRole('button', { name: 'I have saved it' }).press('Enter');
  await page.getByRole('row', { name: /Hina Malik.*Viewer.*Invited/ }).waitFor();

  const allowed = page.getByLabel('The merchant may issue its own keys');
  await allowed.press('Space');
  await page.getByRole('dialog', { name: 'Let Corner Shop issue its own keys' }).waitFor();
  await sendDialog(page);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => allowed.isChecked()).toBe(true);
  expect((await operator.get(`/merchants/${merchantId}`)).data.ownKeysAllowed).toBe(true);
  await expectAccessible(page);
  await allowed.press('Space');
  await sendDialog(page);
  await expect.poll(() => allowed.isChecked()).toBe(false);
  await close();
});

test('alerts of a merchant are set by the keyboard, and the portal shows them; viewers look', async () => {
  const merchant = await createMerchant(service, { name: 'Corner Shop' });
  const path = `/merchants/${merchant.merchantId}/alerts`;
  const { page, close } = await console.open({ path });
  const tab = async (field: Locator) => {
    await page.keyboard.press('Tab');
    await hasFocus(field);
  };
  const alertSwitch = (name: string) => page.getByRole('switch', { name });
  await alertSwitch('The balance is low').press('Space');
  await tab(page.getByLabel('Alert below (PKR available)'));
  await page.keyboard.type('2,500.5');
  await tab(alertSwitch('Webhooks fail'));
  await page.keyboard.press('Space');
  await tab(page.getByLabel('E-mail addresses'));
  await page.keyboard.type('night@shop.example');
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByRole('button', { name: 'Save' }).press('Enter');
  await alerts.getByText('Saved', { exact: true }).waitFor();
  await page.evaluate('scrollTo(0, 0)'); // what is half under the header is no target
  await expectAccessible(page);
  const asked = { lowBalance: 2500.5, failingWebhooks: true };
  const where = { alertEmails: ['night@shop.example'] };
  const { token } = await createPortalUser(service, merchant, 'viewer');
  const shown = await portalClient(service, token).data('GET', '/alert-settings');
  expect(shown).toMatchObject({ ...asked, ...where });
  await close();

  const looking = await console.open({ role: 'viewer', path });
  const shownAlerts = looking.page.getByRole('region', { name: 'Alerts' });
  await shownAlerts.getByText('Only an admin can change this.').waitFor();
  const field = looking.page.getByLabel('Alert below (PKR available)');
  expect(await field.inputValue()).toBe('2500.5');
  expect(await field.isDisabled()).toBe(true);
  expect(await looking.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  await looking.close();
});

test('a key that waits for another operator says so, and is asked for once', async () => {
  const { merchantId } = await createMerchant(service);
  const require = (required: boolean) =>
    service.database.pool.query('update settings set require_second_operator = $1', [required]);
  await require(true);
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/keys` });
  await page.getByRole('button', { name: 'New key' }).press('Enter');
  await sendDialog(page);
  await page.getByRole('link', { name: 'Open the request' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await require(false);
  await close();
});

test('letting an admin in waits for an approver, and its asker fetches the link', async () => {
  const { merchantId } = await createMerchant(service);
  const who = await createOperator(service, 'admin');
  await service.database.pool.query('update settings set require_second_operator = true');
  try {
    const { page, close } = await console.open({ who, path: `/merchants/${merchantId}/people` });
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill('Hina Malik');
    await dialog.getByLabel('Username').fill('hina.admin');
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: /^Admin/ }).click();
    await dialog.getByText('It will wait for').waitFor();
    await expectGoodState(page, 'merchant-people-admin-of-two');
    await sendDialog(page);
    await page.getByText('Then you fetch the link there.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await operator.get('/approvals?status=pending');
    expect(data[0]).toMatchObject({ kind: 'portal-link', requestedBy: who.operatorId });
    await operator.post(`/approvals/${data[0].approvalId}/approve`);

    await page.goto(`${service.url}/console/approvals`);
    await page.getByRole('link', { name: 'Link for an admin of a merchant' }).click();
    await page.getByRole('button', { name: 'Fetch' }).click();
    await sendDialog(page);
    await dialog.getByText('/portal/invitation#').waitFor();
    await dialog.getByRole('term').getByText('Invitation link').waitFor();
    await close();
  } finally {
    await service.database.pool.query('update settings set require_second_operator = false');
  }
});

test('an address is tested against the list as it is typed, by the keyboard alone', async () => {
  const { merchantId } = await createMerchant(service);
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/addresses` });
  const test = page.getByLabel('Address of a caller');
  await test.focus();
  await page.keyboard.type('203.0.113.7');
  await page.keyboard.press('Enter');
  await page.getByText('Let in: the list is off.').waitFor();
  await page.getByLabel('Only from these addresses').press('Space');
  await page.getByRole('button', { name: 'Add an address' }).press('Enter');
  await page.getByLabel('Address or block').focus();
  await page.keyboard.type('203.0.113.0/24');
  await test.press('Enter');
  await page.getByText('let in by 203.0.113.0/24').first().waitFor();
  await test.fill('home');
  await test.press('Enter');
  await page.getByText('must be an IPv4 or IPv6 address.').waitFor();
  await close();
});

test('a viewer sees the tabs without a button that would be refused', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Seen Shop' });
  const { page, close } = await console.open({ role: 'viewer', path: `/merchants/${merchantId}` });
  const answers: number[] = [];
  page.on('response', (response) => answers.push(response.status()));
  await page.getByRole('tab').first().waitFor();
  for (const name of await page.getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await isLoaded(page);
    const buttons = page.getByRole('tabpanel').getByRole('button', {
      name: /save|new|regenerate|revoke|adjust|add|remove/i,
    });
    expect(await buttons.count(), name).toBe(0);
  }
  expect(answers.filter((status) => status === 403)).toEqual([]);
  await close();
});

test('a session that ends while a reason is typed asks again, and keeps what was typed', async () => {
  const { merchantId } = await createMerchant(service, { balance: '100' });
  const who = await console.operator('admin');
  const { page, context, close } = await console.open({ path: `/merchants/${merchantId}/money` });
  await page.getByRole('button', { name: 'Adjust the wallet' }).click();
  await page.getByLabel('Amount, PKR').fill('5');
  await page.getByRole('dialog').getByText('105').first().waitFor();
  await page.getByLabel('Reason').fill('A long and careful sentence');
  await canSend(page);
  await context.clearCookies({ name: 'munshi_operator' });
  await page.keyboard.press('Control+Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(who.password);
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  expect(await page.getByLabel('Reason').inputValue()).toBe('A long and careful sentence');
  await sendDialog(page);
  await page.getByText('PKR\u00a0105').first().waitFor();
  await close();
});

test('an entry of a merchant’s audit opens with what changed, and a link shows the same', async () => {
  const { merchantId } = await createMerchant(service, { name: 'Audited Shop' });
  await operator.patch(`/merchants/${merchantId}`, {
    displayName: 'Audited',
    depositMethods: ['ProviderA'],
  });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/audit` });
  const entry = page.getByRole('button', { name: 'Changed a merchant' });
  await entry.waitFor();
  await page.keyboard.press('j');
  await hasFocus(entry);
  await page.keyboard.press('Enter');
  const recorded = page.getByRole('region', { name: 'What was recorded' });
  for (const text of ['Name for customers', 'Audited', 'none']) {
    await recorded.getByText(text, { exact: true }).first().waitFor();
  }
  await expectAccessible(page);
  await page.reload();
  await recorded.getByText('Methods of deposits').waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await recorded.waitFor({ state: 'detached' });
  await close();
});

test('the inviter sees whether the link has gone out, or is theirs to hand over', async () => {
  const { merchantId } = await createMerchant(service);
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/people` });
  const dialog = page.getByRole('dialog');
  const invite = async (username: string, email: string | null) => {
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await dialog.getByLabel('Name', { exact: true }).fill(`The ${username}`);
    await dialog.getByLabel('Username').fill(`${username}-${merchantId}`);
    if (email !== null) await dialog.getByLabel('E-mail, optional').fill(email);
    await sendDialog(page);
    await page.getByRole('dialog', { name: `Invitation for The ${username}` }).waitFor();
  };
  const kept = async () => {
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await invite('mailed', 'clerk@shop.example');
  await dialog.getByText('The link has gone to clerk@shop.example.').waitFor();
  expect(mailServer.mails.filter(({ to }) => to.includes('clerk@shop.example'))).toHaveLength(1);
  await expectAccessible(page);
  await kept();
  await invite('unmailed', null);
  await dialog.getByText('No e-mail address is known.').waitFor();
  await kept();
  await close();
});

test('the overview says what there is, opens what reserves it, and leads to deliveries and keys', async () => {
  const merchant = await createMerchant(service, { name: 'Night Shop', balance: '5000' });
  const { merchantId } = merchant;
  await createOrder(merchant, {
    ...{ orderType: 'Withdrawal', amount: 700, merchantOrderRef: 'night-1' },
    ...{ accountNumber: '03001234567', accountTitle: 'Ali Raza' },
  });
  const { page, close } = await console.open({ path: `/merchants/${merchantId}` });
  const wallet = page.getByRole('region', { name: 'Wallet' });
  await wallet.getByText('PKR\u00a04,300').waitFor();
  const today = page
    .getByRole('table', { name: 'Withdrawals' })
    .getByRole('row', { name: /^Today/ });
  await today.getByRole('cell', { name: '1', exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'API keys' })
    .getByText(/^Last used|^Not used yet/)
    .waitFor();
  await expectAccessible(page);
  await wallet.getByRole('link', { name: 'by 1 open withdrawal' }).click();
  await page.getByRole('row', { name: /700.*Withdrawal/ }).waitFor();
  await close();
});

test('an address of a tab that became a part of another one still opens it', async () => {
  const { merchantId } = await createMerchant(service);
  const { page, close } = await console.open({ path: `/merchants/${merchantId}/alerts` });
  await page.getByRole('region', { name: 'Alerts' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/merchants/${merchantId}/settings`);
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Settings');
  expect(await page.getByRole('tab').count()).toBe(7);
  await close();
});
