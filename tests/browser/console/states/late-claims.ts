import { hasFocus } from '../../../support/console.ts';
import { consoleOrders } from '../../../support/console-orders.ts';
import type { Service } from '../../../support/service.ts';
import type { ScreenState } from './state.ts';

/** An open claim whose payment may be with another order, and one that is taken up. */
async function openClaims(service: Service) {
  await service.database.pool.query('delete from late_claims');
  const { claimed, paid, operator } = await consoleOrders(service);
  const { claimId } = await claimed('99006613', { amount: 6613 });
  await paid('6613', { amount: 6613, memberName: 'Hina Raza' });
  const other = await claimed('77001200', { amount: 1200 });
  await operator.post(`/late-claims/${other.claimId}/take`);
  return { claimId };
}

export const LATE_CLAIMS_STATES: readonly ScreenState[] = [
  {
    name: 'late-claims',
    role: 'support',
    path: '/late-claims',
    prepare: openClaims,
    reach: (page) => page.getByText('Choose a claim').waitFor(),
  },
  {
    name: 'late-claims-open',
    role: 'support',
    path: ({ claimId }) => `/late-claims?claim=${claimId}`,
    prepare: openClaims,
    async reach(page) {
      await page.getByText('same digits').first().waitFor();
      await page.getByRole('button', { name: 'Confirm PKR 6,613…' }).waitFor();
    },
  },
  {
    name: 'late-claims-confirm-dialog',
    role: 'support',
    path: ({ claimId }) => `/late-claims?claim=${claimId}`,
    prepare: openClaims,
    async reach(page) {
      await page.getByRole('button', { name: 'Confirm PKR 6,613…' }).waitFor();
      await page.keyboard.press('a');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Balances, PKR').waitFor();
      await hasFocus(dialog.getByLabel('Note'));
    },
  },
  {
    name: 'late-claims-close-dialog',
    role: 'support',
    path: ({ claimId }) => `/late-claims?claim=${claimId}`,
    prepare: openClaims,
    async reach(page) {
      await page.getByRole('button', { name: 'Close…' }).click();
      await page.getByRole('dialog').getByLabel('What was found').waitFor();
    },
  },
  {
    name: 'late-claims-closed',
    role: 'viewer',
    path: ({ claimId }) => `/late-claims?status=closed&claim=${claimId}`,
    async prepare(service) {
      const { claimId } = await openClaims(service);
      const { operator } = await consoleOrders(service);
      const note = 'No such payment in the member’s statement.';
      await operator.post(`/late-claims/${claimId}/close`, { note });
      return { claimId };
    },
    reach: (page) => page.getByText('No such payment').waitFor(),
  },
  {
    name: 'late-claims-none',
    role: 'support',
    path: '/late-claims',
    async prepare(service) {
      await service.database.pool.query('delete from late_claims');
      return {};
    },
    reach: (page) => page.getByText('No late claim is open').waitFor(),
  },
];
