/**
 * The specification's tables and the decisions' figures, typed in by hand: nothing here is read
 * from the service's code.
 */

export type Method =
  | 'ProviderA'
  | 'ProviderATillID'
  | 'ProviderAQR'
  | 'ProviderB'
  | 'TillID'
  | 'ProviderBQR'
  | 'BankAccount';
export type Kind = 'Deposit' | 'Withdrawal';
export type Currency = 'PKR' | 'INR' | 'BDT';

interface MethodRow {
  readonly provider: 'A' | 'B' | 'bank';
  readonly withdrawals: boolean;
  readonly onPage: boolean;
  readonly asks: 'digits' | 'payer';
  /** The method whose fee rule prices deposits without a rule of their own. */
  readonly pricedLike?: Method;
}

/** The methods. */
export const METHOD: Readonly<Record<Method, MethodRow>> = {
  ProviderA: { provider: 'A', withdrawals: true, onPage: true, asks: 'digits' },
  ProviderATillID: {
    provider: 'A',
    withdrawals: false,
    onPage: true,
    asks: 'digits',
    pricedLike: 'ProviderA',
  },
  ProviderAQR: {
    provider: 'A',
    withdrawals: false,
    onPage: true,
    asks: 'payer',
    pricedLike: 'ProviderA',
  },
  ProviderB: { provider: 'B', withdrawals: true, onPage: true, asks: 'digits' },
  TillID: { provider: 'B', withdrawals: true, onPage: true, asks: 'digits' },
  ProviderBQR: {
    provider: 'B',
    withdrawals: false,
    onPage: true,
    asks: 'payer',
    pricedLike: 'ProviderB',
  },
  BankAccount: { provider: 'bank', withdrawals: true, onPage: false, asks: 'digits' },
};
export const ALL_METHODS = Object.keys(METHOD) as readonly Method[];
export const PAYOUT_METHODS = ALL_METHODS.filter((method) => METHOD[method].withdrawals);

export type Status =
  | 'Awaiting'
  | 'Queued'
  | 'AwaitingCustomerPayment'
  | 'AwaitingMemberConfirmation'
  | 'AwaitingMemberPayout'
  | 'ManualReview'
  | 'Completed'
  | 'Rejected'
  | 'Expired'
  | 'CancelledTimeout'
  | 'Cancelled'
  | 'CancelledAuto';

export const FAILED: readonly Status[] = [
  'Rejected',
  'Expired',
  'CancelledTimeout',
  'Cancelled',
  'CancelledAuto',
];
export const hasFailed = (status: Status): boolean => FAILED.includes(status);
export const isOver = (status: Status): boolean => status === 'Completed' || hasFailed(status);

const STAGE: Readonly<Record<Status, string>> = {
  Awaiting: 'Awaiting',
  Queued: 'Assigned',
  AwaitingCustomerPayment: 'Assigned',
  AwaitingMemberConfirmation: 'Sent',
  AwaitingMemberPayout: 'Assigned',
  ManualReview: 'Assigned',
  Completed: 'Completed',
  Rejected: 'Failed',
  Expired: 'Failed',
  CancelledTimeout: 'Failed',
  Cancelled: 'Failed',
  CancelledAuto: 'Failed',
};

/** The stage of a status (merchant-api.md#statuses). */
export const stageOf = (status: Status, kind: Kind, sent: boolean): string =>
  status === 'ManualReview' && kind === 'Deposit' && sent ? 'Sent' : STAGE[status];

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const LINK_MS = 15 * MINUTE;
export const WAIT_MS = 120 * MINUTE;
export const PAYOUT_MS = 60 * MINUTE;
export const CONFIRMATION_MS = 30 * MINUTE;
export const REPLAY_MS = 24 * HOUR;

export const REASON = {
  nobody: 'no eligible member became available in time',
  unpaid: 'checkout expired before payment',
  noAccount: 'the customer did not provide their withdrawal account in time',
} as const;
