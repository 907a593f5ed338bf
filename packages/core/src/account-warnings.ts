import { localMobile, readAccountNumber, withoutGroups } from './account-number.ts';
import { type Currency, METHODS, type WalletType } from './method.ts';
import { isUpiId } from './upi-link.ts';

/**
 * What looks wrong with the account of a withdrawal, by the country that is paid. Warnings of the
 * page, which the customer may overrule: accounts differ more than any rule of ours, and what a
 * merchant sends is never checked.
 */
export const ACCOUNT_WARNINGS = [
  'mobile-number',
  'iban-checksum',
  'bank-missing',
  'ifsc-missing',
  'upi-id',
] as const;
export type AccountWarning = (typeof ACCOUNT_WARNINGS)[number];

/** A number of a mobile wallet as customers write it there. */
export const MOBILE_EXAMPLES: Readonly<Record<Currency, string>> = {
  PKR: '03001234567',
  INR: '9812345678',
  BDT: '01712345678',
};

const IBAN_PK = /PK\d{2}[A-Z]{4}\d{16}/;
const IBAN_LIKE = /^PK\d/;
const IFSC = /(?:^|[^A-Z0-9])[A-Z]{4}0[A-Z0-9]{6}(?![A-Z0-9])/;

export function accountWarnings({
  currency,
  walletType,
  accountNumber,
}: {
  readonly currency: Currency;
  readonly walletType: WalletType;
  readonly accountNumber: string;
}): readonly AccountWarning[] {
  const number = readAccountNumber(accountNumber, { currency, walletType });
  const { namedBy } = METHODS[walletType];
  // A wallet of India may be named by a UPI ID.
  if (namedBy === 'mobile')
    return currency === 'INR' || localMobile(number, currency) ? [] : ['mobile-number'];
  if (namedBy === 'till') return currency !== 'INR' || isUpiId(number) ? [] : ['upi-id'];
  if (currency === 'INR') return IFSC.test(number.toUpperCase()) ? [] : ['ifsc-missing'];
  if (currency !== 'PKR') return [];
  const compact = withoutGroups(number);
  const iban = IBAN_PK.exec(compact)?.[0];
  if (iban !== undefined) return hasValidChecksum(iban) ? [] : ['iban-checksum'];
  if (IBAN_LIKE.test(compact)) return ['iban-checksum'];
  return /[A-Z]/.test(compact) ? [] : ['bank-missing'];
}

/** ISO 13616: the letters as numbers, the first four characters last, modulo 97 is 1. */
function hasValidChecksum(iban: string): boolean {
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}
