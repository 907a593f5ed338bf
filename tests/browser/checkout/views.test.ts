import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, test, vi } from 'vitest';
import { operatorClient } from '../../support/operator-client.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import {
  expectAccessibleIn,
  expectFits,
  expectLanguage,
  expectPlainCopies,
  expectQuiet,
  expectTouchable,
  stayHere,
  type Watch,
  watch,
} from '../checks.ts';
import { expectReadable } from '../read-off.ts';
import { asCustomer, expectView } from './customer.ts';
import { LANGUAGES, type Language } from './pages.ts';
import { accountOf, openShop } from './shop.ts';
import { SCRIPTED, type ShownView, showEveryView, VIEW_NAMES, type ViewName } from './views.ts';

/**
 * Set by `npm run screenshots`: every view in every language, with and without its script, is
 * saved as a picture, light and dark.
 */
const SCREENSHOTS = process.env['SCREENSHOTS'];

const shop = await openShop();
const browser = await sharedBrowser();
const displayNames = { providers: { ProviderA: 'Easypaisa', ProviderB: 'JazzCash' } };
const settings = await operatorClient(shop.service).patch('/settings', { displayNames });
expect(settings.status).toBe(200);
const shown = await showEveryView(shop);
afterAll(shown.close);
// On a busy machine the views are looked at for longer than the fifteen minutes of a deposit.
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
afterAll(() => {
  vi.useRealTimers();
});

/** A small phone whose owner reads this language. */
const phones = new Map<
  string,
  Promise<{ readonly context: BrowserContext; readonly seen: Watch }>
>();

async function phone(language: Language, javaScriptEnabled: boolean) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    deviceScaleFactor: 2,
    hasTouch: true,
    locale: language,
    javaScriptEnabled,
  });
  // The page's script leaves this view at once: it is looked at while the service is away.
  const ready = shown.shown.get('ready')?.order.orderId;
  await context.route(
    (url) => url.pathname === `/pay/${ready}/open`,
    (route) => route.fulfill({ status: 503 }),
  );
  await stayHere(context);
  return { context, seen: watch(context) };
}

/** Shows a view on such a phone, where the page asks for nothing else than it does by itself. */
async function show(
  name: ViewName,
  language: Language,
  script: boolean,
  look: (page: Page, view: ShownView) => Promise<void>,
): Promise<void> {
  const view = shown.shown.get(name) as ShownView;
  const key = `${language} ${script}`;
  if (!phones.has(key)) phones.set(key, phone(language, script));
  const { context, seen } = await (phones.get(key) as ReturnType<typeof phone>);
  const page = await context.newPage();
  const response = await page.goto(view.url);
  if (view.reach === undefined) expect(response?.status()).toBe(view.status);
  await view.reach?.(page);
  await expectView(page, view.view);
  await look(page, view);
  await page.close();
  // What was seen grows from view to view of a phone.
  expectQuiet(seen, ...[...shown.shown.values()].map(({ url }) => new URL(url).origin));
}

test.each(VIEW_NAMES.flatMap((name) => LANGUAGES.map((to) => [name, to] as const)))(
  '%s in %s: in that language throughout, fits, is accessible where languages can differ, asks nobody else',
  (name, language) =>
    show(name, language, true, async (page) => {
      await expectLanguage(page, language);
      await expectPlainCopies(page);
      expect(await page.locator('[data-scripted]').count()).toBe(0);
      await expectFits(page);
      await expectTouchable(page);
      await expectReadable(page, `${name} in ${language}`, { visits: LANGUAGES.length });
      // A page that could not do its work has a button that goes on.
      if (name === 'unreadable' || name === 'unavailable')
        expect(await page.locator('.card a.button').count()).toBe(1);
      await savePictures(page, `${name}.${language}`);
      if (SCREENSHOTS === undefined) await expectAccessibleIn(page, language);
    }),
);

const UNSCRIPTED = VIEW_NAMES.filter((name) => !SCRIPTED.has(name));

