import type { Chance } from '../simulation/chance.ts';

/** A JSON schema as far as our documents use it. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minProperties?: number;
  readonly examples?: readonly unknown[];
}

/**
 * Values that the schemas cannot know: ids of what exists, texts with a shape of their own. By
 * field name, as JSON source.
 */
export type KnownValues = Readonly<Record<string, (chance: Chance) => string>>;

/** The source of a value that fits the schema. */
export function fitting(
  schema: JsonSchema,
  name: string,
  known: KnownValues,
  chance: Chance,
): string {
  const own = known[name];
  if (own !== undefined) return own(chance);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices !== undefined) return fitting(chance.pick(choices), name, known, chance);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.examples !== undefined) return JSON.stringify(chance.pick(schema.examples));
  if (schema.enum !== undefined) return JSON.stringify(chance.pick(schema.enum));
  switch (schema.type) {
    case 'object':
      return `{${fittingFields(schema, known, chance)
        .map(([key, value]) => `${key}:${value}`)
        .join(',')}}`;
    case 'array':
      return `[${Array.from({ length: chance.number(3) }, () => fitting(schema.items ?? {}, '', known, chance)).join(',')}]`;
    case 'integer':
      return String(
        (schema.minimum ?? 0) +
          chance.number(Math.min(50, (schema.maximum ?? 50) - (schema.minimum ?? 0) + 1)),
      );
    case 'number':
      return `${1 + chance.number(400)}.${chance.number(100)}`;
    case 'boolean':
      return chance.pick(['true', 'false']);
    case 'null':
      return 'null';
    default:
      return JSON.stringify(fittingText(schema, chance));
  }
}

function fittingText(
  { format, minLength = 0, maxLength = 100 }: JsonSchema,
  chance: Chance,
): string {
  if (format === 'uuid') return '0190b3f2-7a1c-7e11-9d55-2f6a1c9e4b77';
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z';
  return 'text of a fuzzer '
    .repeat(8)
    .slice(0, Math.max(minLength, Math.min(maxLength, 3 + chance.number(30))));
}

/** Required fields and some of the others, as sources of keys and values. */
export function fittingFields(
  schema: JsonSchema,
  known: KnownValues,
  chance: Chance,
): [key: string, value: string][] {
  const properties = Object.entries(schema.properties ?? {});
  const least = schema.minProperties === undefined ? -1 : chance.number(properties.length);
  return properties
    .filter(
      ([name], at) =>
        name !== 'signature' &&
        (schema.required?.includes(name) || at === least || chance.oneIn(3)),
    )
    .map(([name, inner]) => [JSON.stringify(name), fitting(inner, name, known, chance)]);
}

/** Number literals (goals: Bad input), JSON or not. */
export const NUMBERS = [
  ...[
    '0',
    '-0',
    '0.0',
    '1',
    '-1',
    '0.0001',
    '0.00001',
    '1.00005',
    '1.50000',
    '4.0',
    '4.5',
    '1e3',
    '1E-7',
    '1e999999999',
    '-1e-999999999',
    '1e+2',
  ],
  ...[
    '99999999999999.9999',
    '99999999999999.99999',
    '100000000000000',
    '-100000000000000',
    '9007199254740993',
    '2147483648',
    '-2147483649',
  ],
  ...[
    '9223372036854775808',
    '18446744073709551616',
    '1.7976931348623157e308',
    '9'.repeat(500),
    `0.${'0'.repeat(500)}1`,
  ],
  ...[
    '01',
    '+1',
    '.5',
    '1.',
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '-Infinity',
    '1,5',
    '"1500"',
    '"1e3"',
    '٣',
  ],
];

