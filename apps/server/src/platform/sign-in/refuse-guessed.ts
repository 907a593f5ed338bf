import { fieldError } from '../refusals.ts';
import type { Guarded } from './guard.ts';
import { isGuessedFirst } from './guessed-passwords.ts';

/** Refuses easily guessed passwords, for every kind of person. */
export function refuseGuessed(field: string, password: string): void {
  if (isGuessedFirst(password)) {
    const what =
      'a common password, a short text again and again, a row of keys or a number: those are guessed first.';
    throw fieldError(
      field,
      `must not be ${what} Several words that do not belong together make a good one.`,
    );
  }
}

/** The hash of a password that an operator gives somebody, in the field `password`. */
export async function hashNewPassword({ signInGuard }: Guarded, password: string): Promise<string> {
  refuseGuessed('password', password);
  return signInGuard.hash(password, 'by an operator');
}
