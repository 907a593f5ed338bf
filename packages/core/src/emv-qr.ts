import type { Currency } from './method.ts';
import type { Money } from './money.ts';
import { codeAmount } from './payable.ts';
import { wrongQrPayload } from './qr-payload.ts';

/**
 * Codes that a merchant presents, by EMVCo (QR Code Specification for Payment Systems, Merchant-
 * Presented Mode, 1.1): objects of two digits that name it, two for its length, and its value.
 */

/** ISO 4217. All three have two decimal places. */
const NUMERIC: Readonly<Record<Currency, string>> = { PKR: '586', INR: '356', BDT: '050' };

const FORMAT = '00';
const INITIATION = '01';
const CURRENCY = '53';
const AMOUNT = '54';
/** A tip or a fee that the payer's app adds: the amount would not be what is paid. */
const ADDED = ['55', '56', '57'];
const CHECKSUM = '63';
/** Templates of the issuer's own, up to 99: in one of them banks sign the code. */
const OWN_TEMPLATES = '80';
const AMOUNT_CHARACTERS_MAX = 13;

interface DataObject {
  readonly id: string;
  readonly value: string;
}

/**
 * The content of an account's QR code with the amount that is to be paid, so that the payer's app
 * fills it in: for one payment, and with a new checksum. Any other content is answered as it is:
 * one that is no EMVCo code of this currency, whose checksum is wrong, that adds a tip, that its
 * bank may have signed, and an amount that it has no room for. `payable` is in `currency`.
 */
export function withAmount(payload: string, payable: Money, currency: Currency): string {
  const objects = readObjects(payload);
  const sum = codeAmount(payable);
  if (objects === undefined || sum.length > AMOUNT_CHARACTERS_MAX) return payload;
  const valueWith = (id: string) => objects.find((object) => object.id === id)?.value;
  const isFixed = ({ id }: DataObject) => ADDED.includes(id) || id >= OWN_TEMPLATES;
  if (valueWith(CURRENCY) !== NUMERIC[currency] || objects.some(isFixed)) return payload;
  const kept = objects.filter(({ id }) => ![FORMAT, INITIATION, AMOUNT, CHECKSUM].includes(id));
  const next = kept.findIndex(({ id }) => id === CURRENCY) + 1;
  const text = [
    { id: FORMAT, value: '01' },
    { id: INITIATION, value: '12' },
    ...kept.slice(0, next),
    { id: AMOUNT, value: sum },
    ...kept.slice(next),
  ]
    .map(({ id, value }) => `${id}${String(value.length).padStart(2, '0')}${value}`)
    .join('');
  const filled = sealed(text);
  return wrongQrPayload(filled) === undefined ? filled : payload;
}

/** Undefined where the text is no EMVCo code, or not one that its checksum is of. */
export function readObjects(payload: string): readonly DataObject[] | undefined {
  const given = payload.slice(0, -4) + payload.slice(-4).toUpperCase();
  if (!payload.startsWith(`${FORMAT}0201`) || sealed(payload.slice(0, -8)) !== given)
    return undefined;
  const objects: DataObject[] = [];
  for (let at = 0; at < payload.length; ) {
    const [, id, digits] = /^(\d\d)(\d\d)/.exec(payload.slice(at, at + 4)) ?? [];
    if (id === undefined || objects.some((object) => object.id === id)) return undefined;
    const end = at + 4 + Number(digits);
    if (end > payload.length) return undefined;
    objects.push({ id, value: payload.slice(at + 4, end) });
    at = end;
  }
  return objects;
}

const sealed = (text: string): string => {
  const start = `${text}${CHECKSUM}04`;
  return start + checksum(start);
};

/** CRC-16 with the polynomial 0x1021 and the start 0xffff (ISO/IEC 13239), in four hex digits. */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000) === 0 ? (crc << 1) & 0xffff : ((crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
