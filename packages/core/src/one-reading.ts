import { CREATION_FIELDS, type CreationField } from './creation-fields.ts';
import type { Member, Members } from './json-object.ts';
import { compareUtf8 } from './utf8.ts';

/**
 * The signed text quotes nothing, so one text could be split into fields in several ways. Exactly
 * one of them is accepted (signing.md#one-text-one-order); the others are malformed. Proof by
 * `one-reading.test.ts`, which tries every split of many texts.
 */

const FIELDS: ReadonlyMap<string, CreationField> = new Map(
  Object.values<CreationField>(CREATION_FIELDS)
    .filter(({ type }) => type !== 'signature')
    .map((field) => [field.name.toLowerCase(), field]),
);

/** The keys of the signed fields, lower-cased and in the order of their UTF-8 bytes. */
export function signedKeys(members: Members): readonly string[] {
  const keys: string[] = [];
  for (const [key, member] of members) {
    if (key !== 'signature' && isSigned(member)) keys.push(key);
  }
  return keys.sort(compareUtf8);
}

function isSigned({ kind, value }: Member): boolean {
  return value !== '' && kind !== 'null' && kind !== 'object' && kind !== 'array';
}

/** Where the pairs of a URL or of metadata begin; undefined for every other field. */
function pairsAfter(key: string): string | undefined {
  const field = FIELDS.get(key);
  return field?.type === 'string' ? field.pairsAfter : undefined;
}

/**
 * The lower-cased key of the first field by which the signed text could be read as another order;
 * undefined if there is none. `keys` are those of the signed text, in its order.
 */
export function fieldWithOtherReading(
  members: Members,
  keys: readonly string[] = signedKeys(members),
): string | undefined {
  for (const key of members.keys()) if (key.includes('=') || key.includes('&')) return key;
  let known = '';
  for (const [at, key] of keys.entries()) {
    if (FIELDS.has(key)) known = key;
    else if (at > 0 && couldGoOn(members, keys[at - 1] as string)) return key;
    const value = members.get(key)?.value ?? '';
    if (value.includes('&') && couldEnd({ key, value, known, next: keys[at + 1] })) return key;
  }
  return undefined;
}

/** Whether an unknown field behind this URL or metadata could be a part of it. */
function couldGoOn(members: Members, key: string): boolean {
  const opening = pairsAfter(key);
  const value = members.get(key)?.value ?? '';
  return opening !== undefined && (value.includes(opening) || namesIn(value).length > 0);
}

interface SignedValue {
  readonly key: string;
  readonly value: string;
  /** The key itself, or the nearest before it, that is a field of the request. */
  readonly known: string;
  readonly next: string | undefined;
}

/** Whether a part of the value, `&name=…`, could be a field of its own. */
function couldEnd({ key, value, known, next }: SignedValue): boolean {
  const opening = pairsAfter(key);
  const openedAt = opening === undefined ? -1 : value.indexOf(opening);
  const sortsHere = (name: string, from: string) =>
    compareUtf8(name, from) >= 0 && (next === undefined || compareUtf8(name, next) < 0);
  return namesIn(value).some(({ name, index }) => {
    if (opening === undefined) return FIELDS.has(name) || sortsHere(name, known);
    if (pairsAfter(name) !== undefined) return true;
    const isPair = openedAt >= 0 && openedAt < index;
    return sortsHere(name, key) && (FIELDS.has(name) || !isPair);
  });
}

/** Every `&name=` that could begin a field, and where: keys are signed in lower case. */
function namesIn(value: string): { readonly name: string; readonly index: number }[] {
  return [...value.matchAll(/&([^&=]*)=/g)]
    .map(({ 1: name = '', index }) => ({ name, index }))
    .filter(({ name }) => name === name.toLowerCase());
}
