import { hash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import swagger from '@fastify/swagger';
import { WEBHOOKS } from '@munshi/api';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Deps } from './deps.ts';
import { type Encoding, encode, encodingFor } from './encode.ts';

interface FaceDescription {
  readonly title: string;
  readonly description: string;
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** What the service itself sends. */
  readonly webhooks?: object;
}

const BEARER_TOKEN = { type: 'http', scheme: 'bearer' };
const session = (name: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name,
  description:
    'What a browser keeps of a sign-in. Writes carry the anti-forgery token that the sign-in answered too, in `X-CSRF-Token`.',
});

/** Every face that has an OpenAPI document, `/openapi/<name>.json`. */
const FACES = {
  merchant: {
    title: 'Munshi merchant API',
    description:
      'Deposit and withdrawal orders, their status, and the wallet balance. JSON over HTTPS; amounts are exact decimal numbers, timestamps ISO 8601 UTC, successful answers are wrapped as `{data}`. There are no rate limits.',
    securitySchemes: {
      'SVC-API-Key': {
        type: 'apiKey',
        in: 'header',
        name: 'SVC-API-Key',
        description: 'The API key, `mk_live_` and 32 letters or digits.',
      },
      bearer: {
        ...BEARER_TOKEN,
        description: 'The API key again. When both are sent, SVC-API-Key is used.',
      },
    },
    webhooks: WEBHOOKS,
  },
  operator: {
    title: 'Munshi operator API',
    description:
      'Merchants, members, fees, orders and settings. For scripts with a token and for signed-in operators.',
    securitySchemes: {
      bearer: { ...BEARER_TOKEN, description: 'An operator token, `op_…`.' },
      session: session('munshi_operator'),
    },
  },
  member: {
    title: 'Munshi member API',
    description: 'A member’s presence, accounts and orders.',
    securitySchemes: {
      bearer: { ...BEARER_TOKEN, description: 'The token that POST /session answers.' },
      session: session('munshi_member'),
    },
  },
} as const satisfies Record<string, FaceDescription>;

type FaceName = keyof typeof FACES;

/** The routes' own schemas, shown as OpenAPI 3.1 documents and as pages. */
export interface Documentation {
  /** Notes every route that is added to this scope afterwards. */
  describe(scope: FastifyInstance, name: FaceName): Promise<void>;
  /** `/openapi/<face>.json` for the faces described, and `/docs`. */
  routes(app: FastifyInstance): void;
}

/** A document is made when it is first asked for. */
export function createDocumentation({ pageOrigin }: Pick<Deps, 'pageOrigin'>): Documentation {
  const scopes = new Map<FaceName, FastifyInstance>();
  const made = new Map<FaceName, Kept>();

  function documentOf(name: FaceName, scope: FastifyInstance): Kept {
    let document = made.get(name);
    if (document === undefined) {
      const { paths, ...rest } = scope.swagger() as { paths?: object };
      const { webhooks }: FaceDescription = FACES[name];
      const sorted = Object.fromEntries(
        Object.entries(paths ?? {}).sort(([left], [right]) => (left < right ? -1 : 1)),
      );
      const text = JSON.stringify({
        ...rest,
        servers: [{ url: pageOrigin() || '/' }],
        paths: sorted,
        webhooks,
      });
      document = keep(Buffer.from(text));
      made.set(name, document);
    }
    return document;
  }

  return {
    async describe(scope, name) {
      const { title, description, securitySchemes } = FACES[name];
      const security = Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] }));
      await scope.register(swagger, {
        openapi: {
          openapi: '3.1.0',
          info: { title, description, version: '1.0.0' },
          components: { securitySchemes: securitySchemes as never },
          security,
        },
        convertConstToEnum: false,
        // Whoever signs in has nothing to show yet.
        transform: ({ schema, url, route }) => ({
          schema:
            route.method === 'POST' && url.endsWith('/session')
              ? { ...schema, security: [] }
              : schema,
          url,
        }),
      });
      scopes.set(name, scope);
    },
    routes(app) {
      for (const [name, scope] of scopes) {
        app.get(`/openapi/${name}.json`, (request, reply) =>
          sendKept(request, reply.type('application/json; charset=utf-8'), documentOf(name, scope)),
        );
      }
      referenceRoutes(app, [...scopes.keys()]);
    },
  };
}

/**
 * Content that is the same for all and for as long as the process lives: sent again only to whoever
 * has another one.
 */
interface Kept {
  readonly content: Buffer;
  readonly etag: string;
  readonly encoded: Map<Encoding, Buffer>;
}

const etagOf = (content: Buffer) => `"${hash('sha256', content, 'base64url').slice(0, 22)}"`;
const keep = (content: Buffer): Kept => ({ content, etag: etagOf(content), encoded: new Map() });

function sendKept({ headers }: FastifyRequest, reply: FastifyReply, kept: Kept) {
  reply
    .header('cache-control', 'public, max-age=300')
    .header('vary', 'Accept-Encoding')
    .header('etag', kept.etag);
  if (headers['if-none-match'] === kept.etag) return reply.code(304).send();
  const encoding = encodingFor(headers['accept-encoding']);
  if (encoding === undefined) return reply.send(kept.content);
  const smaller = kept.encoded.get(encoding) ?? encode(kept.content, encoding);
  kept.encoded.set(encoding, smaller);
  return reply.header('content-encoding', encoding).send(smaller);
}

/**
 * The pages' script asks nobody but this service: no fonts, no telemetry, no assistants from
 * elsewhere.
 */
const REFERENCE = {
  withDefaultFonts: false,
  agent: { disabled: true },
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never' as const,
  mcp: { disabled: true },
  pageTitle: 'Munshi API reference',
};

interface Reference {
  page(nonce: string): string;
  /** JavaScript, gzipped. */
  readonly script: Buffer;
  readonly etag: string;
}

/**
 * `/docs`. The viewer takes 150 ms and some megabytes to load, so that only the first visitor pays
 * for it.
 */
function referenceRoutes(app: FastifyInstance, names: readonly FaceName[]): void {
  let loading: Promise<Reference> | undefined;
  const reference = () => {
    loading ??= loadReference(names);
    return loading;
  };

  app.get('/docs', (_request, reply) => reply.redirect('docs/', 301));
  app.get('/docs/', async (_request, reply) => {
    const { page } = await reference();
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .type('text/html; charset=utf-8')
      .send(page(nonce));
  });
  app.get('/docs/js/scalar.js', async ({ headers }, reply) => {
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

async function loadReference(names: readonly FaceName[]): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const placeholder = randomBytes(16).toString('hex');
  const sources = names.map((name) => ({
    title: FACES[name].title,
    slug: name,
    url: `../openapi/${name}.json`,
  }));
  // The plugin adds its routes at start-up only; a server of its own lets it be loaded later.
  const viewer = Fastify();
  await viewer.register(scalar, {
    routePrefix: '/docs',
    configuration: { ...REFERENCE, sources, nonce: placeholder },
  });
  const [page, script] = [await viewer.inject('/docs/'), await viewer.inject('/docs/js/scalar.js')];
  await viewer.close();
  const compressed = await promisify(gzip)(script.rawPayload);
  return {
    page: (nonce) => page.body.replaceAll(placeholder, nonce),
    script: compressed,
    etag: etagOf(compressed),
  };
}
