import { canonicalString, scanObject } from '@munshi/core';
import { md5 } from '@noble/hashes/legacy.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Sends requests of the merchant API from the page. What can be asked is read from the OpenAPI
 * document of this service. Key and secret are kept in their fields alone.
 */

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
}
interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly examples?: readonly unknown[] }>>;
}
interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}
interface Operation {
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}
interface OpenApi {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Call extends Operation {
  readonly method: string;
  readonly path: string;
}

/** The address of the service, which a proxy may serve below a path. */
const BASE = new URL('..', location.href);

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const form = find<HTMLFormElement>('form');
const key = find<HTMLInputElement>('key');
const secret = find<HTMLInputElement>('secret');
const operation = find<HTMLSelectElement>('operation');
const fields = find('fields');
const answer = find('answer');

const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: (Node | string)[]
) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const openApi: OpenApi = await (await fetch(new URL('openapi/merchant.json', BASE))).json();
/** By subject, in the order of the document; what is written comes before what is read. */
const placeOf = ({ tags: [tag] = [], method }: Call): number =>
  2 * openApi.tags.findIndex(({ name }) => name === tag) + (method === 'post' ? 0 : 1);
const calls = Object.entries(openApi.paths)
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]): Call => ({ ...one, method, path })),
  )
  .toSorted((left, right) => placeOf(left) - placeOf(right));

// A sandbox writes the keys of its demo where others have a placeholder.
for (const field of [key, secret])
  if (!field.placeholder.endsWith('…')) field.value = field.placeholder;
for (const { method, path, summary } of calls)
  operation.append(
    element(
      'option',
      {},
      `${method.toUpperCase()} ${path.replace('/api/merchant', '')} · ${summary}`,
    ),
  );

let current: Call;
/** By their names; the body's is empty. */
let inputs: Map<string, HTMLInputElement | HTMLTextAreaElement>;
/** What the last answer named, for requests about the same order. */
let lastOrderId = '';

function show() {
  current = calls[operation.selectedIndex] as Call;
  const { parameters = [], requestBody, description = '' } = current;
  find('about').textContent = description;
  inputs = new Map();
  const field = (name: string, input: HTMLInputElement | HTMLTextAreaElement, label: string) => {
    inputs.set(name, input);
    return element('label', {}, label, input);
  };
  fields.replaceChildren(
    ...parameters.map(({ name, required, description: hint = '' }) => {
      const input = element('input', { required: required === true, autocomplete: 'off' });
      input.value =
        name === 'Idempotency-Key' ? crypto.randomUUID() : name === 'id' ? lastOrderId : '';
      input.title = hint;
      return field(name, input, name);
    }),
    ...(requestBody === undefined
      ? []
      : [
          field(
            '',
            element('textarea', { rows: 8, spellcheck: false, value: exampleOf(current) }),
            'Body',
          ),
        ]),
  );
}

/** The first example, with a reference of its own: an equal body would be a replay. */
function exampleOf({ requestBody }: Call): string {
  const { schema, examples = {} } = requestBody?.content['application/json'] ?? {};
  const given = Object.values(examples)[0]?.value ?? exampleBySchema(schema);
  // Signed when it is sent; the shop of the example has no addresses.
  const example = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => name !== 'signature' && !String(value).startsWith('https:'),
    ),
  );
  const reference = 'merchantOrderRef' in example ? { merchantOrderRef: `try-${Date.now()}` } : {};
  return JSON.stringify({ ...example, ...reference }, null, 2);
}

/** The fields that it requires, with their examples. */
function exampleBySchema(schema: Schema = {}): object {
  const { $ref = '' } = schema;
  const { required = [], properties = {} } =
    openApi.components.schemas[$ref.split('/').at(-1) ?? ''] ?? schema;
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0] ?? '']));
}

/** Whether the body has a signature (signing.md). */
const isSigned = ({ requestBody }: Call): boolean =>
  Object.values(requestBody?.content['application/json']?.examples ?? {}).some(
    ({ value }) => 'signature' in value,
  );

/** The text with its signature as the last field; as it is where it is no JSON object. */
function signed(body: string): { readonly body: string; readonly canonical?: string } {
  const scan = scanObject(body);
  if (!scan.ok || scan.members.has('signature')) return { body };
  const canonical = canonicalString(scan.members);
  const signature = bytesToHex(md5(utf8ToBytes(canonical + secret.value)));
  const open = body.trimEnd().slice(0, -1).trimEnd();
  return { body: `${open}${open === '{' ? '' : ','}"signature":"${signature}"}`, canonical };
}

async function send() {
  const { method, path, parameters = [] } = current;
  const named = (place: Parameter['in']) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name }) => [name, inputs.get(name)?.value ?? ''] as const)
      .filter(([, value]) => value !== '');
  let at = path;
  for (const [name, value] of named('path'))
    at = at.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(named('query').map(([name, value]) => [name, value]));
  const url = new URL(`${at.slice(1)}${query.size > 0 ? `?${query}` : ''}`, BASE);
  const text = inputs.get('')?.value;
  const { body, canonical } =
    text === undefined ? {} : isSigned(current) ? signed(text) : { body: text };
  const response = await fetch(url, {
    method: method.toUpperCase(),
    headers: {
      'SVC-API-Key': key.value.trim(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(named('header')),
    },
    ...(body !== undefined && { body }),
  });
  const received = await response.text();
  answer.replaceChildren(
    ...(canonical === undefined
      ? []
      : [element('p', {}, 'Signed, with the secret behind it:'), listing(canonical)]),
    element('p', {}, element('strong', {}, `${response.status} ${response.statusText}`)),
    ...(received === '' ? [] : [listing(indented(received))]),
  );
  if (!response.ok) return;
  const { orderId, paymentPageUrl } = JSON.parse(received).data ?? {};
  if (orderId !== undefined) lastOrderId = orderId;
  if (paymentPageUrl !== undefined) {
    answer.append(
      element(
        'p',
        {},
        element('a', { href: paymentPageUrl, target: '_blank' }, 'Open the payment page'),
      ),
    );
    show();
  }
}

const listing = (text: string) => element('pre', { tabIndex: 0 }, element('code', {}, text));

/** JSON with a line for each value, numbers as they came. */
function indented(json: string): string {
  let depth = 0;
  return json.replace(/("(?:[^"\\]|\\.)*")|[{}[\],:]/g, (token, string?: string) => {
    if (string !== undefined) return token;
    if (token === ':') return ': ';
    if (token === '}' || token === ']') depth -= 1;
    if (token === '{' || token === '[') depth += 1;
    const line = `\n${'  '.repeat(depth)}`;
    return token === '}' || token === ']' ? line + token : token + line;
  });
}

operation.addEventListener('change', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  send().catch((error: Error) => {
    answer.replaceChildren(element('p', {}, `No answer: ${error.message}`));
  });
});
show();
form.hidden = false;
