import type { Chance } from '../simulation/chance.ts';
import { fetchResolved } from '../support/openapi.ts';
import { checkAgainst } from './judge.ts';
import type { Draft } from './request.ts';
import { fittingFields, type JsonSchema } from './values.ts';
import type { WireAnswer } from './wire.ts';
import type { World } from './world.ts';

/** One route of a face: what a good request to it looks like, and what it may answer. */
export interface Operation {
  readonly name: string;
  readonly face: 'merchant' | 'operator' | 'member' | 'portal' | 'page' | 'open';
  readonly documented: ReadonlySet<number>;
  readonly bodyLimit: number;
  /** How often it is drawn, beside the others of its face. */
  readonly weight: number;
  draft(world: World, chance: Chance): Draft;
  /** What is wrong with a success. */
  check(answer: WireAnswer): string | undefined;
}

interface DocumentedOperation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }
    >
  >;
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

const FACES = ['merchant', 'operator', 'member', 'portal'] as const;
const BODY_LIMIT = 65_536;
const PAGE_BODY_LIMIT = 16_384;

/**
 * Every route of every face: the documented ones from their OpenAPI documents, the hosted page's
 * from the table below.
 */
export async function readOperations(url: string): Promise<readonly Operation[]> {
  const documents = await Promise.all(
    FACES.map(async (face) => [face, await fetchResolved<OpenApi>(url, face)] as const),
  );
  const documented = documents.flatMap(([face, { paths }]) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) =>
        documentedOperation(face, path, method, operation),
      ),
    ),
  );
  return [...documented, ...PAGE.map(pageOperation), ...OPEN.map(openOperation)];
}

/** Signing in costs 40 ms of a core for each try; the clock of the run is its own. */
const WEIGHTS: Readonly<Record<string, number>> = {
  'POST /api/merchant/orders': 60,
  'GET /api/merchant/events': 2,
  'POST /api/merchant/events/resend': 1,
  'POST /api/operator/session': 1,
  'POST /api/member/session': 1,
  'POST /api/portal/session': 1,
  'POST /api/operator/operators': 1,
  'POST /api/operator/members': 1,
  'POST /api/operator/webhooks/replay': 1,
  'POST /api/portal/webhooks/replay': 1,
  'POST /api/operator/clock/advance': 1,
  'POST /api/operator/sandbox/orders': 1,
  'GET /api/member/events': 2,
  'GET /api/operator/events': 2,
  'GET /api/portal/events': 2,
};

function documentedOperation(
  face: (typeof FACES)[number],
  path: string,
  method: string,
  operation: DocumentedOperation,
): Operation {
  const name = `${method.toUpperCase()} ${path}`;
  const { parameters = [], requestBody, responses } = operation;
  const bodySchema = requestBody?.content['application/json']?.schema;
  const queries = parameters.filter((parameter) => parameter.in === 'query');
  return {
    name,
    face,
    documented: new Set(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status < 500),
    ),
    bodyLimit: BODY_LIMIT,
    weight: WEIGHTS[name] ?? 10,
    check: checkAgainst(responses['200']?.content?.['application/json']?.schema),
    draft(world, chance) {
      const segments = path
        .slice(1)
        .replaceAll(/\{(\w+)\}/g, (_all, id: string) => world.idFor(id, face, chance))
        .split('/');
      const draft: Draft = {
        method: method.toUpperCase(),
        segments,
        query: [],
        headers: [],
        body: { kind: 'none' },
        framing: { kind: 'length' },
        done: [],
        odd: new Set(),
      };
      for (const { name: query, schema } of queries) {
        if (!chance.oneIn(face === 'merchant' ? 1 : 4)) continue;
        draft.query.push(`${query}=${encodeURIComponent(world.queryValue(query, schema, chance))}`);
      }
      if (face === 'merchant' && draft.query.length === 2) draft.query.splice(chance.number(2), 1);
      draft.headers.push(world.credentialFor(face, name, chance));
      if (bodySchema !== undefined || chance.oneIn(8)) {
        const secret = face === 'merchant' ? world.merchant.signingSecret : undefined;
        draft.body = {
          kind: 'object',
          fields: fittingFields(bodySchema ?? {}, world.known(name), chance),
          secret,
          padTo: undefined,
        };
        draft.headers.push(['Content-Type', 'application/json']);
      }
      const takesKey = parameters.some(({ name: header }) => header === 'Idempotency-Key');
      if (takesKey && (face === 'merchant' || !chance.oneIn(4)))
        draft.headers.push([
          'Idempotency-Key',
          chance.oneIn(10) ? 'shared' : world.freshKey(chance),
        ]);
      return draft;
    },
  };
}

/** The hosted page (faces: Hosted page). Its answers are pages, or JSON for scripts. */
const PAGE = [
  { method: 'GET', action: '', statuses: [200, 403, 410] },
  { method: 'GET', action: 'state', statuses: [200, 403, 410] },
  { method: 'GET', action: 'qr.png', statuses: [200, 403, 404, 410] },
  { method: 'GET', action: 'receipt.txt', statuses: [200, 403, 404, 410] },
  { method: 'POST', action: 'open', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'method', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'payer', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'confirm', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'add', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'account', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'cancel', statuses: [200, 303, 400, 403, 409, 410] },
  { method: 'POST', action: 'check', statuses: [200, 303, 400, 403, 410] },
  { method: 'POST', action: 'claim', statuses: [200, 303, 400, 403, 409, 410] },
] as const;

const PAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  walletType: ['ProviderA', 'ProviderBQR', 'TillID', 'BankAccount', 'Cash', ''],
  accountNumber: [
    '03001234567',
    '0300-123 4567',
    '٠٣٠٠١٢٣٤٥٦٧',
    '',
    'x',
    '1'.repeat(50),
    '1'.repeat(51),
  ],
  accountName: ['A. Customer', '', '🙂'.repeat(200), '🙂'.repeat(201)],
  ibanLast4: ['1234', '12 34', '१२३४', '123', 'abcd'],
  transactionDigits: ['1234', '12345678', '১২৩৪', '12', 'abcd', '123456789012345678901'],
  edit: ['1'],
  correctedDigits: ['4821', '48 21', '', 'x'],
  amountSent: ['1450.50', '1,450', '0', '-1', 'x', '9'.repeat(30)],
  paidBy: ['A. Customer', '', '🙂'.repeat(101)],
};
const ACCEPTS = ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json', '*/*'];

function pageOperation({ method, action, statuses }: (typeof PAGE)[number]): Operation {
  return {
    name: `${method} /pay/{orderId}${action === '' ? '' : `/${action}`}`,
    face: 'page',
    documented: new Set(statuses),
    bodyLimit: PAGE_BODY_LIMIT,
    weight: action === 'cancel' ? 3 : 10,
    check: action === 'receipt.txt' ? checkReceipt : checkPage,
    draft(world, chance) {
      const link = chance.pick(world.links);
      const fields = Object.entries(PAGE_FIELDS).filter(() => chance.oneIn(2));
      const draft: Draft = {
        method,
        segments: ['pay', link.orderId, ...(action === '' ? [] : [action])],
        query: [...link.query],
        headers: [['Accept', chance.pick(ACCEPTS)]],
        body: { kind: 'none' },
        framing: { kind: 'length' },
        done: [],
        odd: new Set(),
      };
      if (chance.oneIn(3))
        draft.query.push(
          `lang=${chance.pick(['en', 'ur', 'hi', 'bn', 'xx', '', '__proto__', 'constructor'])}`,
        );
      if (method === 'POST' && chance.oneIn(2)) {
        draft.body = {
          kind: 'form',
          fields: fields.map(([name, values]) => [name, encodeURIComponent(chance.pick(values))]),
        };
        draft.headers.push(['Content-Type', 'application/x-www-form-urlencoded']);
      } else if (method === 'POST') {
        draft.body = {
          kind: 'object',
          fields: fields.map(([name, values]) => [
            `"${name}"`,
            JSON.stringify(chance.pick(values)),
          ]),
          secret: undefined,
          padTo: undefined,
        };
        draft.headers.push(['Content-Type', 'application/json']);
      }
      return draft;
    },
  };
}

function checkPage({ headers, body }: WireAnswer): string | undefined {
  const type = (headers.get('content-type') ?? '').split(';')[0];
  if (type === 'image/png')
    return body.subarray(1, 4).toString() === 'PNG' ? undefined : 'a picture that is none';
  if (type === 'text/html')
    return /^<!doctype html>/i.test(body.toString()) ? undefined : 'a page that is no page';
  const json = JSON.parse(body.toString()) as { data?: { view?: unknown; claimed?: unknown } };
  return typeof json.data?.view === 'string' || json.data?.claimed === true
    ? undefined
    : 'a state of another shape';
}

/** The shop, what became of the payment, an empty line, then the facts, each with its label. */
const RECEIPT = /^.+\n.+\n\n(?:.+: \u2068.+\u2069\n){4,}$/;

function checkReceipt({ headers, body }: WireAnswer): string | undefined {
  if (headers.get('content-type') !== 'text/plain; charset=utf-8')
    return 'a receipt that is no text';
  if (!headers.get('content-disposition')?.startsWith('attachment;'))
    return 'a receipt that is shown as a page';
  return RECEIPT.test(body.toString()) ? undefined : 'a receipt of another shape';
}

/** What needs no face: health, metrics, documents. */
const OPEN = [
  'healthz',
  'readyz',
  'metrics',
  'docs/',
  'openapi/merchant.json',
  'pay/assets/checkout.js',
  'nowhere',
  '',
];

function openOperation(path: string): Operation {
  return {
    name: `GET /${path}`,
    face: 'open',
    documented: new Set(path === 'nowhere' ? [404] : [200]),
    bodyLimit: BODY_LIMIT,
    weight: 10,
    check: () => undefined,
    draft: () => ({
      method: 'GET',
      segments: path.split('/'),
      query: [],
      headers: [],
      body: { kind: 'none' },
      framing: { kind: 'length' },
      done: [],
      odd: new Set(),
    }),
  };
}

/** How often each face is drawn, of a hundred. */
const SHARES: readonly (readonly [Operation['face'], number])[] = [
  ['merchant', 40],
  ['page', 20],
  ['operator', 20],
  ['member', 12],
  ['portal', 6],
  ['open', 2],
];

export function pickOperation(operations: readonly Operation[], chance: Chance): Operation {
  const face = weighted(SHARES, chance);
  const ofFace = operations.filter((operation) => operation.face === face);
  return weighted(
    ofFace.map((operation) => [operation, operation.weight] as const),
    chance,
  );
}

function weighted<T>(from: readonly (readonly [T, number])[], chance: Chance): T {
  let left = chance.number(from.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [one, weight] of from) {
    if (left < weight) return one;
    left -= weight;
  }
  throw new Error('there is nothing to draw from');
}
