import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brandShades } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BoundedMap } from '../platform/bounded-map.ts';
import { encode, encodingFor } from '../platform/http/encode.ts';

const read = (name: string) => readFileSync(path.join(import.meta.dirname, 'assets', name));
/** Without what only its readers need: a first load has few bytes to spare. */
const STYLE = Buffer.from(
  read('checkout.css')
    .toString()
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}'),
);
const SCRIPT = Buffer.from(
  read('checkout.js')
    .toString()
    .replace(/^ *\/\*\*.*?\*\/\n/gms, '')
    .replace(/^ *(\/\/.*\n)?/gm, '')
    // What stands in quotes stays, and a line after one that may end a statement.
    .replace(/('[^'\n]*'|`[^`]*`)| ?([{}=<>?:&|,;]+) ?/g, (_, text, sign) => text ?? sign)
    .replace(/([;,{([=>?:&|])\n|\n([.)}\]?:])/g, '$1$2'),
);

/** First-party style and script. Their address changes with their content. */
export const ASSETS_VERSION = createHash('sha256')
  .update(STYLE)
  .update(SCRIPT)
  .digest('hex')
  .slice(0, 12);

/** What a brand's colour lies on: cards and the page itself, as the style has them. */
const LIGHT = ['#ffffff', '#eef1f5'];
const DARK = ['#1b222c', '#11161d'];

/** Answers as they are sent, by address and encoding; one of each brand's style. */
const sent = new BoundedMap<string, Buffer>(2_000);

export function assetRoutes(app: FastifyInstance) {
  const serve = (
    name: string,
    type: string,
    contentFor: (brand: string, scheme: string) => Buffer,
  ) =>
    app.get(
      `/assets/${name}`,
      { schema: { hide: true } as never },
      (request: FastifyRequest<{ Querystring: { brand?: unknown; scheme?: unknown } }>, reply) => {
        const [brand = ''] = /^[0-9a-f]{6}$/.exec(String(request.query.brand)) ?? [];
        const [scheme = ''] = /^(light|dark)$/.exec(String(request.query.scheme)) ?? [];
        const encoding = encodingFor(request.headers['accept-encoding']);
        const key = `${name} ${brand} ${scheme} ${encoding}`;
        const content = sent.get(key) ?? make();
        sent.set(key, content);
        reply
          .header('cache-control', 'public, max-age=31536000, immutable')
          .header('vary', 'Accept-Encoding')
          .type(type);
        return encoding === undefined
          ? reply.send(content)
          : reply.header('content-encoding', encoding).send(content);

        function make(): Buffer {
          const plain = contentFor(brand, scheme);
          // Anybody may ask for any colour: these are not compressed for long.
          return encoding === undefined ? plain : encode(plain, encoding, brand === '');
        }
      },
    );
  serve('checkout.css', 'text/css; charset=utf-8', (brand, scheme) => {
    const style =
      brand === '' ? STYLE : Buffer.concat([STYLE, Buffer.from(brandStyle(`#${brand}`))]);
    return scheme === '' ? style : inScheme(style, scheme);
  });
  serve('checkout.js', 'text/javascript; charset=utf-8', () => SCRIPT);
}

/** The style in one theme, regardless of the browser's: operators look at both. */
const inScheme = (style: Buffer, scheme: string) =>
  Buffer.from(
    style
      .toString()
      .replaceAll(
        /@media ?\(prefers-color-scheme:dark\)/g,
        scheme === 'dark' ? '@media all' : '@media not all',
      )
      .replace('color-scheme:light dark', `color-scheme:${scheme}`),
  );

/** The colour in the style itself: the page's policy allows none in the page. */
function brandStyle(colour: string): string {
  const theme = (surfaces: readonly string[]) => {
    const { fill, onFill, edge, ink } = brandShades(colour, surfaces);
    return `:root{--accent:${fill};--on-accent:${onFill};--accent-edge:${edge};--accent-ink:${ink}}`;
  };
  return `${theme(LIGHT)}@media(prefers-color-scheme:dark){${theme(DARK)}}`;
}
