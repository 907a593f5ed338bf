import { expect, test } from 'vitest';
import { accountWarnings } from './account-warnings.ts';
import { wrongAccount } from './customer-input.ts';

test.each([
  ['PKR', 'ProviderA', '03001234567', []],
  ['PKR', 'ProviderB', '0300-123 4567', []],
  ['PKR', 'ProviderA', '3001234567', []],
  ['PKR', 'ProviderA', '+92\u00a0300\u20111234567', []],
  ['PKR', 'ProviderA', '+919812345678', ['mobile-number']],
  ['PKR', 'ProviderA', '0300123456', ['mobile-number']],
  ['BDT', 'ProviderA', '01712345678', []],
  ['BDT', 'ProviderA', '+880 1712 345678', []],
  ['BDT', 'ProviderB', '03001234567', ['mobile-number']],
  ['INR', 'ProviderA', '9876543210', []],
  ['PKR', 'TillID', '981234', []],
  ['INR', 'TillID', 'ayesha.khan@okbank', []],
  ['INR', 'ProviderATillID', '9812345678@ybl', []],
  ['INR', 'TillID', '9812345678', ['upi-id']],
  ['INR', 'ProviderATillID', 'ayesha@', ['upi-id']],
  ['BDT', 'TillID', '981234', []],
  ['PKR', 'BankAccount', 'PK36SCBL0000001123456702', []],
  ['PKR', 'BankAccount', 'pk36 scbl 0000 0011 2345 6702', []],
  ['PKR', 'BankAccount', 'PK36\u00a0SCBL\u200b0000 0011 2345 6702', []],
  ['PKR', 'BankAccount', 'Standard Chartered PK36SCBL0000001123456702', []],
  ['PKR', 'BankAccount', 'PK36SCBL0000001123456703', ['iban-checksum']],
  ['PKR', 'BankAccount', 'PK36SCBL000000112345670', ['iban-checksum']],
  ['PKR', 'BankAccount', '0012345678901', ['bank-missing']],
  ['PKR', 'BankAccount', 'Meezan Bank 0012345678901', []],
  ['INR', 'BankAccount', '123456789012 SBIN0001234', []],
  ['INR', 'BankAccount', 'sbin0001234, 123456789012', []],
  ['INR', 'BankAccount', '123456789012', ['ifsc-missing']],
  ['INR', 'BankAccount', '123456789012 SBIN1001234', ['ifsc-missing']],
  ['BDT', 'BankAccount', '0012345678901', []],
] as const)('%s %s %s: %j', (currency, walletType, accountNumber, warnings) => {
  expect(accountWarnings({ currency, walletType, accountNumber })).toEqual(warnings);
});

test.each([
  ['1234', undefined],
  ['ab-12', undefined],
  ['ইসলামী', undefined],
  ['123', 'too-short'],
  ['- - - - 1', 'too-short'],
  ['', 'missing'],
])('an account of %j: %s', (accountNumber, reason) => {
  const [problem] = wrongAccount({ accountNumber, accountName: 'Ayesha Khan' });
  expect(problem?.reason).toBe(reason);
});
