import { type Currency, METHODS } from './method.ts';
import type { Order } from './order.ts';
import { idAlone, readPaymentText } from './payment-text.ts';
import { hasUnseen } from './unseen.ts';

/** What customers enter on the page. */
export type InputField =
  | 'transactionDigits'
  | 'accountNumber'
  | 'ibanLast4'
  | 'accountName'
  | 'paidBy';

/** What is wrong with one field: a reason for programs and an English message. */
export interface InputProblem {
  readonly field: InputField;
  readonly reason: 'missing' | 'malformed' | 'too-long' | 'too-short';
  readonly message: string;
}

export const ACCOUNT_NUMBER_MAX = 50;
/** Letters and digits that name an account at least. */
const ACCOUNT_NUMBER_MIN = 4;
export const ACCOUNT_NAME_MAX = 200;
export const PAYER_NAME_MAX = 100;

/**
 * The trailing digits of the payment's transaction ID; QR methods ask for none
 * (merchant-api.md#payment-methods).
 */
export function wrongTransactionDigits(
  order: Pick<Order, 'walletType' | 'txnRefDigitsRequired'>,
  digits: string | null,
): InputProblem | undefined {
  if (METHODS[order.walletType].submission !== 'transactionDigits') return undefined;
  if (new RegExp(`^\\d{${order.txnRefDigitsRequired}}$`).test(digits ?? '')) return undefined;
  return problem(
    'transactionDigits',
    digits,
    `Enter the last ${order.txnRefDigitsRequired} digits of the transaction ID.`,
  );
}

/** Whether the wallets of this currency's country write letters into transaction IDs. */
export const hasLetteredIds = (currency: Currency): boolean => currency === 'BDT';

/** A whole transaction ID with letters and digits; the shortest are Nagad's. */
const LETTERED_ID = /^(?=.*\d)(?=.*[a-z])[\da-z-]{8,}$/i;

/**
 * The last digits of a transaction ID, letters left out: up to `max`; undefined where it has fewer
 * than `min`. Most IDs of bKash and Nagad have few digits: of a whole one, zeros in front make up
 * for those that it lacks.
 */
export function lastDigits(id: string, min: number, max = min): string | undefined {
  const digits = id.replace(/\D/g, '').slice(-max);
  if (digits.length < min && !LETTERED_ID.test(id)) return undefined;
  return digits.padStart(min, '0');
}

/** Digits that a text may mean, and the ID that they are of. */
export interface MeantDigits {
  readonly id: string;
  readonly digits: string;
}

/**
 * What the digits of a typed or pasted text may be: those of the ID that it is, or of each ID that a
 * message names. Empty where there is none, or where it has fewer than `min`. Where there are several
 * the customer is asked.
 */
export function readDigits(text: string, min: number, max = min): readonly MeantDigits[] {
  const alone = idAlone(text);
  const ids = alone === undefined ? readPaymentText(text).ids : [alone];
  const meant = new Map<string, MeantDigits>();
  for (const id of ids) {
    const digits = lastDigits(id, min, max);
    if (digits !== undefined && !meant.has(digits)) meant.set(digits, { id, digits });
  }
  return [...meant.values()];
}

/** What a QR method asks for before its code is shown. */
export function wrongPayer(
  { walletType }: Pick<Order, 'walletType'>,
  {
    accountNumber,
    ibanLast4,
  }: { readonly accountNumber: string | null; readonly ibanLast4: string | null },
): InputProblem | undefined {
  const { submission } = METHODS[walletType];
  if (submission === 'payerAccount' && !/^\d{5,34}$/.test(accountNumber ?? '')) {
    return problem('accountNumber', accountNumber, 'Enter your account number: digits only.');
  }
  if (submission === 'payerIbanLast4' && !/^\d{4}$/.test(ibanLast4 ?? '')) {
    return problem('ibanLast4', ibanLast4, 'Enter the last 4 digits of your IBAN.');
  }
  return undefined;
}

/** Where a withdrawal goes. The name is required (states.md#awaiting). */
export function wrongAccount({
  accountNumber,
  accountName,
}: {
  readonly accountNumber: string;
  readonly accountName: string;
}): InputProblem[] {
  return [
    wrongText('accountNumber', 'account number', accountNumber.trim(), ACCOUNT_NUMBER_MAX),
    wrongText('accountName', 'account holder name', accountName.trim(), ACCOUNT_NAME_MAX),
    accountNumber.trim() === '' ? undefined : tooShort(accountNumber),
  ].filter((found) => found !== undefined);
}

/** The payer, as the customer names them: a name, or the last digits of the account. */
export const wrongPayerName = (paidBy: string): InputProblem | undefined =>
  wrongText('paidBy', 'name or the last digits of the account', paidBy.trim(), PAYER_NAME_MAX);

function tooShort(accountNumber: string): InputProblem | undefined {
  const named = accountNumber.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  if (named >= ACCOUNT_NUMBER_MIN) return undefined;
  return {
    field: 'accountNumber',
    reason: 'too-short',
    message: `The account number must have at least ${ACCOUNT_NUMBER_MIN} letters or digits.`,
  };
}

function wrongText(
  field: InputField,
  name: string,
  value: string,
  lengthMax: number,
): InputProblem | undefined {
  if (value === '') return problem(field, value, `Enter the ${name}.`);
  if (hasUnseen(value))
    return problem(
      field,
      value,
      `The ${name} must not contain control characters, direction marks or other invisible characters.`,
    );
  return [...value].length > lengthMax
    ? {
        field,
        reason: 'too-long',
        message: `The ${name} must be ${lengthMax} characters or fewer.`,
      }
    : undefined;
}

const problem = (field: InputField, value: string | null, message: string): InputProblem => ({
  field,
  reason: value === null || value === '' ? 'missing' : 'malformed',
  message,
});
