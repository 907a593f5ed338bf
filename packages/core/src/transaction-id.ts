import { plainLine } from './account-number.ts';
import { LABEL } from './payment-words.ts';

/** An ID whose digits are in groups, and nothing behind it. */
const IN_GROUPS = /^\d{1,8}(?: \d{1,8})+\.?$/;

/**
 * The ID of a transaction, of a text that is typed or pasted: `TID: 28311906999` is `28311906999`.
 * In capitals, without spaces and unseen characters, and without a label and what follows the ID.
 * Equal texts are one transaction.
 */
export function transactionId(text: string): string {
  const plain = plainLine(text).toUpperCase();
  const label = LABEL.exec(plain);
  if (label === null) return plain.replaceAll(' ', '').replace(/[.,;:]+$/, '');
  const rest = plain.slice(label.index + label[0].length);
  // Read again: what follows a label may begin with another, and an ID is read as itself.
  const parts = rest.split(' ');
  const id = parts.find((part) => /\d/.test(part)) ?? (parts[0] as string);
  return transactionId(IN_GROUPS.test(rest) ? rest : id);
}

/**
 * The ID without the marks that people group it by. `transactionKeyOf` of the server says the same
 * in SQL of stored IDs, and indexes are over that.
 */
export const transactionKey = (text: string): string =>
  transactionId(text).replaceAll(/[ \-./+]/g, '');
