import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { endAlert, insertAlert } from '../../../apps/server/src/merchant-alerts/store.ts';
import { nextCode } from '../../support/authenticator.ts';
import { hasFocus, isLoaded, sendDialog, tabTo, typeInto } from '../../support/console.ts';
import { cellsOf } from '../../support/csv.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signedOrder,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { codesInBrowser, openPortal } from '../../support/portal-app.ts';
import { portalShop } from '../../support/portal-shop.ts';
import { startReceiver } from '../../support/receiver.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectAccessible } from '../checks.ts';

/** Money, webhooks, developers, settings and people, by the keyboard alone. */

const { test, service } = await serviceTest();
const portal = await openPortal(service);
const shop = await portalShop(service);
const { merchant } = shop;
const operator = operatorClient(service);

/** What reading the balance with each key is answered. */
const statuses = (keys: readonly string[]) =>
  Promise.all(
    keys.map(async (key) => {
      const headers = { 'SVC-API-Key': key };
      return (await fetch(`${service.url}/api/merchant/orders/balance`, { headers })).status;
    }),
  );

test('on a phone the tabs scroll to the chosen one', async () => {
  const { page, close } = await portal.open({ merchant, path: '/settings' });
  await page.setViewportSize({ width: 390, height: 844 });
  const last = page.getByRole('tab', { name: 'People' });
  await last.waitFor();
  const sight = async () => {
    const box = await last.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 390;
  };
  expect(await sight()).toBe(false);
  await page.goto(`${service.url}/portal/settings/people`);
  await expect.poll(sight).toBe(true);
  await close();
});

test('settings that are not saved are not left without a question', async () => {
  const { page, close } = await portal.open({ merchant, path: '/orders' });
  await page.getByRole('link', { name: 'Settings and people' }).click();
  const url = page.getByLabel('Default callback URL');
  await url.fill('https://example.com/typed');
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Stay here' }).click();
  await question.waitFor({ state: 'detached' });
  await page.goBack();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await url.inputValue()).toBe('https://example.com/typed');
  const asked = page.waitForEvent('dialog');
  await page.reload();
  expect((await asked).type()).toBe('beforeunload');
  await url.fill('https://example.com/typed');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await question.getByRole('button', { name: 'Leave, and lose it' }).click();
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor();
  await page.goBack();
  expect(await question.count()).toBe(0);
  await close();
});

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

describe('keys', () => {
  test('are issued, replaced and revoked by the keyboard, with codes, where it is allowed', async () => {
    const own = await createMerchant(service, { name: 'Bazaar Online' });
    const window = await portal.open({ merchant: own, path: '/developers' });
    const { page } = window;
    const allow = (allowed: boolean) =>
      operator.post(`/merchants/${own.merchantId}/own-keys`, { allowed });
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    await page.getByText('Keys are issued and revoked by your operator.').waitFor();
    expect(await button(/^(New key|Regenerate|Revoke)/).count()).toBe(0);
    await allow(true);
    await page.getByRole('link', { name: 'Set up your one-time codes' }).waitFor();
    expect(await button(/^(New key|Regenerate|Revoke)/).count()).toBe(0);
    const code = await codesInBrowser(service, window.context);
    await page.reload();

    const dialog = page.getByRole('dialog');
    const enter = async (text: string) => {
      await typeInto(dialog.getByLabel('One-time code'), text);
      await page.keyboard.press('Enter');
    };
    const keep = async () => {
      const key = (await dialog.getByText(/^mk_live_\w{32}$/).textContent()) ?? '';
      const secret = (await dialog.getByText(/^sksec_\w{40}$/).textContent()) ?? '';
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'I have saved them' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.content()).not.toContain(secret);
      return key;
    };
    await button('New key').press('Enter');
    await hasFocus(dialog.getByLabel('One-time code'));
    await expectAccessible(page);
    const used = code();
    await enter(used);
    const second = await keep();
    await expect.poll(() => page.getByText('In force').count()).toBe(2);
    expect(await statuses([own.apiKey, second])).toEqual([200, 200]);

    await button('Regenerate').press('Enter');
    await enter(used);
    await dialog.getByText('was used before. Wait for the next one.').waitFor();
    await nextCode(service);
    await dialog.getByLabel('One-time code').fill(code());
    await page.keyboard.press('Enter');
    const third = await keep();
    await expect.poll(() => page.getByText('In force').count()).toBe(1);
    expect(await statuses([own.apiKey, second, third])).toEqual([401, 401, 200]);

    await nextCode(service);
    await button(/^Revoke/).press('Enter');
    await enter(code());
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('In force').count()).toBe(0);
    expect(await statuses([third])).toEqual([401]);
    await allow(false);
    await button('New key').waitFor({ state: 'detached' });
    await window.close();
  });
});

