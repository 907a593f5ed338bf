import * as api from '@munshi/api';

/**
 * The names in an OpenAPI document, from which client generators make methods and types: an
 * `operationId` for each operation, and a component for each schema that has a name.
 */

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
/** By path (or event) and method. */
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
interface Document {
  readonly components: object;
  readonly paths: Paths;
  readonly webhooks?: Paths;
}

// ---- Operations

/** By method and path: what the constant of the endpoint is called, without the face. */
const OPERATION_IDS: ReadonlyMap<string, string> = new Map(
  api.endpointsOf(api).map(([name, { face, method, path }]) => {
    const words = name.toLowerCase().split('_');
    const [first = '', ...rest] = words[0] === face ? words.slice(1) : words;
    const documented = `${api.FACES[face]}${path.replace(/:(\w+)/g, '{$1}')}`;
    return [`${method} ${documented}`, first + rest.map(capitalised).join('')];
  }),
);

/** The name of an operation: its own, or that of its endpoint. Throws where it has neither. */
function operationIdOf(method: string, path: string, { operationId }: Operation): string {
  const name = operationId ?? OPERATION_IDS.get(`${method.toUpperCase()} ${path}`);
  if (name === undefined) throw new Error(`${method} ${path} is no endpoint and has no name`);
  return name;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

// ---- Schemas

/** A named schema, and the references to it with what each says of it. */
interface Component {
  readonly schema: Schema;
  readonly uses: { readonly $ref: string; description?: unknown }[];
}
type Components = Map<string, Component>;

/**
 * The document with names. A schema's name is its `title`; a body without a title is called after
 * its operation. Throws if two different schemas have one name.
 */
export function named(openApi: object): object {
  const document = openApi as Document;
  const components: Components = new Map();
  const pathsOf = (paths: Paths): Paths =>
    mapValues(paths, (item, path) =>
      mapValues(item, (operation, method) =>
        withReferences(operation, operationIdOf(method, path, operation), components),
      ),
    );
  const operations = {
    paths: pathsOf(document.paths),
    ...(document.webhooks && { webhooks: pathsOf(document.webhooks) }),
  };
  const schemas = [...components]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, component]) => [name, described(component)]);
  return {
    ...document,
    ...operations,
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  };
}

function withReferences(
  operation: Operation,
  operationId: string,
  components: Components,
): Operation {
  const { parameters, requestBody, responses } = operation;
  const contentOf = (content: Content, kind: 'Request' | 'Answer'): Content =>
    mapValues(content, (media) => ({
      ...media,
      schema: placed(media.schema, components, capitalised(operationId) + kind),
    }));
  return {
    operationId,
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => ({ ...one, schema: placed(one.schema, components) })),
    }),
    ...(requestBody && {
      requestBody: { ...requestBody, content: contentOf(requestBody.content, 'Request') },
    }),
    responses: mapValues(responses, (response) => ({
      ...response,
      ...(response.content && { content: contentOf(response.content, 'Answer') }),
    })),
  };
}

/** The schema as it stands in its place: itself, or a reference to its component. */
function placed(given: Schema, components: Components, nameOfBody?: string): Schema {
  const { title, ...schema } = withParts(given, (part) => placed(part, components));
  const name = title ?? (isObject(schema) ? nameOfBody : undefined);
  if (name === 'Refusal') return refusal(schema, components);
  return typeof name === 'string' ? reference(name, schema, components) : schema;
}

function reference(name: string, given: Schema, components: Components): Schema {
  const { description, ...schema } = given;
  const component = components.get(name) ?? { schema, uses: [] };
  if (JSON.stringify(component.schema) !== JSON.stringify(schema))
    throw new Error(`Two different schemas have the title ${name}.`);
  components.set(name, component);
  const $ref = `#/components/schemas/${name}`;
  const use = description === undefined ? { $ref } : { $ref, description };
  component.uses.push(use);
  return use;
}

/** Refusals have one shape; each use says which codes there are. */
function refusal({ properties }: Schema, components: Components): Schema {
  const { code } = properties as { readonly code: { readonly enum: readonly string[] } };
  return {
    allOf: [
      reference('Refusal', ANY_REFUSAL, components),
      { type: 'object', properties: { code: { type: 'string', enum: code.enum } } },
    ],
  };
}
/** As JSON, like everything in a document. */
const { title: _, ...ANY_REFUSAL }: Schema = JSON.parse(
  JSON.stringify(api.refusalBody(Object.keys(api.CODES) as api.Code[])),
);

const isObject = ({ type, properties }: Schema) => type === 'object' && properties !== undefined;

/** What all uses say alike is said once, by the component. */
function described({ schema, uses }: Component): Schema {
  const [first, ...others] = uses;
  const description = first?.description;
  if (description === undefined || others.some((use) => use.description !== description))
    return schema;
  for (const use of uses) delete use.description;
  return { description, ...schema };
}

/** The schema with each schema directly in it replaced. */
function withParts(schema: Schema, replaced: (part: Schema) => Schema): Schema {
  return mapValues(schema, (value, keyword) => {
    if (keyword === 'properties' || keyword === 'patternProperties')
      return mapValues(value as Readonly<Record<string, Schema>>, replaced);
    if (Array.isArray(value) && ['anyOf', 'oneOf', 'allOf'].includes(keyword))
      return value.map(replaced);
    const isSchema = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isSchema && ['items', 'additionalProperties'].includes(keyword)
      ? replaced(value as Schema)
      : value;
  });
}

const mapValues = <From, To>(
  record: Readonly<Record<string, From>>,
  to: (value: From, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, to(value, name)]));
