import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESK, expectGoodState, sendDialog, typeInto } from '../../support/console.ts';
import { MAIN, MUNSHI, runIn } from '../../support/first-start.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import type { Spoken } from '../../support/spoken.ts';
import { buildStale } from '../../support/web-app.ts';

/** A new installation, from `npm start -- --empty` to its first settled order, without a script. */

const PASSWORD = 'correct horse 42';
const ACTS_MAX = 12;

const dataDir = mkdtempSync(path.join(tmpdir(), 'munshi-set-up-'));
let server: Spoken;
let url = '';
beforeAll(async () => {
  await buildStale();
  server = runIn(dataDir, MAIN, ['--empty']);
  [, url = ''] = await server.says(/Munshi is listening on (\S+)/);
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  rmSync(dataDir, { recursive: true, force: true });
});

/** What a person has done so far: a command, a form that was sent, a button that does something. */
const acts: string[] = [];
async function act<T>(what: string, doing: () => Promise<T>): Promise<T> {
  acts.push(what);
  return doing();
}

/** The link that the command prints while the service runs, without being given its port. */
async function operatorLink(...args: readonly string[]): Promise<string> {
  const command = runIn(dataDir, MUNSHI, ['operator-link', ...args], { PORT: '' });
  const [link] = await command.says(/http\S+#\S+/);
  await command.exited;
  expect(link).toContain(url);
  return link;
}

/** The console asks for it twice. */
async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link);
  const fields = page.locator('input[type=password]');
  await fields.first().waitFor();
  for (const field of await fields.all()) await field.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /saved|changed/ }).waitFor();
}

test('from an empty installation to the first settled order in twelve acts, without a script; the second operator is required last', async () => {
  const browser = await sharedBrowser();
  const desk = await browser.newContext({ ...DESK, permissions: [...DESK.permissions] });
  const page = await desk.newPage();

  await page.goto(`${url}/console/`);
  await page.getByText('The first admin and approvers get theirs on the server').waitFor();
  const link = await act('operator-link', () => operatorLink('amina'));
  await act('password', () => choosePassword(page, link));
  await act('sign in', async () => {
    await page.goto(`${url}/console/`);
    await page.getByLabel('Username').fill('amina');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
  });

  const card = page.getByRole('region', { name: 'Setting up' });
  const home = async () => {
    await page.getByRole('link', { name: 'Now' }).click();
    await card.waitFor();
  };
  const isDone = (what: string) =>
    card.locator('[data-done=true]').filter({ hasText: what }).waitFor();
  await card.getByText('0 of 11 done').waitFor();
  await expectGoodState(page, 'now-new');

  await act('merchant', async () => {
    await card.getByRole('link', { name: 'Add a merchant' }).click();
    await typeInto(page.getByLabel('Name of the merchant'), 'Corner Shop');
    await sendDialog(page);
    await page.waitForURL(/\/access$/);
  });
  await home();
  await act('key', async () => {
    await card.getByRole('link', { name: 'New key' }).click();
    await sendDialog(page);
    await page.getByRole('button', { name: 'I have saved them' }).click();
  });
  await home();
  const invitation = await act('member', async () => {
    await card.getByRole('link', { name: 'Add a member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Bilal Ahmed');
    await dialog.getByLabel('Username').fill('bilal');
    await sendDialog(page);
    const shown = await page.getByText(/\/member\/recover#/).textContent();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    return shown ?? '';
  });
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const app = await phone.newPage();
  await act('the member’s password', () => choosePassword(app, invitation));
  await act('the member signs in and goes online', async () => {
    await app.goto(`${url}/member/`);
    await app.getByLabel('Username').fill('bilal');
    await app.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await app.keyboard.press('Enter');
    await app.getByRole('button', { name: 'The icon is there' }).click();
    await app.getByRole('button', { name: 'Skip for now' }).click();
    await app.getByRole('button', { name: 'Go online' }).click();
    await app.getByText('Listening').waitFor();
  });
  await home();
  await act('account', async () => {
    await card.getByRole('link', { name: 'Add or approve it' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number').fill('03001234567');
    await dialog.getByLabel('Title').fill('Bilal Ahmed');
    await sendDialog(page);
  });
  await act('approval', async () => {
    await page.getByRole('button', { name: /^Approve: / }).click();
    await sendDialog(page);
  });
  await home();
  await act('float', async () => {
    await card.getByRole('link', { name: 'Adjust the float' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('50000');
    await dialog.getByLabel('Note').first().fill('First float');
    await sendDialog(page);
  });
  await home();
  await act('test order', () => card.getByRole('button', { name: 'Make a test order' }).click());
  await isDone('A settled order');
  expect(acts.length, acts.join(', ')).toBeLessThanOrEqual(ACTS_MAX);

  // The last step comes after two approvers.
  await card.getByRole('link', { name: 'Turn it on' }).click();
  await page.getByRole('dialog').waitFor();
  await desk.close();
  await phone.close();
});
