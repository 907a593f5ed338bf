import { expect } from 'vitest';
import { hasFocus, openConsole, tabTo, typeInto } from '../../support/console.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const console = await openConsole(service);
await createMerchant(service, { name: 'Bazaar Online' });

test('signing in by the keyboard alone leads to the address that was asked for', async () => {
  const { username, password } = await console.operator('support');
  const { page, close } = await console.open({ role: null, path: '/merchants?search=bazaar' });
  await typeInto(page.getByLabel('Username'), username);
  await tabTo(page, 'input[type=password]');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Bazaar Online' }).waitFor();
  expect(new URL(page.url()).search).toBe('?search=bazaar');
  await close();
});

test('? lists every key, and Escape gives the focus back', async () => {
  const { page, close } = await console.open({ path: '/merchants' });
  await page.getByRole('link', { name: 'Bazaar Online' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('?');
  const list = page.getByRole('dialog');
  await list.getByText('Next row').waitFor();
  for (const label of ['Go to Merchants', 'Ctrl+K', 'Alt+1'])
    await list.getByText(label, { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await hasFocus(page.getByRole('link', { name: 'Bazaar Online' }));
  await close();
});

test('g and a letter lead to a screen that the menu marks, and nothing else in it', async () => {
  const { page, close } = await console.open({ path: '/security' });
  await page.getByRole('link', { name: 'Paid, not confirmed' }).waitFor();
  const marked = page.locator('nav [aria-current=page]');
  const screens = [
    ['n', 'Now'],
    ['q', 'Paid, not confirmed'],
    ['o', 'Orders'],
    ['l', 'Late claims'],
    ['m', 'Merchants'],
    ['e', 'Members'],
    ['f', 'Fees and rates'],
    ['r', 'Reports'],
    ['w', 'Webhooks'],
    ['a', 'Approvals'],
    ['u', 'Audit'],
    ['p', 'Operators'],
    ['s', 'Settings'],
  ] as const;
  await page.getByRole('link', { name: 'Settings', exact: true }).waitFor();
  for (const [letter, name] of screens) {
    await page.keyboard.press('g');
    await page.keyboard.press(letter);
    await marked.filter({ hasText: name }).waitFor();
    expect({ letter, marked: await marked.count() }).toEqual({ letter, marked: 1 });
  }
  await close();
});

test('who may approve has the requests once in the menu, as a queue', async () => {
  const { page, close } = await console.open({ role: 'approver', path: '/' });
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await menu.getByRole('link', { name: /^To approve/ }).waitFor();
  expect(await menu.getByRole('link', { name: 'Approvals' }).count()).toBe(0);
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await page.locator('nav [aria-current=page]').filter({ hasText: 'To approve' }).waitFor();
  await close();
});
