import { texts } from './language.ts';

/** Why the service said no, in the member's language, by the code of its answer. */
export function refusalText(code: string | null | undefined): string {
  const { refusals } = texts.value;
  return refusals[code as keyof typeof refusals] ?? refusals.other;
}
