import type { CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { LONG_NAME } from '../support/accounts-read-off.ts';
import { SIZE } from '../support/size.ts';

/**
 * Accounts, names, amounts and references are read off a screen and typed elsewhere: a digit that is
 * covered, cut off or overlooked at the end of a line is lost money. Every one is measured, at the
 * widths of phones and at the text sizes that people set.
 */

const WIDTHS = [320, 360, 412] as const;
/** Per cent; 16 pixels are what phones begin with. */
const TEXT_SIZES = [100, 150, 200] as const;
type Look = readonly [width: number, percent: number];
const LOOKS: readonly Look[] = WIDTHS.flatMap((width) =>
  TEXT_SIZES.map((percent) => [width, percent] as const),
);
let looks = 0;

/**
 * All in the deep ring, else one in turns. A view that is visited several times, once in each
 * language, shares them out.
 */
function looksInTurns(visits: number): readonly Look[] {
  looks += 1;
  if (SIZE === 'short') return [LOOKS[(looks * 2) % LOOKS.length] as Look];
  return LOOKS.filter((_, at) => (at + looks) % visits === 0);
}

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Text as large as people set it on their phone or in their browser, until it is set again. */
export async function setTextSize(page: Page, percent: number): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const size = Math.round((16 * percent) / 100);
  await (await session).send('Page.setFontSizes', { fontSizes: { standard: size, fixed: size } });
}

interface ReadOff {
  /** How often the view is looked at, so that each time has a part of the widths and sizes. */
  readonly visits?: number;
  /** Whether values must be marked for translators. */
  readonly marked?: boolean;
}

const UNMARKED = 'no translate="no": ';

/**
 * All that is read off on what the page shows now can be read off, whole, and none of it is handed
 * to a translator. Ends at the size that it began with.
 */
export async function expectReadable(
  page: Page,
  name: string,
  { visits = 1, marked = true }: ReadOff = {},
): Promise<void> {
  const before = page.viewportSize();
  const faults: string[] = [];
  for (const [width, percent] of looksInTurns(visits)) {
    await page.setViewportSize({ width, height: 740 });
    await setTextSize(page, percent);
    const size = await page.evaluate<string>(SIZE_SET);
    expect(size).toBe(`${(16 * percent) / 100}px`);
    const found = await page.evaluate<readonly string[]>(FAULTS);
    const counted = found.filter((fault) => marked || !fault.startsWith(UNMARKED));
    faults.push(...counted.map((fault) => `${width} px, ${percent} %: ${fault}`));
  }
  expect({ name, faults }).toEqual({ name, faults: [] });
  await setTextSize(page, 100);
  if (before !== null) await page.setViewportSize(before);
}

/** What people have set; a page may show less of it on a narrow screen. */
const SIZE_SET = `(() => {
  const text = document.body.appendChild(document.createElement('div'));
  text.style.fontSize = 'medium';
  const { fontSize } = getComputedStyle(text);
  text.remove();
  return fontSize;
})()`;

/**
 * What is wrong with the values of the document, or of what is open over it. A value is
 * what carries `translate="no"`, and any amount, account or reference elsewhere.
 */
