import { expect, test } from 'vitest';
import { fitOf, readPaymentMessage } from './payment-fit.ts';

const MESSAGE = 'Rs. 2,500 received from AYESHA KHAN 0300***4567. TID 28311904821';

test.each([
  ['Ayesha Khan', 'fits'],
  ['4567', 'fits'],
  ['Sana Iqbal', 'absent'],
  ['4568', 'absent'],
  ['4821', 'absent'], // the end of the ID, which is no account
  [null, null],
] as const)('a payer named %j by the customer: %j', (paidBy, payer) => {
  const order = {
    ...{ orderType: 'Deposit' as const, amount: '2500', transactionDigits: '4821' },
    ...{ createdAt: '2026-06-07T10:00:00Z', payerAccount: null },
    ...{ customerAccountNumber: null, customerAccountName: null, added: { paidBy } },
  };
  expect(fitOf(order, readPaymentMessage(MESSAGE, 300)).payer).toBe(payer);
});
