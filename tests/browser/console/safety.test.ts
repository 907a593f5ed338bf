import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { chainAuditLog, checkAuditChain } from '../../../apps/server/src/audit/chain.service.ts';
import { codeAt, nextCode, withCodes } from '../../support/authenticator.ts';
import {
  canSend,
  expectGoodState,
  openConsole,
  sendDialog,
  tabTo,
  typeInto,
} from '../../support/console.ts';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
const admin = operatorClient(service);
const { clock } = service.app.deps;

/** Goes on by Tab to the button of this name. */
async function tabToButton(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).last().waitFor();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.textContent')) === name) return;
  }
  throw new Error(`Tab did not come to ${name}`);
}

test('codes are set up, and asked for at the next sign-in, by the keyboard alone', async () => {
  const who = await createOperator(service, 'support');
  const { page, close } = await console.open({ who, path: '/security' });
  await page.getByText('Your password alone lets you in.').waitFor();
  await tabToButton(page, 'Set up one-time codes');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await typeInto(dialog.getByLabel('Password', { exact: true }), who.password);
  await page.keyboard.press('Enter');
  await dialog.getByAltText('QR code for the authenticator app').waitFor();
  const secret = ((await dialog.locator('bdi').textContent()) ?? '').replaceAll(' ', '');
  const code = dialog.getByLabel('One-time code');
  await typeInto(code, '000000');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('is wrong, or was used before').waitFor();
  await code.fill('');
  await typeInto(code, codeAt(secret, clock.now()));
  await page.keyboard.press('Enter');
  await dialog.getByText('Keep your recovery codes').waitFor();
  expect(await dialog.getByRole('listitem').count()).toBe(10);
  const recoveryCode = (await dialog.getByRole('listitem').first().textContent()) ?? '';
  await tabToButton(page, 'I have saved them');
  await page.keyboard.press('Enter');
  await page.getByText('10 recovery codes are left.').waitFor();
  await close();

  await nextCode(service);
  const next = await console.open({ role: null, path: '/security' });
  await signIn(next.page, who);
  await typeInto(next.page.getByLabel('One-time code'), codeAt(secret, clock.now()));
  await next.page.keyboard.press('Enter');
  await next.page.getByRole('heading', { name: 'Sign-in and one-time codes' }).waitFor();
  await next.page.getByRole('button', { name: 'Signed in as' }).click();
  await next.page.getByText('from 127.0.0.1').first().waitFor();
  await next.close();

  const lost = await console.open({ role: null, path: '/security' });
  await signIn(lost.page, who);
  await tabToButton(lost.page, 'Use a recovery code');
  await lost.page.keyboard.press('Enter');
  await typeInto(lost.page.getByLabel('Recovery code'), recoveryCode.toLowerCase());
  await lost.page.keyboard.press('Enter');
  await lost.page.getByText('9 recovery codes are left.').waitFor();
  await lost.close();
});

