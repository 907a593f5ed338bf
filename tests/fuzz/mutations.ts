import { deflateSync, gzipSync } from 'node:zlib';
import type { Chance } from '../simulation/chance.ts';
import { bodyBytes, type Draft } from './request.ts';
import { deep, KEYS, longText, NUMBERS, OTHERS, TEXTS } from './values.ts';

/** What the mutations may borrow from the fixtures. */
export interface Borrowed {
  /** `Authorization` and `SVC-API-Key` headers of every kind of caller, good and bad. */
  readonly credentials: readonly (readonly [name: string, value: string])[];
  /** Ids of what exists, of every kind. */
  readonly ids: readonly string[];
  /** Body limit of the face in bytes. */
  readonly bodyLimit: number;
}

type Mutation = (draft: Draft, chance: Chance, borrowed: Borrowed) => void;

const anyValue = (chance: Chance): string =>
  chance.pick([
    () => chance.pick(NUMBERS),
    () => chance.pick(TEXTS),
    () => longText(chance),
    () => chance.pick(OTHERS),
  ])();

/** Fields of a JSON object; a request without one is given one, which is a mutation too. */
function fieldsOf(draft: Draft): [string, string][] {
  if (draft.body.kind !== 'object')
    draft.body = { kind: 'object', fields: [], secret: undefined, padTo: undefined };
  return draft.body.fields;
}

