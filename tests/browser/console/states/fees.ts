import { createMerchant } from '../../../support/fixtures.ts';
import { operatorClient } from '../../../support/operator-client.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

async function someRules(service: Service): Promise<Record<string, string>> {
  const { merchantId } = await createMerchant(service, { name: 'Bazaar Online' });
  const operator = operatorClient(service);
  const rule = { orderType: 'Deposit', walletType: 'ProviderA' };
  await operator.post('/fee-rules', { ...rule, percent: 1.5, minimum: 5 });
  await operator.post('/fee-rules', { ...rule, merchantId, percent: 1, toAmount: 10000 });
  await operator.post('/fee-rules', { ...rule, merchantId, percent: 0.8, fromAmount: 10000 });
  for (const rate of [3.1, 3.25]) await operator.post('/exchange-rates', { currency: 'INR', rate });
  return { merchantId };
}

/** Nothing of the merchant's own prices small orders. */
async function gapBelow(service: Service): Promise<Record<string, string>> {
  const { merchantId } = await createMerchant(service, { name: 'Corner Shop' });
  const rule = { orderType: 'Deposit', walletType: 'ProviderA', merchantId };
  await operatorClient(service).post('/fee-rules', { ...rule, percent: 0.8, fromAmount: 10000 });
  return { merchantId };
}

export const FEES_STATES: readonly ScreenState[] = [
  {
    name: 'fees',
    prepare: someRules,
    path: ({ merchantId }) => `/fees?merchantId=${merchantId}`,
    async reach(page) {
      await page.getByLabel('Amount', { exact: true }).fill('2500');
      await page.getByText(/^Merchant · .+ · 1.%, below 10,000$/).waitFor();
    },
  },
  {
    name: 'fees-overlap',
    prepare: someRules,
    path: ({ merchantId }) => `/fees?merchantId=${merchantId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'New rule…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('From amount').fill('5000');
      await dialog.getByText('The band overlaps another one.').waitFor();
    },
  },
  {
    name: 'fees-gap',
    prepare: gapBelow,
    path: ({ merchantId }) => `/fees?merchantId=${merchantId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'New rule…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('From amount').fill('2000');
      await dialog.getByLabel('Below amount').fill('10000');
      await dialog.getByText('No rule here').waitFor();
    },
  },
];
