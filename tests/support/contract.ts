import * as api from '@munshi/api';
import type { TObject } from 'typebox';
import { Compile } from 'typebox/schema';

/** An answer of the service, as it came. */
export interface Answered {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Every endpoint of the contract; of two that a path fits, the one with fewer parameters first. */
export const ENDPOINTS: readonly api.Endpoint[] = api
  .endpointsOf(api)
  .map(([, endpoint]) => endpoint)
  .sort((a, b) => a.path.split(':').length - b.path.split(':').length);

/** The endpoints that change what is there, by the names of their constants. */
export const CHANGES = api
  .endpointsOf(api)
  .filter(([name, { method }]) => method === 'PATCH' || /^SET_(?!UP_)/.test(name))
  .map(([name, endpoint]) => {
    const { properties } = endpoint.body as TObject;
    return { name, endpoint, properties };
  });

/**
 * What is wrong with a JSON answer of the operator, member or page face by the contract: a status
 * that its endpoint does not declare, a field too many or too few, a code of another endpoint.
 */
export function breachOf({ method, url, status, contentType, text }: Answered): string | undefined {
  const { pathname } = new URL(url);
  const face = Object.entries(api.FACES).find(([, prefix]) => pathname.startsWith(`${prefix}/`));
  if (face === undefined || !contentType.includes('json') || method === 'HEAD') return undefined;
  const [name, prefix] = face;
  const endpoint = ENDPOINTS.find(
    (one) =>
      one.face === name && one.method === method && fits(one.path, pathname.slice(prefix.length)),
  );
  const what = `${method} ${pathname} answered ${status} ${text.slice(0, 2_000)}`;
  const schema =
    endpoint === undefined
      ? nothingThere(name, status)
      : schemaOf(endpoint, status, contentType.split(';')[0] as string);
  if (!schema) return `${what}: no such answer is declared`;
  const [, errors] = checkOf(schema).Errors(JSON.parse(text));
  const [wrong] = errors;
  return wrong === undefined ? undefined : `${what}: ${JSON.stringify(wrong)}`;
}

/** What an address is refused with that is no endpoint; a page's link is looked at first. */
function nothingThere(face: string, status: number) {
  const codes = face === 'page' ? NOTHING_ON_PAGE : (['not-found'] as const);
  const code = codes.find((one) => api.CODES[one].status === status);
  return code && api.refusalBody([code]);
}
const NOTHING_ON_PAGE = ['not-found', 'link-invalid', 'link-expired'] as const;

function fits(path: string, pathname: string): boolean {
  const [asked, parts] = [pathname.split('/'), path.split('/')];
  return (
    asked.length === parts.length &&
    parts.every((part, at) => part.startsWith(':') || part === asked[at])
  );
}

function schemaOf({ response }: api.Endpoint, status: number, mediaType: string) {
  const { content } = (response[status] ?? {}) as {
    content?: Record<string, { schema: object }>;
  };
  return content?.[mediaType]?.schema;
}

const checks = new Map<object, ReturnType<typeof Compile>>();

function checkOf(schema: object) {
  const check = checks.get(schema) ?? Compile(closed(JSON.parse(JSON.stringify(schema))));
  checks.set(schema, check);
  return check;
}

/** The schema with no fields beyond those that it names. */
function closed(schema: unknown): never {
  if (Array.isArray(schema)) return schema.map(closed) as never;
  if (typeof schema !== 'object' || schema === null) return schema as never;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, closed(value)]),
  );
  const isObject = inner['type'] === 'object' && 'properties' in inner;
  return (isObject ? { ...inner, additionalProperties: false } : inner) as never;
}
