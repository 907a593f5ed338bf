import type { AccountWarning, InputField } from '@munshi/core';

/**
 * What a form gets back: what was entered, and what was wrong with it, in the customer's language.
 */
export interface Returned {
  readonly entered: Readonly<Record<string, string>>;
  readonly wrong: Readonly<Partial<Record<InputField, string>>>;
  /** What cannot be done now, whatever is entered. */
  readonly notice?: string | undefined;
  /** What looks wrong, though it may be sent. */
  readonly warnings?: readonly AccountWarning[];
}

export const NOTHING_RETURNED: Returned = { entered: {}, wrong: {} };
