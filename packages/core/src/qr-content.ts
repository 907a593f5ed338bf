import { accountKey } from './account-number.ts';
import { readObjects } from './emv-qr.ts';
import type { MemberAccount } from './matching.ts';

/** What somebody sees who reads an account's QR code. */
export interface QrContent {
  /** `EMVCo`: a merchant's code; `UPI`: a link; `other`: anything else. */
  readonly form: 'EMVCo' | 'UPI' | 'other';
  /** Whom it names. */
  readonly name: string | null;
  /** Accounts and ids in it, as they are written there. */
  readonly numbers: readonly string[];
  /** What it asks for by itself, as it is written there. */
  readonly amount: string | null;
}

const NAME = '59';
const AMOUNT = '54';
/** Accounts of schemes: 02 to 25 as they are, 26 to 51 with objects of their own. */
const isScheme = (id: string) => id >= '02' && id <= '51';
/** Within them, the name of the scheme. */
const SCHEME_NAME = '00';

/** The content of a QR code as far as it can be read. */
export function readQrContent(payload: string): QrContent {
  const [, query] = /^upi:\/\/pay\?(.+)$/i.exec(payload) ?? [];
  if (query !== undefined) {
    const given = new URLSearchParams(query);
    const field = (name: string) => given.get(name) || null;
    const payee = field('pa');
    return {
      form: 'UPI',
      name: field('pn'),
      numbers: payee === null ? [] : [payee],
      amount: field('am'),
    };
  }
  const objects = readObjects(payload);
  if (objects === undefined) return { form: 'other', name: null, numbers: [], amount: null };
  const fieldOf = (id: string) => objects.find((object) => object.id === id)?.value ?? null;
  const numbers = objects
    .filter(({ id }) => isScheme(id))
    .flatMap(({ value }) => nestedValues(value) ?? [value]);
  return { form: 'EMVCo', name: fieldOf(NAME), numbers, amount: fieldOf(AMOUNT) };
}

/** The values of objects within an object, without the scheme's name; undefined: there are none. */
function nestedValues(text: string): readonly string[] | undefined {
  const values: string[] = [];
  for (let at = 0; at < text.length; ) {
    const [, id, digits] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    if (id === undefined) return undefined;
    const end = at + 4 + Number(digits);
    if (end > text.length) return undefined;
    if (id !== SCHEME_NAME) values.push(text.slice(at + 4, end));
    at = end;
  }
  return values;
}

/** What an operator looks at before they approve the account of a code. */
export const QR_WARNINGS = ['unreadable', 'number-differs', 'title-differs', 'has-amount'] as const;
export type QrWarning = (typeof QR_WARNINGS)[number];

/** What of an account's QR code does not fit its number and title. None without a code. */
export function qrWarnings({
  accountNumber,
  accountTitle,
  qrPayload,
}: Pick<MemberAccount, 'accountNumber' | 'accountTitle' | 'qrPayload'>): readonly QrWarning[] {
  if (qrPayload === null) return [];
  const { form, name, numbers, amount } = readQrContent(qrPayload);
  const asked = accountKey(accountNumber);
  if (form === 'other') return accountKey(qrPayload).includes(asked) ? [] : ['unreadable'];
  const sameNumber = numbers
    .map(accountKey)
    .some((number) => number === asked || (asked.length >= 5 && number.includes(asked)));
  return QR_WARNINGS.filter(
    (warning) =>
      (warning === 'number-differs' && !sameNumber) ||
      (warning === 'title-differs' && name !== null && !isSameName(name, accountTitle)) ||
      (warning === 'has-amount' && amount !== null),
  );
}

const compact = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}@]/gu, '');

/** Codes have room for 25 characters of a name. */
function isSameName(one: string, other: string): boolean {
  const [a, b] = [compact(one), compact(other)];
  return a.startsWith(b) || b.startsWith(a);
}
