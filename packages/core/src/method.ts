/** Kinds of order, in the order of their integer enum values (merchant-api.md#conventions). */
export const ORDER_TYPES = ['Deposit', 'Withdrawal'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/**
 * Payment methods, in the order of their integer enum values (merchant-api.md#payment-methods,
 * merchant-api.md#conventions).
 */
export const WALLET_TYPES = [
  'ProviderA',
  'ProviderATillID',
  'ProviderAQR',
  'ProviderB',
  'TillID',
  'ProviderBQR',
  'BankAccount',
] as const;
export type WalletType = (typeof WALLET_TYPES)[number];

/**
 * Currencies, in the order of their integer enum values (merchant-api.md#conventions). Wallets are
 * held in the first (decision 3).
 */
export const CURRENCIES = ['PKR', 'INR', 'BDT'] as const;
export type Currency = (typeof CURRENCIES)[number];
/** The signs that one currency alone has: `Rs` is two currencies. */
export const CURRENCY_SIGNS: Readonly<Partial<Record<Currency, string>>> = { INR: '₹', BDT: '৳' };
export const WALLET_CURRENCY = 'PKR' as const satisfies Currency;
/** Those that have an exchange rate. */
export const FOREIGN_CURRENCIES = ['INR', 'BDT'] as const satisfies readonly Currency[];
export type ForeignCurrency = (typeof FOREIGN_CURRENCIES)[number];

/**
 * Who carries the money: members pay a withdrawal from any account with the customer's provider
 * (states.md#who-gets-an-order).
 */
export type Provider = 'ProviderA' | 'ProviderB' | 'Bank';

interface Method {
  readonly provider: Provider;
  /** What names an account. In India a Till ID is a UPI ID. */
  readonly namedBy: 'mobile' | 'till' | 'bank';
  readonly withdrawal: boolean;
  /** Offered on the hosted page as a way to pay a deposit. */
  readonly onPage: boolean;
  /**
   * What the customer submits: trailing transaction digits, or the payer's account before a QR code
   * is shown.
   */
  readonly submission: 'transactionDigits' | 'payerAccount' | 'payerIbanLast4';
  /**
   * The method whose fee rule prices deposits that have no rule of their own
   * (merchant-api.md#fees).
   */
  readonly feeFamily?: WalletType;
}

/** The table of merchant-api.md#payment-methods, row by row. */
export const METHODS: Readonly<Record<WalletType, Method>> = {
  ProviderA: {
    provider: 'ProviderA',
    namedBy: 'mobile',
    withdrawal: true,
    onPage: true,
    submission: 'transactionDigits',
  },
  ProviderATillID: {
    provider: 'ProviderA',
    namedBy: 'till',
    withdrawal: false,
    onPage: true,
    submission: 'transactionDigits',
    feeFamily: 'ProviderA',
  },
  ProviderAQR: {
    provider: 'ProviderA',
    namedBy: 'mobile',
    withdrawal: false,
    onPage: true,
    submission: 'payerAccount',
    feeFamily: 'ProviderA',
  },
  ProviderB: {
    provider: 'ProviderB',
    namedBy: 'mobile',
    withdrawal: true,
    onPage: true,
    submission: 'transactionDigits',
  },
  TillID: {
    provider: 'ProviderB',
    namedBy: 'till',
    withdrawal: true,
    onPage: true,
    submission: 'transactionDigits',
  },
  ProviderBQR: {
    provider: 'ProviderB',
    namedBy: 'mobile',
    withdrawal: false,
    onPage: true,
    submission: 'payerIbanLast4',
    feeFamily: 'ProviderB',
  },
  BankAccount: {
    provider: 'Bank',
    namedBy: 'bank',
    withdrawal: true,
    onPage: false,
    submission: 'transactionDigits',
  },
};

export const WITHDRAWAL_METHODS: readonly WalletType[] = WALLET_TYPES.filter(
  (method) => METHODS[method].withdrawal,
);
export const PAGE_METHODS: readonly WalletType[] = WALLET_TYPES.filter(
  (method) => METHODS[method].onPage,
);