/** Another case of the letters, or letters that look alike and fold alike. */
function lookAlike(key: string, chance: Chance): string {
  return chance.pick([
    () => key.toUpperCase(),
    () => key.replace(/s/i, '\u017f'),
    () => key.replace(/k/i, '\u212a'),
    () => key.replace(/i/i, '\u0130'),
    () =>
      key.replace(
        /^"(.)/,
        (_all, first: string) => `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    () => key,
  ])();
}

const BODIES: Readonly<Record<string, Mutation>> = {
  'a field of another value'(draft, chance) {
    const field = chance.pick(fieldsOf(draft));
    if (field !== undefined) field[1] = anyValue(chance);
  },
  'a number literal'(draft, chance) {
    const fields = fieldsOf(draft);
    const field = chance.pick(fields.filter(([, value]) => /^[\d-]/.test(value)).concat(fields));
    if (field !== undefined) field[1] = chance.pick(NUMBERS);
  },
  'a text at a limit'(draft, chance) {
    const fields = fieldsOf(draft);
    const field = chance.pick(fields.filter(([, value]) => value.startsWith('"')).concat(fields));
    if (field !== undefined) field[1] = longText(chance);
  },
  'a field less'(draft, chance) {
    const fields = fieldsOf(draft);
    fields.splice(chance.number(fields.length), 1);
  },
  'a field twice'(draft, chance) {
    const fields = fieldsOf(draft);
    const [key, value] = chance.pick(fields) ?? ['"amount"', '1'];
    fields.splice(chance.number(fields.length + 1), 0, [
      lookAlike(key, chance),
      chance.oneIn(2) ? value : anyValue(chance),
    ]);
  },
  'a key that looks alike'(draft, chance) {
    const field = chance.pick(fieldsOf(draft));
    if (field !== undefined) field[0] = lookAlike(field[0], chance);
  },
  'a strange key'(draft, chance) {
    const fields = fieldsOf(draft);
    fields.splice(chance.number(fields.length + 1), 0, [chance.pick(KEYS), anyValue(chance)]);
  },
  'many levels'(draft, chance, { bodyLimit }) {
    const most = Math.floor(bodyLimit / 2) - 2_000;
    fieldsOf(draft).push([
      chance.pick(['"x"', '"metadata"', '"displayNames"', '"note"']),
      deep(chance.pick([10, 500, Math.min(5_000, most), Math.min(30_000, most)]), chance),
    ]);
  },
  'a size at the limit'(draft, chance, { bodyLimit }) {
    fieldsOf(draft);
    if (draft.body.kind === 'object') draft.body.padTo = bodyLimit + chance.number(4) - 1;
  },
  'another kind of text'(draft, chance) {
    const text = chance.pick([
      '',
      ' ',
      'null',
      'true',
      '17',
      '"text"',
      '[]',
      '[{}]',
      '{}{}',
      '{},',
      '{"a":1',
      '{"a"}',
      "{'a':1}",
      '{a:1}',
      '<xml/>',
      'a=b&c=d',
      '\0',
      '{"a":1}\0',
    ]);
    draft.body = { kind: 'bytes', bytes: Buffer.from(text) };
  },
  'another encoding'(draft, chance) {
    const bytes = bodyBytes(draft.body) ?? Buffer.from('{}');
    const text = bytes.toString();
    draft.body = {
      kind: 'bytes',
      bytes: chance.pick([
        () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
        () => Buffer.from(text, 'utf16le'),
        () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
        () => Buffer.from(text, 'utf16le').swap16(),
        () => Buffer.from(`${text.slice(0, -1)},"é":"é"}`, 'latin1'),
        () => gzipSync(bytes),
        () => deflateSync(bytes),
      ])(),
    };
  },
  'damaged bytes'(draft, chance) {
    let bytes = bodyBytes(draft.body) ?? Buffer.from('{"a":"b"}');
    for (let times = 1 + chance.number(4); times > 0; times -= 1) {
      const at = chance.number(bytes.length + 1);
      const token = chance.pick([
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\0',
        ' ',
        '\n',
        '\ufeff',
        'null',
        '\\u',
        '/*',
        'e',
        '-',
        '.',
        '\x7f',
        'é',
        '\u2028',
        '&',
        '=',
        '%',
        '+',
      ]);
      const put = chance.pick([
        Buffer.from(token),
        Buffer.from([chance.number(256)]),
        Buffer.from([0xc0, 0x80]),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.alloc(0),
      ]);
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        put,
        bytes.subarray(Math.min(bytes.length, at + chance.number(4))),
      ]);
    }
    draft.body = { kind: 'bytes', bytes };
  },
  'half of the body'(draft, chance) {
    const bytes = bodyBytes(draft.body) ?? Buffer.alloc(0);
    draft.body = { kind: 'bytes', bytes: bytes.subarray(0, chance.number(bytes.length + 1)) };
  },
  'a body where none is due, or none where one is'(draft) {
    draft.body =
      draft.body.kind === 'none'
        ? { kind: 'object', fields: [], secret: undefined, padTo: undefined }
        : { kind: 'none' };
  },
  'a form'(draft, chance) {
    const names = [
      'walletType',
      'accountNumber',
      'accountName',
      'ibanLast4',
      'transactionDigits',
      'edit',
      '__proto__',
      'constructor',
      '',
      'a[b]',
      '%00',
      '%',
    ];
    const values = [
      '',
      '1234',
      '%00',
      '%',
      '%ff',
      '%ED%A0%80',
      '+',
      'ProviderB',
      '%F0%9F%99%82'.repeat(60),
      'x'.repeat(20_000),
      '١٢٣٤',
      '<script>',
      '=1+1',
    ];
    draft.body = {
      kind: 'form',
      fields: Array.from(
        { length: chance.number(5) },
        () => [chance.pick(names), chance.pick(values)] as [string, string],
      ),
    };
    setHeader(draft, 'Content-Type', 'application/x-www-form-urlencoded');
    draft.odd.add('type');
  },
};

function setHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [
    ...draft.headers.filter(([own]) => own.toLowerCase() !== name.toLowerCase()),
    [name, value],
  ];
}

const CONTENT_TYPES = [
  ...[
    '',
    'x',
    'text/plain',
    'text/xml',
    'application/xml',
    'application/json',
    'application/json; charset=utf-16',
    'APPLICATION/JSON',
    'application/json;',
    'application/json,text/plain',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'multipart/form-data',
    'application/octet-stream',
    'application/vnd.api+json',
    'application/*',
    '*/*',
    ';',
  ],
  ...[
    'application/json; charset="',
    'application/json\t',
    `application/${'j'.repeat(3_000)}`,
    '__proto__',
    'constructor/prototype',
    'text/html;q=1',
  ],
];
const IDEMPOTENCY_KEYS = [
  '',
  ' ',
  'x'.repeat(100),
  'x'.repeat(101),
  'é'.repeat(50),
  'é'.repeat(51),
  'Ã©'.repeat(100),
  '\xff',
  '\x80\x81',
  '__proto__',
  'shared',
  "' or 1=1",
  '\t',
  'a,b',
  '0',
];
const ODD_HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Encoding', ['gzip', 'br', 'deflate', 'identity', 'x', '', 'gzip, gzip']],
  [
    'Accept',
    [
      '',
      'text/html',
      'application/json',
      '*/*',
      'image/*',
      'text/html;q=0',
      'x',
      ','.repeat(2_000),
    ],
  ],
  [
    'Accept-Language',
    ['ur', 'hi-IN,bn;q=0.5', '*', '', ';q=', 'x'.repeat(5_000), 'en;q=1.5', '-'.repeat(1_000)],
  ],
  ['Accept-Encoding', ['gzip', 'br', 'identity;q=0', '*;q=0', 'zstd', '', 'gzip;q=x']],
  [
    'Cookie',
    [
      'munshi_operator=',
      'munshi_operator=x; munshi_member=y',
      'language=ur',
      'language=__proto__',
      '=',
      ';;;',
      'a'.repeat(4_000),
      'munshi_member="%00"',
      'munshi_operator=%E0%A4%A',
    ],
  ],
  ['X-CSRF-Token', ['', 'x', 'x'.repeat(5_000), '\xff']],
  ['X-Forwarded-For', ['127.0.0.1', '::1', 'x', '1.2.3.4, 5.6.7.8', ','.repeat(500), '999.1.1.1']],
  ['X-Forwarded-Host', ['evil.example']],
  ['X-Forwarded-Proto', ['https', 'javascript']],
  ['Forwarded', ['for=127.0.0.1;host=evil.example;proto=https']],
  ['X-HTTP-Method-Override', ['DELETE', 'GET']],
  ['X-Original-URL', ['/api/operator/settings']],
  ['Expect', ['100-continue', '200-ok', 'x']],
  ['Range', ['bytes=0-0', 'bytes=99999-', 'x']],
  ['If-None-Match', ['*', '"x"']],
  ['If-Modified-Since', ['Thu, 01 Jan 2099 00:00:00 GMT', 'x']],
  ['Upgrade', ['websocket', 'h2c']],
  ['Origin', ['null', 'https://evil.example']],
  ['TE', ['trailers', 'gzip;q=x']],
  ['Connection', ['close', 'keep-alive', 'x, y', 'upgrade']],
  ['Host', ['evil.example', 'a b', '']],
  ['traceparent', ['00-00000000000000000000000000000000-0000000000000000-00', 'x']],
  ['Request-Id', ['mine']],
];

const HEADS: Readonly<Record<string, Mutation>> = {
  'another content type'(draft, chance) {
    setHeader(draft, 'Content-Type', chance.pick(CONTENT_TYPES));
    draft.odd.add('type');
  },
  'no content type, or two'(draft, chance) {
    draft.odd.add('type');
    if (chance.oneIn(2)) draft.headers = draft.headers.filter(([name]) => name !== 'Content-Type');
    else draft.headers.push(['Content-Type', chance.pick(CONTENT_TYPES)]);
  },
  'another idempotency key'(draft, chance) {
    if (chance.oneIn(8))
      draft.headers = draft.headers.filter(([name]) => name !== 'Idempotency-Key');
    else if (chance.oneIn(6)) draft.headers.push(['idempotency-key', 'second']);
    else setHeader(draft, 'Idempotency-Key', chance.pick(IDEMPOTENCY_KEYS));
  },
  'another caller'(draft, chance, { credentials }) {
    const [name, value] = chance.pick(credentials);
    if (!chance.oneIn(3))
      draft.headers = draft.headers.filter(
        ([own]) => own !== 'SVC-API-Key' && own !== 'Authorization',
      );
    draft.headers.push([name, value]);
  },
  'a strange header'(draft, chance) {
    const [name, values] = chance.pick(ODD_HEADERS);
    draft.headers.push([name, chance.pick(values)]);
    // A browser's upgrade or a second host may be refused before there is a request.
    if (name === 'Host' || name === 'Connection' || name === 'Upgrade') draft.odd.add('framing');
  },
  'many headers'(draft, chance) {
    for (let at = 0; at < chance.pick([50, 500]); at += 1) draft.headers.push([`X-${at}`, 'y']);
  },
};

const PARTS = [
  '',
  '%',
  '%00',
  '%ff',
  '%zz',
  '%E0%A4%A',
  '%ED%A0%80',
  '..',
  '../..',
  '%2e%2e%2f',
  '%2F',
  '.',
  ';',
  ':',
  '*',
  '__proto__',
  '%F0%9F%99%82',
  'a'.repeat(10_000),
  '%41'.repeat(1_000),
  'null',
];

const ADDRESSES: Readonly<Record<string, Mutation>> = {
  'a query again'(draft, chance) {
    const one = chance.pick(draft.query) ?? 'orderReference=x';
    draft.query.push(chance.oneIn(2) ? one : `${one.split('=')[0]}=${chance.pick(PARTS)}`);
  },
  'another query value'(draft, chance) {
    const names = [
      'merchantOrderRef',
      'orderReference',
      'limit',
      'cursor',
      'status',
      'search',
      'from',
      'to',
      'actorId',
      'merchantId',
      'lang',
      'expires',
      'token',
      'state',
      '__proto__',
      'a[b]',
      'constructor',
      '',
    ];
    const at = chance.number(draft.query.length + 1);
    const name = draft.query[at]?.split('=')[0] ?? chance.pick(names);
    const times = [
      '0000-01-01',
      '9999-12-31T23:59:59.999999999Z',
      '0001-01-01T00:00:00%2B14:00',
      '2026-02-30',
    ];
    draft.query[at] =
      `${name}=${chance.pick([...PARTS, ...times, '0', '-1', '201', '1e3', 'true', 'open', 'ur', 'MDEyMzQ1NjctMDEyMy0wMTIzLTAxMjMtMDEyMzQ1Njc4OTAx', '%27%20or%201%3D1', '%5C', '_%25'])}`;
  },
  'a query less'(draft, chance) {
    draft.query.splice(chance.number(draft.query.length), 1);
  },
  'a damaged query'(draft, chance) {
    const damaged = chance.pick([
      '',
      '&',
      '=',
      '==',
      '%',
      '?',
      '#',
      'a&b',
      '%00=%00',
      '[]',
      ';',
      `x=${'y'.repeat(9_000)}`,
      '\xff=\xfe',
    ]);
    // Bytes beyond ASCII are no part of a request line.
    if (damaged.includes('\xff')) draft.odd.add('framing');
    draft.query.push(damaged);
  },
  'another part of the path'(draft, chance, { ids }) {
    draft.odd.add('address');
    const at = chance.number(draft.segments.length);
    const own = draft.segments[at] ?? '';
    const part = chance.pick([
      () => chance.pick(PARTS),
      () => chance.pick(ids),
      () => own.toUpperCase(),
      () => `${own}%20`,
      () =>
        encodeURIComponent(own).replace(
          /[a-z]/,
          (letter) => `%${letter.charCodeAt(0).toString(16)}`,
        ),
    ])();
    draft.segments[at] = part;
  },
  'another id'(draft, chance, { ids }) {
    const at = draft.segments.findIndex((segment) => /^[0-9a-f-]{36}$|^ORD-/.test(segment));
    if (at < 0) return;
    draft.odd.add('address');
    const own = draft.segments[at] ?? '';
    draft.segments[at] = chance.pick([
      () => chance.pick(ids),
      () => chance.pick(PARTS),
      () => own.toUpperCase(),
      () => own.slice(1),
      () => `${own}0`,
      () => `{${own}}`,
    ])();
  },
  'a part more or less'(draft, chance) {
    draft.odd.add('address');
    if (chance.oneIn(2)) draft.segments.push(chance.pick(['', 'x', ...PARTS]));
    else draft.segments.pop();
  },
  'another method'(draft, chance) {
    draft.odd.add('address');
    draft.method = chance.pick([
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'PROPFIND',
      'QUERY',
      'PURGE',
    ]);
  },
};

const replaced = (from: string, to: string) => (bytes: Buffer) => {
  const at = bytes.indexOf(from);
  return at < 0
    ? bytes
    : Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(to, 'latin1'),
        bytes.subarray(at + from.length),
      ]);
};
const afterLine = (line: string) => replaced('\r\n', `\r\n${line}\r\n`);

const FRAMINGS: Readonly<Record<string, Mutation>> = {
  chunks(draft, chance) {
    draft.framing = { kind: 'chunked', pieceBytes: chance.pick([1, 7, 1_000, 65_536]) };
    // A chunk for each byte of a large body is megabytes of framing.
    if ((bodyBytes(draft.body)?.length ?? 0) > 4_000)
      draft.framing = { kind: 'chunked', pieceBytes: 1_000 };
  },
  'a wrong length'(draft, chance) {
    draft.odd.add('framing');
    draft.framing = { kind: 'wrong-length', by: chance.pick([-1, 1, -10, 10, 1_000_000]) };
  },
  'no request'(draft, chance) {
    draft.odd.add('framing');
    const rewrite = chance.pick<(bytes: Buffer) => Buffer>([
      afterLine('Transfer-Encoding: chunked'),
      afterLine('Transfer-Encoding: chunked, identity'),
      afterLine('Transfer-Encoding: xchunked'),
      afterLine('Transfer-Encoding : chunked'),
      afterLine('Content-Length: 0'),
      afterLine('Content-Length: +5'),
      afterLine('Content-Length: 5, 6'),
      afterLine('X: a\r\n b'),
      afterLine('X: a\nY: b'),
      afterLine('X: a\0b'),
      afterLine(' leading: space'),
      afterLine('no colon'),
      afterLine(`X: ${'x'.repeat(20_000)}`),
      replaced(' HTTP/1.1', ' HTTP/1.0'),
      replaced(' HTTP/1.1', ' HTTP/9.9'),
      replaced(' HTTP/1.1', ''),
      replaced('\r\n', '\n'),
      replaced('Host:', 'Host:'),
      replaced(' /', ' http://evil.example/'),
      replaced(' /', ' *'),
      (bytes) => Buffer.concat([Buffer.from('\r\n\r\n'), bytes]),
      (bytes) => Buffer.concat([bytes, Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')]),
      (bytes) => Buffer.concat([bytes, Buffer.from('trailing noise')]),
      (bytes) => bytes.subarray(0, chance.number(bytes.length)),
      (bytes) => Buffer.concat([Buffer.from([0x16, 3, 1, 2, 0]), bytes]),
      () => Buffer.from(Array.from({ length: 200 }, () => chance.number(256))),
    ]);
    draft.framing = { kind: 'rewritten', rewrite };
  },
};

/** Every mutation by name. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {
  ...BODIES,
  ...HEADS,
  ...ADDRESSES,
  ...FRAMINGS,
};

const BODY_NAMES = Object.keys(BODIES);
const HEAD_NAMES = Object.keys(HEADS);
const ADDRESS_NAMES = Object.keys(ADDRESSES);
const FRAMING_NAMES = Object.keys(FRAMINGS);

/**
 * One mutation for such a request: bodies are where most of the grammar is, broken framing costs a
 * connection.
 */
export function pickMutation(draft: Draft, chance: Chance): string {
  const share = chance.number(100);
  const body = draft.body.kind === 'none' ? 15 : 60;
  if (share < body) return chance.pick(BODY_NAMES);
  if (share < body + 20) return chance.pick(HEAD_NAMES);
  return share < 96 ? chance.pick(ADDRESS_NAMES) : chance.pick(FRAMING_NAMES);
}
