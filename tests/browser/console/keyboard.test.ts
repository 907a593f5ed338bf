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
  await list.getByText('Go to Merchants').waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  await hasFocus(page.getByRole('link', { name: 'Bazaar Online' }));
  await close();
});
