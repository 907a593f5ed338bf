import { randomUUID } from 'node:crypto';
import {
  type AccountWarning,
  accountWarnings,
  type CommandOf,
  type InputProblem,
  METHODS,
  needOf,
  type Refusal,
  WALLET_TYPES,
  type WalletType,
  wrongAccount,
  wrongPayer,
  wrongTransactionDigits,
} from '@munshi/core';
import type { PageOrder } from '../../storage/page-orders.ts';

/** What the page can be asked to change. */
export const ACTIONS = ['open', 'method', 'payer', 'confirm', 'account', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];

/** A body's fields as text; what a form or a script sent beyond them is not looked at. */
export type Fields = Readonly<Record<string, string>>;

/**
 * A command for the engine, `nothing` where the order is past what is asked, or what is wrong with
 * the input.
 */
type Asked = PageCommand | 'nothing' | Refusal;
export type PageCommand = CommandOf<
  | 'open-page'
  | 'switch-method'
  | 'submit-payer'
  | 'confirm-payment'
  | 'submit-account'
  | 'cancel-by-customer'
>;

const FIELD_NAMES = [
  'walletType',
  'accountNumber',
  'accountName',
  'ibanLast4',
  'transactionDigits',
  'edit',
] as const;
const invalid = (message: string): Refusal => ({ code: 'invalid', message });

/** The zeros of the digits on our customers' keypads: Arabic, Urdu, Devanagari, Bengali. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6];

function inAsciiDigits(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (character) => {
    const code = character.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code <= first + 9);
    return zero === undefined ? character : String(code - zero);
  });
}

/** A number alone, without the spaces and dashes of its groups; a bank's name keeps its spaces. */
const withoutGroups = (text: string) => (/^[\d\s-]+$/.test(text) ? (compact(text) ?? '') : text);

/** People paste numbers in groups. */
const compact = (text: string | undefined) => text?.replace(/[\s-]/g, '') ?? null;

const READ: Readonly<
  Partial<Record<(typeof FIELD_NAMES)[number], (text: string) => string | null>>
> = {
  accountNumber: (text) => withoutGroups(inAsciiDigits(text)),
  ibanLast4: (text) => compact(inAsciiDigits(text)),
  transactionDigits: (text) => compact(inAsciiDigits(text)),
};

/**
 * The fields of a parsed body. Numbers, lists and broken Unicode are not what a form would send.
 */
export function readFields(body: unknown): Fields | Refusal {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    return invalid('The body must be one JSON object or a form.');
  const fields: Record<string, string> = {};
  for (const name of FIELD_NAMES) {
    const value = (body as Record<string, unknown>)[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return invalid(`${name} must be a text, sent once.`);
    if (!value.isWellFormed()) return invalid(`${name} is not well-formed text.`);
    fields[name] = READ[name]?.(value) ?? value;
  }
  return fields;
}

export const isRefusal = (value: object): value is Refusal => 'code' in value && 'message' in value;

/**
 * What an action asks of the engine, by the order as it was read: the engine looks again under its
 * lock.
 */
const COMMANDS: Readonly<Record<Action, (order: PageOrder, fields: Fields) => Asked>> = {
  open(order) {
    if (
      order.orderType === 'Withdrawal' ||
      (order.status !== 'Awaiting' && order.status !== 'Queued') ||
      !METHODS[order.walletType].onPage
    )
      return 'nothing';
    return {
      kind: 'open-page',
      ...identity(order),
      need: order.memberId === null ? needOf(order) : undefined,
    };
  },
  method(order, { walletType }) {
    if (!isWalletType(walletType)) return invalid('Choose one of the payment methods.');
    return {
      kind: 'switch-method',
      ...identity(order),
      merchantId: order.merchantId,
      walletType,
      need: needOf({ ...order, walletType }),
    };
  },
  payer: (order, fields) => ({
    kind: 'submit-payer',
    ...identity(order),
    accountNumber: compact(fields['accountNumber']),
    ibanLast4: fields['ibanLast4'] ?? null,
  }),
  confirm: (order, { transactionDigits }) => ({
    kind: 'confirm-payment',
    ...identity(order),
    transactionDigits: transactionDigits ?? null,
  }),
  account: (order, { accountNumber = '', accountName = '' }) => ({
    kind: 'submit-account',
    ...identity(order),
    accountNumber,
    accountName,
    need: needOf(order),
  }),
  cancel: (order) => ({ kind: 'cancel-by-customer', ...identity(order) }),
};

const identity = ({ orderId }: PageOrder) => ({ commandId: randomUUID(), orderId });
const isWalletType = (text: string | undefined): text is WalletType =>
  (WALLET_TYPES as readonly (string | undefined)[]).includes(text);

/**
 * What is wrong with what was entered, by what the order asks for now. Empty where it asks for
 * something else.
 */
export function problemsOf(
  order: PageOrder,
  { accountNumber = '', accountName = '', ibanLast4, transactionDigits }: Fields,
): readonly InputProblem[] {
  if (order.orderType === 'Withdrawal')
    return order.customerAccountNumber === null ? wrongAccount({ accountNumber, accountName }) : [];
  if (order.status !== 'AwaitingCustomerPayment') return [];
  const asksPayer =
    METHODS[order.walletType].submission !== 'transactionDigits' && order.payerAccount === null;
  const wrong = asksPayer
    ? wrongPayer(order, { accountNumber: compact(accountNumber), ibanLast4: ibanLast4 ?? null })
    : wrongTransactionDigits(order, transactionDigits ?? null);
  return wrong === undefined ? [] : [wrong];
}

/** What looks wrong with an account that is asked for and was entered. */
export const warningsOf = (
  { orderType, customerAccountNumber, currency, walletType }: PageOrder,
  { accountNumber }: Fields,
): readonly AccountWarning[] =>
  orderType === 'Withdrawal' && customerAccountNumber === null && accountNumber !== undefined
    ? accountWarnings({ currency, walletType, accountNumber })
    : [];

/** The digits that count of a whole transaction ID; undefined where it has fewer. */
export function lastDigits(entered = '', count: number | null): string | undefined {
  const digits = entered.replace(/\D/g, '');
  return count === null || digits.length < count ? undefined : digits.slice(-count);
}

export const commandFor = (action: Action, order: PageOrder, fields: Fields): Asked =>
  COMMANDS[action](order, fields);
