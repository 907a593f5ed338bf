import type { Member, Members } from './json-object.ts';
import {
  CURRENCIES,
  type Currency,
  METHODS,
  ORDER_TYPES,
  type OrderType,
  WALLET_CURRENCY,
  WALLET_TYPES,
  type WalletType,
  WITHDRAWAL_METHODS,
} from './method.ts';
import { AMOUNT_MAX, formatMoney, type Money, parseMoney } from './money.ts';
import {
  decimalPlaces,
  isBetween,
  type NumberLiteral,
  readNumberLiteral,
} from './number-literal.ts';

interface FieldBase {
  /** As in the JSON body; it binds in any case (D3). */
  readonly name: string;
  /** As in messages: `'Customer Account Number'`; without its spaces in `CallbackUrl must be …`. */
  readonly displayName: string;
  readonly description: string;
  readonly required: boolean;
}

/** A name, or its position in `values` as an integer (D12). */
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

/** Optional text; null and `""` count as not sent (D16). */
export interface StringField extends FieldBase {
  readonly type: 'string';
  /** In Unicode code points (D13). */
  readonly maxLength: number;
  readonly format?: 'http-url';
}

/** Read by the signature check, before any of the others. */
export interface SignatureField extends FieldBase {
  readonly type: 'signature';
  readonly pattern: string;
}

export type CreationField = EnumField | AmountField | IntegerField | StringField | SignatureField;

/**
 * The request table of merchant-api.md#request, row by row; messages come in its order (D13). The
 * OpenAPI document is made from it.
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
    description:
      'Absolute http(s) URL to which the hosted page sends the customer on reject, expiry or cancel.',
  },
  metadata: {
    name: 'metadata',
    displayName: 'Metadata',
    type: 'string',
    required: false,
    maxLength: 1000,
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
      'MD5 of the canonical string followed by the signing secret, in 32 lowercase hex characters.',
  },
} as const satisfies Record<string, CreationField>;

/**
 * The terms of an order to create, normalised: names for integer enums, null for every optional
 * string not sent, defaults filled in.
 */
export interface CreationMessage {
  readonly orderType: OrderType;
  readonly amount: Money;
  readonly walletType: WalletType;
  readonly currency: Currency;
  readonly merchantOrderRef: string | null;
  readonly customerReference: string | null;
  readonly customerAccountNumber: string | null;
  readonly customerAccountName: string | null;
  readonly callbackUrl: string | null;
  readonly successUrl: string | null;
  readonly failureUrl: string | null;
  readonly metadata: string | null;
  readonly txnRefDigitsRequired: number;
  readonly maxRetryCount: number;
}

export type CreationReading =
  /** 400 problem details: messages by `Idempotency-Key` or `$.field` (D11). */
  | { readonly kind: 'unbound'; readonly errors: Record<string, string[]> }
  /** 400 `{error}`, the messages joined with `; `. */
  | { readonly kind: 'invalid'; readonly messages: string[] }
  | { readonly kind: 'valid'; readonly message: CreationMessage };

interface Findings {
  readonly errors: Record<string, string[]>;
  readonly messages: string[];
}

/**
 * Binds and validates an order creation whose signature has verified (merchant-api.md#request,
 * merchant-api.md#messages-of-order-creation; D3, D6, D9, D11 to D16). Never throws. Validation is
 * reported only once everything binds.
 */
