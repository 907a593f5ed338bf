import type { OrderView } from '@munshi/api';

export const TYPES: readonly OrderView['orderType'][] = ['Deposit', 'Withdrawal'];
export const METHODS: readonly OrderView['walletType'][] = [
  'ProviderA',
  'ProviderATillID',
  'ProviderAQR',
  'ProviderB',
  'TillID',
  'ProviderBQR',
  'BankAccount',
];
export const CURRENCIES: readonly OrderView['currency'][] = ['PKR', 'INR', 'BDT'];
