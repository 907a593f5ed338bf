import type { Page } from 'playwright-core';
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
  return { merchantId };
}

const tab = (
  name: string,
  text: string,
  more: Partial<ScreenState> & { act?(page: Page): Promise<void> } = {},
): ScreenState => ({
  name: `merchant-${name}`,
  prepare: prepareMerchant,
  path: ({ merchantId }) => `/merchants/${merchantId}/${name.split('_')[0]}`,
  async reach(page) {
    await page.getByText(text).first().waitFor();
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
    reach: (page) => page.getByText('No merchant fits these filters.').waitFor(),
  },
  tab('overview', 'Default callback URL'),
  tab('overview_viewer', 'Default callback URL', { role: 'viewer' }),
  tab('overview_suspend', 'Default callback URL', {
    async act(page) {
      await page.getByRole('button', { name: 'Status' }).click();
      await page.getByRole('menuitem', { name: 'Suspend' }).click();
      await page.getByRole('dialog').getByText('Orders in progress').waitFor();
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
  tab('keys', 'In force'),
  tab('keys_revoke', 'In force', {
    async act(page) {
      await page.getByRole('button', { name: /^Revoke/ }).click();
      await page.getByRole('dialog').waitFor();
    },
  }),
  tab('methods', 'Not possible'),
  tab('addresses', 'Only from these addresses'),
  tab('fees', '1.5 %'),
  tab('page', 'Support e-mail'),
  tab('orders', 'Waiting for a member'),
  tab('audit', 'merchant.'),
];
