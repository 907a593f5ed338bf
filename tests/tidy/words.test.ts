import { expect, test } from 'vitest';
import { filesOf, read } from './sources.ts';

/** What comments, pages and the names of tests say instead. */
const PLAIN: Readonly<Record<string, string>> = {
  told: 'notified, sent, shown, distinguished',
  tells: 'notifies, shows, identifies',
  hears: 'receives, learns',
  whoever: 'the person who, the caller that',
  deed: 'action',
  deeds: 'actions',
  twin: 'counterpart, copy',
  anew: 'again',
  whatever: 'any, regardless of',
  'stands beside': 'is next to, comes with',
};
const PRIVATE = new RegExp(`\\b(?:${Object.keys(PLAIN).join('|')})\\b`, 'gi');

/** Applied: their text is pinned. */
const APPLIED = /\/migrations\//;

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{(])\/\/ .*$/gm;
/** Behind `test(`, or behind the cases of `test.each(…)(`. */
const TITLES = /(?:\b(?:test|describe)(?:\.\w+)*|\))\(\s*(?:'[^'\n]*'|`[^`]*`)/g;
/** Names of fields and code. */
const CODE = /^ *```[\s\S]*?^ *```|`[^`\n]*`|\]\([^)\s]*\)/gm;

function wordsOf(file: string): string {
  const text = read(file);
  const parts = file.endsWith('.md')
    ? [text]
    : [...text.matchAll(COMMENTS), ...text.matchAll(TITLES)].map(([part]) => part);
  const isTitle = (part: string) => /^(?:test|describe|\))/.test(part);
  return parts.map((part) => (isTitle(part) ? part : part.replaceAll(CODE, ''))).join('\n');
}

test('comments, pages and names of tests use plain words', () => {
  const files = filesOf('*.md', '{apps,bench,bin,deploy,docs,packages,tests}/**/*.{css,md,ts,tsx}');
  const found = files
    .filter((file) => !APPLIED.test(file) && !file.endsWith('tidy/words.test.ts'))
    .flatMap((file) =>
      [...wordsOf(file).matchAll(PRIVATE)].map(
        ([word]) => `${file}: ${word}; better: ${PLAIN[word.toLowerCase()]}`,
      ),
    );
  expect(found).toEqual([]);
});
