import { createMember, createMerchant, createOrder } from '../../../support/fixtures.ts';
import { completeOrder } from '../../../support/outcomes.ts';
import { unconfirmedDeposits } from './queues.ts';
import type { ScreenState } from './state.ts';

export const NOW_STATES: readonly ScreenState[] = [
  {
    name: 'now',
    role: 'viewer',
    path: '/',
    async prepare(service) {
      await unconfirmedDeposits(service, [2500, 700]);
      const merchant = await createMerchant(service, { balance: '100000' });
      await createOrder(merchant, { walletType: 'BankAccount' });
      const member = await createMember(service, { methods: ['ProviderA', 'ProviderAQR'] });
      for (const amount of [1200, 1300])
        await completeOrder(service, await createOrder(merchant, { amount }), member);
      await createOrder(merchant, { amount: 1400 });
      return {};
    },
    async reach(page) {
      await page.getByRole('rowheader', { name: /Bank/ }).waitFor();
      await page
        .getByRole('link', { name: /Paid, not confirmed/ })
        .first()
        .waitFor();
    },
  },
];
