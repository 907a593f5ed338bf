import { computed, signal } from '@preact/signals';
import type { Texts } from './texts/en.ts';

/** The languages of the app. Digits are those of banknotes and keypads, in every language. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', locale: 'en-GB' },
  ur: { name: 'اردو', direction: 'rtl', locale: 'ur-PK-u-nu-latn' },
  hi: { name: 'हिन्दी', direction: 'ltr', locale: 'hi-IN-u-nu-latn' },
  bn: { name: 'বাংলা', direction: 'ltr', locale: 'bn-BD-u-nu-latn' },
} as const;
export type Language = keyof typeof LANGUAGES;

/** A language's texts are loaded when somebody reads them. */
const CATALOGUES: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import('./texts/en.ts')).en,
  ur: async () => (await import('./texts/ur.ts')).ur,
  hi: async () => (await import('./texts/hi.ts')).hi,
  bn: async () => (await import('./texts/bn.ts')).bn,
};

const KEPT_AS = 'munshi-language';
const isLanguage = (code: string | null): code is Language => code !== null && code in LANGUAGES;

const spoken = signal<{ readonly language: Language; readonly texts: Texts } | null>(null);
/** What is read now. Only after `speak` has answered. */
export const language = computed<Language>(() => spoken.value?.language ?? 'en');
export const texts = computed<Texts>(() => spoken.value?.texts as Texts);

/** What this phone chose before, else the first of its own languages that the app has. */
export function usualLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS);
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** Shows the app in this language, from now on on this phone. */
export async function speak(code: Language): Promise<void> {
  const loaded = await CATALOGUES[code]();
  document.documentElement.lang = code;
  document.documentElement.dir = LANGUAGES[code].direction;
  spoken.value = { language: code, texts: loaded };
}

export async function chooseLanguage(code: Language): Promise<void> {
  localStorage.setItem(KEPT_AS, code);
  await speak(code);
}
