import { globSync } from 'node:fs';
import { transformWithOxc } from 'vite';
import { beforeAll, describe, expect, test } from 'vitest';
import { LEAST_BROWSERS, type Least } from '../../bin/least-browsers.ts';
import { buildStale } from '../support/web-app.ts';
import { lackingInScript, lackingInStyle } from './browser-features.ts';
import { ROOT, read } from './sources.ts';

/** Browsers of 2018 with what they lack. */
const OLD: Least = { chrome: 64, safari: 12 };

test.each([
  ['.a { display: flex; gap: 1rem }', 'gap in a flex box'],
  ['.a { inset: 0 }', 'inset'],
  ['.a { padding-inline: 1rem }', 'padding-inline'],
  ['.a { margin-inline-start: 1rem }', 'margin-inline-start'],
  ['.a { aspect-ratio: 1 }', 'aspect-ratio'],
  ['.a { overflow: clip }', 'overflow: clip'],
  ['.a { overflow-wrap: anywhere }', 'overflow-wrap: anywhere'],
  ['.a { position: sticky }', 'position: sticky'],
  ['.a { height: 100dvh }', 'dvh'],
  ['.a { width: min(1rem, 2vw) }', 'min()'],
  ['.a { width: clamp(1rem, 2vw, 3rem) }', 'clamp()'],
  ['.a { color: color-mix(in srgb, red, blue) }', 'color-mix()'],
  ['.a { color: rgb(0 0 0 / 20%) }', 'rgb() without commas'],
  [':is(.a, .b) { color: red }', ':is'],
  [':where(.a) { color: red }', ':where'],
  ['.a:has(.b) { color: red }', ':has'],
  ['.a:focus-visible, .b { color: red }', ':focus-visible in a list'],
  ['@container (width > 1rem) { .a { color: red } }', '@container'],
  ['@media (width > 1rem) { .a { color: red } }', '@media with < or >'],
])('style that old browsers lack is found: %s', (style, lacking) => {
  expect(lackingInStyle(style, OLD)).toContain(lacking);
});

test.each([
  '.a { display: grid; gap: 1rem }',
  '.a { -webkit-margin-start: 1rem; margin-inline-start: 1rem }',
  '.a { position: -webkit-sticky; position: sticky }',
  '.a { width: 1rem; width: min(1rem, 2vw) }',
  '@supports (inset: 0) { .a { inset: 0 } }',
])('style with an older one for old browsers is not: %s', (style) => {
  expect(lackingInStyle(style, OLD)).toEqual([]);
});

test.each([
  ['part.replaceChildren()', '.replaceChildren'],
  ['list.at(-1)', '.at'],
  ['list.findLast(Boolean)', '.findLast'],
  ['part.checkVisibility()', '.checkVisibility'],
  ['AbortSignal.timeout(9)', 'AbortSignal.timeout'],
  ['Object.groupBy(list, of)', 'Object.groupBy'],
  ['crypto.randomUUID()', '.randomUUID'],
  ['structuredClone(part)', 'structuredClone'],
  ['new ResizeObserver(look)', 'ResizeObserver'],
  ['/(?<=a)b/.test(text)', '(?<='],
])('script that old browsers lack is found: %s', (script, lacking) => {
  expect(lackingInScript(script, OLD)).toContain(lacking);
});

/** What adds something where a browser has it, and takes nothing where it has not. */
const ADDS = {
  style: [
    // The size of text that turning a phone changes.
    '-webkit-text-size-adjust',
    'text-size-adjust',
    // Browsers draw an outline of their own.
    ':focus-visible',
    // Without a dark theme, the light one.
    '@media (prefers-color-scheme)',
    'color-scheme',
    'color-scheme: dark',
    'color-scheme: light',
    '@media (prefers-contrast)',
    // Without it nothing moves.
    '@media (prefers-reduced-motion)',
    '@media (scripting)',
    'scroll-padding-bottom',
  ],
  script: [
    // Asked for by `window.`; without it the answer is not read.
    'AbortController',
    '.AbortController',
    '.signal',
    // Asked for before; a selection copies as well, and what cannot be shared has no button.
    '.clipboard',
    '.writeText',
    '.share',
  ],
};

