import { expect, test } from 'vitest';
import { LANGUAGES, languageFor } from './languages.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['ur-PK,ur;q=0.9,en;q=0.8', 'ur'],
  ['en;q=0.5, hi-IN;q=0.8', 'hi'],
  ['bn', 'bn'],
  ['BN-bd', 'bn'],
  ['fr-FR, de;q=0.9', 'en'],
  ['fr, ur;q=0.3', 'ur'],
  ['hi;q=0, en;q=0.1', 'en'],
  ['en, ur', 'en'],
  ['*', 'en'],
  ['ur;q=high', 'ur'],
  ['__proto__, constructor', 'en'],
])('a browser that asks for %j reads %s', (header, code) => {
  expect(languageFor(header).code).toBe(code);
});

const AMOUNT = '\u2066PKR 1,500.50\u2069';

/** Every text of a catalogue, its arguments filled in with values that show where they went. */
function everyText(texts: object): [string, string][] {
  const read = (name: string, value: unknown): [string, string][] => {
    if (typeof value === 'string') return [[name, value]];
    if (Array.isArray(value)) return value.flatMap((one, at) => read(`${name}.${at}`, one));
    return Object.entries(value as object).flatMap(([part, one]) => read(`${name}.${part}`, one));
  };
  return Object.entries(texts).flatMap(([name, value]) =>
    read(name, typeof value === 'function' ? value(AMOUNT, AMOUNT, 4) : value),
  );
}

const english = new Map(everyText(LANGUAGES.en.texts));

test.each(Object.values(LANGUAGES).filter(({ code }) => code !== 'en'))(
  '$name says everything itself, in its own letters, with the same arguments',
  ({ texts, code }) => {
    const script = {
      ur: /\p{Script=Arabic}/u,
      hi: /\p{Script=Devanagari}/u,
      bn: /\p{Script=Bengali}/u,
    }[code as 'ur' | 'hi' | 'bn'];
    const own = everyText(texts);
    expect(own.map(([name]) => name)).toEqual([...english.keys()]);
    for (const [name, text] of own) {
      expect(text, name).toMatch(script);
      expect(text.split(AMOUNT).length, name).toBe(english.get(name)?.split(AMOUNT).length);
    }
  },
);

test.each(Object.values(LANGUAGES))(
  '$name writes no digits but those on every keypad, and no text is empty or untrimmed',
  ({ texts }) => {
    for (const [name, text] of everyText(texts)) {
      expect(text.replace(/[0-9]/g, ''), name).not.toMatch(/\p{Nd}/u);
      expect(text.trim().length, name).toBeGreaterThan(0);
      expect(text.trim(), name).toBe(text);
    }
  },
);
