import { LONG_NAME, READ_OFF } from '../../../support/accounts-read-off.ts';
import { createMerchant, createOrder, everybodyOffline } from '../../../support/fixtures.ts';
import { memberWork } from '../../../support/member-app.ts';
import type { Service } from '../../../support/service.ts';
import type { State } from './state.ts';

/** M7 with every kind of account that a member reads off. */
export async function statesOfReadOff(service: Service): Promise<readonly State[]> {
  await everybodyOffline(service);
  const { member: who, payout, operator } = await memberWork(service, { float: '3000000' });
  await operator.post('/exchange-rates', { currency: 'INR', rate: 3 });
  const indian = await createMerchant(service, { currencies: ['INR'], balance: '500000' });
  const state = (name: string, { orderId }: { readonly orderId: string }): State => ({
    name,
    path: `/orders/${orderId}`,
    who,
    reach: (page) => page.locator('.fact').nth(1).waitFor(),
  });
  const to = (customerAccountNumber: string) => ({
    customerAccountNumber,
    customerAccountName: LONG_NAME,
  });
  const { iban, upi, bank, phone } = READ_OFF;
  const bankAccount = { walletType: 'BankAccount', amount: 123_456.5 };
  return [
    state('pay-iban', await payout({ ...to(iban), ...bankAccount })),
    state('pay-bank', await payout({ ...to(bank), ...bankAccount })),
    state('pay-phone', await payout(to(phone))),
    state(
      'pay-upi',
      await createOrder(indian, {
        ...{ orderType: 'Withdrawal', walletType: 'TillID', currency: 'INR' },
        ...{ amount: 12_345.5, maxRetryCount: 1 },
        ...to(upi),
      }),
    ),
  ];
}
