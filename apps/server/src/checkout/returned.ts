import type { PageField } from '@munshi/api';
import type { AccountWarning, MeantDigits, Refusal } from '@munshi/core';
import type { Fields } from '../orders/customer-commands.ts';
import { isRefusal } from './actions.ts';
import type { Texts } from './texts/en.ts';

/**
 * What a form gets back: what was entered, and what was wrong with it, in the customer's language.
 */
export interface Returned {
  readonly entered: Fields;
  readonly wrong: Readonly<Partial<Record<PageField | 'picture', string>>>;
  /** What cannot be done now, regardless of what is entered. */
  readonly notice?: string | undefined;
  /** What the pasted text may mean: the customer chooses. */
  readonly choices?: readonly MeantDigits[];
  /** The ID that the digits were taken from. */
  readonly taken?: MeantDigits;
  /** They read without a script: the page stays as it is while they write. */
  readonly adding?: true;
  /** What looks wrong, though it may be sent. */
  readonly warnings?: readonly AccountWarning[];
}

export const NOTHING_RETURNED: Returned = { entered: {}, wrong: {} };
export const ADDING: Returned = { ...NOTHING_RETURNED, adding: true };

/** A longer text is a message, which is not given back: a phone pastes the next one behind it. */
const TYPED_MAX = 40;

/** For a text that means several digits, or none: a choice, or what to type. */
export function askedAgain(
  entered: Fields,
  choices: readonly MeantDigits[],
  wrong: string,
  { noIdFound }: Texts,
): Returned {
  const isMessage = (entered.transactionDigits ?? '').length > TYPED_MAX;
  const emptied = { ...entered, transactionDigits: '' };
  if (choices.length > 1) return { entered: emptied, wrong: {}, choices };
  return isMessage
    ? { entered: emptied, wrong: { transactionDigits: `${noIdFound} ${wrong}` } }
    : { entered, wrong: { transactionDigits: wrong } };
}

/** A form as it came, for another one to keep what was entered. */
export const keptOf = (fields: Fields | Refusal): Returned =>
  isRefusal(fields) ? NOTHING_RETURNED : { entered: fields, wrong: {} };
