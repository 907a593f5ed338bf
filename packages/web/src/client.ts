import {
  type AnswerOf,
  type BodyOf,
  type Code,
  type Endpoint,
  EXACT_FORMAT,
  type Exact,
  FACES,
  type ParamsOf,
  type QueryOf,
  type Timestamp,
} from '@munshi/api';
import type { TSchema } from 'typebox';
import { readJson, SourceNumber } from './read-json.ts';

/**
 * A client of the operator, member and page faces for browsers and Node. Amounts, percentages and
 * rates are decimal text in requests and answers, so that no digit is lost.
 */
export interface ApiClient {
  /**
   * Calls an endpoint and answers its body of 200, or why it was refused. Reads, and writes with an
   * Idempotency-Key, are tried again where the answer is lost or is 5xx. Throws what `fetch` threw
   * when the last attempt had no answer, and TypeError for an amount that is no decimal text.
   */
  call<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<Outcome<E>>;
  /** The same for an endpoint that answers bytes, such as a picture. */
  download<E extends Endpoint>(endpoint: E, request: RequestOf<E>): Promise<Downloaded>;
}

export interface ApiClientOptions {
  /** Such as `https://pay.example.com`; empty for the origin of a browser's page. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer`; without it a browser's cookie says who asks. */
  readonly token?: string;
  /** The `csrfToken` of the sign-in, asked before each write. */
  readonly csrfToken?: () => string | null;
  /** Sent with every request beside the client's own, asked before each. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** For each attempt; 15,000 by default. */
  readonly timeoutMs?: number;
  /** Attempts in all, 4 by default. */
  readonly attemptsMax?: number;
  /** Called with every answer, with when its request was sent; a refusal too. */
  readonly onAnswer?: (answer: Pick<Response, 'status' | 'headers'>, sentAt: number) => void;
  /** Called with every attempt that had no answer, unless the caller has ended it. */
  readonly onNoAnswer?: () => void;
}

/** An exact number as decimal text. */
export type AsText<T> = T extends Exact
  ? string
  : T extends Timestamp
    ? T
    : T extends readonly (infer Item)[]
      ? readonly AsText<Item>[]
      : T extends object
        ? { readonly [Name in keyof T]: AsText<T[Name]> }
        : T;

export type RequestOf<E extends Endpoint> = {
  /** Made for each call where none is given; give one to repeat a call of before. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** For each attempt, in the place of the client's. */
  readonly timeoutMs?: number;
} & (keyof ParamsOf<E> extends never ? unknown : { readonly params: ParamsOf<E> }) &
  (E extends { readonly querystring: TSchema } ? { readonly query?: QueryOf<E> } : unknown) &
  (E extends { readonly body: TSchema } ? { readonly body: AsText<BodyOf<E>> } : unknown);

export type Outcome<E extends Endpoint> =
  | { readonly ok: true; readonly answer: AsText<AnswerOf<E>> }
  | { readonly ok: false; readonly refusal: ApiRefusal };

export type Downloaded =
  | { readonly ok: true; readonly content: Blob }
  | { readonly ok: false; readonly refusal: ApiRefusal };

export interface ApiRefusal {
  readonly status: number;
  /** Undefined where something before the service has answered. */
  readonly code: Code | undefined;
  /** For people. */
  readonly error: string;
  /** What is wrong by field, `$.name` in a body. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Names a failed request in the service's logs. */
  readonly traceId: string | undefined;
}

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;