describe('the payment page', () => {
  const assets = 'apps/server/src/checkout/assets';
  const script = read(`${assets}/checkout.js`);

  test('its style has nothing that its least browsers lack', () => {
    const lacking = lackingInStyle(read(`${assets}/checkout.css`), LEAST_BROWSERS.checkout);
    expect(lacking).toEqual(ADDS.style.toSorted());
  });

  test('its script asks its least browsers for no object that they lack', () => {
    expect(lackingInScript(script, LEAST_BROWSERS.checkout)).toEqual(ADDS.script.toSorted());
  });

  test('its script is in the syntax of its least browsers', async () => {
    const { chrome, safari } = LEAST_BROWSERS.checkout;
    const inSyntaxOf = async (target: string | string[]) =>
      (await transformWithOxc(script, 'checkout.js', { target, sourcemap: false })).code;
    expect(await inSyntaxOf([`chrome${chrome}`, `safari${safari}`])).toBe(
      await inSyntaxOf('esnext'),
    );
  });
});

/** Of the components that console and portal are made of. */
const COMPONENTS = {
  // Asked for before they are used.
  script: ['EyeDropper', 'Profiler', 'TouchEvent', 'ViewTransition'],
  // How lines break, what paper is printed on, and how scroll bars look.
  style: [
    '-webkit-text-size-adjust',
    '@page',
    'break-after: avoid',
    'scrollbar-width',
    'scrollbar-width: none',
    'size',
    'text-box-edge',
    'text-box-edge: alphabetic',
    'text-box-edge: cap',
    'text-box-trim',
    'text-box-trim: trim-both',
    'text-wrap: balance',
  ],
};
/** What an app uses all the same, and why it may. */
const APPS = {
  member: {
    script: [
      // apps/member/src/older-browsers.ts adds them.
      '.at',
      '.replaceAll',
      'AbortSignal.any',
      'AbortSignal.timeout',
      'BroadcastChannel',
      'Map.groupBy',
      'createImageBitmap',
      // Asked for before they are used.
      'BarcodeDetector.getSupportedFormats',
      'Symbol.dispose',
      'scheduler',
    ],
    style: [
      // apps/member/build/older-css.ts says them in older words, behind `@supports`.
      'gap in a flex box',
      'inset',
      'inset: auto',
      'inset-inline-end',
      'inset-inline-start',
      'padding-inline',
      // Without them a thing looks a little otherwise: a corner, a shade, a line, an edge.
      ':backdrop',
      ':focus-visible',
      ':has',
      '@media (forced-colors)',
      '-webkit-text-size-adjust',
      'accent-color',
      'align-content: start',
      'align-self: start',
      'aspect-ratio',
      'border-end-start-radius',
      'border-start-start-radius',
      'color-scheme',
      'color-scheme: dark',
      'color-scheme: light',
      'place-items: end',
      'place-items: start',
      'text-size-adjust',
      'text-size-adjust: auto',
      'text-underline-offset',
    ],
  },
  console: {
    // A field of closings, not the function of sets.
    script: [...COMPONENTS.script, '.difference'],
    style: [...COMPONENTS.style, 'font-family: ui-monospace'],
  },
  portal: { ...COMPONENTS, script: [...COMPONENTS.script, 'Uint8Array.fromHex'] },
};

describe.each(Object.keys(APPS) as (keyof typeof APPS)[])('%s', (app) => {
  beforeAll(() => buildStale());
  const of = (kind: string) =>
    globSync(`apps/${app}/dist/**/*.${kind}`, { cwd: ROOT }).map((file) => read(file));

  test('its scripts use nothing of the language that its least browsers lack', () => {
    const least = LEAST_BROWSERS[app];
    const lacking = of('js').flatMap((script) => lackingInScript(script, least, 'language'));
    expect([...new Set(lacking)].sort()).toEqual(APPS[app].script.toSorted());
  });

  test('its style says in older words what its least browsers lack', () => {
    const lacking = of('css').flatMap((style) => lackingInStyle(style, LEAST_BROWSERS[app]));
    expect([...new Set(lacking)].sort()).toEqual(APPS[app].style.toSorted());
  });

  test('its page and the documentation name them', () => {
    const { chrome, safari } = LEAST_BROWSERS[app];
    const docs = {
      member: 'docs/member-app.md',
      portal: 'docs/portal.md',
      console: 'docs/operate/install.md',
    };
    for (const file of [`apps/${app}/index.html`, docs[app]]) {
      expect(read(file)).toContain(`Chrome ${chrome}`);
      expect(read(file)).toContain(`Safari ${safari}`);
    }
  });
});
