/** Accounts that are hard to show: long, of words and numbers, and such that only few places may break. */
export const READ_OFF = {
  iban: 'PK36SCBL0000001123456702',
  upi: 'muhammad.imran-2@okhdfcbank',
  bank: 'Meezan Bank 01230104567890',
  phone: '+92 300-123 4567',
} as const;
export const LONG_NAME = 'Muhammad Imran Chaudhry Siddiqui';
