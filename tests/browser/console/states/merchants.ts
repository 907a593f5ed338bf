import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { sendDialog } from '../../../support/console.ts';
import { createMerchant, createOrder } from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** A merchant with something on every tab. */
async function prepareMerchant(service: Service): Promise<Record<string, string>> {
  const operator = operatorClient(service);
  const merchant = await createMerchant(service, {
    name: 'Bazaar Online',
    balance: '498700.5',
    defaultCallbackUrl: 'https://shop.example/webhooks/munshi',
  });
  const { merchantId } = merchant;
  await createOrder(merchant, { orderType: 'Withdrawal', amount: 1200 });
  await createOrder(merchant);
  const rule = { merchantId, orderType: 'Deposit', walletType: 'ProviderA', percent: 1.5 };
  await operator.post('/fee-rules', { ...rule, minimum: 5, fromAmount: 100 });
  await operator.post(`/merchants/${merchantId}/adjustments`, {
    kind: 'freeze',
    amount: 2500,
    reason: 'Disputed by the bank, case 4821',
  });
  await operator.patch(`/merchants/${merchantId}`, {
    displayName: 'Bazaar',
    brandColour: '#0b7a4b',
    supportEmail: 'help@bazaar.example',
    ipWhitelist: { enabled: true, entries: [{ address: '203.0.113.0/24', scope: 'Both' }] },
  });
  await operator.patch(`/merchants/${merchantId}/alert-settings`, {
    ...{ lowBalance: 5000, failingWebhooks: true },
    alertEmails: ['night@bazaar.example'],
  });
  return { merchantId };
}

/** A logo, drawn without reading any format: the service lets its process read only pictures. */
const picture = () => {
  const box = (width: number, height: number, background: string) => ({
    create: { width, height, channels: 3 as const, background },
  });
  return sharp(box(300, 100, '#0b7a4b'))
    .composite([
      { input: box(56, 56, '#ffd34d'), left: 22, top: 22 },
      { input: box(160, 24, '#ffffff'), left: 100, top: 38 },
    ])
    .png()
    .toBuffer();
};

const tab = (
  name: string,
  text: string,
  more: Partial<ScreenState> & { act?(page: Page): Promise<void> } = {},
): ScreenState => ({
  name: `merchant-${name}`,
  prepare: prepareMerchant,
  path: ({ merchantId }) => `/merchants/${merchantId}/${name.split('_')[0]}`,
  async reach(page) {
    // The menu has the names of queues too.
    await page.getByRole('main').getByText(text).first().waitFor();
    await more.act?.(page);
  },
  ...(more.role !== undefined && { role: more.role }),
});

export const MERCHANTS_STATES: readonly ScreenState[] = [
  {
    name: 'merchants',
    path: '/merchants',
    async prepare(service) {
      await createMerchant(service, { name: 'Corner Shop', status: 'suspended' });
      return prepareMerchant(service);
    },
    reach: (page) => page.getByRole('link', { name: 'Bazaar Online' }).first().waitFor(),
  },
  {
    name: 'merchants-none-found',
    path: '/merchants?search=nowhere',
    reach: (page) => page.getByText('No merchant matches these filters.').waitFor(),
  },
  tab('overview', 'API keys'),
  tab('overview_viewer', 'API keys', { role: 'viewer' }),
  tab('settings', 'Default callback URL'),
  tab('overview_suspend', 'API keys', {
    async act(page) {
      await page.getByRole('button', { name: 'Status' }).click();
      await page.getByRole('menuitem', { name: 'Suspend' }).click();
      await page.getByRole('dialog').getByText('go on to their end').waitFor();
    },
  }),
  tab('money', 'Disputed by the bank'),
  tab('money_adjust', 'Disputed by the bank', {
    async act(page) {
      await page.getByRole('button', { name: 'Adjust the wallet' }).click();
      await page.getByLabel('Amount, PKR').fill('1,500.50');
      await page.getByRole('dialog').getByText('496,501').first().waitFor();
    },
  }),
  tab('access', 'In force'),
  tab('access_revoke', 'In force', {
    async act(page) {
      await page.getByRole('button', { name: /^Revoke/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  tab('methods', 'Not possible'),
  tab('access_addresses', 'Only from these addresses'),
  tab('methods_fees', '1.5 %'),
  tab('access_tested', 'Only from these addresses', {
    async act(page) {
      await page.getByLabel('Address of a caller').fill('203.0.113.7');
      await page.keyboard.press('Enter');
      await page.getByText('let in by 203.0.113.0/24').first().waitFor();
    },
  }),
  tab('settings_alerts', 'Three attempts in a row'),
  tab('settings_alerts_viewer', 'Three attempts in a row', { role: 'viewer' }),
  tab('settings_page', 'Support e-mail', {
    act: (page) => page.frameLocator('iframe').getByText('Bazaar', { exact: true }).waitFor(),
  }),
  tab('settings_urdu', 'Support e-mail', {
    async act(page) {
      await page.locator('input[type=file]').setInputFiles({
        name: 'logo.png',
        mimeType: 'image/png',
        buffer: await picture(),
      });
      await page.getByRole('radiogroup', { name: 'Theme of the page' }).getByText('Dark').click();
      const languages = page.getByRole('radiogroup', { name: 'Language of the page' });
      await languages.getByText('اردو').click();
      await page.frameLocator('iframe').locator('html[dir=rtl] img.logo').waitFor();
    },
  }),
  tab('settings_page_viewer', 'Support e-mail', {
    role: 'viewer',
    act: (page) => page.frameLocator('iframe').getByText('Bazaar', { exact: true }).waitFor(),
  }),
  tab('access_people', 'Nobody can sign in to the portal yet.'),
  tab('access_invite', 'Nobody can sign in to the portal yet.', {
    async act(page) {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      await page.getByRole('dialog').getByLabel('Username').waitFor();
    },
  }),
  tab('access_invited', 'Nobody can sign in to the portal yet.', {
    async act(page) {
      await page.getByRole('button', { name: 'Invite somebody' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Imran Qureshi');
      await dialog.getByLabel('Username').fill(`imran-${Date.now()}`);
      await dialog.getByLabel('E-mail, optional').fill('imran@bazaar.example');
      await sendDialog(page);
      await page.getByText('Not mailed').waitFor();
    },
  }),
  tab('orders', 'Waiting for a member'),
  tab('audit', 'Changed a merchant', {
    async act(page) {
      await page.getByRole('button', { name: 'Changed a merchant' }).first().click();
      await page.getByText('What was recorded').waitFor();
    },
  }),
];
