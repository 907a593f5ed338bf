import * as api from '@munshi/api';
import type { Plugin } from 'vite';

/**
 * Gives a web app `@munshi/api` without its schemas: of each endpoint only what the client of
 * `packages/web` reads, which is where it is, whether it takes a key, and which numbers are exact.
 * The schemas with the library that makes them would be most of what a phone loads. Who decides a
 * write, and why, is for the server and the documents.
 */
export const lightEndpoints = (): Plugin => ({
  name: 'light-endpoints',
  enforce: 'pre',
  resolveId: (id) => (id === '@munshi/api' ? LIGHT : null),
  load: (id) => (id === LIGHT ? lightModule() : null),
});
const LIGHT = '\0light-endpoints';

export function lightModule(): string {
  const constants = Object.entries(api).flatMap(([name, value]) => {
    if (typeof value === 'function') return [];
    const light = api.isEndpoint(value) ? lightEndpoint(value) : value;
    return [`export const ${name} = ${JSON.stringify(light)};`];
  });
  return constants.join('\n');
}

export const lightEndpoint = (endpoint: api.Endpoint) => {
  const { method, face, path, headers, body, answer } = endpoint;
  return {
    ...{ method, face, path },
    ...(headers !== undefined && { headers: {} }),
    ...(body !== undefined && { body: lightSchema(body as Schema) ?? {} }),
    answer: lightSchema(answer as Schema) ?? {},
  };
};

interface Schema {
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** What of it leads to an exact number; undefined where nothing does. */
function lightSchema({ format, anyOf = [], items, properties = {} }: Schema): Schema | undefined {
  if (format === api.EXACT_FORMAT) return { format };
  const variants = anyOf.flatMap((variant) => lightSchema(variant) ?? []);
  const item = items && lightSchema(items);
  const fields = Object.entries(properties).flatMap(([name, schema]) => {
    const light = lightSchema(schema);
    return light === undefined ? [] : [[name, light] as const];
  });
  if (variants.length === 0 && item === undefined && fields.length === 0) return undefined;
  return {
    ...(variants.length > 0 && { anyOf: variants }),
    ...(item !== undefined && { items: item }),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields) }),
  };
}
