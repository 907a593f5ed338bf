import { hash } from 'node:crypto';
import { canonicalString, scanObject } from '@munshi/core';

/**
 * A request in parts, each of which a mutation may damage. Texts of the head are sent byte by byte
 * (Latin-1).
 */
export interface Draft {
  method: string;
  /** Without slashes, as written on the wire. */
  segments: string[];
  /** Each `name=value` as written on the wire. */
  query: string[];
  headers: [name: string, value: string][];
  body: Body;
  framing: Framing;
  /** What was done to it, in words. */
  readonly done: string[];
  /** What the judge has to know. */
  readonly odd: Set<Oddity>;
}

/**
 * `address`: the path or method no longer names the route. `framing`: the bytes may be no request
 * at all. `type`: the content type was touched.
 */
type Oddity = 'address' | 'framing' | 'type';

type Body =
  | { kind: 'none' }
  /** A JSON object of source texts, signed when it is sent where a secret is given. */
  | {
      kind: 'object';
      fields: [key: string, value: string][];
      secret: string | undefined;
      padTo: number | undefined;
    }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'bytes'; bytes: Buffer };

type Framing =
  | { kind: 'length' }
  | { kind: 'chunked'; pieceBytes: number }
  /** The length header is this much off. */
  | { kind: 'wrong-length'; by: number }
  /** The whole request is rewritten before it is sent. */
  | { kind: 'rewritten'; rewrite: (bytes: Buffer) => Buffer };

/** The body as it goes out. A JSON object is signed over what the server will read. */
export function bodyBytes(body: Body): Buffer | undefined {
  if (body.kind === 'none') return undefined;
  if (body.kind === 'bytes') return body.bytes;
  if (body.kind === 'form')
    return Buffer.from(body.fields.map(([name, value]) => `${name}=${value}`).join('&'));
  const inner = body.fields.map(([key, value]) => `${key}:${value}`).join(',');
  const scan = body.secret === undefined ? undefined : scanObject(`{${inner}}`);
  const signs = scan?.ok === true && !scan.members.has('signature');
  const signature = signs
    ? `${inner === '' ? '' : ','}"signature":"${hash('md5', canonicalString(scan.members) + body.secret)}"`
    : '';
  const text = Buffer.from(`{${inner}${signature}}`);
  const missing = (body.padTo ?? 0) - text.length;
  return missing > 0
    ? Buffer.concat([text.subarray(0, -1), Buffer.alloc(missing, ' '), text.subarray(-1)])
    : text;
}

/** The whole request. */
export function wireBytes(draft: Draft, host: string): Buffer {
  const body = bodyBytes(draft.body);
  const { framing } = draft;
  const query = draft.query.length === 0 ? '' : `?${draft.query.join('&')}`;
  const headers = [['Host', host], ...draft.headers] as [string, string][];
  if (body !== undefined && framing.kind === 'chunked')
    headers.push(['Transfer-Encoding', 'chunked']);
  else if (body !== undefined)
    headers.push([
      'Content-Length',
      String(Math.max(0, body.length + (framing.kind === 'wrong-length' ? framing.by : 0))),
    ]);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(
    `${draft.method} /${draft.segments.join('/')}${query} HTTP/1.1\r\n${lines}\r\n`,
    'latin1',
  );
  const sent =
    body === undefined
      ? head
      : Buffer.concat([
          head,
          framing.kind === 'chunked' ? inChunks(body, framing.pieceBytes) : body,
        ]);
  return framing.kind === 'rewritten' ? framing.rewrite(sent) : sent;
}

function inChunks(body: Buffer, pieceBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = body.subarray(at, at + pieceBytes);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/**
 * For a person to send again: the bytes as printf takes them, shortened in the middle where they
 * are long.
 */
export function dump(bytes: Buffer, url: string): string {
  const { hostname, port } = new URL(url);
  const shown =
    bytes.length > 6_000
      ? Buffer.concat([
          bytes.subarray(0, 4_000),
          Buffer.from(`<… ${bytes.length - 5_000} bytes …>`),
          bytes.subarray(-1_000),
        ])
      : bytes;
  const text = [...shown]
    .map((byte) => {
      if (byte === 0x0d) return '\\r';
      if (byte === 0x0a) return '\\n';
      if (byte === 0x27 || byte === 0x25 || byte === 0x5c || byte < 0x20 || byte > 0x7e)
        return `\\x${byte.toString(16).padStart(2, '0')}`;
      return String.fromCharCode(byte);
    })
    .join('');
  return `printf '${text}' | nc ${hostname} ${port}`;
}
