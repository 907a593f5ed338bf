import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Texts } from './texts/en.ts';

/**
 * The languages of the app. Digits are those of banknotes and keypads, in every language. `away`: the
 * service cannot be reached, and its texts have not come.
 */
export const LANGUAGES = {
  en: {
    name: 'English',
    direction: 'ltr',
    locale: 'en-GB',
    away: 'The service cannot be reached.',
  },
  ur: {
    name: 'اردو',
    direction: 'rtl',
    locale: 'ur-PK-u-nu-latn',
    away: 'سروس سے رابطہ نہیں ہو رہا۔',
  },
  hi: {
    name: 'हिन्दी',
    direction: 'ltr',
    locale: 'hi-IN-u-nu-latn',
    away: 'सेवा से संपर्क नहीं हो रहा।',
  },
  bn: {
    name: 'বাংলা',
    direction: 'ltr',
    locale: 'bn-BD-u-nu-latn',
    away: 'সেবার সঙ্গে যোগাযোগ হচ্ছে না।',
  },
} as const;
export type Language = keyof typeof LANGUAGES;

/** Each language's texts are loaded when somebody reads them. */
type Catalogues<T> = Readonly<Record<Language, () => Promise<T>>>;
const CATALOGUES: Catalogues<Texts> = {
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

/** Load a part's texts, and answer what shows them. */
const parts: ((code: Language) => Promise<() => void>)[] = [];

/** Texts of parts that are loading. */
let coming: Promise<void> = Promise.resolve();

/**
 * Texts of a part of the app that is loaded when it is opened, in the language that is read: there
 * once `withTexts` has answered.
 */
export function textsOf<T>(catalogues: Catalogues<T>): ReadonlySignal<T> {
  const read = signal(undefined as T);
  const load = async (code: Language) => {
    const loaded = await catalogues[code]();
    return () => {
      read.value = loaded;
    };
  };
  coming = Promise.all([coming, load(language.value)]).then(([, show]) => {
    show();
    parts.push(load);
  });
  return read;
}

/** A part of the app, with its texts. */
export async function withTexts<Part>(part: Promise<Part>): Promise<Part> {
  const loaded = await part;
  await coming;
  return loaded;
}

/** Shows the app in this language, from now on on this phone. */
export async function speak(code: Language): Promise<void> {
  const [loaded, ...shown] = await Promise.all([
    CATALOGUES[code](),
    ...parts.map((load) => load(code)),
  ]);
  document.documentElement.lang = code;
  document.documentElement.dir = LANGUAGES[code].direction;
  batch(() => {
    for (const show of shown) show();
    spoken.value = { language: code, texts: loaded };
  });
}

export async function chooseLanguage(code: Language): Promise<void> {
  localStorage.setItem(KEPT_AS, code);
  await speak(code);
}
