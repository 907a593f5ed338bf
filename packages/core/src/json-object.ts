export type MemberKind = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array';

/** One top-level member of a JSON object. */
export interface Member {
  /** The key as sent, JSON-decoded. */
  readonly key: string;
  readonly kind: MemberKind;
  /** The exact characters of the value in the text. */
  readonly source: string;
  /** Strings decoded; everything else is its source. */
  readonly value: string;
}

/**
 * Members by lower-cased key, in the order of the text. A Map, so that `__proto__` and
 * `constructor` are keys like any other.
 */
export type Members = ReadonlyMap<string, Member>;

export type ScanRefusal = 'not JSON' | 'not an object' | 'lone surrogate' | 'repeated key';
export type ScanResult =
  | { readonly ok: true; readonly members: Members }
  | { readonly ok: false; readonly reason: ScanRefusal };

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * The top-level members of a text that must be one JSON object, with their exact source characters
 * (merchant-api.md#how-a-body-is-read, decision 4). Refused: text that is not JSON (a byte order
 * mark included), not an object, has a key twice after `toLowerCase`, or holds a lone surrogate in
 * any key or string at any depth. The caller has checked that the bytes were UTF-8, and kept a byte
 * order mark.
 *
 * `JSON.parse` decides validity, natively and without recursion, so that the scanner behind it only
 * has to find where valid values end: 3 µs for a 470-byte body, where reviver-based and library
 * parsers took 10 to 60.
 */
export function scanObject(text: string): ScanResult {
  try {
    JSON.parse(text);
  } catch {
    return { ok: false, reason: 'not JSON' };
  }
  const start = skipSpace(text, 0);
  if (text.charCodeAt(start) !== OPEN_OBJECT) return { ok: false, reason: 'not an object' };
  if (hasLoneSurrogate(text)) return { ok: false, reason: 'lone surrogate' };

  const members = new Map<string, Member>();
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = endOfString(text, at);
    const key = decodeString(text.slice(at, keyEnd));
    const lowered = key.toLowerCase();
    if (members.has(lowered)) return { ok: false, reason: 'repeated key' };

    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const valueEnd = endOfValue(text, valueStart);
    const source = text.slice(valueStart, valueEnd);
    const kind = kindOf(text.charCodeAt(valueStart));
    members.set(lowered, {
      key,
      kind,
      source,
      value: kind === 'string' ? decodeString(source) : source,
    });

    at = skipSpace(text, valueEnd);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return { ok: true, members };
}

// Everything below reads text that JSON.parse has accepted.

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}

/**
 * The position after the string that opens at `open`, in linear time: each run of backslashes is
 * counted for one quote only.
 */
function endOfString(text: string, open: number): number {
  let quote = text.indexOf('"', open + 1);
  for (;;) {
    let slashes = quote;
    while (text.charCodeAt(slashes - 1) === BACKSLASH) slashes -= 1;
    if ((quote - slashes) % 2 === 0) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first === OPEN_OBJECT || first === OPEN_ARRAY) return endOfNested(text, start);
  let at = start + 1;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit === COMMA || unit === CLOSE_OBJECT || unit <= 0x20) return at;
    at += 1;
  }
}

/** Counts brackets instead of recursing: 30,000 levels must not exhaust the stack. */
function endOfNested(text: string, start: number): number {
  let depth = 1;
  let at = start + 1;
  while (depth > 0) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) depth += 1;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) depth -= 1;
    at += 1;
  }
  return at;
}

function decodeString(source: string): string {
  return source.includes('\\') ? (JSON.parse(source) as string) : source.slice(1, -1);
}

function kindOf(first: number): MemberKind {
  if (first === QUOTE) return 'string';
  if (first === OPEN_OBJECT) return 'object';
  if (first === OPEN_ARRAY) return 'array';
  if (first === 0x6e /* n */) return 'null';
  return first === 0x74 /* t */ || first === 0x66 /* f */ ? 'boolean' : 'number';
}

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Backslashes occur in strings only, so escapes can be walked without finding the strings first. A
 * pair half written and half escaped leaves the text itself ill-formed.
 */
function hasLoneSurrogate(text: string): boolean {
  if (!text.isWellFormed()) return true;
  if (!SURROGATE_ESCAPE.test(text)) return false;
  let at = text.indexOf('\\');
  while (at !== -1) {
    const unit = escapedUnit(text, at);
    if (unit >= 0xdc00 && unit <= 0xdfff) return true;
    let next = at + 2;
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const second = escapedUnit(text, at + 6);
      if (second < 0xdc00 || second > 0xdfff) return true;
      next = at + 12;
    }
    at = text.indexOf('\\', next);
  }
  return false;
}

/** The code unit of a `\uXXXX` escape at this place; 0 for any other text. */
function escapedUnit(text: string, at: number): number {
  return text.startsWith('\\u', at) ? Number.parseInt(text.slice(at + 2, at + 6), 16) : 0;
}
