import { CURRENCIES, ORDER_TYPES, type OrderView, STATUSES, WALLET_TYPES } from '@munshi/api';
import { amount, day, oneOf, someOf, text } from '../use-filters.ts';

const STAGES: readonly OrderView['stage'][] = [
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
