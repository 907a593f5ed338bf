import type { COUNT_ORDERS, OrderView, QueryOf } from '@munshi/api';
import { timesOfDays } from '@munshi/web';
import { type FiltersOf, oneOf, someOf, text, useService } from '@munshi/web-ui';
import { useMemo } from 'react';
import { COLUMN_IDS } from './columns.tsx';

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
/** Minutes until the deadline. */
export const DUE = ['0', '5', '15', '60'] as const;
export const YES_NO = ['true', 'false'] as const;

/** All of it is in the address, so that a link shows the same. Days are those of the reader. */
export const FILTERS = {
  search: text(),
  status: someOf(STATUSES),
  stage: someOf(STAGES),
  orderType: oneOf(TYPES),
  walletType: someOf(METHODS),
  currency: someOf(CURRENCIES),
  merchantId: text(),
  memberId: text(),
  from: text(),
  to: text(),
  amountFrom: text(),
  amountTo: text(),
  due: oneOf(DUE),
  hasLateClaim: oneOf(YES_NO),
  hasFailingWebhook: oneOf(YES_NO),
};
export type OrderFilters = FiltersOf<typeof FILTERS>;

/** The columns are in the address too, and are no filter. */
export const COLUMNS = { columns: someOf(COLUMN_IDS) };

type Query = QueryOf<typeof COUNT_ORDERS>;

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** A day as the address has it. */
export function dayBefore(now: number, days: number): string {
  const at = new Date(now - days * DAY_MS);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** What is asked of the service; the same object while the filters are the same. */
export function useOrderQuery(values: OrderFilters): Query {
  const { clock } = useService();
  const key = JSON.stringify(values);
  return useMemo(() => {
    const asked = JSON.parse(key) as OrderFilters;
    const { from, to, due, hasLateClaim, hasFailingWebhook, ...others } = asked;
    const flag = (value: 'true' | 'false' | undefined) =>
      value === undefined ? undefined : value === 'true';
    const query = {
      ...others,
      ...timesOfDays({ from, to }),
      dueTo:
        due === undefined
          ? undefined
          : new Date(clock.now() + Number(due) * MINUTE_MS).toISOString(),
      hasLateClaim: flag(hasLateClaim),
      hasFailingWebhook: flag(hasFailingWebhook),
      utcOffset: asked.search === undefined ? undefined : -new Date().getTimezoneOffset(),
    };
    return Object.fromEntries(
      Object.entries(query).filter(([, value]) => value !== undefined),
    ) as Query;
  }, [key, clock]);
}
