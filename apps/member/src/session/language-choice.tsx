import { chooseLanguage, LANGUAGES, type Language, language, texts } from '../language.ts';

/** Each language in its own words. */
export const LanguageChoice = () => (
  <nav class="languages" aria-label={texts.value.language}>
    {(Object.keys(LANGUAGES) as Language[]).map((code) => (
      <button
        key={code}
        type="button"
        lang={code}
        dir={LANGUAGES[code].direction}
        aria-pressed={language.value === code}
        onClick={() => void chooseLanguage(code)}
      >
        {LANGUAGES[code].name}
      </button>
    ))}
  </nav>
);
