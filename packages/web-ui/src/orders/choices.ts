import type { OrderView } from '@munshi/api';
import { oneOf, someOf, text } from '../use-filters.ts';

export const STATUSES: readonly OrderView['status'][] = [
  'Awaiting',
  'Queued',
  'AwaitingCustomerPayment',
  'AwaitingMemberConfirmation',
  'AwaitingMemberPayout',
  'ManualReview',
  'Completed',
  'Rejected',
  'Expired',
  'CancelledTimeout',
  'Cancelled',
  'CancelledAuto',
  'Assigned',
  'Frozen',
  'Confirmed',
];
export const STAGES: readonly OrderView['stage'][] = [
  'Awaiting',
  'Assigned',
  'Sent',
  'Completed',
  'Failed',
];
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
export const TYPES: readonly OrderView['orderType'][] = ['Deposit', 'Withdrawal'];

/** What every list of orders is narrowed by. Days are those that times are shown in. */
export const ORDER_FILTERS = {
  search: text(),
  status: someOf(STATUSES),
  stage: someOf(STAGES),
  orderType: oneOf(TYPES),
  walletType: someOf(METHODS),
  currency: someOf(CURRENCIES),
  from: text(),
  to: text(),
  amountFrom: text(),
  amountTo: text(),
};

const DAY_MS = 24 * 3_600_000;

/** A day as the address has it: Canada’s way of writing is the one of ISO 8601. */
export const dayBefore = (now: number, days: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(now - days * DAY_MS);
