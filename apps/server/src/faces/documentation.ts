import swagger from '@fastify/swagger';
import { WEBHOOKS } from '@munshi/api';
import type { FastifyInstance } from 'fastify';
import { type Kept, keep, sendKept } from '../platform/http/kept.ts';
import type { FaceDeps } from './deps.ts';
import { named } from './openapi-names.ts';
import { referenceRoutes } from './reference-page.ts';

interface FaceDescription {
  readonly title: string;
  readonly description: string;
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** What its operations are about. */
  readonly tags?: Readonly<Record<string, string>>;
  /** What the service itself sends. */
  readonly webhooks?: object;
}

const BEARER_TOKEN = { type: 'http', scheme: 'bearer' };
const session = (name: string) => ({
  type: 'apiKey',
  in: 'cookie',
  name,
  description: 'The cookie of a sign-in. Writes carry its anti-forgery token in `X-CSRF-Token`.',
});

const INFO = {
  contact: { name: 'The operator of this service' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

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
    tags: {
      Orders: 'Create orders, and look them up.',
      Wallet: 'What the merchant has.',
      Events: 'The outcomes of orders, to read or to have sent again.',
      Sandbox: 'Moves orders of a sandbox.',
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
  portal: {
    title: 'Munshi portal API',
    description: 'A merchant’s own people: their orders, wallet, webhooks and settings.',
    securitySchemes: {
      bearer: { ...BEARER_TOKEN, description: 'The token that POST /session answers.' },
      session: session('munshi_portal'),
    },
  },
} as const satisfies Record<string, FaceDescription>;

type FaceName = keyof typeof FACES;

/** OpenAPI 3.1 documents, made from the routes' own schemas. */
export interface Documentation {
  /** Covers every route that is added to this scope afterwards. */
  describe(scope: FastifyInstance, name: FaceName): Promise<void>;
  /** Adds `/openapi/<face>.json` for the faces described, and `/apis`. */
  routes(app: FastifyInstance): void;
}

/** A document is made when it is first requested. */
export function createDocumentation({ pageOrigin }: Pick<FaceDeps, 'pageOrigin'>): Documentation {
  const scopes = new Map<FaceName, FastifyInstance>();
  const made = new Map<FaceName, Kept>();

  function documentOf(name: FaceName, scope: FastifyInstance): Kept {
    let document = made.get(name);
    if (document === undefined) {
      const { paths = {}, ...rest } = scope.swagger() as { paths?: object };
      const { tags = {}, webhooks }: FaceDescription = FACES[name];
      const sorted = Object.entries(paths).sort(([left], [right]) => (left < right ? -1 : 1));
      const text = JSON.stringify({
        ...named({ ...rest, paths: Object.fromEntries(sorted), ...(webhooks && { webhooks }) }),
        servers: [{ url: pageOrigin() || '/' }],
        tags: usedTags(paths, tags),
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
          info: { title, description, version: '1.0.0', ...INFO },
          components: { securitySchemes: securitySchemes as never },
          security,
        },
        convertConstToEnum: false,
      });
      scopes.set(name, scope);
    },
    routes(app) {
      for (const [name, scope] of scopes) {
        app.get(`/openapi/${name}.json`, (request, reply) =>
          sendKept(request, reply.type('application/json; charset=utf-8'), documentOf(name, scope)),
        );
      }
      // Merchants have `/docs`.
      const others = [...scopes.keys()].filter((name) => name !== 'merchant');
      const sources = others.map((name) => ({
        title: FACES[name].title,
        slug: name,
        url: `../openapi/${name}.json`,
      }));
      referenceRoutes(app, sources);
    },
  };
}

/** Of the tags, those that an operation has: a live service lacks the calls of a sandbox. */
function usedTags(paths: object, tags: Readonly<Record<string, string>>) {
  const used = new Set(
    Object.values(paths).flatMap((item: Record<string, { readonly tags?: readonly string[] }>) =>
      Object.values(item).flatMap(({ tags: own = [] }) => own),
    ),
  );
  return Object.entries(tags)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
