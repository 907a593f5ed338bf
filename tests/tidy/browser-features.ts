import data from '@mdn/browser-compat-data' with { type: 'json' };
import { parseSync, Visitor } from 'oxc-parser';
import postcss, { type ChildNode, type Declaration } from 'postcss';
import type { Least } from '../../bin/least-browsers.ts';

/**
 * What of a stylesheet or a script a browser lacks, by MDN's data: any feature, so that the next new
 * one is found as well. Not found is what the data do not name, such as a bug.
 */

interface Support {
  readonly version_added: string | false | null;
  readonly version_removed?: string;
  readonly prefix?: string;
  readonly alternative_name?: string;
  readonly flags?: unknown;
}
interface Feature {
  readonly __compat?: { readonly support: Readonly<Record<string, Support | readonly Support[]>> };
  readonly [part: string]: Feature | unknown;
}
const part = (of: unknown, name: string): Feature | undefined =>
  Object.hasOwn(Object(of), name) ? ((of as Feature)[name] as Feature) : undefined;

const { css, javascript, api } = data as unknown as Record<string, Feature>;
const PROPERTIES = part(css, 'properties');
const TYPES = part(css, 'types');
const SELECTORS = part(css, 'selectors');
const AT_RULES = part(css, 'at-rules');
const COLOURS = part(TYPES, 'color');
const LENGTHS = part(TYPES, 'length');

const bareName = (name: string) => name.replace(/^-webkit-/, '');

/** Whether every least browser has the feature, by one of the names that are used for it. */
function isIn(feature: Feature | undefined, least: Least, ...names: readonly string[]): boolean {
  const support = feature?.__compat?.support;
  if (support === undefined) return true;
  return Object.entries(least).every(([browser, version]) =>
    [support[browser] ?? []].flat().some((entry) => {
      const { version_added, version_removed, prefix, alternative_name, flags } = entry as Support;
      if (flags !== undefined || typeof version_added !== 'string') return false;
      if (!(Number.parseFloat(version_added.replace('≤', '')) <= version)) return false;
      if (Number.parseFloat(version_removed ?? 'Infinity') <= version) return false;
      if (alternative_name !== undefined) return names.includes(alternative_name);
      return prefix === undefined || names.some((name) => name.startsWith(prefix));
    }),
  );
}

// ---- Style

