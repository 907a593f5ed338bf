import type { OrderView } from '@munshi/api';

const grouped = (count: number) => count.toLocaleString('en');

/** The words of every list of orders. */
export const texts = {
  title: 'Orders',
  search: 'Find any order',
  counted: (count: number, more: boolean) =>
    more
      ? `More than ${grouped(count)} orders`
      : count === 1
        ? '1 order'
        : `${grouped(count)} orders`,
  counting: 'Counting',
  chosen: (count: number) => (count === 1 ? '1 order chosen' : `${grouped(count)} orders chosen`),
  references: 'References',
  theReferences: 'the references of these orders',
  chooseNone: 'Choose none',
  filter: 'Filter',
  filterOrders: 'Filter orders',
  csvOf: 'Download these orders as CSV',
  columns: 'Columns',
  chooseColumns: 'Choose columns',
  noneFound: 'No order fits all of this.',
  noneFoundHint: 'Take a filter away, or look for another part of what you know.',
  allTime: 'Search all time',
  clear: 'Clear all filters',
  tooSlow: 'This would take too long to find',
  lastDays: 'Only the last 7 days',
  today: 'Only today',
  remove: (what: string) => `Remove ${what}`,
  done: 'Done',
  types: { Deposit: 'Deposit', Withdrawal: 'Withdrawal' } satisfies Record<
    OrderView['orderType'],
    string
  >,
  heads: {
    reference: 'Reference',
    amount: 'Amount',
    status: 'Status',
    type: 'Type',
    method: 'Method',
    created: 'Created',
    customer: 'Customer reference',
    fee: 'Fee',
    completed: 'Completed',
    failed: 'Failed',
    reason: 'Reason',
  },
  fields: {
    search: 'Search',
    status: 'Status',
    stage: 'Stage',
    orderType: 'Type',
    walletType: 'Method',
    currency: 'Currency',
    from: 'Created from',
    to: 'Created until',
    amountFrom: 'Amount from',
    amountTo: 'Amount to',
  },
} as const;
