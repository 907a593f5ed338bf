import { CURRENCIES, ORDER_TYPES, type OrderView, STATUSES, WALLET_TYPES } from '@munshi/api';
import { amount, day, oneOf, someOf, text } from '../use-filters.ts';

export const STAGES: readonly OrderView['stage'][] = [
  'Awaiting',
  'Assigned',
  'Sent',
  'Completed',
  'Failed',
];

/** What every list of orders is narrowed by. Days are those that times are shown in. */
export const ORDER_FILTERS = {
  search: text(),
  status: someOf(STATUSES),
  stage: someOf(STAGES),
  orderType: oneOf(ORDER_TYPES),
  walletType: someOf(WALLET_TYPES),
  currency: someOf(CURRENCIES),
  from: day(),
  to: day(),
  amountFrom: amount(),
  amountTo: amount(),
};

const DAY_MS = 24 * 3_600_000;

/** A day as the address has it: Canada’s way of writing is the one of ISO 8601. */
export const dayBefore = (now: number, days: number, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(now - days * DAY_MS);