describe('requests and tests', () => {
  test('a refused request comes by itself, with status, code and field, and nothing secret', async () => {
    const window = await portal.open({ merchant, role: 'viewer', path: '/developers/refused' });
    const { page } = window;
    await page.getByText('No request was refused in the last 7 days.').waitFor();
    const account = '03007654321';
    const body = { orderType: 'Deposit', amount: 1500, walletType: 'ProviderA' };
    await signedOrder({ ...merchant, signingSecret: 'sksec_wrong' }, body);
    await page.getByRole('row', { name: /401 SIGNATURE_INVALID Check it signature/ }).waitFor();
    await signedOrder(merchant, { ...body, amount: 'much', customerAccountNumber: account });
    await page.getByRole('button', { name: '1 new' }).press('Enter');
    await page.getByRole('row', { name: /POST .*orders 400 invalid amount/ }).waitFor();
    await expectAccessible(page);
    const shown = await page.content();
    for (const secret of [account, 'much', 'sksec_', merchant.apiKey])
      expect(shown).not.toContain(secret);
    await page.getByRole('link', { name: 'Check it' }).press('Enter');
    await page.getByText('Paste the body of an order creation').waitFor();
    await window.close();
  });

  test('a test event is sent, and seen as it was sent with what was answered', async () => {
    const receiver = await startReceiver();
    const own = await createMerchant(service, { defaultCallbackUrl: `${receiver.url}/hook` });
    const window = await portal.open({ merchant: own, path: '/webhooks' });
    const { page } = window;
    await page.getByText('Nothing has been sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a test event' }).press('Enter');
    await page.getByText('Attempt 1, answered 200').waitFor();
    const [received] = await receiver.arrived(1);
    const sent = page.getByRole('region', { name: 'The bytes of the body' });
    expect(await sent.textContent()).toBe(received?.body.toString());
    expect(received?.json).toMatchObject({ eventType: 'webhook.test', test: true });
    expect(await page.content()).toContain(received?.headers['x-svc-signature']);
    await expectAccessible(page);
    receiver.behave(500);
    await page.getByRole('button', { name: 'Send a test event' }).press('Enter');
    await page.getByText('Your receiver answered 500; only 2xx counts as received.').waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).press('Enter');
    await page.getByRole('row', { name: /Test .*Delivered .* 200/ }).waitFor();
    await window.close();
    await receiver.close();
  });
});

