import { createMerchant } from '../../../support/fixtures.ts';
import type { ScreenState } from './state.ts';

export const MERCHANTS_STATES: readonly ScreenState[] = [
  {
    name: 'merchants',
    path: '/merchants',
    async prepare(service) {
      await createMerchant(service, { name: 'Bazaar Online' });
      await createMerchant(service, { name: 'Corner Shop', status: 'suspended' });
      return {};
    },
    reach: (page) => page.getByRole('link', { name: 'Bazaar Online' }).waitFor(),
  },
  {
    name: 'merchants-none-found',
    path: '/merchants?search=nowhere',
    reach: (page) => page.getByText('No merchant fits these filters.').waitFor(),
  },
];
