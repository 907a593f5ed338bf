import { isLoaded } from '../../../support/console.ts';
import type { PortalState } from './state.ts';

export const HOME_STATES: readonly PortalState[] = [
  {
    name: 'home',
    path: () => '/',
    async reach(page) {
      await page.getByText('Webhooks to deaf.invalid are failing').waitFor();
      await isLoaded(page);
    },
  },
  {
    name: 'home-new',
    of: 'newcomer',
    path: () => '/',
    async reach(page) {
      await page.getByRole('heading', { name: 'Getting started' }).waitFor();
      await isLoaded(page);
    },
  },
  {
    name: 'home-failed',
    path: () => '/',
    async reach(page) {
      await page.route('**/api/portal/home', (route) =>
        route.fulfill({ status: 503, json: { error: 'The service is busy.', traceId: 'abc123' } }),
      );
      await page.reload();
      await page.getByText('The service is busy.').waitFor();
    },
  },
];