export function readCreation(
  members: Members,
  idempotencyKey: string | undefined,
): CreationReading {
  const found: Findings = { errors: {}, messages: [] };
  const key = readIdempotencyKey(idempotencyKey);
  if (!key.ok) found.errors['Idempotency-Key'] = [key.error];

  const orderType = readRequiredEnum(members, CREATION_FIELDS.orderType, found);
  const amount = readAmount(members, found);
  const walletType = readRequiredEnum(members, CREATION_FIELDS.walletType, found);
  if (orderType === 'Withdrawal' && walletType !== undefined && !METHODS[walletType].withdrawal) {
    found.messages.push(
      `${walletType} is a deposit-only payment method. A withdrawal's walletType must be one of: ${WITHDRAWAL_METHODS.join(', ')}.`,
    );
  }
  const currency = readCurrency(members, found);
  const merchantOrderRef = readString(members, CREATION_FIELDS.merchantOrderRef, found);
  const customerReference = readString(members, CREATION_FIELDS.customerReference, found);
  const customerAccountNumber = readString(members, CREATION_FIELDS.customerAccountNumber, found);
  const customerAccountName = readString(members, CREATION_FIELDS.customerAccountName, found);
  if (customerAccountName !== null && customerAccountNumber === null) {
    found.messages.push(
      'CustomerAccountName can only be sent together with CustomerAccountNumber.',
    );
  }
  const callbackUrl = readString(members, CREATION_FIELDS.callbackUrl, found);
  const successUrl = readString(members, CREATION_FIELDS.successUrl, found);
  const failureUrl = readString(members, CREATION_FIELDS.failureUrl, found);
  const metadata = readString(members, CREATION_FIELDS.metadata, found);
  const txnRefDigitsRequired = readInteger(members, CREATION_FIELDS.txnRefDigitsRequired, found);
  const maxRetryCount = readInteger(members, CREATION_FIELDS.maxRetryCount, found);

  if (orderType === undefined || walletType === undefined || Object.keys(found.errors).length > 0)
    return { kind: 'unbound', errors: found.errors };
  if (amount === undefined || found.messages.length > 0)
    return { kind: 'invalid', messages: found.messages };
  return {
    kind: 'valid',
    message: {
      orderType,
      amount,
      walletType,
      currency,
      merchantOrderRef,
      customerReference,
      customerAccountNumber,
      customerAccountName,
      callbackUrl,
      successUrl,
      failureUrl,
      metadata,
      txnRefDigitsRequired,
      maxRetryCount,
    },
  };
}

/** The longest Idempotency-Key (merchant-api.md#create-an-order), in Unicode code points. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 100;

export type IdempotencyKeyReading =
  | { readonly ok: true; readonly key: string }
  | { readonly ok: false; readonly error: string };

/**
 * An acceptable Idempotency-Key as it is, or its binding error (D11). The replay guard needs to
 * know this before the body is bound (D7).
 */
export function readIdempotencyKey(value: string | undefined): IdempotencyKeyReading {
  if (value === undefined || value === '') {
    return {
      ok: false,
      error: `The Idempotency-Key header is required. Send a unique text of at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters per order.`,
    };
  }
  const length = countCharacters(value);
  if (length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    return {
      ok: false,
      error: `The Idempotency-Key header must be ${IDEMPOTENCY_KEY_LENGTH_MAX} characters or fewer. You entered ${length} characters.`,
    };
  }
  if (value.includes('\0'))
    return { ok: false, error: 'The Idempotency-Key header must not contain a null character.' };
  return { ok: true, key: value };
}

/**
 * One text per set of compared terms, for the caller to hash and keep: equal for `1500` and
 * `1500.00`, for currency omitted and `PKR`, for null, `""` and omitted, for an integer enum and
 * its name; different otherwise (merchant-api.md#idempotency; D19).
 */
export function termsText(message: CreationMessage): string {
  return JSON.stringify([
    message.orderType,
    formatMoney(message.amount),
    message.walletType,
    message.currency,
    message.merchantOrderRef,
    message.customerAccountNumber,
    message.customerAccountName,
  ]);
}

function sentMember(members: Members, field: CreationField): Member | undefined {
  const member = members.get(field.name.toLowerCase());
  return member?.kind === 'null' ? undefined : member;
}

function addBindingError(found: Findings, field: CreationField, error: string): void {
  found.errors[`$.${field.name}`] = [error];
}

/** The name in messages that do not quote it: `CallbackUrl`. */
function bareName(field: CreationField): string {
  return field.displayName.replaceAll(' ', '');
}

function readRequiredEnum<T extends string>(
  members: Members,
  field: EnumField<T>,
  found: Findings,
): T | undefined {
  const member = sentMember(members, field);
  const value = member && findEnumValue(member, field.values);
  if (value === undefined) {
    addBindingError(
      found,
      field,
      member === undefined
        ? `${field.name} is required; ${expectedEnum(field)}.`
        : `${field.name} is unknown; ${expectedEnum(field)}.`,
    );
  }
  return value;
}

function readCurrency(members: Members, found: Findings): Currency {
  const field = CREATION_FIELDS.currency;
  const member = sentMember(members, field);
  if (member === undefined || (member.kind === 'string' && member.value === ''))
    return field.default;
  const value = findEnumValue(member, field.values);
  if (value !== undefined) return value;
  if (hasEnumType(member))
    found.messages.push(`Currency must be one of: ${field.values.join(', ')}.`);
  else
    addBindingError(found, field, `${field.name} has the wrong JSON type; ${expectedEnum(field)}.`);
  return field.default;
}

function expectedEnum(field: EnumField): string {
  return `send one of: ${field.values.join(', ')}`;
}

