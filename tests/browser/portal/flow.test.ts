import { expect } from 'vitest';
import { hasFocus, isLoaded, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPortal } from '../../support/portal-app.ts';
import { portalShop } from '../../support/portal-shop.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

/** The portal from sign-in to the statement, as `npm test` goes through it. */

const { test, service } = await serviceTest();
const portal = await openPortal(service);
const { merchant, failing } = await portalShop(service);

test('an admin signs in, finds in four keys why a webhook failed, sends it again, and reads the statement', async () => {
  const { username, password } = await portal.user(merchant, 'admin');
  const { page, close } = await portal.open({ merchant, role: null });
  const { keyboard } = page;
  await typeInto(page.getByLabel('Username'), username);
  await expectAccessible(page);
  await tabTo(page, 'input[type=password]');
  await keyboard.type(password);
  await keyboard.press('Enter');
  await page.getByText('Webhooks to deaf.invalid are failing').waitFor();
  await isLoaded(page);
  await expectAccessible(page);

  await keyboard.press('Control+k');
  await typeInto(page.getByRole('combobox', { name: 'Find or go to' }), 'INV-1003');
  await page.getByRole('option', { name: /PKR 4,200 deposit/, selected: true }).waitFor();
  await keyboard.press('Enter');
  await page.waitForURL(`**/portal/orders/${failing.orderId}`);
  await page.getByText('Refused: deaf.invalid does not resolve').first().waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resend the webhook…' }).press('Enter');
  await sendDialog(page);
  await page.getByText('Superseded', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Money', exact: true }).click();
  await page.getByText('Wallet balance', { exact: true }).waitFor();
  await isLoaded(page);
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Statements' }).click();
  await page.getByText('Still running').waitFor();
  await keyboard.press('j');
  await hasFocus(page.locator('table a').first());
  await keyboard.press('Enter');
  const closing = page.getByRole('row', { name: /^Closing balance/ }).locator('data');
  await closing.waitFor();
  await expectAccessible(page);
  const { data } = await operatorClient(service).get(`/merchants/${merchant.merchantId}/balance`);
  expect(await closing.getAttribute('value')).toBe(String(data.walletBalance));
  await close();
});
