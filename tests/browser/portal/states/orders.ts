import { isLoaded } from '../../../support/console.ts';
import type { PortalState } from './state.ts';

export const ORDERS_STATES: readonly PortalState[] = [
  {
    name: 'orders',
    path: () => '/orders',
    reach: (page, { paid }) => page.getByRole('link', { name: paid.orderReference }).waitFor(),
  },
  {
    name: 'orders-every-column',
    path: () =>
      '/orders?columns=amount&columns=status&columns=merchantRef&columns=type&columns=method&columns=created&columns=customer&columns=fee&columns=completed&columns=failed&columns=reason',
    reach: (page, { paid }) => page.getByRole('link', { name: paid.orderReference }).waitFor(),
  },
  {
    name: 'orders-filters',
    path: () => '/orders?status=Cancelled&orderType=Deposit',
    async reach(page, { failing }) {
      await page.getByRole('link', { name: failing.orderReference }).waitFor();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('button', { name: 'Done' }).waitFor();
    },
  },
  {
    name: 'orders-none-found',
    path: () => '/orders?search=nothing-like-it&from=2020-01-01',
    reach: (page) => page.getByText('No order fits all of this.').waitFor(),
  },
  {
    name: 'orders-empty',
    of: 'newcomer',
    path: () => '/orders',
    async reach(page) {
      await page.getByText('There are no orders yet.').waitFor();
      await isLoaded(page);
    },
  },
  {
    name: 'palette',
    path: () => '/orders',
    async reach(page, { paid }) {
      await page.getByRole('link', { name: paid.orderReference }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Find or go to' }).fill('INV-1001');
      await page
        .getByRole('option', { name: /INV-1001/ })
        .first()
        .waitFor();
    },
  },
];