const NUL = '\\u0000';
/** Texts, as JSON source. */
export const TEXTS = [
  ...[
    '""',
    '" "',
    '"\\t"',
    `"${NUL}"`,
    `"a${NUL}b"`,
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\ud83d\\ude42"',
    '"\\ud83d"',
    '"\u202e\u2066"',
    '"\ufeff"',
    '"\u2028\u2029"',
  ],
  ...[
    '"\\u"',
    '"\\x41"',
    '"\n"',
    '"\x01"',
    '"\x7f\u0085"',
    "'single'",
    '"',
    '"\\"',
    '"a\\',
    '"%00"',
    '"%s%n%x"',
    '"$\\u007b7*7}"',
    '"{{7*7}}"',
    '"../../../../etc/passwd"',
  ],
  ...[
    '"\'; drop table orders; --"',
    '"1 or 1=1"',
    '"<script>alert(1)</script>"',
    '"javascript:alert(1)"',
    '"=cmd|\' /C calc\'!A0"',
    '"\\r\\nSet-Cookie: a=b"',
  ],
  ...[
    '"http://127.0.0.1:1/"',
    '"http://[::1"',
    '"https://a.example/?x=1&y=2#z"',
    '"file:///etc/passwd"',
    '"//a.example"',
    '"http://user:pw@a.example/"',
    '"HTTP://A.EXAMPLE"',
  ],
  ...[
    '"0000-01-01T00:00:00Z"',
    '"9999-12-31T23:59:60Z"',
    '"2016-12-31T23:59:60Z"',
    '"2026-02-30T00:00:00Z"',
    '"-000001-01-01T00:00:00Z"',
    '"+275760-09-13T00:00:00.001Z"',
  ],
  ...[
    '"00000000-0000-0000-0000-000000000000"',
    '"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"',
    '"{0190b3f2-7a1c-7e11-9d55-2f6a1c9e4b77}"',
    '"true"',
    '"null"',
    '"undefined"',
    '"constructor"',
    '"__proto__"',
  ],
];

/** Lengths at which limits lie (merchant-api.md#request; the schemas' maxLength). */
const LIMITS = [1, 4, 8, 50, 60, 100, 200, 500, 1_000, 2_000];
const LETTERS = ['x', '🙂', 'é', 'e\u0301', '\u0644', '\u0939\u093f', '\u{1f468}\u200d\u{1f469}'];

/** A text of so many letters, at a limit or one beside it. */
export function longText(chance: Chance): string {
  const length = chance.pick(LIMITS) + chance.number(3) - 1;
  return JSON.stringify([...chance.pick(LETTERS).repeat(length)].slice(0, length).join(''));
}

export const OTHERS = [
  'true',
  'false',
  'null',
  '{}',
  '[]',
  '[[[]]]',
  '[null]',
  '{"a":{"b":{}}}',
  '{"__proto__":{"admin":true}}',
  '{"toString":1}',
  '[1,"a",{}]',
  'undefined',
  '{',
  '[',
  '/* */ 1',
];

/** Keys that mean something to JavaScript, to the signing rule, or to nobody. */
export const KEYS = [
  ...[
    '"__proto__"',
    '"constructor"',
    '"prototype"',
    '"toString"',
    '"hasOwnProperty"',
    '"valueOf"',
    '"then"',
    '"toJSON"',
    '"length"',
    '"__defineGetter__"',
  ],
  ...[
    '"\\u017fignature"',
    '"\u017fignature"',
    '"SIGNATURE"',
    '"Signature"',
    '"signature"',
    '"\\u0073ignature"',
    '"to\u212aen"',
    '"\u0130d"',
    '"amount\u0307"',
    '"AMOUNT"',
  ],
  ...[
    '""',
    '" "',
    `"${NUL}"`,
    '"\\ud800"',
    '"$"',
    '"a.b"',
    '"a[0]"',
    '"0"',
    '"\ufeffamount"',
    '"amount "',
    `"${'k'.repeat(5_000)}"`,
  ],
];

/** So many levels of arrays or objects around a value. */
export function deep(levels: number, chance: Chance): string {
  const inner = chance.pick(['', '1', `"${NUL}"`, '"\\ud800"']);
  if (chance.oneIn(2)) return '['.repeat(levels) + inner + ']'.repeat(levels);
  const count = Math.floor(levels / 2);
  return '{"a":'.repeat(count) + (inner === '' ? '{}' : inner) + '}'.repeat(count);
}
