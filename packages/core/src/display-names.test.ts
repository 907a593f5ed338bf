import { describe, expect, test } from 'vitest';
import { type DisplayNames, methodDisplayName, providerDisplayName } from './display-names.ts';

const NAMES: DisplayNames = {
  methods: { ProviderAQR: 'Easypaisa QR', TillID: 'Jazz till' },
  providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' },
  currencies: {
    BDT: { providers: { ProviderA: 'bKash' }, methods: { ProviderATillID: 'bKash merchant' } },
    INR: { methods: { TillID: 'UPI' } },
  },
};

describe('names by currency', () => {
  test.each([
    ['ProviderA', 'PKR', 'Easypaisa'],
    ['ProviderA', undefined, 'Easypaisa'],
    ['ProviderA', 'BDT', 'bKash'],
    ['ProviderA', 'INR', 'Easypaisa'],
    ['ProviderB', 'BDT', 'JazzCash'],
    ['Bank', 'BDT', undefined],
  ] as const)('the provider %s is in %s called %s', (provider, currency, name) => {
    expect(providerDisplayName(NAMES, provider, currency)).toBe(name);
  });

  test.each([
    ['ProviderAQR', 'PKR', 'Easypaisa QR'],
    ['ProviderAQR', undefined, 'Easypaisa QR'],
    ['ProviderAQR', 'INR', 'Easypaisa QR'],
    // Its provider is another wallet there.
    ['ProviderAQR', 'BDT', undefined],
    ['ProviderATillID', 'BDT', 'bKash merchant'],
    ['ProviderATillID', 'PKR', undefined],
    ['TillID', 'INR', 'UPI'],
    ['TillID', 'BDT', 'Jazz till'],
  ] as const)('the method %s is in %s called %s', (method, currency, name) => {
    expect(methodDisplayName(NAMES, method, currency)).toBe(name);
  });
});
