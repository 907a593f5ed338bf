import { texts } from './language.ts';

/**
 * Why the service said no, in the member's language, by the code of its answer; `own` has what a
 * screen says instead.
 */
export function refusalText(
  code: string | null | undefined,
  own: Readonly<Record<string, string>> = {},
): string {
  const refusals: Readonly<Record<string, string>> = { ...texts.value.refusals, ...own };
  return refusals[code ?? 'other'] ?? texts.value.refusals.other;
}
