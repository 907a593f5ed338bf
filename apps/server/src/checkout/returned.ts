import type { PageField } from '@munshi/api';
import type { AccountWarning, Refusal } from '@munshi/core';
import type { Fields } from '../orders/customer-commands.ts';
import { isRefusal } from './actions.ts';

/**
 * What a form gets back: what was entered, and what was wrong with it, in the customer's language.
 */
export interface Returned {
  readonly entered: Fields;
  readonly wrong: Readonly<Partial<Record<PageField, string>>>;
  /** What cannot be done now, regardless of what is entered. */
  readonly notice?: string | undefined;
  /** What looks wrong, though it may be sent. */
  readonly warnings?: readonly AccountWarning[];
}

export const NOTHING_RETURNED: Returned = { entered: {}, wrong: {} };

/** A form as it came, for another one to keep what was entered. */
export const keptOf = (fields: Fields | Refusal): Returned =>
  isRefusal(fields) ? NOTHING_RETURNED : { entered: fields, wrong: {} };
