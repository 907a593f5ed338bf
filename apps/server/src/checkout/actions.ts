import { type Endpoint, PAGE_FORMS, type PageField, type PageForm } from '@munshi/api';
import {
  type AccountWarning,
  accountWarnings,
  type InputProblem,
  METHODS,
  type Refusal,
  readAccountNumber,
  withoutGroups,
  wrongAccount,
  wrongPayer,
  wrongTransactionDigits,
} from '@munshi/core';
import type { TObject } from 'typebox';
import type { Fields } from '../orders/customer-commands.ts';
import type { PageOrder } from '../orders/page.store.ts';

const invalid = (message: string): Refusal => ({ code: 'invalid', message });

type Asked = Pick<PageOrder, 'currency' | 'walletType'>;

/** Digits without what groups them; anything else stays as it was entered. */
function ungrouped(text: string): string {
  const alone = withoutGroups(text);
  return /^\d*$/.test(alone) ? alone : text;
}

/** What a person types or pastes, as it counts and is read back; numbers by the order that asks. */
const READ: Readonly<Partial<Record<PageField, (text: string, order?: Asked) => string>>> = {
  accountNumber: (text, order) => (order === undefined ? text : readAccountNumber(text, order)),
  ibanLast4: ungrouped,
  transactionDigits: ungrouped,
  correctedDigits: ungrouped,
};

const fieldsOf = (form: PageForm): readonly PageField[] => {
  const { body } = PAGE_FORMS[form] as Endpoint;
  return Object.keys((body as TObject | undefined)?.properties ?? {}) as PageField[];
};

/**
 * The fields of a form's endpoint, from a parsed body. Numbers, lists and broken Unicode are not
 * what a form would send.
 */
export function readFields(
  form: PageForm,
  body: unknown,
  order: Asked | undefined,
): Fields | Refusal {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    return invalid('The body must be one JSON object or a form.');
  const fields: Partial<Record<PageField, string>> = {};
  for (const name of fieldsOf(form)) {
    const value = (body as Record<string, unknown>)[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return invalid(`${name} must be a text, sent once.`);
    if (!value.isWellFormed()) return invalid(`${name} is not well-formed text.`);
    fields[name] = READ[name]?.(value, order) ?? value;
  }
  return fields;
}

export const isRefusal = (value: object): value is Refusal => 'code' in value && 'message' in value;

/**
 * What is wrong with what was entered, by what the order asks for now: of a QR payment its payer,
 * also another one. Empty where it asks for something else.
 */
export function problemsOf(order: PageOrder, fields: Fields): readonly InputProblem[] {
  const { accountNumber = '', accountName = '', ibanLast4, transactionDigits } = fields;
  if (order.orderType === 'Withdrawal')
    return order.customerAccountNumber === null ? wrongAccount({ accountNumber, accountName }) : [];
  if (order.status !== 'AwaitingCustomerPayment') return [];
  const namesPayer = fields.accountNumber !== undefined || ibanLast4 !== undefined;
  const asksPayer =
    METHODS[order.walletType].submission !== 'transactionDigits' &&
    (order.payerAccount === null || namesPayer);
  const wrong = asksPayer
    ? wrongPayer(order, {
        accountNumber,
        ibanLast4: ibanLast4 ?? null,
      })
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
