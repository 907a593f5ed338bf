import { afterAll, expect, test } from 'vitest';
import { rawRequest } from '../../support/raw-http.ts';
import { LANGUAGES } from './pages.ts';
import { openShop } from './shop.ts';
import { showEveryView, VIEWS, type ViewName } from './views.ts';

/** What a first load may bring on the wire: 21,000 bytes with the largest logo and its head. */
const BYTES_MAX = 21_000 - 8_192 - 500;

/**
 * Views that are an address of their own; the others are answers to a form, with the same style and
 * script.
 */
const OPENED = (Object.keys(VIEWS) as (keyof typeof VIEWS)[]).filter(
  (name) => !('reach' in VIEWS[name]),
);

const shop = await openShop();
const shown = await showEveryView(shop);
afterAll(shown.close);

/**
 * The bytes of an answer as they came through the socket, its head included, with what Chromium
 * says that it takes.
 */
async function load(
  url: string,
  language: string,
): Promise<{
  readonly bytes: number;
  readonly encoding: string | undefined;
  readonly text: () => string;
}> {
  const { origin, pathname, search } = new URL(url);
  const headers = [
    ['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['Accept-Language', language],
  ] as const;
  const answer = await rawRequest(origin, { path: pathname + search, headers });
  const plain = await rawRequest(origin, {
    path: pathname + search,
    headers: headers.filter(([name]) => name !== 'Accept-Encoding'),
  });
  const head = answer.headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    `HTTP/1.1 ${answer.status} Service Unavailable\r\n\r\n`.length,
  );
  return {
    bytes: head + answer.body.length,
    encoding: answer.header('content-encoding'),
    text: () => plain.text,
  };
}

test.each(OPENED)(
  `%s: page, style and script, with room for a logo, stay within ${BYTES_MAX} bytes on the wire in every language`,
  async (name: ViewName) => {
    const { url } = shown.shown.get(name) as { url: string };
    for (const language of LANGUAGES) {
      const page = await load(url, language);
      const text = page.text();
      const parts = [
        ...text.matchAll(/<(?:link|script|img)[^>]* (?:href|src)="(?!data:)([^"]+)"/g),
      ].map(([, address = '']) => new URL(address.replaceAll('&amp;', '&'), url).href);
      expect(parts.map((part) => new URL(part).pathname)).toEqual([
        '/pay/assets/checkout.css',
        '/pay/assets/checkout.js',
      ]);
      const loaded = await Promise.all(parts.map((part) => load(part, language)));
      const bytes = [page, ...loaded].map((one) => one.bytes);
      const sum = bytes.reduce((total, one) => total + one, 0);
      if (process.env['PAGE_SIZES'] !== undefined)
        process.stdout.write(`| ${name} | ${language} | ${bytes.join(' | ')} | ${sum} |\n`);
      expect([page, ...loaded].map(({ encoding }) => encoding)).toEqual(['br', 'br', 'br']);
      expect(sum).toBeLessThanOrEqual(BYTES_MAX);
    }
  },
);
