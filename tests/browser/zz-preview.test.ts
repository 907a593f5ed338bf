import { test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { openShop } from './shop.ts';
import { showEveryView } from './views.ts';

test('preview', async () => {
  const shop = await openShop();
  const { shown, close } = await showEveryView(shop);
  const browser = await launchBrowser();
  const names = (process.env.NAMES ?? '').split(',').filter(Boolean);
  for (const lang of (process.env.LANGS ?? 'en').split(',')) {
    const context = await browser.newContext({
      viewport: { width: 360, height: 640 },
      locale: lang,
      colorScheme: (process.env.SCHEME ?? 'light') as never,
      javaScriptEnabled: process.env.NOJS === undefined,
    });
    for (const [name, view] of shown) {
      if (names.length > 0 && !names.includes(name)) continue;
      const page = await context.newPage();
      page.on('console', (m) => console.log(name, m.text()));
      try {
        await page.goto(view.url);
        await view.reach?.(page);
        await page.waitForLoadState();
        await page.screenshot({ path: `/tmp/shots/${lang}-${name}.png`, fullPage: true });
      } catch (e) {
        console.log(name, String(e).slice(0, 200));
      }
      await page.close();
    }
  }
  await browser.close();
  await close();
  await shop.close();
}, 300_000);
