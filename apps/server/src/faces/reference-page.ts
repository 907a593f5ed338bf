import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { etagOf } from '../platform/http/encode.ts';

/** The page loads nothing from elsewhere: no fonts, no telemetry, no assistants. */
const REFERENCE = {
  withDefaultFonts: false,
  agent: { disabled: true },
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  mcp: { disabled: true },
  pageTitle: 'Munshi API reference',
};

/** One document that the page shows. */
interface Source {
  readonly title: string;
  readonly slug: string;
  readonly url: string;
}

interface Reference {
  page(nonce: string): string;
  /** JavaScript, gzipped. */
  readonly script: Buffer;
  readonly etag: string;
}

/** `/apis`. The viewer, 150 ms and some megabytes, is loaded for its first visitor. */
export function referenceRoutes(app: FastifyInstance, sources: readonly Source[]): void {
  let loading: Promise<Reference> | undefined;
  const reference = () => {
    loading ??= loadReference(sources);
    return loading;
  };

  app.get('/apis', (_request, reply) => reply.redirect('apis/', 301));
  app.get('/apis/', async (_request, reply) => {
    const { page } = await reference();
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(page(nonce));
  });
  app.get('/apis/js/scalar.js', async ({ headers }, reply) => {
    const { script, etag } = await reference();
    reply
      .header('cache-control', 'public, max-age=3600')
      .header('etag', etag)
      .header('x-content-type-options', 'nosniff');
    if (headers['if-none-match'] === etag) return reply.code(304).send();
    return reply
      .header('content-encoding', 'gzip')
      .type('text/javascript; charset=utf-8')
      .send(script);
  });
}

const contentSecurityPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

async function loadReference(sources: readonly Source[]): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const placeholder = randomBytes(16).toString('hex');
  // The plugin adds routes at start-up only, so it gets a server of its own.
  const viewer = Fastify();
  await viewer.register(scalar, {
    routePrefix: '/apis',
    configuration: { ...REFERENCE, sources: [...sources], nonce: placeholder },
  });
  const [page, script] = [await viewer.inject('/apis/'), await viewer.inject('/apis/js/scalar.js')];
  await viewer.close();
  const compressed = await promisify(gzip)(script.rawPayload);
  return {
    page: (nonce) => page.body.replaceAll(placeholder, nonce),
    script: compressed,
    etag: etagOf(compressed),
  };
}