const FAULTS = `(async () => {
  // What is still moving is measured where it comes to rest.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  await Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    .map(({ finished }) => finished.catch(() => {})));
  const AMOUNT = /(?:(?:PKR|INR|BDT)\\s?|[₹৳]\\s?)\\u2212?[0-9][0-9,]*(?:\\.[0-9]+)?/g;
  const ACCOUNT = /\\b[A-Z]{2}[0-9]{2}[A-Z]{4}[0-9A-Z]{8,}|\\+?\\b[0-9]{9,}\\b|[\\w.-]+@[a-z]+\\b(?!\\.)/g;
  const REFERENCE = /\\bORD-[0-9]{14}-[0-9A-Z]{6}\\b/g;
  const NAME = /${LONG_NAME}|Ayesha Khan|\\w+ of member-[0-9a-f]{8}/g;
  const KINDS = [AMOUNT, ACCOUNT, REFERENCE, NAME];
  const faults = new Set();
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.add('the page is wider than the screen by ' + (scrollWidth - clientWidth));
  const round = (number) => Math.round(number * 10) / 10;

  const modals = [...document.querySelectorAll('dialog[open], [role=dialog]')].filter((modal) => modal.checkVisibility());
  const root = modals.at(-1) ?? document.body;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('.unseen, [hidden], script, style, template, noscript, select, option, textarea') === null && !isClippedAway(element);
  const isClippedAway = (element) => {
    for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.clipPath.startsWith('inset(50%') || (style.position === 'absolute' && at.offsetWidth <= 1)) return true;
    }
    return false;
  };

  // Each value as the pieces of text that it is made of.
  const pieces = (element) => {
    const list = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) list.push({ node: walker.currentNode, from: 0, to: walker.currentNode.data.length });
    return list;
  };
  const marked = (element) => element?.closest('[translate=no]') ?? null;
  const values = [...root.querySelectorAll('[translate=no]')].filter((element) => marked(element.parentElement) === null && isShown(element)).map(pieces);
  // What is not marked, block by block: the texts of one block belong together.
  const blockOf = (element) => { let at = element; while (/^(inline|contents)/.test(getComputedStyle(at).display)) at = at.parentElement; return at; };
  const blocks = new Map();
  for (const piece of pieces(root)) {
    const holder = piece.node.parentElement;
    if (piece.node.data.trim() === '' || marked(holder) !== null || !isShown(holder)) continue;
    const block = blockOf(holder);
    blocks.set(block, [...(blocks.get(block) ?? []), piece]);
  }
  for (const texts of blocks.values()) {
    const text = texts.map(({ node }) => node.data).join('');
    for (const { index, 0: found } of KINDS.flatMap((kind) => [...text.matchAll(kind)])) {
      let start = 0;
      const value = texts.flatMap(({ node, to }) => {
        const [from, until] = [Math.max(0, index - start), Math.min(to, index + found.length - start)];
        start += to;
        return from < until ? [{ node, from, to: until }] : [];
      });
      values.push(value);
      // In a sentence of a catalogue it is one word among others; by itself it is a value.
      let holder = value[0].node.parentElement;
      while (!value.every(({ node }) => holder.contains(node))) holder = holder.parentElement;
      if (!/[\\p{L}\\p{N}]/u.test(holder.textContent.replace(found, ''))) faults.add('${UNMARKED}' + found + ' in ' + holder.outerHTML.slice(0, 100));
    }
  }

  const boxOf = (node, at) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return [...range.getClientRects()].find(({ width }) => width > 0);
  };
  // A table of many columns is scrolled sideways: what is beside the screen is brought to it.
  const sidewaysOf = (element) => {
    let at = element.closest('table');
    while (at !== null && !(/auto|scroll/.test(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth)) at = at.parentElement;
    return at;
  };
  const scrollers = (element) => {
    const list = [];
    const sideways = sidewaysOf(element);
    for (let at = element; at !== sideways; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (at !== document.body && at !== document.documentElement && (overflowX !== 'visible' || overflowY !== 'visible')) list.push({ at, overflowY });
    }
    return list;
  };
  const isPainted = (color) => color !== 'transparent' && !/[,/] ?0\\)$/.test(color);
  // Whether an element draws anything at this point: an overlay that is empty hides nothing.
  const draws = (element, x, y) => {
    const holds = ({ left, right, top, bottom }) => x >= left && x <= right && y >= top && y <= bottom;
    const style = getComputedStyle(element);
    if ([...element.getClientRects()].some(holds) && (isPainted(style.backgroundColor) || style.backgroundImage !== 'none' || /^(IMG|SVG|PATH|VIDEO|CANVAS|INPUT|SELECT|TEXTAREA)$/i.test(element.tagName))) return true;
    if (['::before', '::after'].some((part) => { const { content, backgroundColor } = getComputedStyle(element, part); return content !== 'none' && content !== 'normal' && isPainted(backgroundColor); })) return true;
    return [...element.childNodes].some((child) => {
      if (child.nodeType !== Node.TEXT_NODE || child.data.trim() === '') return false;
      const range = document.createRange();
      range.selectNodeContents(child);
      return [...range.getClientRects()].some(holds);
    });
  };
  const coverAt = (element, x, y) => {
    for (const hit of document.elementsFromPoint(x, y)) {
      if (hit === element || element.contains(hit) || hit.contains(element)) return null;
      if (draws(hit, x, y)) return hit.outerHTML.slice(0, 100);
    }
    return 'what clips it';
  };

  // So far down the screen, unless the character is about there.
  const bringTo = (element, node, at, place) => {
    const off = () => { const { top, bottom } = boxOf(node, at); return (top + bottom) / 2 - innerHeight * place; };
    const { left, right } = boxOf(node, at);
    if (Math.abs(off()) < innerHeight * 0.06 && left >= 0 && right <= innerWidth) return;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    let scroller = element;
    while (scroller !== null && !(/auto|scroll/.test(getComputedStyle(scroller).overflowY) && scroller.scrollHeight > scroller.clientHeight)) scroller = scroller.parentElement;
    (scroller ?? document.scrollingElement).scrollBy({ top: off(), behavior: 'instant' });
  };

  for (const value of values) {
    const text = value.map(({ node, from, to }) => node.data.slice(from, to)).join('');
    const say = (what) => faults.add(what + ': ' + text);
    for (const { node, from, to } of value) {
      const element = node.parentElement;
      if (!isShown(element)) continue;
      const characters = [];
      for (let at = from; at < to; at += 1) {
        const box = boxOf(node, at);
        if (box !== undefined && node.data[at].trim() !== '') characters.push({ at, box });
      }
      if (characters.length === 0) continue;
      // Boxes: on the screen, and inside of everything that clips.
      const clips = scrollers(element);
      for (const { at, box } of characters) {
        if (sidewaysOf(element) === null && (box.left < -0.5 || box.right > document.documentElement.clientWidth + 0.5)) { say('off the screen by ' + round(Math.max(-box.left, box.right - innerWidth))); break; }
        const clip = clips.find(({ at: clipping, overflowY }) => {
          const edge = clipping.getBoundingClientRect();
          const scrolls = overflowY === 'auto' || overflowY === 'scroll';
          return box.left < edge.left - 0.5 || box.right > edge.right + 0.5 || (!scrolls && (box.top + box.height / 4 < edge.top || box.bottom - box.height / 4 > edge.bottom));
        });
        if (clip !== undefined) { say('clipped by ' + clip.at.outerHTML.slice(0, 100)); break; }
      }
      // Lines: none ends inside of a number or an account that has room on one.
      const block = blockOf(element);
      const { paddingLeft, paddingRight } = getComputedStyle(block);
      const room = block.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      for (const word of node.data.slice(from, to).matchAll(/[0-9A-Za-z](?:[0-9A-Za-z.,]*[0-9A-Za-z])?/g)) {
        // A link is copied, not read.
        if (!/[0-9]/.test(word[0]) || /^https?:/.test(text)) continue;
        const own = characters.filter(({ at }) => at >= from + word.index && at < from + word.index + word[0].length);
        const width = own.reduce((sum, { box }) => sum + box.width, 0);
        const lines = new Set(own.map(({ box }) => Math.round(box.top)));
        if (lines.size > 1 && width < room) say('split in ' + word[0]);
      }
      // A hit test of every character, wherever on the screen it can be scrolled to.
      for (const { at } of characters) {
        let cover = null;
        for (const place of [0.5, 0.62, 0.75, 0.38, 0.25]) {
          bringTo(element, node, at, place);
          const { left, top, width, height } = boxOf(node, at);
          cover = coverAt(element, left + width / 2, top + height / 2);
          if (cover === null) break;
        }
        if (cover !== null) { say('covered at ' + node.data[at] + ' by ' + cover); break; }
      }
    }
  }
  return [...faults];
})()`;
