import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { nextCode } from '../../support/authenticator.ts';
import { expectGoodState, hasFocus, sendDialog, typeInto } from '../../support/console.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { PORTAL_PASSWORD } from '../../support/portal.ts';
import { codesInBrowser, openPortal } from '../../support/portal-app.ts';
import { serviceTest } from '../../support/service-test.ts';

/** How an admin of a merchant lets another one in: with their own one-time code. */

const { test, service } = await serviceTest();
const portal = await openPortal(service);
const operator = operatorClient(service);

/** A merchant with a viewer, a second admin and a suspended one, open where they are listed. */
async function openPeople() {
  const merchant = await createMerchant(service, { name: 'Bazaar Online' });
  const people = `/merchants/${merchant.merchantId}/portal-users`;
  const add = async (name: string, role: string): Promise<string> => {
    const username = `${name.split(' ')[0]?.toLowerCase()}-${merchant.merchantId}`;
    const { data } = await operator.post(people, {
      ...{ username, name, role, password: PORTAL_PASSWORD },
    });
    return data.portalUserId;
  };
  await add('Hina Malik', 'viewer');
  await add('Bilal Ahmed', 'admin');
  const left = await add('Sana Tariq', 'admin');
  await operator.patch(`/portal-users/${left}`, { status: 'suspended' });
  const window = await portal.open({ merchant, path: '/settings/people' });
  await window.page.getByText('(you)').waitFor();
  return window;
}

const dialogOf = (page: Page) => page.getByRole('dialog');
const codeField = (page: Page) => dialogOf(page).getByLabel('One-time code');

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter');
  await page.getByRole('menuitem', { name: action }).press('Enter');
  await dialogOf(page).waitFor();
}

async function chooseRole(page: Page, role: RegExp): Promise<void> {
  await dialogOf(page).getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: role }).click();
}

async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
}

/** The same where something was typed or chosen: it asks first. */
async function closeAndLose(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close, and lose it' }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

async function keepLink(page: Page, title: string): Promise<void> {
  const given = page.getByRole('dialog', { name: title });
  await given.getByText('/portal/').waitFor();
  await given.getByRole('button').last().press('Enter');
  await given.waitFor({ state: 'detached' });
}

test('an admin without codes is asked to set them up, where an admin is let in alone', async () => {
  const { page, close: closeWindow } = await openPeople();
  const note = dialogOf(page).getByText('Admins are let in with a one-time code.');
  const send = dialogOf(page).locator('button[type=submit]');
  const expectAskedForCodes = async () => {
    await note.waitFor();
    expect(await send.isDisabled()).toBe(true);
    expect(await codeField(page).count()).toBe(0);
  };
  await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
  await typeInto(dialogOf(page).getByLabel('Name', { exact: true }), 'Ayesha Khan');
  await dialogOf(page).getByLabel('Username').fill('ayesha');
  expect(await note.count()).toBe(0);
  expect(await send.isEnabled()).toBe(true);
  await chooseRole(page, /^Admin/);
  await expectAskedForCodes();
  await expectGoodState(page, 'people-invite-without-codes', 'portal');
  await chooseRole(page, /^Viewer/);
  await note.waitFor({ state: 'detached' });
  await closeAndLose(page);

  await choose(page, 'Hina Malik', 'Change the role');
  expect(await note.count()).toBe(0);
  await chooseRole(page, /^Admin/);
  await expectAskedForCodes();
  await closeAndLose(page);
  await choose(page, 'Sana Tariq', 'Let in again');
  await expectAskedForCodes();
  await close(page);
  await choose(page, 'Hina Malik', 'Link for a new password');
  expect(await note.count()).toBe(0);
  expect(await send.isEnabled()).toBe(true);
  await close(page);
  await choose(page, 'Bilal Ahmed', 'Link for a new password');
  await expectAskedForCodes();
  await hasFocus(dialogOf(page).getByRole('link', { name: 'Set up your one-time codes' }));
  await expectGoodState(page, 'people-link-without-codes', 'portal');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Set up one-time codes' }).waitFor();
  await closeWindow();
});

test('an admin lets others in with a code: invites, gives the role, a link, access again', async () => {
  const { page, context, close: closeWindow } = await openPeople();
  const code = await codesInBrowser(service, context);
  await page.reload();
  await page.getByText('(you)').waitFor();

  await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
  await typeInto(dialogOf(page).getByLabel('Name', { exact: true }), 'Ayesha Khan');
  await dialogOf(page).getByLabel('Username').fill('ayesha');
  expect(await codeField(page).count()).toBe(0);
  await chooseRole(page, /^Admin/);
  await hasFocus(dialogOf(page).getByRole('combobox', { name: 'Role' }));
  await expectGoodState(page, 'people-invite-admin', 'portal');
  await page.keyboard.press('Tab');
  await typeInto(codeField(page), '000000');
  await page.keyboard.press('Enter');
  await dialogOf(page).getByText('Is wrong, or was used before. Wait for the next one.').waitFor();
  await hasFocus(codeField(page));
  await expectGoodState(page, 'people-invite-wrong-code', 'portal');
  await codeField(page).fill(code());
  await page.keyboard.press('Enter');
  await keepLink(page, 'Invitation for Ayesha Khan');
  await page.getByRole('row', { name: /Ayesha Khan.*Admin.*Invited/ }).waitFor();

  await nextCode(service);
  await choose(page, 'Hina Malik', 'Change the role');
  expect(await codeField(page).count()).toBe(0);
  await chooseRole(page, /^Admin/);
  await codeField(page).fill(code());
  await expectGoodState(page, 'people-role-admin', 'portal');
  await sendDialog(page);
  await page.getByRole('row', { name: /Hina Malik.*Admin.*Active/ }).waitFor();

  await nextCode(service);
  await choose(page, 'Sana Tariq', 'Let in again');
  await typeInto(codeField(page), code());
  await expectGoodState(page, 'people-activate-admin', 'portal');
  await sendDialog(page);
  await page.getByRole('row', { name: /Sana Tariq.*Admin.*Active/ }).waitFor();

  await nextCode(service);
  await choose(page, 'Bilal Ahmed', 'Link for a new password');
  await hasFocus(codeField(page));
  await expectGoodState(page, 'people-link-admin', 'portal');
  await codeField(page).fill(code());
  await page.keyboard.press('Enter');
  await keepLink(page, 'Link for Bilal Ahmed');

  await choose(page, 'Bilal Ahmed', 'Change the role');
  await chooseRole(page, /^Viewer/);
  expect(await codeField(page).count()).toBe(0);
  await sendDialog(page);
  await page.getByRole('row', { name: /Bilal Ahmed.*Viewer.*Active/ }).waitFor();
  await choose(page, 'Bilal Ahmed', 'Link for a new password');
  expect(await codeField(page).count()).toBe(0);
  await sendDialog(page);
  await keepLink(page, 'Link for Bilal Ahmed');
  await closeWindow();
});
