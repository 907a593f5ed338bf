import { createHash } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import { hasFocus, isLoaded, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPortal } from '../../support/portal-app.ts';
import { portalShop } from '../../support/portal-shop.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

/** Money, webhooks, developers, settings and people, by the keyboard alone. */

const { test, service } = await serviceTest();
const portal = await openPortal(service);
afterAll(() => portal.close());
const shop = await portalShop(service);
const { merchant } = shop;

describe('the signature checker', () => {
  test('says what was signed instead, and sends nothing of what is typed', async () => {
    const window = await portal.open({ merchant, path: '/developers/signature' });
    const { page } = window;
    await page.getByText('Paste the body of an order creation').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    const fields = '"orderType":"Deposit","amount":1500.50,"walletType":"ProviderA"';
    const secret = 'sksec_NotASecret0123456789NotASecret0123456789';
    const signature = createHash('md5')
      .update(`ordertype=Deposit&amount=1500.50&wallettype=ProviderA${secret}`)
      .digest('hex');
    await tabTo(page, 'textarea');
    await page.keyboard.insertText(`{${fields},"signature":"${signature}"}`);
    await page.getByText('Enter the signing secret').waitFor();
    await tabTo(page, 'input[type=password]');
    await page.keyboard.insertText(secret);
    await page.getByText('Refused: SIGNATURE_INVALID').waitFor();
    await page.getByText('Fields in the order of the body.').waitFor();
    await expectAccessible(page);
    expect(asked.filter((each) => each.includes('sksec_') || each.includes(signature))).toEqual([]);
    await page.reload();
    await page.getByText('Paste the body of an order creation').waitFor();
    expect(await page.getByLabel('Signing secret').inputValue()).toBe('');
    await window.close();
  });
});

describe('money', () => {
  test('a month is opened by the keyboard, and its sheet alone is printed', async () => {
    const window = await portal.open({ merchant, path: '/money/statements' });
    const { page } = window;
    await page.getByText('Still running').waitFor();
    await page.keyboard.press('j');
    await hasFocus(page.locator('table a').first());
    await page.keyboard.press('Enter');
    await page.getByRole('rowheader', { name: 'Closing balance' }).waitFor();
    await expectAccessible(page);
    const closing = page.getByRole('row', { name: /^Closing balance/ }).locator('data');
    const { data } = await operatorClient(service).get(`/merchants/${merchant.merchantId}/balance`);
    expect(await closing.getAttribute('value')).toBe(String(data.walletBalance));
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    expect(await closing.isVisible()).toBe(true);
    await window.close();
  });
});

describe('webhooks', () => {
  test('why one failed is three keys away, and an admin sends it again', async () => {
    const window = await portal.open({ merchant, path: '/webhooks' });
    const { page } = window;
    await page.getByRole('link', { name: shop.failing.orderReference }).waitFor();
    await page.keyboard.press('j');
    await hasFocus(page.getByRole('link', { name: shop.failing.orderReference }));
    await page.keyboard.press('Enter');
    await page.getByText('Nothing answered at this address.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resend…' }).press('Enter');
    await sendDialog(page);
    await page.waitForURL((url) => !url.pathname.endsWith(shop.failing.deliveryId));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await window.close();
  });
});

describe('settings and people', () => {
  test('the default callback URL is saved by the keyboard', async () => {
    const window = await portal.open({ merchant, path: '/settings' });
    const { page } = window;
    const field = page.getByLabel('Default callback URL');
    await field.waitFor();
    await field.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('https://shop.example/new');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await field.waitFor();
    expect(await field.inputValue()).toBe('https://shop.example/new');
    await window.close();
  });

  test('somebody is invited by the keyboard, and the link is shown once', async () => {
    const window = await portal.open({ merchant, path: '/settings/people' });
    const { page } = window;
    await page.getByText('(you)').waitFor();
    await page.getByRole('button', { name: 'Invite somebody' }).press('Enter');
    await typeInto(page.getByRole('dialog').getByLabel('Name', { exact: true }), 'Ayesha Khan');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ayesha');
    await expectAccessible(page);
    await sendDialog(page);
    const shown = page.getByRole('dialog', { name: 'Invitation for Ayesha Khan' });
    await shown.getByText('/portal/').waitFor();
    await shown.getByRole('button').last().press('Enter');
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /Ayesha Khan.*Invited/ }).waitFor();
    await window.close();
  });

  test('a viewer sees all of it, without a button that would be refused', async () => {
    const window = await portal.open({ merchant, role: 'viewer', path: '/settings' });
    const { page } = window;
    await page.getByText('Only an admin can change this.').waitFor();
    for (const tab of ['IP addresses', 'Payment page']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByText('Only an admin can change this.').waitFor();
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    }
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByText('(you)').waitFor();
    expect(await page.getByRole('button', { name: /^(Invite|Actions for)/ }).count()).toBe(0);
    await page.goto(`${service.url}/portal/deliveries/${shop.failing.deliveryId}`);
    await page.getByText('Body as sent').waitFor();
    await isLoaded(page);
    expect(await page.getByRole('button', { name: 'Resend…' }).count()).toBe(0);
    await window.close();
  });
});