test.each(UNSCRIPTED.flatMap((name) => LANGUAGES.map((to) => [name, to] as const)))(
  '%s in %s without JavaScript: the same view, nothing hidden that is needed, every form has its button',
  (name, language) =>
    show(name, language, false, async (page) => {
      await expectFits(page);
      for (const form of await page.locator('form').all())
        expect(await form.locator('button:not([type=button])').count()).toBeGreaterThan(0);
      // Nothing is promised that only the script would do.
      expect(await page.locator('[data-copy], [data-scripted]:visible').count()).toBe(0);
      expect(await page.locator('h1:visible').count()).toBe(1);
      await savePictures(page, `${name}.${language}.without-script`);
    }),
);

test.each(LANGUAGES)(
  'copy in %s: one tap puts the plain digits on the clipboard, and says so',
  (language) =>
    asCustomer(
      browser,
      { locale: language, permissions: ['clipboard-read', 'clipboard-write'] },
      async ({ page }) => {
        await page.goto((shown.shown.get('pay-account') as ShownView).url);
        const copied: string[] = [];
        for (const button of await page.locator('[data-copy]').all()) {
          await button.click();
          await page.locator('[data-announce]:not(:empty)').waitFor();
          await expect
            .poll(() => button.textContent())
            .toBe(await button.getAttribute('data-copied'));
          copied.push(await page.evaluate<string>('navigator.clipboard.readText()'));
        }
        expect(copied).toEqual([
          '1500.5',
          accountOf(shop, 'ProviderA').accountNumber,
          shown.shown.get('pay-account')?.order.orderReference,
        ]);
      },
    ),
);

test('forced colours and a dark page: buttons keep their edges, and a QR code stays dark on white', () =>
  asCustomer(browser, { forcedColors: 'active', colorScheme: 'dark' }, async ({ page }) => {
    await page.goto((shown.shown.get('pay-qr') as ShownView).url);
    const edges = await page.locator('button:visible, .button, input').evaluateAll((elements) =>
      elements.map((element) => {
        const { borderTopStyle, borderTopWidth } = (
          globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }
        ).getComputedStyle(element);
        return `${borderTopStyle} ${borderTopWidth}`;
      }),
    );
    expect(edges.filter((edge) => !/^solid [1-9]/.test(edge) && edge !== 'none 0px')).toEqual([]);
    for (const forcedColors of ['active', 'none'] as const) {
      await page.emulateMedia({ forcedColors, colorScheme: 'dark' });
      const picture = await page.locator('.qr > svg').screenshot();
      expect(await shadesOf(page, picture)).toEqual({ quiet: 'white', finder: 'black' });
    }
  }));

test('nothing moves for those who asked for that', () =>
  asCustomer(browser, { reducedMotion: 'reduce' }, async ({ page }) => {
    await page.goto((shown.shown.get('waiting') as ShownView).url);
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate('document.getAnimations().length')).toBeGreaterThan(0);
  }));

/**
 * What a camera sees of a QR code: its quiet zone inside the rounded corner, and the first dark
 * module from there on.
 */
async function shadesOf(page: Page, picture: Buffer): Promise<unknown> {
  const viewer = await page.context().browser()?.newPage();
  const shades = await viewer?.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture.toString('base64')}';
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const name = (at) => { const [sum] = [context.getImageData(at, at, 1, 1).data.slice(0, 3).reduce((a, b) => a + b, 0)]; return sum > 740 ? 'white' : sum < 25 ? 'black' : 'grey ' + sum; };
    let inside = 16;
    while (inside < image.width / 2 && name(inside) !== 'black') inside += 1;
    return { quiet: name(16), finder: name(inside + 1) };
  })()`);
  await viewer?.close();
  return shades;
}

async function savePictures(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({
      path: path.join(SCREENSHOTS, `${name}.${colorScheme}.png`),
      fullPage: true,
    });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
