import {
  CREATION_FIELDS,
  type CreationField,
  type EnumField,
  type IntegerField,
  type StringField,
} from './creation-fields.ts';
import type { Member, Members } from './json-object.ts';
import {
  type Currency,
  METHODS,
  type OrderType,
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
  /** 400 problem details: messages by `Idempotency-Key` or `$.field`. */
  | { readonly kind: 'unbound'; readonly errors: Record<string, string[]> }
  /** 400 `{error}`, the messages joined with `; `; the fields that they are about. */
  | { readonly kind: 'invalid'; readonly messages: string[]; readonly fields: string[] }
  | { readonly kind: 'valid'; readonly message: CreationMessage };

interface Findings {
  readonly errors: Record<string, string[]>;
  readonly messages: string[];
  /** What the messages are about, in their order. */
  readonly fields: Set<string>;
}

/**
 * Binds and validates an order creation whose signature has verified (merchant-api.md#request,
 * merchant-api.md#messages-of-order-creation, merchant-api.md#conventions,
 * merchant-api.md#how-a-body-is-read, security.md#texts-that-others-see). Never throws. Validation
 * is reported only once everything binds.
 */
export function readCreation(
  members: Members,
  idempotencyKey: string | undefined,
): CreationReading {
  const found: Findings = { errors: {}, messages: [], fields: new Set() };
  const key = readIdempotencyKey(idempotencyKey);
  if (!key.ok) found.errors['Idempotency-Key'] = [key.error];

  const orderType = readRequiredEnum(members, CREATION_FIELDS.orderType, found);
  const amount = readAmount(members, found);
  const walletType = readRequiredEnum(members, CREATION_FIELDS.walletType, found);
  if (orderType === 'Withdrawal' && walletType !== undefined && !METHODS[walletType].withdrawal) {
    addMessage(
      found,
      CREATION_FIELDS.walletType,
      `${walletType} is a deposit-only payment method. A withdrawal's walletType must be one of: ${WITHDRAWAL_METHODS.join(', ')}.`,
    );
  }
  const currency = readCurrency(members, found);
  const merchantOrderRef = readString(members, CREATION_FIELDS.merchantOrderRef, found);
  const customerReference = readString(members, CREATION_FIELDS.customerReference, found);
  const customerAccountNumber = readString(members, CREATION_FIELDS.customerAccountNumber, found);
  const customerAccountName = readString(members, CREATION_FIELDS.customerAccountName, found);
  if (customerAccountName !== null && customerAccountNumber === null) {
    addMessage(
      found,
      CREATION_FIELDS.customerAccountName,
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
    return { kind: 'invalid', messages: found.messages, fields: [...found.fields] };
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
 * An acceptable Idempotency-Key as it is, or its binding error
 * (merchant-api.md#how-a-body-is-read). The replay guard needs to know this before the body is
 * bound (decision 5).
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
 * its name; different otherwise (merchant-api.md#idempotency).
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

function addMessage(found: Findings, field: CreationField, message: string): void {
  found.messages.push(message);
  found.fields.add(field.name);
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
    addMessage(found, field, `Currency must be one of: ${field.values.join(', ')}.`);
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

/** Strings in exact case, integer literals by position (merchant-api.md#conventions). */
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
    addMessage(found, field, positive);
    return undefined;
  }
  const literal = readNumberLiteral(member.source);
  const before = found.messages.length;
  refuseExponent(literal, field, found);
  if (literal.negative || literal.digits === '') addMessage(found, field, positive);
  if (
    decimalPlaces(literal) > field.decimalPlaces ||
    (!literal.negative && literal.integerDigits > AMOUNT_INTEGER_DIGITS_MAX)
  ) {
    addMessage(
      found,
      field,
      'Amount must have at most 4 decimal places and be less than 100,000,000,000,000.',
    );
  }
  return found.messages.length > before ? undefined : parseMoney(member.source);
}

/**
 * An integer literal of any size is range-checked; a fraction is the wrong type; an exponent gets
 * its own message (merchant-api.md#how-a-body-is-read).
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
    addMessage(
      found,
      field,
      `'${field.displayName}' must be between ${field.min} and ${field.max}. You entered ${member.source}.`,
    );
  }
  // `-0` is in range for maxRetryCount and must not leave here as a negative zero.
  return Number(member.source) + 0;
}

function refuseExponent(literal: NumberLiteral, field: CreationField, found: Findings): void {
  if (literal.hasExponent)
    addMessage(found, field, `${bareName(field)} must be written without an exponent.`);
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
    addMessage(
      found,
      field,
      `The length of '${field.displayName}' must be ${field.maxLength} characters or fewer. You entered ${length} characters.`,
    );
  }
  if (text.includes('\0'))
    addMessage(found, field, `'${field.displayName}' must not contain a null character.`);
  if (field.format === 'http-url' && !isHttpUrl(text))
    addMessage(found, field, `${bareName(field)} must be a valid absolute http(s) URL.`);
  return text;
}

/** Unicode code points (merchant-api.md#how-a-body-is-read). */
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
