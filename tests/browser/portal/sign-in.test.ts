import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { codeAt, nextCode } from '../../support/authenticator.ts';
import { hasFocus, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from '../../support/mail-server.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPortal } from '../../support/portal-app.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const mailServer = await startMailServer();
const { test, service } = await serviceTest({
  SMTP_URL: `smtp://${MAIL_USER}:${encodeURIComponent(MAIL_PASSWORD)}@localhost:${mailServer.port}`,
  MAIL_FROM: 'Munshi <munshi@pay.example>',
});
const portal = await openPortal(service);
afterAll(() => mailServer.close());
const merchant = await createMerchant(service, { name: 'Bazaar Online' });
const operator = operatorClient(service);
const { clock } = service.app.deps;

async function signIn(page: Page, { username, password }: Record<'username' | 'password', string>) {
  await typeInto(page.getByLabel('Username'), username);
  await tabTo(page, 'input[type=password]');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

/** Where a link leads, below /portal. */
const pathOf = (link: string) => link.slice(link.indexOf('/portal') + '/portal'.length);

/** Chooses a password on the page that a link opens. */
async function choosePassword(page: Page, password: string): Promise<void> {
  await typeInto(page.getByLabel('New password', { exact: true }), password);
  await page.getByLabel('New password once more').fill(password);
  await page.keyboard.press('Enter');
  await page.getByText('Your password is saved').waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await page.getByRole('link', { name: 'Sign in' }).press('Enter');
}

test('an invitation sets the first password, and a recovery link another one', async () => {
  const invited = await operator.post(`/merchants/${merchant.merchantId}/portal-users/invite`, {
    ...{ username: 'hina', name: 'Hina Malik', role: 'viewer' },
  });
  const first = await portal.open({ merchant, role: null, path: pathOf(invited.data.link) });
  await first.page.getByRole('heading', { name: 'Welcome, Hina Malik' }).waitFor();
  await choosePassword(first.page, 'the first password');
  await signIn(first.page, { username: 'hina', password: 'the first password' });
  await first.page.getByRole('heading', { name: 'Home' }).waitFor();

  const { portalUserId } = invited.data;
  const { data } = await operator.post(`/portal-users/${portalUserId}/recovery-link`);
  const lost = await portal.open({ merchant, role: null, path: pathOf(data.link) });
  await lost.page.getByText('For hina. The link is good once.').waitFor();
  await choosePassword(lost.page, 'the second password');
  await signIn(lost.page, { username: 'hina', password: 'the second password' });
  await lost.page.getByRole('heading', { name: 'Home' }).waitFor();
  await first.page.goto(`${service.url}/portal/orders`);
  await first.page.getByLabel('Username').waitFor();
  await lost.close();
  await first.close();
});

test('an admin invites somebody by the keyboard, and the link of the mail lets them in', async () => {
  const { page, close } = await portal.open({ merchant, path: '/settings/people' });
  await page.getByText('(you)').waitFor();
  await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await typeInto(dialog.getByLabel('Name', { exact: true }), 'Ayesha Khan');
  await page.keyboard.press('Tab');
  await hasFocus(dialog.getByLabel('Username'));
  await page.keyboard.type('ayesha');
  await page.keyboard.press('Tab');
  await hasFocus(dialog.getByLabel('E-mail, optional'));
  await page.keyboard.type('ayesha@shop.example');
  await expectAccessible(page);
  await sendDialog(page);
  const given = page.getByRole('dialog', { name: 'Invitation for Ayesha Khan' });
  await given.getByText('The link has gone to ayesha@shop.example.').waitFor();
  await expectAccessible(page);
  await given.getByRole('button', { name: 'I have saved it' }).press('Enter');
  await page.getByRole('row', { name: /Ayesha Khan.*Viewer.*Invited/ }).waitFor();

  const [mail, ...more] = mailServer.mails.filter(({ to }) => to.includes('ayesha@shop.example'));
  expect(more).toEqual([]);
  const link = /http\S+\/portal\/invitation#\S+/.exec(mail?.body ?? '')?.[0] ?? '';
  const invited = await portal.open({ merchant, role: null, path: pathOf(link) });
  await invited.page.getByRole('heading', { name: 'Welcome, Ayesha Khan' }).waitFor();
  await choosePassword(invited.page, 'a password of her own');
  await signIn(invited.page, { username: 'ayesha', password: 'a password of her own' });
  await invited.page.getByRole('heading', { name: 'Home' }).waitFor();
  await invited.close();
  await page.reload();
  await page.getByRole('row', { name: /Ayesha Khan.*Viewer.*Active/ }).waitFor();
  await close();
});

test('a link that was used says so, and what to do', async () => {
  const path = '/recover#a-token-that-nobody-was-given';
  const { page, close } = await portal.open({ merchant, role: null, path });
  await page.getByRole('heading', { name: 'This link cannot be used' }).waitFor();
  await page.getByText('Ask an admin for another one.').waitFor();
  await close();
});

test('codes are set up, asked for at the next sign-in, and turned off', async () => {
  const who = await portal.user(merchant, 'admin');
  const { page, close } = await portal.open({ merchant, path: '/security' });
  await page.getByRole('button', { name: 'Set up one-time codes' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await typeInto(dialog.getByLabel('Password', { exact: true }), who.password);
  await page.keyboard.press('Enter');
  await dialog.getByAltText('QR code for the authenticator app').waitFor();
  const secret = ((await dialog.locator('bdi').textContent()) ?? '').replaceAll(' ', '');
  await typeInto(dialog.getByLabel('One-time code'), codeAt(secret, clock.now()));
  await page.keyboard.press('Enter');
  await dialog.getByText('Keep your recovery codes').waitFor();
  await page.keyboard.press('Escape'); // they are not shown again
  await dialog.getByRole('button', { name: 'I have saved them' }).press('Enter');
  await page.getByText('10 recovery codes are left.').waitFor();
  await close();

  await nextCode(service);
  const next = await portal.open({ merchant, role: null, path: '/security' });
  await signIn(next.page, who);
  await typeInto(next.page.getByLabel('One-time code'), codeAt(secret, clock.now()));
  await next.page.keyboard.press('Enter');
  await next.page.getByText('10 recovery codes are left.').waitFor();
  await nextCode(service);
  await next.page.getByRole('button', { name: 'Turn codes off' }).press('Enter');
  const off = next.page.getByRole('dialog').getByLabel('One-time code');
  await hasFocus(off);
  await next.page.keyboard.press('Escape');
  await off.waitFor({ state: 'detached' });
  await next.page.getByRole('button', { name: 'Turn codes off' }).press('Enter');
  await typeInto(off, codeAt(secret, clock.now()));
  await sendDialog(next.page);
  await next.page.getByText('Your password alone lets you in.').waitFor();
  await next.close();
});
