import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { SIZE } from '../support/size.ts';
import { directionOf, LANGUAGES, type Language, RETURN_TO } from './checkout/pages.ts';

/**
 * What a browser context did beside showing pages: every address asked for, and every complaint.
 */
export interface Watch {
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

/** Listens to a context from its beginning on. */
export function watch(context: BrowserContext): Watch {
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('dialog', (dialog) => {
    // A test that goes on elsewhere leaves what it has typed.
    if (dialog.type() === 'beforeunload') return void dialog.accept().catch(() => {});
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss().catch(() => {});
  });
  context.on('console', (message) => {
    // Chromium says this of the page itself whenever it is not a 2xx.
    if (
      !/^Failed to load resource: the server responded with a status of (400|403|409|410|413|503) /.test(
        message.text(),
      )
    )
      complaints.push(message.text());
  });
  return { requests, complaints };
}

/**
 * The merchant's own site answers, without leaving our page. Takes the context's cache away, as
 * every route does.
 */
export const stayHere = (context: BrowserContext) =>
  context.route(`${RETURN_TO}/**`, (route) => route.fulfill({ status: 204 }));

/** Nothing came from anybody but the service, and the browser had nothing to complain of. */
export function expectQuiet({ requests, complaints }: Watch, ...origins: readonly string[]): void {
  expect(complaints).toEqual([]);
  expect(
    requests.filter(
      (url) => !url.startsWith('data:') && ![...origins, RETURN_TO].includes(new URL(url).origin),
    ),
  ).toEqual([]);
}

/**
 * What is the same in every language: names of ours, of methods, of money and of formats, and the half of the
 * day as `Intl` writes it.
 */
const NAMES =
  /Corner Shop|TID|Trx ID|TrxID|TxnID|UTR|UPI Ref No|UPI|5C8300HJ6V|Pending|Failed|Ayesha Khan|Muhammad Imran Chaudhry Siddiqui|muhammad\.|imran-|@okhdfcbank|\w+ of member-[0-9a-f]+|Easypaisa|JazzCash|Send Money|ProviderA|ProviderB|ORD-[0-9A-Z-]+|\u2068[0-9A-Z]{6}\u2069|^[0-9A-Z]{6}$|\bref-|PK36|SCBL|\b(PKR|QR|IBAN|ID|AM|PM|am|pm|MB|PNG|JPEG|WebP)\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/**
 * The texts that people see or hear, but for the switcher's, which are each in their own language,
 * and the letters of wallets' marks.
 */
const READ_TEXTS = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest('script, noscript, style, .languages, .tile')) texts.push(walker.currentNode.data);
  for (const element of document.querySelectorAll('body [aria-label], body [title], body [alt], body [placeholder]')) {
    if (element.closest('.languages')) continue;
    for (const name of ['aria-label', 'title', 'alt', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
  }
  return texts.map((text) => text.trim()).filter((text) => text !== '');
})()`;

/**
 * Numbers, amounts and times whose first character is not left of their last one, as they are
 * drawn.
 */
const READ_BACKWARDS = `(() => {
  const backwards = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const match of walker.currentNode.data.matchAll(/(?:PKR\\s|[₹৳])?[0-9][0-9 .,:-]*[0-9](?:\\s[AP]M)?/g)) {
      const place = (at) => {
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + 1);
        return range.getBoundingClientRect();
      };
      const [first, last] = [place(match.index), place(match.index + match[0].length - 1)];
      if (first.width > 0 && first.top === last.top && first.left >= last.left) backwards.push(match[0]);
    }
  }
  return backwards;
})()`;

/**
 * Names of providers, and times, in Urdu texts that are not drawn where they are read: to the left of the words
 * before them on their line, and to the right of those after them.
 */
const READ_MISPLACED = `(() => {
  const misplaced = [];
  const sentences = [...document.body.querySelectorAll('*')].filter((element) =>
    !element.matches('bdi, script') && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  for (const sentence of sentences) {
    const letters = [];
    const walker = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      for (let at = 0; at < walker.currentNode.data.length; at += 1) letters.push([walker.currentNode, at]);
    const text = letters.map(([node, at]) => node.data[at]).join('');
    const place = (index) => {
      const [node, at] = letters[index];
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect();
    };
    for (const name of text.matchAll(/Easypaisa|JazzCash|Provider[AB]|GMT/g)) {
      const drawn = place(name.index);
      if (drawn.width === 0) continue;
      for (const letter of text.matchAll(/[\u0620-\u064a\u0671-\u06d3]/g)) {
        const other = place(letter.index);
        if (Math.abs(other.bottom - drawn.bottom) > drawn.height / 2) continue;
        const before = letter.index < name.index;
        if (before !== other.left > drawn.left) { misplaced.push(text); break; }
      }
    }
  }
  return [...new Set(misplaced)];
})()`;

/**
 * The page is in this language throughout, written in its direction; digits are ASCII and go from
 * left to right.
 */
export async function expectLanguage(page: Page, language: Language): Promise<void> {
  const root = page.locator('html');
  expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([
    language,
    directionOf(language),
  ]);
  const texts = await page.evaluate<string[]>(READ_TEXTS);
  expect(texts.join(' ')).not.toMatch(/[٠-٩۰-۹०-९০-৯]/);
  expect(await page.evaluate(READ_BACKWARDS)).toEqual([]);
  if (language === 'ur') expect(await page.evaluate(READ_MISPLACED)).toEqual([]);
  if (language !== 'en') {
    expect(
      texts.map((text) => text.replace(NAMES, '')).filter((text) => /[A-Za-z]{2}/.test(text)),
    ).toEqual([]);
    expect(texts.some((text) => LETTERS[language].test(text))).toBe(true);
  }
  expect(
    await page
      .locator('nav.languages a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('lang')).sort()),
  ).toEqual(expect.arrayContaining(LANGUAGES.filter((other) => other !== language).sort()));
}

const LETTERS = {
  ur: /[\u0600-\u06ff]{2}/,
  hi: /[\u0900-\u097f]{2}/,
  bn: /[\u0980-\u09ff]{2}/,
} as const;

/**
 * Nothing is wider than the screen: on the narrowest phones, and at 200 % zoom of a 360-pixel one.
 * Ends at 360 × 640.
 */
export async function expectFits(page: Page): Promise<void> {
  for (const width of [320, 180, 360]) {
    await page.setViewportSize({ width, height: 640 });
    const tooWide = await page.evaluate<string[]>(`[...document.querySelectorAll('body *')]
      .filter((element) => { const { left, right, width } = element.getBoundingClientRect(); return width > 1 && (left < -0.5 || right > innerWidth + 0.5); })
      .map((element) => element.outerHTML.slice(0, 120))`);
    const scroll = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect({ width, tooWide, scroll: Math.max(0, scroll) }).toEqual({
      width,
      tooWide: [],
      scroll: 0,
    });
  }
}

/** What a finger hits: 22 pixels above and below the middle of everything that can be pressed. */
const TOO_SMALL = `[...document.querySelectorAll('a, button, summary, input')]
  .filter((element) => element.checkVisibility() && element.type !== 'hidden' && getComputedStyle(element).pointerEvents !== 'none')
  .filter((element) => {
    element.scrollIntoView({ block: 'center' });
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return [-21.5, 21.5].some((off) => {
      if (y + off < 0 || y + off > innerHeight) return false;
      const hit = document.elementFromPoint(x, y + off);
      return hit === null || !element.contains(hit);
    });
  })
  .map((element) => element.outerHTML.slice(0, 120))`;

/** Nothing that is pressed is less than 44 pixels high. */
export async function expectTouchable(page: Page): Promise<void> {
  await page.evaluate(REDRAWN);
  expect(await page.evaluate<string[]>(TOO_SMALL)).toEqual([]);
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

const EVERY_RULE = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
};
const RULES_OF_COLOUR = {
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
/**
 * Where axe looks at a view that every language has: at English in both themes, and at Urdu for
 * what its direction changes. The other two differ in their texts alone: `expectLanguage` reads
 * those of the payment page, and a missing one of the member app does not compile.
 */
const THEMES_IN: Readonly<Record<Language, readonly Theme[]>> = {
  en: THEMES,
  ur: ['light'],
  hi: [],
  bn: [],
};
let looks = 0;

/** Both in the deep ring, else one in turns. */
function themesInTurns(): readonly Theme[] {
  looks += 1;
  return SIZE === 'short' ? [THEMES[looks % THEMES.length] as Theme] : THEMES;
}

/** Scripts receive another theme by the next frame; then its colours fade in. */
const REDRAWN = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    .map(({ finished }) => finished.catch(() => {}))).then(() => {}))`;

/** axe finds nothing: every rule in the first theme, those of colour in the next. Ends light. */
export async function expectAccessible(
  page: Page,
  themes: readonly Theme[] = themesInTurns(),
): Promise<void> {
  await page.evaluate(AXE);
  for (const [at, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(REDRAWN);
    const run = at === 0 ? EVERY_RULE : RULES_OF_COLOUR;
    const found = await page.evaluate<string[]>(
      `axe.run(document, ${JSON.stringify(run)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`,
    );
    expect({ colorScheme, found }).toEqual({ colorScheme, found: [] });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

/** The same of a view that is looked at in every language. */
export async function expectAccessibleIn(page: Page, language: Language): Promise<void> {
  const themes = THEMES_IN[language];
  if (themes.length > 0) await expectAccessible(page, themes);
}

/**
 * Values to be copied are plain digits, or an order's number: no separators, no marks of direction.
 */
export async function expectPlainCopies(page: Page): Promise<void> {
  const values = await page
    .locator('[data-copy]')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('data-copy')));
  for (const value of values) expect(value).toMatch(/^(\d+(\.\d+)?|(ORD-\d{14}-)?[0-9A-Z]{6})$/);
}
