import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../../support/fixtures.ts';
import { cancelOrder, completeOrder } from '../../../support/outcomes.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** Orders in several states, of a merchant of their own. */
export async function someOrders(service: Service): Promise<Record<string, string>> {
  await everybodyOffline(service);
  const merchant = await createMerchant(service, { name: 'Bazaar Online', balance: '500000' });
  const member = await createMember(service, { methods: ['ProviderA'], name: 'Sana Iqbal' });
  const done = await createOrder(merchant, { amount: 2500, merchantOrderRef: 'INV-2041' });
  await completeOrder(service, done, member);
  for (const amount of [18000, 1500.5, 700]) await createOrder(merchant, { amount });
  await cancelOrder(service, await createOrder(merchant, { amount: 960 }));
  const waiting = await createOrder(merchant, { amount: 4200, walletType: 'TillID' });
  return {
    merchantId: merchant.merchantId,
    reference: done.orderReference,
    waiting: waiting.orderId,
  };
}

export const ORDERS_STATES: readonly ScreenState[] = [
  {
    name: 'orders',
    path: ({ merchantId }) => `/orders?merchantId=${merchantId}`,
    prepare: someOrders,
    reach: (page) => page.getByText('6 orders').waitFor(),
  },
  {
    name: 'orders-chosen',
    path: ({ merchantId }) => `/orders?merchantId=${merchantId}`,
    prepare: someOrders,
    async reach(page) {
      await page.getByText('6 orders').waitFor();
      for (const row of [1, 2, 3]) await page.getByRole('checkbox').nth(row).check();
      await page.getByText('3 orders chosen').waitFor();
    },
  },
  {
    name: 'orders-filtered',
    prepare: someOrders,
    path: ({ merchantId }) =>
      `/orders?merchantId=${merchantId}&status=Completed&status=Awaiting&amountFrom=1000&columns=amount&columns=status&columns=merchantRef&columns=created`,
    async reach(page) {
      await page.getByText('Merchant: Bazaar Online').waitFor();
      await page.getByText('2 orders').waitFor();
      await page.getByText('INV-2041').waitFor();
    },
  },
  {
    name: 'orders-none-found',
    path: '/orders?search=nowhere&from=2026-01-01',
    reach: (page) => page.getByRole('button', { name: 'Search all time' }).waitFor(),
  },
  {
    name: 'orders-filter-panel',
    path: '/orders?status=Completed',
    async reach(page) {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('combobox', { name: 'Merchant' }).waitFor();
    },
  },
  {
    name: 'orders-save-view',
    path: '/orders?status=Completed',
    async reach(page) {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
      await page.getByRole('dialog').getByLabel('Name').waitFor();
    },
  },
  {
    name: 'orders-too-slow',
    path: '/orders',
    async reach(page) {
      await page.route('**/api/operator/orders?*', (route) =>
        route.fulfill({
          status: 422,
          contentType: 'application/json',
          body: '{"error":"This search takes too long. Say since when: set `from`.","code":"too-slow"}',
        }),
      );
      await page.getByLabel('Find any order').fill('something');
      await page.getByRole('button', { name: 'Only the last 7 days' }).waitFor();
    },
  },
];
