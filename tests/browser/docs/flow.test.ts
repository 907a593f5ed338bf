import { expect } from 'vitest';
import { createMember, createMerchant } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';
import { sharedBrowser } from '../../support/shared-browser.ts';
import { buildStale, openApp } from '../../support/web-app.ts';
import { expectAccessible } from '../checks.ts';

/** The merchants' documentation at /docs. */

await buildStale();
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await createMember(service);
const browser = await sharedBrowser();

/** What is cut off, or makes the whole page scroll: code and tables scroll by themselves. */
const TOO_WIDE = `[...document.querySelectorAll('body *')]
  .filter((element) => element.closest('pre > *, .wide > *, .skip') === null)
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
  .map((element) => element.outerHTML.slice(0, 120))`;

const read = async (headers: Record<string, string> = {}) =>
  await fetch(`${service.url}/docs/`, { headers });

test('is whole without JavaScript, and its links lead to headings of the page', async () => {
  const html = await (await read()).text();
  const anchors = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href as string);
  const inside = links.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
  expect(inside.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual([]);
  expect(inside.length).toBeGreaterThan(100);
  expect(links.filter((href) => /\.md|^https?:/.test(href))).toEqual([]);
  expect(html).toContain(`export MUNSHI_URL=${service.url}\n`);
});

test('loads in 40 KB, may be kept, and is not sent again to who has it', async () => {
  const page = await read();
  const html = await page.text();
  expect(page.headers.get('cache-control')).toBe('public, max-age=300');
  const [, script] = /<script[^>]* src="\.\/([^"]+)"/.exec(html) ?? [];
  const sizes = await Promise.all(
    ['', script].map(async (file) => {
      const answer = await fetch(`${service.url}/docs/${file}`, {
        headers: { 'Accept-Encoding': 'br' },
      });
      expect(answer.headers.get('content-encoding')).toBe('br');
      return Number(answer.headers.get('content-length'));
    }),
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(40 * 1024);
  const again = await read({ 'If-None-Match': page.headers.get('etag') as string });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test.each(['light', 'dark'] as const)(
  'fits narrow phones and is accessible, %s',
  async (scheme) => {
    const context = await browser.newContext({ colorScheme: scheme });
    const { page, close } = await openApp(context, service, '/docs/');
    await page.locator('#form').waitFor();
    await expectAccessible(page);
    for (const width of [320, 180]) {
      await page.setViewportSize({ width, height: 640 });
      expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    }
    await close();
  },
);

test('sends what is typed, signed with the secret, and shows the answer', async () => {
  const { page, expectQuiet } = await openApp(await browser.newContext(), service, '/docs/');
  const answer = page.locator('#answer');
  const send = () => page.getByRole('button', { name: 'Send' }).click();
  await page.getByLabel('API key').fill(merchant.apiKey);
  await page.getByLabel('Signing secret').fill(merchant.signingSecret);
  const body = page.getByLabel('Body');
  await body.fill((await body.inputValue()).replace('1500.5', '99999999999999.9990'));
  await send();
  await answer.getByText('200').waitFor();
  expect(await answer.innerText()).toContain('amount=99999999999999.9990&');
  await answer.getByRole('link', { name: 'Open the payment page' }).waitFor();

  await page.getByLabel('Request').selectOption({
    label: 'GET /orders/{id}/status · Look up an order by its orderId or orderReference',
  });
  await send();
  await answer.getByText('"amount": 99999999999999.999,').waitFor();

  await page.getByLabel('Request').selectOption({ index: 0 });
  await page.getByLabel('Signing secret').fill('sksec_another');
  await send();
  await answer.getByText('SIGNATURE_INVALID').waitFor();
  expectQuiet();
});
