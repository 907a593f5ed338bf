import { describe, expect, test } from 'vitest';
import {
  cleaned,
  hasUnseen,
  hasUnseenInLines,
  LINES,
  ONE_LINE,
  ONE_WORD,
  PLAIN_NAME,
} from './unseen.ts';

const matches = (pattern: string, text: string) => new RegExp(pattern, 'u').test(text);

const SEEN = [
  'Ali',
  'عائشہ صدیقہ',
  'क्षत्रिय\u200d',
  'می\u200cخواہم',
  '❤️',
  'রহিম',
  '\u0600 12',
  'O’Neil-Díaz',
];
const HIDING = [
  '\u202e',
  '\u202c',
  '\u2066',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u200b',
  '\ufeff',
  '\u0000',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u00ad',
  '\ue000',
  '\u3164',
];

test.each(SEEN)('%s may be written, in one line and in several', (text) => {
  expect([ONE_LINE, LINES].map((pattern) => matches(pattern, text))).toEqual([true, true]);
  expect([hasUnseen(text), cleaned(text)]).toEqual([false, text]);
});

test.each(HIDING.map((one) => [one.codePointAt(0)?.toString(16), one]))(
  'U+%s may not be written anywhere, and is left out where it is shown',
  (_code, one) => {
    const text = `03${one}45`;
    for (const pattern of [ONE_LINE, LINES, ONE_WORD, PLAIN_NAME])
      expect(matches(pattern, text)).toBe(false);
    expect([hasUnseen(text), hasUnseenInLines(text)]).toEqual([true, true]);
    expect(cleaned(text).replace(' ', '')).toBe('0345');
  },
);

test('lines may be broken where a text may have some, and are one line where it is shown', () => {
  const text = 'paid\r\n\ttwice';
  expect([matches(LINES, text), matches(ONE_LINE, text)]).toEqual([true, false]);
  expect([hasUnseenInLines(text), hasUnseen(text)]).toEqual([false, true]);
  expect(cleaned(text)).toBe('paid twice');
});

test.each(['', ' ', '\n', '\u200d', ' \u200c ', '\ufe0f'])('%j is blank', (text) => {
  expect([ONE_LINE, LINES, ONE_WORD].map((pattern) => matches(pattern, text))).toEqual([
    false,
    false,
    false,
  ]);
});

describe('a name of a person', () => {
  test.each([
    'Dr. Ali Khan',
    'J. R. R. Tolkien',
    'J.R.R. Tolkien',
    'Ali (night shift)',
    'عائشہ',
    'A/B',
  ])('may be %s', (name) => expect(matches(PLAIN_NAME, name)).toBe(true));
  test.each([
    'Your wallet is locked. Open https://evil.example/x',
    'evil.example',
    'www.evil.example',
    'пример.рф',
    'me@shop',
    'http:/x',
    'a-1.co',
  ])('may not be %s', (name) => expect(matches(PLAIN_NAME, name)).toBe(false));
});

test('no pattern takes longer than its text, however it is made', () => {
  const began = performance.now();
  for (const text of ['ab'.repeat(30_000), 'a.'.repeat(30_000), `${' '.repeat(60_000)}\u202e`])
    for (const pattern of [ONE_LINE, LINES, ONE_WORD, PLAIN_NAME]) matches(pattern, text);
  expect(performance.now() - began).toBeLessThan(5_000);
});
