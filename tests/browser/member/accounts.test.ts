import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { memberWork, openMemberApp } from '../../support/member-app.ts';
import { qrPicture } from '../../support/qr-picture.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';
import { lookingBack } from './states/back.ts';

/** M11: float and accounts. */

const { test, service } = await serviceTest();
const app = await openMemberApp(service);

const { member: who, operator, ended } = await lookingBack(service);
const accountOf = async (accountId: string | undefined) =>
  (await operator.get(`/members/${who.memberId}`)).data.accounts.find(
    (account: { accountId: string }) => account.accountId === accountId,
  );

test('the float is an equation, with every movement and its order', async () => {
  const { page, close } = await app.open({ who, path: '/account' });
  expect(await page.locator('.sums').innerText()).toMatch(
    /Balance\s+PKR\s222,999\.50\s+Held by open deposits\s+−PKR\s2,500\s+Free for new deposits\s+PKR\s220,499\.50/,
  );
  await page.getByRole('link', { name: 'Every movement' }).tap();
  const rows = page.locator('.rows').getByRole('listitem');
  await rows.nth(5).waitFor();
  expect(await rows.locator('.money').allInnerTexts()).toEqual(
    [
      '+PKR 8,000',
      '−PKR 12,000',
      '−PKR 700',
      '+PKR 25,000',
      '+PKR 4,200',
      '−PKR 1,500.50',
      '+PKR 200,000',
    ].map((text) => text.replace(' ', '\u00a0')),
  );
  await page.getByText('Added by operations').first().waitFor();
  await rows.first().getByRole('link').tap();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/member/orders/${ended.orderId}`);
  await close();
});

test('an account is paused, takes orders again, and is stopped by two taps for good', async () => {
  const { page, close } = await app.open({ who, path: '/account' });
  const [account] = who.accounts;
  const card = page.locator('.account').filter({ hasText: 'ProviderA' });
  await card.getByRole('button').tap();
  await page.getByRole('button', { name: 'Pause this account' }).tap();
  await card.getByText('Paused').waitFor();
  expect(await accountOf(account?.accountId)).toMatchObject({ paused: true, status: 'approved' });
  await card.getByRole('button').tap();
  await page.getByRole('button', { name: 'Take orders again' }).tap();
  await card.getByText('In use').waitFor();
  await card.getByRole('button').tap();
  await page.getByRole('button', { name: 'Stop using this account' }).tap();
  await page.getByText('Only an operator can open it again.').waitFor();
  await page.getByRole('button', { name: 'Stop using this account' }).tap();
  await page.getByRole('button', { name: /^Yes, stop 03/ }).tap();
  await card.getByText('Stopped').waitFor();
  expect(await accountOf(account?.accountId)).toMatchObject({ status: 'suspended' });
  await card.getByRole('button').tap();
  await page.getByText('Ask your operator to open it again.').waitFor();
  expect(
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /orders|Stop/ })
      .count(),
  ).toBe(0);
  await close();
});

test('one is added by keyboard, its number typed twice, and waits for an operator', async () => {
  const { member } = await memberWork(service, { methods: ['BankAccount'], online: false });
  const { page, close } = await app.open({ who: member, path: '/account/add' });
  await page.getByLabel('Method').waitFor();
  await page.getByLabel('Method').focus();
  await page.keyboard.type('ProviderA a'); // as it is called in the list
  await page.keyboard.press('Tab');
  await page.keyboard.type('0300 123 4567');
  await page.keyboard.press('Tab');
  await page.keyboard.type('0300 123 4568');
  await page.getByText('The two numbers differ.').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Sana Iqbal');
  await page.keyboard.press('Enter');
  await page.getByLabel('Number, once more').and(page.locator(':focus')).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('03001234567');
  await page.keyboard.press('Enter');
  const card = page.locator('.account.pending');
  await card.getByText('Waiting for an operator for 0 s').waitFor();
  const { data } = await operator.get(`/members/${member.memberId}`);
  const added = data.accounts.find(({ status }: { status: string }) => status === 'pending');
  expect(added).toMatchObject({
    ...{ walletType: 'ProviderA', accountNumber: '03001234567', accountTitle: 'Sana Iqbal' },
    qrPayload: null,
  });
  await operator.post(`/member-accounts/${added.accountId}/approve`, {});
  await page.reload();
  await page.locator('.account.approved').nth(1).waitFor();
  await close();
});

const FITS = 'upi://pay?pa=03001234567&pn=Sana%20Iqbal';
const fill = async (page: Page) => {
  await page.getByLabel('Method').selectOption('ProviderAQR');
  await page.getByLabel('Number', { exact: true }).fill('03001234567');
  await page.getByLabel('Number, once more').fill('03001234567');
  await page.getByLabel('Name in the wallet').fill('Sana Iqbal');
};

test('a code from a picture is shown and compared with what was typed', async () => {
  const { member } = await memberWork(service, { methods: ['BankAccount'], online: false });
  const { page, close } = await app.open({ who: member, path: '/account/add' });
  await fill(page);
  await page.getByRole('button', { name: 'Send to the operator' }).tap();
  await page.getByText('Customers pay by this code').waitFor();
  const choose = async (text: string) =>
    page.getByLabel('Choose a picture').setInputFiles({
      ...{ name: 'code.jpg', mimeType: 'image/jpeg', buffer: await qrPicture(text) },
    });
  await choose('upi://pay?pa=03009998877&pn=Bilal%20Ahmed&am=500');
  await page.getByText('The code pays to another number.').waitFor();
  await page.getByText('The code has another name.').waitFor();
  await page.getByText('The code asks for a fixed amount.').waitFor();
  await page.getByText('03009998877').waitFor();
  await page.getByRole('button', { name: 'Remove the code' }).tap();
  await choose(FITS);
  await page.getByText('It fits the number and the name.').waitFor();
  await page.getByRole('button', { name: 'Send to the operator' }).tap();
  await page.locator('.account.pending').waitFor();
  const { data } = await operator.get(`/members/${member.memberId}`);
  expect(data.accounts).toMatchObject([
    {},
    { walletType: 'ProviderAQR', qrPayload: FITS, qrWarnings: [] },
  ]);
  await close();
});

test('a code is read by the camera, and a camera that is not allowed says what else to do', async () => {
  const { member } = await memberWork(service, { methods: ['BankAccount'], online: false });
  const { page, context, close } = await app.open({ who: member });
  const code = (await qrPicture(FITS)).toString('base64');
  // The phone's camera looks at a code; before that, nobody has allowed it.
  await context.addInitScript(`{
    let asked = 0;
    navigator.mediaDevices.getUserMedia = async () => {
      asked += 1;
      if (asked === 1) throw new DOMException('Permission denied', 'NotAllowedError');
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [720, 1280];
      const picture = new Image();
      picture.src = 'data:image/jpeg;base64,${code}';
      await picture.decode();
      const draw = () => { canvas.getContext('2d').drawImage(picture, 0, 0); requestAnimationFrame(draw); };
      draw();
      return canvas.captureStream();
    };
  }`);
  await page.goto(`${service.url}/member/account/add`);
  await fill(page);
  await page.getByRole('button', { name: 'Scan it' }).tap();
  await page.getByText('The camera cannot be used.').waitFor();
  await page.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: 'Scan it' }).tap();
  await page.getByText('It fits the number and the name.').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  await close();
});

test('where merchants take several currencies, a new account is of one of them', async () => {
  const of = (currencies: string) =>
    service.database.pool.query('update merchants set currencies = $1::text[]', [currencies]);
  await of('{PKR,BDT}');
  const { member } = await memberWork(service, { methods: ['BankAccount'], online: false });
  const { page, close } = await app.open({ who: member, path: '/account/add' });
  await fill(page);
  await page.getByLabel('Method').selectOption('ProviderA');
  await page.getByRole('button', { name: 'Send to the operator' }).tap();
  await page.getByLabel('Currency').and(page.locator(':focus')).waitFor();
  await expectAccessible(page);
  await page.getByLabel('Currency').selectOption('BDT');
  await page.getByRole('button', { name: 'Send to the operator' }).tap();
  await page.locator('.account.pending').waitFor();
  const { data } = await operator.get(`/members/${member.memberId}`);
  expect(data.accounts).toMatchObject([{ currencies: null }, { currencies: ['BDT'] }]);
  await of('{PKR}');
  await close();
});
