import type { Kind } from '../outbox/decisions.ts';

/**
 * What the worker says in notifications: a window keeps it on the phone in the language that is
 * read there, so that the worker has no texts of its own.
 */
export interface NoticeWords {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** By what a push is about. */
  readonly titles: Readonly<Record<'assigned' | 'customer-confirmed' | 'test', string>>;
  readonly testBody: string;
  /** Something could not be sent, or may not be without asking. */
  readonly unsent: string;
  /** `Confirm {amount}`. Phones have stored it under this name. */
  readonly deeds: Readonly<Record<Kind, string>>;
  readonly methods: Readonly<Record<string, string>>;
}

/** Under this name the phone keeps it. */
export const WORDS = 'words';
/** Where an amount stands in it. */
export const AMOUNT = '{amount}';
