import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LANGUAGES } from '../browser/checkout/pages.ts';
import { openShop } from '../browser/checkout/shop.ts';
import { type ShownView, showEveryView } from '../browser/checkout/views.ts';
import { createOrder } from '../support/fixtures.ts';
import { buildStale } from '../support/web-app.ts';
import { launchOldChromium, type OldChromium } from './support/old-chromium.ts';

/** Set to a folder: what is looked at is saved as pictures. */
const SCREENSHOTS = process.env['SCREENSHOTS'];

const shop = await openShop();
const { shown, close } = await showEveryView(shop);
afterAll(close);
beforeAll(() => buildStale());

/** Texts and marks that lie on one another, or beyond the screen; `.sent` floats above the rest. */
const MEASURED = `(() => {
  const boxes = [];
  for (const mark of document.querySelectorAll('svg.method, svg.mark, .icon, .shield'))
    boxes.push([mark.getAttribute('class'), mark.getBoundingClientRect()]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.data.trim() || text.parentElement.closest('script, svg, [data-announce], details:not([open]) > :not(summary), .sent')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) boxes.push([text.data.trim(), box]);
  }
  const seen = boxes.filter(([, box]) => box.width > 0 && box.height > 0);
  const wrong = seen.filter(([, box]) => box.left < 0 || box.right > innerWidth).map(([said]) => said + ' is beyond the screen');
  seen.forEach(([said, a], at) => {
    for (const [other, b] of seen.slice(at + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Lines of one text are closer than their boxes.
      if (across > 2 && down > Math.min(a.height, b.height) / 2) wrong.push(said + ' lies on ' + other);
    }
  });
  return wrong;
})()`;

describe('the payment page in Chromium 64', () => {
  let old: OldChromium;
  beforeAll(async () => {
    old = await launchOldChromium(64);
  });
  afterAll(() => old.close());

  test.each([...shown.values()].filter(({ reach }) => reach === undefined))(
    '$name: nothing lies on anything else, at 320 and 412 pixels, in every language',
    async ({ name, url }: ShownView) => {
      for (const language of LANGUAGES)
        for (const width of [320, 412]) {
          const page = await old.page({ language });
          await page.resize(width, 700);
          await page.open(`${url}&lang=${language}`);
          expect(await page.evaluate(MEASURED), `${language} ${width}`).toEqual([]);
          if (SCREENSHOTS === undefined) continue;
          mkdirSync(SCREENSHOTS, { recursive: true });
          await page.picture(
            path.join(SCREENSHOTS, `${name}.${language}.${width}.chromium-64.png`),
          );
        }
    },
  );

  test('takes a customer from the account to the receiver’s look', async () => {
    const order = await createOrder(shop.merchant, { amount: 1500 });
    const page = await old.page();
    await page.resize(360, 640);
    await page.open(order.paymentPageUrl);
    await page.until(`document.querySelector('main[data-view=pay]')`);
    await page.tap('.sent > summary');
    await page.until(`document.activeElement.name === 'transactionDigits'`);
    await page.type('4821');
    const button = `document.querySelector('.sent [type=submit]')`;
    await page.until(`getComputedStyle(${button}).visibility === 'visible'`);
    await page.tap('.sent [type=submit]');
    await page.until(`document.querySelector('main[data-view=check]')`);
    await page.tap('form[action*="/confirm?"] button');
    await page.until(`document.querySelector('main[data-view=verifying]')`);
    expect(page.errors).toEqual([]);
  });

  test.each(['console', 'portal', 'member'])('the %s says what it needs', async (app) => {
    const page = await old.page();
    await page.open(`${shop.service.url}/${app}/`);
    await page.until(
      `getComputedStyle(document.querySelector('.not-started')).visibility === 'visible'`,
    );
    expect(await page.evaluate('document.body.innerText')).toMatch(
      /needs JavaScript and Chrome \d+/,
    );
  });
});

test('a text browser shows a payment as it is', async () => {
  if (spawnSync('w3m', ['-version']).error) throw new Error('w3m is missing: apt-get install w3m');
  const read = async (name: string) => {
    const { url } = shown.get(name as never) as ShownView;
    const input = await (await fetch(url, { headers: { Accept: 'text/html' } })).text();
    const { stdout } = spawnSync('w3m', ['-dump', '-T', 'text/html'], { input, encoding: 'utf8' });
    return stdout.replace(/\s+/g, ' ');
  };
  const paying = await read('pay-account');
  expect(paying).toContain('PKR 1,500.50');
  expect(paying).toContain('I have sent it');
  expect(paying).not.toMatch(/expired|Time left|Copied|Less than two minutes/);
  expect(await read('completed')).not.toMatch(/taken back|Print|Share/);
});
