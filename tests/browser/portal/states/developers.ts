import { signedOrder } from '../../../support/fixtures.ts';
import type { PortalState } from './state.ts';

export const DEVELOPERS_STATES: readonly PortalState[] = [
  {
    name: 'developers',
    path: () => '/developers',
    reach: (page) => page.getByText('In force').waitFor(),
  },
  {
    name: 'developers-signature',
    path: () => '/developers/signature',
    async reach(page) {
      await page.getByRole('button', { name: 'Fill in an example' }).click();
      await page.getByText('What was signed instead').waitFor();
    },
  },
  {
    name: 'developers-signature-empty',
    path: () => '/developers/signature',
    reach: (page) => page.getByText('Paste the body of an order creation').waitFor(),
  },
  {
    name: 'developers-signature-webhook',
    path: () => '/developers/signature',
    async reach(page) {
      await page.getByText('A webhook', { exact: true }).click();
      await page.getByLabel('Body, exactly as it came').fill('{}');
      await page.getByLabel('X-SVC-Signature').fill('sha256=00');
      await page.getByLabel('Signing secret').fill('sksec_x');
      await page.getByText('The signature does not fit').waitFor();
    },
  },
  {
    name: 'developers-refused',
    path: () => '/developers/refused',
    async reach(page, { merchant }) {
      const body = { orderType: 'Deposit', amount: 'much', walletType: 'ProviderA' };
      await signedOrder({ ...merchant, signingSecret: 'sksec_wrong' }, body);
      await page.getByText('SIGNATURE_INVALID').waitFor();
    },
  },
  {
    name: 'developers-reference',
    path: () => '/developers/reference',
    reach: (page) => page.getByRole('link', { name: 'Documentation' }).waitFor(),
  },
];