export function createApiClient({
  baseUrl,
  token,
  csrfToken,
  headers,
  timeoutMs = 15_000,
  attemptsMax = 4,
  onAnswer,
  onNoAnswer,
}: ApiClientOptions): ApiClient {
  /** One attempt. */
  async function send(url: string, init: RequestInit, { signal, timeoutMs: own }: Loose) {
    const timeout = AbortSignal.timeout(own ?? timeoutMs);
    const sentAt = Date.now();
    const response = await fetch(url, {
      ...init,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    onAnswer?.(response, sentAt);
    return { response, content: await response.blob() };
  }

  /** The request, tried as often as it may be. Throws what the last attempt threw. */
  async function ask(endpoint: Endpoint, request: Loose, accept: string): Promise<Downloaded> {
    const { method, face, path } = endpoint;
    const { params = {}, query = {}, body, idempotencyKey, signal } = request;
    const keyed = endpoint.headers !== undefined; // an Idempotency-Key is the only one
    const csrf = method === 'GET' ? null : csrfToken?.();
    const init = {
      method,
      headers: {
        ...headers?.(),
        Accept: accept,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(csrf && { 'X-CSRF-Token': csrf }),
        ...(keyed && { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() }),
      },
      ...(body !== undefined && { body: writeBody(endpoint.body, body) }),
    };
    const url = `${baseUrl.replace(/\/+$/, '')}${FACES[face]}${pathWith(path, params)}${textOf(query)}`;
    const attempts = method === 'GET' || keyed ? attemptsMax : 1;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await send(url, init, request).catch((error: Error) => error);
      const failed = sent instanceof Error;
      if (failed && !signal?.aborted) onNoAnswer?.();
      if (attempt >= attempts || signal?.aborted || (!failed && sent.response.status < 500)) {
        if (failed) throw sent;
        const { response, content } = sent;
        if (response.status === 200) return { ok: true, content };
        return { ok: false, refusal: readRefusal(response.status, await content.text()) };
      }
      await pause(attempt, failed ? null : sent.response.headers.get('retry-after'));
    }
  }

  return {
    download: (endpoint, request) => ask(endpoint, request, '*/*'),
    async call(endpoint, request) {
      const asked = await ask(endpoint, request, 'application/json');
      if (!asked.ok) return asked;
      return { ok: true, answer: readExact(endpoint.answer, await asked.content.text()) as never };
    },
  };
}

/** A request of any endpoint. */
interface Loose {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const pathWith = (path: string, params: Readonly<Record<string, string>>) =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

function textOf(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** What the service asks for, else twice as long each time; up to half of it more by chance. */
function pause(attempt: number, retryAfter: string | null): Promise<void> {
  const asked = retryAfter === null ? Number.NaN : Number(retryAfter) * 1000;
  const pauseMs = Number.isNaN(asked) ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : asked;
  const jittered = Math.min(PAUSE_MAX_MS, pauseMs) * (1 + Math.random() / 2);
  return new Promise((resolve) => setTimeout(resolve, jittered));
}

/** What this file reads of a JSON Schema. */
interface Node {
  readonly format?: string;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

const variants = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => (node.anyOf === undefined ? [node] : variants(node.anyOf)));
const isExact = (nodes: readonly Node[]) =>
  variants(nodes).some(({ format }) => format === EXACT_FORMAT);

function writeBody(schema: TSchema | undefined, body: object): string {
  const { properties = {} } = (schema ?? {}) as Node;
  const fields = Object.entries(body).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const exact = value !== null && isExact([properties[name] ?? {}]);
    return [`${JSON.stringify(name)}:${exact ? digitsOf(name, value) : JSON.stringify(value)}`];
  });
  return `{${fields.join(',')}}`;
}

function digitsOf(name: string, value: unknown): string {
  if (typeof value === 'string' && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)) return value;
  throw new TypeError(`${name} must be decimal text such as "1500.50"; it is ${String(value)}`);
}

/** JSON with the numbers that a schema calls exact as the text that stands in it. */
export const readExact = (schema: TSchema, text: string): unknown =>
  read([schema as Node], readJson(text));

function read(nodes: readonly Node[], value: unknown): unknown {
  if (value instanceof SourceNumber) return isExact(nodes) ? value.source : Number(value.source);
  if (typeof value !== 'object' || value === null) return value;
  const own = variants(nodes);
  if (Array.isArray(value)) {
    const items = own.flatMap(({ items }) => items ?? []);
    return value.map((item) => read(items, item));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      read(
        own.flatMap(({ properties }) => properties?.[name] ?? []),
        inner,
      ),
    ]),
  );
}

function readRefusal(status: number, text: string): ApiRefusal {
  const { error, title, code, errors = {}, traceId } = bodyOf(text);
  return {
    status,
    code,
    error: error ?? title ?? `the service answered ${status}`,
    errors,
    traceId,
  };
}

function bodyOf(text: string): Partial<ApiRefusal> & { readonly title?: string } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