/** What the least browsers lack of a stylesheet, where nothing before it in its rule serves them. */
export function lackingInStyle(style: string, least: Least): readonly string[] {
  const lacking = new Set<string>();
  postcss.parse(style).walk((node) => {
    if (isForSupporters(node)) return;
    if (node.type === 'decl') {
      const lacked = lackingInDeclaration(node, least);
      if (lacked.length > 0 && !isServedEarlier(node, least))
        for (const one of lacked) lacking.add(one);
    } else if (node.type === 'rule') {
      // One that is not known makes the others of its list void.
      const among = node.selectors.length > 1 ? ' in a list' : '';
      for (const [, name = ''] of node.selector.matchAll(/::?([a-z-]+)/g))
        if (!isIn(part(SELECTORS, bareName(name)), least, name)) lacking.add(`:${name}${among}`);
    } else if (node.type === 'atrule') {
      const rule = part(AT_RULES, bareName(node.name));
      if (!isIn(rule, least, node.name)) lacking.add(`@${node.name}`);
      if (node.name !== 'media') return;
      for (const [, name = ''] of node.params.matchAll(/\(\s*(?:(?:min|max)-)?([a-z-]+)/g))
        if (!isIn(part(rule, name), least)) lacking.add(`@media (${name})`);
      if (/[<>]/.test(node.params) && !isIn(part(rule, 'range_syntax'), least))
        lacking.add('@media with < or >');
    }
  });
  return [...lacking].sort();
}

/** Whether only browsers that say that they know it read the node. */
function isForSupporters({ parent }: ChildNode): boolean {
  for (let at = parent as ChildNode | undefined; at; at = at.parent as ChildNode | undefined)
    if (at.type === 'atrule' && at.name === 'supports') return true;
  return false;
}

/** Whether a declaration before it in its rule, by the same or an older name, does instead. */
const isServedEarlier = (declaration: Declaration, least: Least): boolean =>
  declaration.parent?.nodes.slice(0, declaration.parent.index(declaration)).some((other) => {
    if (other.type !== 'decl') return false;
    const isNamed = other.prop === declaration.prop || olderNames(declaration.prop).has(other.prop);
    return isNamed && lackingInDeclaration(other, least, declaration.prop).length === 0;
  }) ?? false;

const olderNames = (name: string): ReadonlySet<string> =>
  new Set(
    Object.values(part(PROPERTIES, name)?.__compat?.support ?? {})
      .flat()
      .flatMap(({ prefix, alternative_name }) =>
        prefix === undefined ? (alternative_name ?? []) : `${prefix}${name}`,
      ),
  );

/** What is lacked of a declaration; of an older name's values nothing is known. */
function lackingInDeclaration(
  { prop, value, parent }: Declaration,
  least: Least,
  of = bareName(prop),
): readonly string[] {
  if (prop.startsWith('--')) return [];
  const property = part(PROPERTIES, of);
  const isFlexGap = prop.endsWith('gap') && !/\bdisplay:\s*(?:inline-)?grid/.test(String(parent));
  const used: (readonly [said: string, features: readonly (Feature | undefined)[]])[] = [
    [`${prop} in a flex box`, isFlexGap ? [part(property, 'flex_context')] : []],
  ];
  const bare = value.replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '');
  for (const [word] of prop === of ? bare.matchAll(/(?<![\w#-])-?[a-z][a-z-]*(?![\w(-])/g) : [])
    used.push([`${prop}: ${word}`, [part(property, bareName(word)), part(COLOURS, word)]]);
  for (const [, name = ''] of bare.matchAll(/([a-z-]+)\(/g))
    used.push([`${name}()`, [TYPES, COLOURS, property].map((where) => part(where, name))]);
  for (const [, unit = ''] of bare.matchAll(/\d([a-z]+)\b/g)) {
    const size = /^([dls])v(?:[hwib]|min|max)$/.exec(unit)?.[1] as keyof typeof SIZES | undefined;
    used.push([unit, [part(LENGTHS, size === undefined ? unit : SIZES[size])]]);
  }
  for (const [notation, pattern, feature] of NOTATIONS)
    if (pattern.test(bare)) used.push([notation, [feature]]);
  const lacking = used
    .filter(([, features]) => !features.every((feature) => isIn(feature, least, value)))
    .map(([said]) => said);
  return isIn(property, least, prop) ? lacking : [prop, ...lacking];
}

const SIZES = {
  d: 'viewport_percentage_units_dynamic',
  l: 'viewport_percentage_units_large',
  s: 'viewport_percentage_units_small',
};
const HEX = part(COLOURS, 'rgb_hexadecimal_notation');
const NOTATIONS: readonly (readonly [string, RegExp, Feature | undefined])[] = [
  [
    'rgb() without commas',
    /\b(?:rgb|hsl)a?\([^,)]*\s[^,)]*\)/,
    part(part(COLOURS, 'rgb'), 'space_separated_parameters'),
  ],
  ['#rrggbbaa', /#(?:[\da-f]{4}|[\da-f]{8})\b/i, part(HEX, 'alpha_hexadecimal_notation')],
];

// ---- Script

/** Members of objects, by their name: of the language's, and of all. */
const MEMBERS = { language: new Map<string, Feature[]>(), all: new Map<string, Feature[]>() };
const WORDS_OF_LANGUAGE = /^(?:Array|Date|Map|Number|Object|Promise|RegExp|Set|String|TypedArray)$/;
/** Objects that are there without an import, with their members. */
const GLOBALS = new Map<string, Feature>();
for (const objects of [part(javascript, 'builtins'), api]) {
  for (const [name, object] of Object.entries(objects ?? {}) as [string, Feature][]) {
    if (!GLOBALS.has(name)) GLOBALS.set(name, object);
    for (const [member, feature] of Object.entries(object) as [string, Feature][])
      if (!/^__|_(?:event|static)$/.test(member))
        for (const known of WORDS_OF_LANGUAGE.test(name) ? Object.values(MEMBERS) : [MEMBERS.all])
          known.set(member, [...(known.get(member) ?? []), feature]);
  }
}

const LOOKBEHIND = part(part(javascript, 'regular_expressions'), 'lookbehind_assertion');

/**
 * What the least browsers lack of the objects that a script names, unless it asks by `?.` or
 * `typeof`. An object is known by its name, a member of another by being new wherever it is; in a
 * large script only one of the language's own objects, since it has names of its own.
 */
export function lackingInScript(
  script: string,
  least: Least,
  members: keyof typeof MEMBERS = 'all',
): readonly string[] {
  const { program, errors } = parseSync('script.js', script, { lang: 'js' });
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  const lacking = new Set<string>();
  const own = new Set<string>();
  const asked = new Set<string>();
  new Visitor({
    VariableDeclarator: ({ id }) => void (id.type === 'Identifier' && own.add(id.name)),
    FunctionDeclaration: ({ id }) => void (id && own.add(id.name)),
    ClassDeclaration: ({ id }) => void (id && own.add(id.name)),
    ImportDeclaration: ({ specifiers }) => {
      for (const { local } of specifiers) own.add(local.name);
    },
    UnaryExpression: ({ operator, argument }) =>
      void (operator === 'typeof' && argument.type === 'Identifier' && asked.add(argument.name)),
  }).visit(program);
  new Visitor({
    Identifier({ name }) {
      if (own.has(name) || asked.has(name) || isIn(GLOBALS.get(name), least)) return;
      lacking.add(name);
    },
    Literal(literal) {
      // By the AST: what `new RegExp` is given is not read.
      if ('regex' in literal && /\(\?<[=!]/.test(literal.regex.pattern) && !isIn(LOOKBEHIND, least))
        lacking.add('(?<=');
    },
    MemberExpression({ object, property, computed, optional }) {
      if (computed || property.type !== 'Identifier' || optional || isData(object)) return;
      const { name } = property;
      const global =
        object.type === 'Identifier' && !own.has(object.name) && GLOBALS.get(object.name);
      const exact = global && (part(global, `${name}_static`) ?? part(global, name));
      const found = exact ? [exact] : (MEMBERS[members].get(name) ?? []);
      if (found.length > 0 && !found.some((feature) => isIn(feature, least)))
        lacking.add(exact ? `${(object as { name: string }).name}.${name}` : `.${name}`);
    },
  }).visit(program);
  return [...lacking].sort();
}

/** Members of `dataset` have any name. */
const isData = (object: { readonly type: string; readonly property?: unknown }): boolean =>
  object.type === 'MemberExpression' &&
  (object.property as { readonly name?: string }).name === 'dataset';
