import { CALLED_URL_FORMAT, EXACT_FORMAT, PLACES } from '@munshi/api';
import { formatFactor, formatMoney, isoTime, maskLogin } from '@munshi/core';
import type { TSchema } from 'typebox';

/**
 * Writes an answer as JSON by the schema of its endpoint: money, percentages and rates by their
 * exact digits, which no JavaScript number holds, times as ISO 8601 UTC, URLs that are called without
 * their passwords. A field that the schema does not name is not written. Throws for a value that the
 * schema has no way to write.
 */
export type AnswerWriter = (answer: unknown) => string;

export function answerWriter(schema: TSchema): AnswerWriter {
  const made = WRITERS.get(schema) ?? writerOf([schema as Node]);
  WRITERS.set(schema, made);
  return made;
}
const WRITERS = new WeakMap<TSchema, AnswerWriter>();

/** What this file reads of a JSON Schema. */
interface Node {
  readonly type?: unknown;
  readonly format?: string;
  readonly [PLACES]?: 4 | 8;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Properties;
}
type Properties = Readonly<Record<string, Node>>;

/** Where a schema leaves a choice, each variant says how the values of its own kind are written. */
function writerOf(nodes: readonly Node[]): AnswerWriter {
  const own = nodes.flatMap(variantsOf);
  const exact = own.find(({ format }) => format === EXACT_FORMAT);
  const digitsOf = exact && (exact[PLACES] === 4 ? formatMoney : formatFactor);
  const isTime = own.some(({ format }) => format === 'date-time');
  const isCalledUrl = own.some(({ format }) => format === CALLED_URL_FORMAT);
  if (
    isTime &&
    own.some(({ type, format }) => format === undefined && type !== 'null' && type !== 'string')
  )
    throw new Error('a time and a number in the same place cannot be distinguished');
  const items = own.flatMap((node) => node.items ?? []);
  const objects = own.flatMap(({ properties }): readonly Properties[] =>
    properties ? [properties] : [],
  );
  const writeItem = items.length > 0 ? writerOf(items) : JSON.stringify;
  const writeObject = objects.length > 0 ? objectWriter(objects) : JSON.stringify;
  return (value) => {
    if (typeof value === 'bigint' && digitsOf !== undefined) return digitsOf(value);
    if (typeof value === 'number' && isTime) return `"${isoTime(value)}"`;
    if (typeof value === 'string' && isCalledUrl) return JSON.stringify(maskLogin(value));
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return Array.isArray(value)
      ? `[${value.map((item) => writeItem(item)).join(',')}]`
      : writeObject(value);
  };
}

const variantsOf = (node: Node): readonly Node[] =>
  node.anyOf === undefined ? [node] : node.anyOf.flatMap(variantsOf);

function objectWriter(objects: readonly Properties[]): AnswerWriter {
  const names = [...new Set(objects.flatMap((properties) => Object.keys(properties)))];
  const fields = names.map((name) => ({
    name,
    label: `${JSON.stringify(name)}:`,
    write: writerOf(objects.flatMap((properties) => properties[name] ?? [])),
  }));
  return (value) => {
    let written = '';
    for (const { name, label, write } of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name];
      if (field !== undefined) written += `${written && ','}${label}${write(field)}`;
    }
    return `{${written}}`;
  };
}