describe('money', () => {
  test('of other currencies is shown by amount, rate and PKR; days are the merchant’s', async () => {
    await operator.post('/exchange-rates', { currency: 'INR', rate: 3.3215 });
    await operator.post('/exchange-rates', { currency: 'BDT', rate: 2.3 });
    const own = await createMerchant(service, { currencies: ['INR', 'BDT'], balance: '50000' });
    await everybodyOffline(service);
    const member = await createMember(service, { float: '1000000' });
    const order = (currency: string, amount: number) => createOrder(own, { amount, currency });
    await completeOrder(service, await order('INR', 250.5), member);
    await completeOrder(service, await order('BDT', 12345.67), member);
    const window = await portal.open({ merchant: own, path: '/money?from=2026-01-31' });
    const { page } = window;
    await page.getByText('Days and times are those of Asia/Karachi.').waitFor();
    const plain = async (name: RegExp) =>
      (await page.getByRole('row', { name }).textContent())?.replaceAll('\u00a0', ' ');
    expect(await plain(/INR/)).toContain('INR 250.50 × 3.3215+832.0358');
    expect(await plain(/BDT/)).toContain('BDT 12,345.67 × 2.30+28,395.041');
    const asked = page.waitForRequest((request) => request.url().includes('/movements?'));
    await page.getByLabel('Until').fill('2026-12-31');
    const { searchParams } = new URL((await asked).url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([
      ...['2026-01-31', '2027-01-01'],
    ]);
    await page.goto(`${service.url}/portal/statements/2001-01`);
    await page.getByText('No statement of this month').waitFor();
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Month' }).press('ArrowDown');
    await page.getByRole('listbox').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Deposits 2 29,227.0768/ }).waitFor();
    expect(await plain(/^Deposits, INR/)).toBe('Deposits, INR1INR 250.50INR 0.00+832.0358');
    expect(await plain(/^Deposits, BDT/)).toBe('Deposits, BDT1BDT 12,345.67BDT 0.00+28,395.041');
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Summary, CSV/ }).press('Enter');
    const file = cellsOf(readFileSync((await (await saved).path()) ?? '', 'utf8'));
    expect(file.map((cells) => cells.join(','))).toContainEqual(
      expect.stringContaining('deposit,INR,1,250.5,0,832.0358,0,832.0358,0,,'),
    );
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('region', { name: 'Orders by currency' }).isVisible()).toBe(true);
    await window.close();
  });

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
    const { data } = await operator.get(`/merchants/${merchant.merchantId}/balance`);
    expect(await closing.getAttribute('value')).toBe(String(data.walletBalance));
    await page.setViewportSize({ width: 688, height: 1000 }); // A4 within its margins
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
    expect(await closing.isVisible()).toBe(true);
    const sheet = await page.evaluate(`(() => {
      const paper = document.querySelector('article');
      return [paper.scrollWidth - paper.clientWidth, getComputedStyle(paper).color];
    })()`);
    expect(sheet).toEqual([0, 'rgb(0, 0, 0)']);
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

  test('alerts are set by the keyboard, a wrong limit is said, and a test is sent', async () => {
    const window = await portal.open({ merchant, path: '/settings/alerts' });
    const { page } = window;
    const limit = page.getByLabel('Alert below (PKR available)');
    await limit.waitFor();
    await limit.focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('0');
    await page.keyboard.press('Enter');
    await page.getByText('An amount above 0, with at most 4 decimal places.').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText('1,000.5');
    await page.keyboard.press('Enter');
    await page.getByText('Saved', { exact: true }).waitFor();
    await expectAccessible(page);
    const path = `/merchants/${merchant.merchantId}/alert-settings`;
    expect((await operatorClient(service).get(path)).data).toMatchObject({
      ...{ lowBalance: 1000.5, failingWebhooks: true },
    });
    await page.getByRole('button', { name: 'Send a test' }).press('Enter');
    const testAlert = page.getByRole('listitem').filter({ hasText: 'A test' }).first();
    await testAlert.getByText(/No mail is set up here/).waitFor();
    await expectAccessible(page);
    await window.close();
  });

  test('alerts of long ago come when they are asked for, and stay while new ones come', async () => {
    const own = await createMerchant(service, { name: 'Bazaar Online' });
    const path = `/merchants/${own.merchantId}/alert-settings`;
    await operator.patch(path, { alertEmails: ['ops@shop.example'] });
    const { clock, ids } = service.app.deps;
    for (let hoursAgo = 23; hoursAgo > 0; hoursAgo -= 1) {
      const at = clock.now() - hoursAgo * 3_600_000;
      const about = { merchantId: own.merchantId, kind: 'many-refusals', subject: '' } as const;
      const condition = { kind: 'many-refusals', refused: 100 + hoursAgo, limit: 10 } as const;
      const alertId = ids.uuid(at);
      await insertAlert(service.database.pool, { ...about, alertId, condition, at });
      await endAlert(service.database.pool, alertId, at + 60_000);
    }
    const window = await portal.open({ merchant: own, path: '/settings/alerts' });
    const { page } = window;
    const alerts = page.getByText('requests were refused within the last hour');
    await expect.poll(() => alerts.count()).toBe(20);
    await page.getByRole('button', { name: 'Show older ones' }).press('Enter');
    await expect.poll(() => alerts.count()).toBe(23);
    await page.getByText('123 requests were refused within the last hour').waitFor();
    expect(await page.getByRole('button', { name: 'Show older ones' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send a test' }).press('Enter');
    await page.getByText('A test', { exact: true }).waitFor();
    expect(await alerts.count()).toBe(23);
    await window.close();
  });

  test('a viewer sees all of it, without a button that would be refused', async () => {
    const window = await portal.open({ merchant, role: 'viewer', path: '/settings' });
    const { page } = window;
    await page.getByText('Only an admin can change this.').waitFor();
    for (const tab of ['IP addresses', 'Payment page', 'Alerts']) {
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