async function signIn(page: Page, { username, password }: Record<'username' | 'password', string>) {
  await typeInto(page.getByLabel('Username'), username);
  await tabTo(page, 'input[type=password]');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

test('where codes are required, an admin without one sees their set-up and nothing else', async () => {
  const who = await createOperator(service, 'admin');
  const before = await console.open({ who, path: '/settings' });
  await before.page.getByRole('heading', { name: 'Settings' }).waitFor();
  await admin.patch('/settings', { requireOneTimeCode: true });
  try {
    await before.page.getByText('Admins need a one-time code here').waitFor();
    await before.close();
    const { page, close } = await console.open({ who, path: '/settings' });
    await page.getByText('Admins need a one-time code here').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByLabel('Password', { exact: true }).fill(who.password);
    await page.keyboard.press('Enter');
    const secret = ((await page.locator('bdi').textContent()) ?? '').replaceAll(' ', '');
    await page.getByLabel('One-time code').fill(codeAt(secret, clock.now()));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await close();
  } finally {
    await admin.patch('/settings', { requireOneTimeCode: false });
  }
});

test('a request is approved by the keyboard alone, and its requester has no button for it', async () => {
  await admin.patch('/settings', { adjustmentApprovalLimit: 100 });
  const { merchantId } = await createMerchant(service, { name: 'Bazaar Online' });
  const requester = await createOperator(service, 'admin');
  await operatorClient(service, requester.token).post(`/merchants/${merchantId}/adjustments`, {
    kind: 'credit',
    amount: 180_000,
    reason: 'Bank transfer, slip 4471',
  });

  const own = await console.open({ who: requester, path: '/approvals' });
  await own.page.getByRole('button', { name: 'Wallet adjustment' }).click();
  await own.page.getByText('You asked for this yourself').waitFor();
  expect(await own.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

  const another = await console.open({ path: '/approvals' });
  await another.page.getByRole('button', { name: 'Wallet adjustment' }).click();
  await another.page.getByText('An approver decides this.').waitFor();
  expect(await another.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  await another.close();

  const { page, close } = await console.open({ role: 'approver', path: '/approvals' });
  await page.getByRole('button', { name: 'Wallet adjustment' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByText('Bank transfer, slip 4471').waitFor();
  await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
  await page.keyboard.press('a');
  await page.getByRole('dialog').getByLabel('Note (optional)').waitFor();
  await sendDialog(page);
  await page.getByText('Nothing is waiting for a second operator.').waitFor();
  // The requester's own window gets an event.
  await own.page.getByText('Nothing is waiting for a second operator.').waitFor();
  const balance = await admin.get(`/merchants/${merchantId}/balance`);
  expect(balance.data.walletBalance).toBe(180_000);
  await close();
  await own.close();
});

test('of two who decide a request one wins, and the other sees it, with what they typed still there', async () => {
  await admin.patch('/settings', { adjustmentApprovalLimit: 100 });
  const { merchantId } = await createMerchant(service, { name: 'Corner Shop' });
  await operatorClient(service).post(`/merchants/${merchantId}/adjustments`, {
    kind: 'credit',
    amount: 5_000,
    reason: 'r',
  });
  const [waiting] = (await admin.get('/approvals?status=pending')).data;
  const { page, close } = await console.open({ path: `/approvals?open=${waiting.approvalId}` });
  await page.getByRole('button', { name: 'Decline' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Note').fill('Not ours');
  const row = page.locator('main tbody tr', { hasText: 'Wallet adjustment' });
  await row.waitFor();
  await secondOperator(service).post(`/approvals/${waiting.approvalId}/approve`, {});
  await row.waitFor({ state: 'detached' });
  await dialog.getByText(/ was faster: Done\./).waitFor();
  expect(await dialog.getByRole('button', { name: 'Decline' }).isDisabled()).toBe(true);
  expect(await dialog.getByLabel('Note').inputValue()).toBe('Not ours');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await close();
});

test('the audit log is narrowed down, read before and after, and saved as a file', async () => {
  await admin.patch('/settings', { payoutWindowSeconds: 2_700 });
  const { page, close } = await console.open({ path: '/audit?action=settings.update' });
  await page.getByRole('button', { name: 'Changed settings' }).first().click();
  const recorded = page.getByText('What was recorded').locator('..');
  await recorded.getByText('Payout window').waitFor();
  await recorded.getByText('1 h', { exact: true }).waitFor();
  await recorded.getByText('45 min').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save these entries as a CSV file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('audit-log.csv');
  await page.getByRole('button', { name: 'Only by them' }).click();
  await page.waitForURL(/[?&]actor=env-1(&|$)/);
  await close();
});

test('the audit log names fields as their forms do, and groups amounts', async () => {
  const { merchantId } = await createMerchant(service);
  const credit = { kind: 'credit', amount: 123456.5, reason: 'Slip 12' };
  const { data } = await admin.post(`/merchants/${merchantId}/adjustments`, credit);
  await secondOperator(service).post(`/approvals/${data.approvalId}/approve`, {});
  const { memberId } = await createMember(service);
  await admin.patch(`/members/${memberId}`, { password: 'another long password' });
  const { page, close } = await console.open({ path: '/audit?action=wallet.credit' });
  const recorded = page.getByRole('region', { name: 'What was recorded' });
  await page.locator('main tbody').getByRole('button').first().click();
  await recorded.getByText('PKR 123,456.50', { exact: true }).waitFor();
  await page.goto(`${service.url}/console/audit?action=member.identity`);
  await page.locator('main tbody').getByRole('button').first().click();
  await recorded.getByText('Password', { exact: true }).waitFor();
  await close();
});

test('a broken chain is a red bar on every page of an admin, and on no page of others', async () => {
  const { page, close } = await console.open({ path: '/merchants' });
  const viewer = await console.open({ role: 'viewer', path: '/merchants' });
  await expect.poll(() => chainAuditLog(service.app.deps)).toBe(false);
  await changeEntry("'x' || target");
  try {
    await page.reload();
    await page.getByText('The audit log was changed.').waitFor();
    await page.getByRole('link', { name: 'See what was found' }).click();
    await page.getByText('This entry, or its link, was changed').waitFor();
    await viewer.page.reload();
    await viewer.page.getByRole('heading', { name: 'Merchants' }).waitFor();
    expect(await viewer.page.getByText('See what was found').count()).toBe(0);
    expect(viewer.seen.requests.filter((url) => url.includes('/audit-log'))).toEqual([]);
  } finally {
    await changeEntry('substr(target, 2)');
  }
  await close();
  await viewer.close();
});

/** As somebody with every right on the database, who leaves no trace but the hash. */
async function changeEntry(target: string) {
  const client = await service.database.pool.connect();
  await client.query("begin; set local session_replication_role = 'replica'");
  await client.query(
    `update audit_log set target = ${target}
     where audit_id = (select audit_id from audit_chain where position = 2)`,
  );
  await client.query('commit');
  client.release();
  await checkAuditChain(service.app.deps);
}

test('every operator sees a bar while approvers are missing, until there are two', async () => {
  const { page, close } = await console.open({ role: 'viewer', path: '/merchants' });
  // Only in the browser's answers: the service has the two of its environment.
  let approversMissing = 2;
  await page.route('**/api/operator/session', async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    await route.fulfill({ response, json: { data: { ...data, approversMissing } } });
  });
  await page.reload();
  const bar = page.getByRole('alert').filter({ hasText: 'munshi operator-link <name> --approver' });
  await bar.getByText('No approver can sign in').waitFor();
  await expectGoodState(page, 'approvers-missing');
  approversMissing = 1;
  await admin.patch('/settings', { payoutWindowSeconds: 2_640 });
  await bar.getByText('Only one approver can sign in').waitFor();
  await expectGoodState(page, 'approver-missing');
  approversMissing = 0;
  await admin.patch('/settings', { payoutWindowSeconds: 2_580 });
  await bar.waitFor({ state: 'detached' });
  await close();
});

test('an approver is let in on the server alone, and is lowered by an admin', async () => {
  const { operatorId, username } = await createOperator(service, 'approver', 'Rabia Anwar');
  const { page, close } = await console.open({ path: `/operators?open=${operatorId}` });
  await page.getByText(`munshi operator-link ${username} --approver`).waitFor();
  for (const name of ['Make a recovery link', 'New script token'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  await expectGoodState(page, 'operators-approver');
  await page.getByRole('button', { name: 'Change role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  expect(await page.getByRole('option').count()).toBe(3);
  await page.getByRole('option', { name: /^Support/ }).click();
  await dialog.getByText('Approver', { exact: true }).waitFor();
  await expectGoodState(page, 'operators-approver-role');
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('definition').getByText('Support: also resolves orders').waitFor();
  await close();
});

test('an operator is invited, chooses a password by the link, is promoted and suspended', async () => {
  const { page, close } = await console.open({ path: '/operators' });
  await tabToButton(page, 'Invite an operator');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await typeInto(dialog.getByLabel('Name', { exact: true }), 'Hina Malik');
  await page.keyboard.press('Tab');
  await page.keyboard.type('hina');
  await sendDialog(page);
  await page.getByText('Send this link to Hina Malik').waitFor();
  const link = (await page.getByRole('dialog').locator('bdi').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have saved it' }).click();

  const theirs = await console.open({
    role: null,
    path: `/recover#${new URL(link).hash.slice(1)}`,
  });
  await theirs.page.getByLabel('New password', { exact: true }).fill('wholly new long password');
  await theirs.page.getByLabel('New password once more').fill('wholly new long password');
  await theirs.page.keyboard.press('Enter');
  await theirs.page.getByText('Your password is saved').waitFor();
  expect(theirs.page.url()).not.toContain('#');
  await theirs.page.getByRole('link', { name: 'Sign in' }).click();
  await signIn(theirs.page, { username: 'hina', password: 'wholly new long password' });
  await theirs.page.getByRole('button', { name: 'Signed in as Hina Malik' }).waitFor();
  expect(await theirs.page.getByRole('link', { name: 'Operators' }).count()).toBe(0);

  await page.getByRole('button', { name: 'Hina Malik' }).click();
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: /^Support/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('definition').getByText('Support: also resolves orders').waitFor();
  await theirs.page.getByText('Your session has ended').waitFor();
  await theirs.close();

  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend Hina Malik' }).click();
  await page.getByRole('button', { name: 'Activate' }).waitFor();
  await close();
});

test('a setting is changed with its unit, before and after; a viewer has no button', async () => {
  const { page, close } = await console.open({ path: '/settings' });
  await page.getByRole('button', { name: 'Change: Confirmation window' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Minutes').fill('0');
  await dialog.getByText('At least 1 s.').waitFor();
  await dialog.getByLabel('Minutes').fill('45');
  await dialog.getByText('30 min').waitFor();
  await dialog.getByText('45 min').waitFor();
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('45 min').first().waitFor();
  expect((await admin.get('/settings')).data.memberConfirmationWindowSeconds).toBe(2_700);

  await page.getByRole('button', { name: 'Change display names' }).click();
  await dialog.getByLabel('ProviderB', { exact: true }).first().fill('Easypaisa');
  await sendDialog(page);
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Easypaisa').waitFor();
  await close();

  const viewer = await console.open({ role: 'viewer', path: '/settings' });
  await viewer.page.getByText('Easypaisa').waitFor();
  expect(await viewer.page.getByRole('button', { name: /^Change/ }).count()).toBe(0);
  await viewer.close();
});

test('an idle session that has ended asks for the password and the code over the page', async () => {
  const { operator: who, code, recoveryCodes } = await withCodes(service, 'admin');
  const { page, close } = await console.open({ role: null, path: '/settings' });
  await signIn(page, who);
  await typeInto(page.getByLabel('One-time code'), code());
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change: Payout window' }).click();
  await page.getByRole('dialog').getByLabel('Minutes').fill('77');
  await canSend(page);
  await service.database.pool.query('delete from sessions where principal_id = $1', [
    who.operatorId,
  ]);
  await page.keyboard.press('Control+Enter');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.getByLabel('Password', { exact: true }).fill(who.password);
  await page.keyboard.press('Enter');
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape'); // not for the dialog below
  await page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
  expect(await page.getByText('Sign in, or send').count()).toBe(0);
  expect(await page.getByRole('dialog').getByLabel('Minutes').inputValue()).toBe('77');
  await close();
});

test('one script token of an operator is revoked, and the other one goes on', async () => {
  const { operatorId, token, username } = await createOperator(service, 'support');
  const named = { name: 'Nightly export' };
  const { data } = await operatorClient(service).post(`/operators/${operatorId}/tokens`, named);
  const { page, close } = await console.open({ path: `/operators?open=${operatorId}` });
  const tokens = page.getByRole('region', { name: 'Script tokens' });
  await tokens.getByText('Nightly export').waitFor();
  await tabTo(page, '[aria-label="Revoke Nightly export"]');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('One script stops working at once.').waitFor();
  await sendDialog(page);
  await tokens.getByText('Nightly export').waitFor({ state: 'detached' });
  await tokens.getByText(username).waitFor();
  const statusOf = async (by: string) => (await operatorClient(service, by).get('/session')).status;
  expect([await statusOf(data.token), await statusOf(token)]).toEqual([401, 200]);
  await close();
});

test('an approved key is said to be ready, wherever an approver who did not ask looks', async () => {
  const asker = await createOperator(service, 'admin');
  const { merchantId } = await createMerchant(service);
  await service.database.pool.query('update settings set require_second_operator = true');
  const asked = await operatorClient(service, asker.token).post(
    `/merchants/${merchantId}/api-keys`,
  );
  const approved = await secondOperator(service).post(
    `/approvals/${asked.data.approvalId}/approve`,
  );
  await service.database.pool.query('update settings set require_second_operator = false');
  expect(approved.status).toBe(200);
  const { page, close } = await console.open({ role: 'approver', path: '/' });
  for (const path of ['/', '/approvals', `/merchants/${merchantId}/keys`]) {
    await page.goto(`${service.url}/console${path}`);
    await page.getByRole('heading', { name: 'Ready for you' }).waitFor();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'API key and secret' }).click();
  await page.getByText('An approver who did not ask fetches it here, for the merchant.').waitFor();
  await page.getByRole('button', { name: 'Fetch' }).click();
  await sendDialog(page);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  await page.goto(`${service.url}/console/approvals`);
  await page.getByText('Nothing is waiting for a second operator.').waitFor();
  expect(await page.getByRole('heading', { name: 'Ready for you' }).count()).toBe(0);
  await close();
});

test('an admin is shown what another has decided alone, on every page until they have seen it', async () => {
  const asma = await createOperator(service, 'admin', 'Asma Naz');
  const by = operatorClient(service, asma.token);
  await by.patch('/settings', { evidenceDays: 30 });
  await by.post('/alert-channels', { position: 'second', url: 'https://alerts.example/' });
  const who = await createOperator(service, 'approver');
  const { page, close } = await console.open({ who, path: '/merchants' });
  const bar = page.getByRole('region', { name: 'What other admins have decided' });
  await bar.getByText('Asma Naz set the second alert channel to https://alerts.example').waitFor();
  await bar.getByText('and 1 more').waitFor();
  await bar.getByRole('link', { name: 'Show in the audit log' }).click();
  await page.getByText('What was recorded').waitFor();
  await bar.getByRole('button', { name: 'Seen' }).click();
  await page.reload();
  await page.getByText('What was recorded').waitFor();
  expect(await bar.count()).toBe(0);
  await by.post('/alert-channels/remove', { position: 'second' });
  await bar.getByText('Asma Naz turned off the second alert channel').waitFor();
  expect(await bar.getByText('more').count()).toBe(0);
  await close();

  const own = await console.open({ who: asma, path: '/settings' });
  await own.page.getByText('Confirmation window').waitFor();
  expect(await own.page.getByText('Asma Naz turned').count()).toBe(0);
  await own.close();
});