const INTEGER = /^-?\d+$/;

function hasEnumType(member: Member): boolean {
  return member.kind === 'string' || (member.kind === 'number' && INTEGER.test(member.source));
}

/** Strings in exact case, integer literals by position (D12). */
function findEnumValue<T extends string>(member: Member, values: readonly T[]): T | undefined {
  if (!hasEnumType(member)) return undefined;
  return member.kind === 'string'
    ? values.find((value) => value === member.value)
    : values[Number(member.source)];
}

/** Whole digits of the largest amount: fourteen. */
const AMOUNT_INTEGER_DIGITS_MAX = formatMoney(AMOUNT_MAX).indexOf('.');

function readAmount(members: Members, found: Findings): Money | undefined {
  const field = CREATION_FIELDS.amount;
  const member = sentMember(members, field);
  if (member !== undefined && member.kind !== 'number') {
    addBindingError(found, field, 'amount must be a JSON number, without quotes.');
    return undefined;
  }
  const positive = `'${field.displayName}' must be greater than '0'.`;
  if (member === undefined) {
    found.messages.push(positive);
    return undefined;
  }
  const literal = readNumberLiteral(member.source);
  const before = found.messages.length;
  refuseExponent(literal, field, found);
  if (literal.negative || literal.digits === '') found.messages.push(positive);
  if (
    decimalPlaces(literal) > field.decimalPlaces ||
    (!literal.negative && literal.integerDigits > AMOUNT_INTEGER_DIGITS_MAX)
  ) {
    found.messages.push(
      'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.',
    );
  }
  return found.messages.length > before ? undefined : parseMoney(member.source);
}

/**
 * An integer literal of any size is range-checked; a fraction is the wrong type; an exponent gets
 * its own message (D6).
 */
function readInteger(members: Members, field: IntegerField, found: Findings): number {
  const member = sentMember(members, field);
  if (member === undefined) return field.default;
  const literal = member.kind === 'number' ? readNumberLiteral(member.source) : undefined;
  if (literal === undefined || !(literal.isInteger || literal.hasExponent)) {
    addBindingError(
      found,
      field,
      `${field.name} must be a JSON integer, without quotes and without a decimal point.`,
    );
    return field.default;
  }
  refuseExponent(literal, field, found);
  if (!isBetween(literal, field)) {
    found.messages.push(
      `'${field.displayName}' must be between ${field.min} and ${field.max}. You entered ${member.source}.`,
    );
  }
  // `-0` is in range for maxRetryCount and must not leave here as a negative zero.
  return Number(member.source) + 0;
}

function refuseExponent(literal: NumberLiteral, field: CreationField, found: Findings): void {
  if (literal.hasExponent)
    found.messages.push(`${bareName(field)} must be written without an exponent.`);
}

function readString(members: Members, field: StringField, found: Findings): string | null {
  const member = sentMember(members, field);
  if (member === undefined) return null;
  if (member.kind !== 'string') {
    addBindingError(found, field, `${field.name} must be a JSON string.`);
    return null;
  }
  const text = member.value;
  if (text === '') return null;
  const length = text.length > field.maxLength ? countCharacters(text) : text.length;
  if (length > field.maxLength) {
    found.messages.push(
      `The length of '${field.displayName}' must be ${field.maxLength} characters or fewer. You entered ${length} characters.`,
    );
  }
  if (text.includes('\0'))
    found.messages.push(`'${field.displayName}' must not contain a null character.`);
  if (field.format === 'http-url' && !isHttpUrl(text))
    found.messages.push(`${bareName(field)} must be a valid absolute http(s) URL.`);
  return text;
}

/** Unicode code points (D13). */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const HTTP_URL = /^https?:\/\/[^\s\u0000-\u001f\u007f/\\?#][^\s\u0000-\u001f\u007f]*$/i;

/**
 * Whether a text is an absolute http(s) URL. `URL` alone accepts too much: it reads `http:foo` and
 * `http:///foo` as the host foo, and drops tabs, line breaks and the control characters around a
 * URL, so that what is stored would not be what was checked.
 */
export function isHttpUrl(text: string): boolean {
  return HTTP_URL.test(text) && URL.canParse(text);
}

/** The fields that messages about a creation name, as its body has them. */
export const fieldsNamed = (message: string): readonly string[] =>
  Object.values(CREATION_FIELDS)
    .filter(
      ({ displayName }) =>
        message.includes(`'${displayName}'`) ||
        message.includes(`${displayName.replaceAll(' ', '')} must`),
    )
    .map(({ name }) => name);
