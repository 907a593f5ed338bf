import { isLoaded } from '../../../support/console.ts';
import type { PortalState } from './state.ts';

/** The month of the service's clock, which runs as this machine's does. */
const thisMonth = () => new Date().toISOString().slice(0, 7);

export const MONEY_STATES: readonly PortalState[] = [
  {
    name: 'money',
    path: () => '/money',
    async reach(page) {
      await page.getByText('Wallet balance', { exact: true }).waitFor();
      await page.getByRole('table', { name: 'Movements' }).waitFor();
      await isLoaded(page);
    },
  },
  {
    name: 'money-then',
    path: () => '/money?from=2020-01-01&to=2020-01-31',
    async reach(page) {
      await page.getByLabel('As it was at').fill('2020-01-01T00:00');
      await page.getByText('By the ledger.').waitFor();
      await page.getByText('Nothing moved in this wallet in that time.').waitFor();
    },
  },
  {
    name: 'money-empty',
    of: 'newcomer',
    path: () => '/money',
    reach: (page) => page.getByText('Nothing has moved in this wallet yet.').waitFor(),
  },
  {
    name: 'statements',
    path: () => '/money/statements',
    reach: (page) => page.getByText('Still running').waitFor(),
  },
  {
    name: 'statement',
    path: () => `/statements/${thisMonth()}`,
    reach: (page) => page.getByRole('rowheader', { name: 'Closing balance' }).waitFor(),
  },
  {
    name: 'statement-none',
    path: () => '/statements/2001-01',
    reach: (page) => page.getByText('No statement of this month').waitFor(),
  },
];
