import type { Units } from './arithmetic.ts';
import { payableOf } from './money.ts';
import { type Cause, type Model, type ModelOrder, no, ok, type Verdict } from './state.ts';
import { METHOD } from './tables.ts';

/** What a customer says afterwards of a payment that is looked for (page.md#something-to-add). */
export interface CustomerNote {
  readonly act: 'customer-note';
  readonly order: number;
  readonly about: CustomerNoteAbout;
}

export type CustomerNoteAbout =
  | { readonly kind: 'correctedDigits'; readonly digits: string }
  /** By how many ten-thousandths what was sent is more than the order's amount. */
  | { readonly kind: 'amountSent'; readonly more: number }
  | { readonly kind: 'paidBy'; readonly name: string };

export function addOf(model: Model, order: ModelOrder, { about }: CustomerNote): Verdict {
  const said = order.notes.find(({ by, kind }) => by === 'customer' && kind === about.kind);
  const amount = about.kind === 'amountSent' ? sentOf(order, about.more) : null;
  const isSame =
    about.kind === 'correctedDigits'
      ? order.digits === about.digits
      : said !== undefined && said.amount === amount && said.text === textOf(order, about);
  if (isSame) return ok(order);

  const causes: Cause[] = [];
  const isLookedFor =
    order.sentAt !== null && ['AwaitingMemberConfirmation', 'ManualReview'].includes(order.status);
  const isAsked = about.kind !== 'correctedDigits' || METHOD[order.method].asks === 'digits';
  if (order.terms.kind === 'Withdrawal' || !isLookedFor || !isAsked || said !== undefined)
    causes.push('state');
  if (isWrong(order, about, amount)) causes.push('input');
  if (causes.length > 0) return no(...causes);

  const text = textOf(order, about);
  order.notes.push({ by: 'customer', kind: about.kind, amount, text, at: model.now });
  if (about.kind === 'correctedDigits') order.digits = about.digits;
  return ok(order);
}

export const sentOf = ({ amount }: { readonly amount: Units }, more: number): Units =>
  amount + BigInt(more);

/** A correction keeps the former digits. */
const textOf = (order: ModelOrder, about: CustomerNoteAbout): string =>
  about.kind === 'correctedDigits'
    ? (order.digits ?? '')
    : about.kind === 'paidBy'
      ? about.name
      : '';

function isWrong(order: ModelOrder, about: CustomerNoteAbout, amount: Units | null): boolean {
  if (about.kind === 'correctedDigits') return about.digits.length !== order.asked.digits;
  if (about.kind === 'paidBy') return about.name === '';
  return amount === order.amount || amount === payableOf('Deposit', order.amount);
}
