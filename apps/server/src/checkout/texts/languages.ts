import { bn } from './bn.ts';
import type { Texts } from './en.ts';
import { en } from './en.ts';
import { hi } from './hi.ts';
import { ur } from './ur.ts';

export type LanguageCode = 'en' | 'ur' | 'hi' | 'bn';

export interface Language {
  readonly code: LanguageCode;
  /** In the language itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** For `Intl`; digits stay the ones on every keypad and receipt. */
  readonly locale: string;
  readonly texts: Texts;
}

export const LANGUAGES: Readonly<Record<LanguageCode, Language>> = {
  en: { code: 'en', name: 'English', direction: 'ltr', locale: 'en-u-nu-latn', texts: en },
  ur: { code: 'ur', name: 'اردو', direction: 'rtl', locale: 'ur-PK-u-nu-latn', texts: ur },
  hi: { code: 'hi', name: 'हिन्दी', direction: 'ltr', locale: 'hi-IN-u-nu-latn', texts: hi },
  bn: { code: 'bn', name: 'বাংলা', direction: 'ltr', locale: 'bn-BD-u-nu-latn', texts: bn },
};

export const languageOf = (code: unknown): Language | undefined =>
  typeof code === 'string' && Object.hasOwn(LANGUAGES, code)
    ? LANGUAGES[code as LanguageCode]
    : undefined;

/**
 * The best of ours for an Accept-Language header (RFC 9110 12.5.4); English when it names none of
 * them.
 */
export function languageFor(acceptLanguage: string | undefined): Language {
  let best: Language = LANGUAGES.en;
  let bestWeight = 0;
  for (const range of (acceptLanguage ?? '').slice(0, 500).split(',')) {
    const [tag = '', ...parameters] = range.trim().toLowerCase().split(';');
    const language = languageOf(tag.split('-')[0]);
    const quality = parameters
      .map((parameter) => /^\s*q=(\d(?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1])
      .find((value) => value !== undefined);
    const weight = quality === undefined ? 1 : Number(quality);
    if (language !== undefined && weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
}
