import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { expectSound } from '../support/verify.ts';
import { expectAccessible, expectFits, expectLanguage, expectPlainCopies, expectQuiet, stayHere, type Watch, watch } from './checks.ts';
import { openShop, type Shop } from './shop.ts';
import { LANGUAGES, type Language, type ShownView, showEveryView, VIEW_NAMES, type ViewName } from './views.ts';

/** Set by `npm run page:screenshots`: every view is also saved as a picture, light and dark. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

let browser: Browser;
let shop: Shop;
let shown: Awaited<ReturnType<typeof showEveryView>>;

beforeAll(async () => {
  [browser, shop] = await Promise.all([launchBrowser(), openShop()]);
  shown = await showEveryView(shop);
});
afterAll(async () => {
  await browser.close();
  await expectSound(shop.service);
  await shown.close();
  await shop.close();
});

/** A small phone whose owner reads this language. */
const phones = new Map<string, Promise<{ readonly context: BrowserContext; readonly seen: Watch }>>();

async function phone(language: Language, javaScriptEnabled: boolean) {
  const context = await browser.newContext({
    viewport: { width: 360, height: 640 },
    deviceScaleFactor: 2,
    hasTouch: true,
    locale: language,
    javaScriptEnabled,
  });
  context.setDefaultTimeout(10_000);
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
async function show(name: ViewName, language: Language, script: boolean, look: (page: Page, view: ShownView) => Promise<void>): Promise<void> {
  const view = shown.shown.get(name) as ShownView;
  const key = `${language} ${script}`;
  if (!phones.has(key)) phones.set(key, phone(language, script));
  const { context, seen } = await (phones.get(key) as ReturnType<typeof phone>);
  const page = await context.newPage();
  const response = await page.goto(view.url);
  if (view.reach === undefined) expect(response?.status()).toBe(view.status);
  await view.reach?.(page);
  await page.locator(`main[data-view="${view.view}"]`).waitFor();
  await look(page, view);
  await page.close();
  expectQuiet(seen, shop.service.url, new URL(view.url).origin);
}

describe.each(LANGUAGES)('in %s', (language) => {
  test.each(VIEW_NAMES)('%s: in that language throughout, fits, is accessible in light and dark, asks nobody else', (name) =>
    show(name, language, true, async (page) => {
      await expectLanguage(page, language);
      await expectPlainCopies(page);
      await expectFits(page);
      await savePictures(page, `${name}.${language}`);
      await expectAccessible(page);
    }),
  );
});

test.each(VIEW_NAMES)('%s without JavaScript: the same view, nothing hidden that is needed, every form has its button', (name) =>
  show(name, 'en', false, async (page) => {
    await expectFits(page);
    for (const form of await page.locator('form').all()) expect(await form.locator('button:not([type=button])').count()).toBeGreaterThan(0);
    expect(await page.locator('[data-copy]:visible').count()).toBe(0);
    expect(await page.locator('h1:visible').count()).toBe(1);
  }),
);

async function savePictures(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.${colorScheme}.png`), fullPage: true });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
