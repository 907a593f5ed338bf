import { expect } from 'vitest';
import { expectGoodState, hasFocus, isLoaded, typeInto } from '../../support/console.ts';
import { createMerchant } from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { codesInBrowser, openPortal } from '../../support/portal-app.ts';
import { serviceTest } from '../../support/service-test.ts';

/** How an admin of a merchant fetches a key that two operators have decided. */

const { test, service } = await serviceTest();
const portal = await openPortal(service);
const asker = await createOperator(service, 'admin', 'Omar Farooq');
const second = secondOperator(service);

test('an approved key is shown to admins alone, and fetched with a one-time code', async () => {
  const merchant = await createMerchant(service, { name: 'Bazaar Online' });
  const window = await portal.open({ merchant, path: '/developers' });
  const { page } = window;
  const notice = page.getByRole('region', { name: 'A new API key is ready' });
  const dialog = page.getByRole('dialog');
  await page.getByText('In force').waitFor();
  expect(await notice.count()).toBe(0);
  const decide = async (path: string) => {
    const by = operatorClient(service, asker.token);
    const { data } = await by.post(`/merchants/${merchant.merchantId}/api-keys${path}`);
    await second.post(`/approvals/${data.approvalId}/approve`);
  };
  await service.database.pool.query('update settings set require_second_operator = true');
  await decide('');
  await notice.waitFor();
  expect(await notice.textContent()).toContain('Omar Farooq has asked for it');
  const viewer = await portal.open({ merchant, role: 'viewer', path: '/developers' });
  await viewer.page.getByText('In force').waitFor();
  expect(await viewer.page.getByText('A new API key is ready').count()).toBe(0);
  await viewer.close();

  await page.getByRole('link', { name: 'Home' }).click();
  await notice.getByText('It can be fetched until').waitFor();
  await isLoaded(page);
  await expectGoodState(page, 'home-key-ready', 'portal');
  await notice.getByRole('link', { name: 'Fetch it' }).click();
  await notice.getByRole('link', { name: 'Set up your one-time codes' }).waitFor();
  await expectGoodState(page, 'key-ready-without-codes', 'portal');
  const code = await codesInBrowser(service, window.context);
  await page.reload();
  const fetchIt = notice.getByRole('button', { name: 'Fetch it' });
  await fetchIt.waitFor();
  await expectGoodState(page, 'key-ready', 'portal');
  await fetchIt.press('Enter');
  await hasFocus(dialog.getByLabel('One-time code'));
  await expectGoodState(page, 'key-fetch', 'portal');
  await typeInto(dialog.getByLabel('One-time code'), '000000');
  await page.keyboard.press('Enter');
  await dialog.getByText('is wrong, or was used before').waitFor();
  await dialog.getByLabel('One-time code').fill(code());
  await page.keyboard.press('Enter');
  const apiKey = (await dialog.getByText(/^mk_live_\w{32}$/).textContent()) ?? '';
  const headers = { 'SVC-API-Key': apiKey };
  const balance = await fetch(`${service.url}/api/merchant/orders/balance`, { headers });
  expect(balance.status).toBe(200);
  await expectGoodState(page, 'key-fetched', 'portal');
  await dialog.getByRole('button', { name: 'I have saved them' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await notice.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('In force').count()).toBe(2);

  await decide('/regenerate');
  await notice.getByText('Every other key stops working then.').waitFor();
  await fetchIt.press('Enter');
  await dialog.getByText('Every key that there is now stops working at once.').waitFor();
  await expectGoodState(page, 'key-fetch-instead', 'portal');
  await window.close();
});
