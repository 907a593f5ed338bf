import type { Page } from 'playwright-core';
import { createMember, createMerchant, createOrder } from '../../../support/fixtures.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

async function prepare(service: Service) {
  const merchant = await createMerchant(service, { name: 'Palette Traders' });
  await createMember(service, { name: 'Palwasha Khan', methods: ['ProviderA'] });
  const { orderId } = await createOrder(merchant, {
    amount: 8_765.5,
    customerReference: 'palette-77',
  });
  return { orderId };
}

const open = async (page: Page, typed: string) => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Find or go to' }).waitFor();
  await page.keyboard.type(typed);
};

export const PALETTE_STATES: readonly ScreenState[] = [
  {
    name: 'palette',
    path: ({ orderId }) => `/orders/${orderId}`,
    prepare,
    async reach(page) {
      await page.getByRole('heading', { name: /8,765.50/ }).waitFor();
      await open(page, '');
      await page.getByRole('group', { name: 'This order' }).waitFor();
    },
  },
  {
    name: 'palette-found',
    path: '/webhooks',
    prepare,
    async reach(page) {
      await open(page, 'pal');
      await page
        .getByRole('option', { name: /Palwasha Khan/ })
        .first()
        .waitFor();
      await page
        .getByRole('option', { name: /Palette Traders/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'palette-nothing',
    path: '/webhooks',
    async reach(page) {
      await open(page, 'no such thing');
      await page.getByText('Nothing found for “no such thing”').waitFor();
    },
  },
];
