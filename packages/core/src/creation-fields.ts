import {
  CURRENCIES,
  ORDER_TYPES,
  WALLET_CURRENCY,
  WALLET_TYPES,
  WITHDRAWAL_METHODS,
} from './method.ts';

interface FieldBase {
  /** As in the JSON body; it binds in any case (merchant-api.md#conventions). */
  readonly name: string;
  /** As in messages: `'Customer Account Number'`; without its spaces in `CallbackUrl must be …`. */
  readonly displayName: string;
  readonly description: string;
  readonly required: boolean;
}

/** A name, or its position in `values` as an integer (merchant-api.md#conventions). */
export interface EnumField<T extends string = string> extends FieldBase {
  readonly type: 'enum';
  readonly values: readonly T[];
  readonly default?: T;
}

export interface AmountField extends FieldBase {
  readonly type: 'number';
  readonly exclusiveMinimum: number;
  readonly exclusiveMaximum: number;
  readonly decimalPlaces: number;
}

export interface IntegerField extends FieldBase {
  readonly type: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** Optional text; null and `""` count as not sent (merchant-api.md#conventions). */
export interface StringField extends FieldBase {
  readonly type: 'string';
  /** In Unicode code points (merchant-api.md#how-a-body-is-read). */
  readonly maxLength: number;
  readonly format?: 'http-url';
  /**
   * Where pairs of another party begin in the text, as in `?a=1&b=2`: it may hold `&name=` that no
   * other text may (signing.md#one-text-one-order).
   */
  readonly pairsAfter?: '?' | '=';
}

/** Read by the signature check, before any of the others. */
export interface SignatureField extends FieldBase {
  readonly type: 'signature';
  readonly pattern: string;
}

export type CreationField = EnumField | AmountField | IntegerField | StringField | SignatureField;

/**
 * The request table of merchant-api.md#request, row by row; messages come in its order
 * (merchant-api.md#how-a-body-is-read). The OpenAPI document is made from it.
 */
export const CREATION_FIELDS = {
  orderType: {
    name: 'orderType',
    displayName: 'Order Type',
    type: 'enum',
    required: true,
    values: ORDER_TYPES,
    description: 'Deposit collects money from a customer, Withdrawal pays money out.',
  },
  amount: {
    name: 'amount',
    displayName: 'Amount',
    type: 'number',
    required: true,
    exclusiveMinimum: 0,
    exclusiveMaximum: 100_000_000_000_000,
    decimalPlaces: 4,
    description:
      'In the order currency, with at most 4 decimal places, written without an exponent. It is kept exactly as written.',
  },
  walletType: {
    name: 'walletType',
    displayName: 'Wallet Type',
    type: 'enum',
    required: true,
    values: WALLET_TYPES,
    description: `The payment method. A withdrawal takes one of: ${WITHDRAWAL_METHODS.join(', ')}.`,
  },
  currency: {
    name: 'currency',
    displayName: 'Currency',
    type: 'enum',
    required: false,
    values: CURRENCIES,
    default: WALLET_CURRENCY,
    description: 'The currency of the amount.',
  },
  merchantOrderRef: {
    name: 'merchantOrderRef',
    displayName: 'Merchant Order Ref',
    type: 'string',
    required: false,
    maxLength: 200,
    description:
      "The merchant's own reference. Only one order in progress or completed may have it.",
  },
  customerReference: {
    name: 'customerReference',
    displayName: 'Customer Reference',
    type: 'string',
    required: false,
    maxLength: 200,
    description: "The merchant's reference for the customer.",
  },
  customerAccountNumber: {
    name: 'customerAccountNumber',
    displayName: 'Customer Account Number',
    type: 'string',
    required: false,
    maxLength: 50,
    description:
      'Withdrawals: the receiving wallet number, Till ID or bank account number. It is not verified and cannot be changed. Without it the customer gives the account on the hosted page.',
  },
  customerAccountName: {
    name: 'customerAccountName',
    displayName: 'Customer Account Name',
    type: 'string',
    required: false,
    maxLength: 200,
    description:
      'Withdrawals: the name of the account holder. Only together with customerAccountNumber.',
  },
  callbackUrl: {
    name: 'callbackUrl',
    displayName: 'Callback Url',
    type: 'string',
    required: false,
    maxLength: 500,
    format: 'http-url',
    pairsAfter: '?',
    description:
      "Absolute http(s) URL that receives this order's webhooks. By default the callback URL of the merchant's portal settings.",
  },
  successUrl: {
    name: 'successUrl',
    displayName: 'Success Url',
    type: 'string',
    required: false,
    maxLength: 500,
    format: 'http-url',
    pairsAfter: '?',
    description:
      'Absolute http(s) URL to which the hosted page sends the customer when the order completes.',
  },
  failureUrl: {
    name: 'failureUrl',
    displayName: 'Failure Url',
    type: 'string',
    required: false,
    maxLength: 500,
    format: 'http-url',
    pairsAfter: '?',
    description:
      'Absolute http(s) URL to which the hosted page sends the customer on reject, expiry or cancel.',
  },
  metadata: {
    name: 'metadata',
    displayName: 'Metadata',
    type: 'string',
    required: false,
    maxLength: 1000,
    pairsAfter: '=',
    description: 'Stored with the order; never returned in responses or webhooks.',
  },
  txnRefDigitsRequired: {
    name: 'txnRefDigitsRequired',
    displayName: 'Txn Ref Digits Required',
    type: 'integer',
    required: false,
    min: 4,
    max: 8,
    default: 4,
    description:
      'Deposits by ProviderA, ProviderATillID, ProviderB and TillID: how many trailing digits of the transaction ID the customer enters. No effect otherwise.',
  },
  maxRetryCount: {
    name: 'maxRetryCount',
    displayName: 'Max Retry Count',
    type: 'integer',
    required: false,
    min: 0,
    max: 10,
    default: 3,
    description:
      'Withdrawals: how many times the order is reassigned to another member after the payout window passes. No effect on deposits.',
  },
  signature: {
    name: 'signature',
    displayName: 'Signature',
    type: 'signature',
    required: true,
    pattern: '^[0-9a-f]{32}$',
    description:
      'MD5, in 32 lowercase hex characters, of the canonical string followed by the signing secret. The canonical string has every top-level field but the signature, nulls, empty strings, objects and arrays: keys in lower case, sorted by their bytes, as key=value joined with &; strings unescaped, numbers as written in the body.',
  },
} as const satisfies Record<string, CreationField>;
