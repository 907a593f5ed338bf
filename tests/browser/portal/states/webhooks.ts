import { isLoaded } from '../../../support/console.ts';
import type { PortalState } from './state.ts';

export const WEBHOOKS_STATES: readonly PortalState[] = [
  {
    name: 'webhooks',
    path: () => '/webhooks',
    reach: (page, { failing }) =>
      page.getByRole('link', { name: failing.orderReference }).waitFor(),
  },
  {
    name: 'webhooks-none-found',
    path: () => '/webhooks?status=superseded',
    reach: (page) => page.getByText('No delivery matches these filters.').waitFor(),
  },
  {
    name: 'webhooks-search-none-found',
    path: () => '/webhooks?search=nothing-like-it',
    reach: (page) => page.getByText('Searched whole references').waitFor(),
  },
  {
    name: 'webhooks-empty',
    of: 'newcomer',
    path: () => '/webhooks',
    reach: (page) => page.getByText('Nothing has been sent yet.').waitFor(),
  },
  {
    name: 'webhooks-resend-since',
    path: () => '/webhooks',
    async reach(page) {
      await page.getByRole('button', { name: 'Resend since…' }).click();
      await page.getByLabel('Since').fill(`${new Date().toISOString().slice(0, 10)}T00:00`);
      await page.getByRole('button', { name: /^Send \d+ webhooks? again$/ }).waitFor();
    },
  },
  {
    name: 'webhooks-health',
    path: () => '/webhooks/health',
    reach: (page) => page.getByRole('button', { name: 'deaf.invalid' }).waitFor(),
  },
  {
    name: 'webhooks-verify',
    path: () => '/webhooks/verify',
    async reach(page) {
      await page.getByRole('radiogroup').getByText('Python').click();
      await page.getByText('def is_from_munshi').waitFor();
      await page.getByText('Body as it was sent').waitFor();
      await isLoaded(page);
    },
  },
  {
    name: 'delivery',
    path: ({ failing }) => `/deliveries/${failing.deliveryId}`,
    reach: (page) => page.getByText('Why it has not arrived').waitFor(),
  },
  {
    name: 'delivery-resend',
    path: ({ failing }) => `/deliveries/${failing.deliveryId}`,
    async reach(page) {
      await page.getByRole('button', { name: 'Resend…' }).click();
      await page.getByRole('dialog').getByText('A new delivery').waitFor();
    },
  },
];
