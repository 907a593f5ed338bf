import type { Declaration, Plugin, Rule } from 'postcss';

/** Of browsers that know neither `inset` nor gaps in flex boxes: before Chrome 87 and Safari 14.1. */
const WITHOUT_GAPS = 'not (inset: 0)';

/** Shorthands that mean the same sides in both directions, if not with two values. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  'padding-inline': ['padding-left', 'padding-right'],
  'margin-inline': ['margin-left', 'margin-right'],
  'inset-inline': ['left', 'right'],
  'padding-block': ['padding-top', 'padding-bottom'],
  'margin-block': ['margin-top', 'margin-bottom'],
  'inset-block': ['top', 'bottom'],
};

/**
 * Writes newer style so that the app's least browsers know it. What the builder lowers by itself is
 * left to it, but for logical properties, which it lowers by a selector that they lack.
 */
export const olderCss = (): Plugin => ({
  postcssPlugin: 'older-css',
  OnceExit(root, { AtRule, Declaration, Rule }) {
    root.walkDecls((declaration) => {
      const { prop, value } = declaration;
      const pair = PAIRS[prop];
      if (pair !== undefined && !isBySide(declaration)) {
        const [first = '', second = first] = valuesOf(value);
        declaration.cloneBefore({ prop: pair[0], value: first });
        declaration.cloneBefore({ prop: pair[1], value: second });
        declaration.remove();
        return;
      }
      if (value.includes('dvh')) declaration.cloneBefore({ value: value.replace(/dvh/g, 'vh') });
      if (prop === 'overflow-wrap' && value === 'anywhere')
        declaration.cloneBefore({ value: 'break-word' });
    });
    root.walkRules((rule) => {
      const from = rule.source === undefined ? {} : { source: rule.source };
      const older = [...inset(rule), ...placedBySide(rule), ...spacedByMargins(rule)].map(
        ([selector, declarations]) =>
          new Rule({
            selector,
            ...from,
            nodes: declarations.map(([prop, value]) => new Declaration({ prop, value, ...from })),
          }),
      );
      if (older.length > 0)
        rule.after(new AtRule({ name: 'supports', params: WITHOUT_GAPS, ...from, nodes: older }));
    });
  },
});

type Declarations = readonly (readonly [prop: string, value: string])[];
type Older = readonly [selector: string, declarations: Declarations];

/** `inset` by two rules, since the builder writes one of four sides as `inset` again. */
function inset(rule: Rule): readonly Older[] {
  const value = valueIn(rule, 'inset');
  if (value === undefined) return [];
  const [top = '', right = top, bottom = top, left = right] = valuesOf(value);
  return [
    [
      rule.selector,
      [
        ['top', top],
        ['bottom', bottom],
      ],
    ],
    [
      rule.selectors.map((selector) => `[dir] ${selector}`).join(', '),
      [
        ['right', right],
        ['left', left],
      ],
    ],
  ];
}

const valueIn = (rule: Rule, wanted: string): string | undefined =>
  rule.nodes.findLast((node): node is Declaration => node.type === 'decl' && node.prop === wanted)
    ?.value;

/** Whether it says another thing of each side. */
const isBySide = ({ prop, value }: Declaration): boolean =>
  /^inset-inline-/.test(prop) ||
  (/^(?:padding|margin|inset)-inline$/.test(prop) && valuesOf(value).length > 1);

/** Sides by the direction of the page. */
function placedBySide(rule: Rule): readonly Older[] {
  const bySide = rule.nodes.filter(
    (node): node is Declaration => node.type === 'decl' && isBySide(node),
  );
  if (bySide.length === 0) return [];
  return (['ltr', 'rtl'] as const).map((direction) => {
    const [start, end] = direction === 'ltr' ? ['left', 'right'] : ['right', 'left'];
    return [
      rule.selectors.map((selector) => `[dir=${direction}] ${selector}`).join(', '),
      bySide.flatMap(({ prop, value }): Declarations => {
        const [before, , side] = prop.split('-') as [string, string, string?];
        const named = (of: string) => (before === 'inset' ? of : `${before}-${of}`);
        if (side !== undefined) return [[named(side === 'start' ? start : end), value]];
        const [first = '', second = ''] = valuesOf(value);
        return [
          [named(start), first],
          [named(end), second],
        ];
      }),
    ];
  });
}

/** A gap as margins: between the parts of a line, around those that wrap. */
function spacedByMargins(rule: Rule): readonly Older[] {
  const gap = valueIn(rule, 'gap');
  if (gap === undefined || !/flex$/.test(valueIn(rule, 'display') ?? '')) return [];
  const [between = '0', across = between] = valuesOf(gap);
  const flow = ['flex-direction', 'flex-flow', 'flex-wrap'].map((prop) => valueIn(rule, prop));
  const parts = (selector: string) =>
    rule.selectors.map((own) => `${own} > ${selector}`).join(', ');
  const half = (length: string) => `calc(${length === '0' ? '0px' : length} / 2)`;
  const spaced: Older = /\bwrap/.test(String(flow))
    ? [parts('*'), [['margin', `${half(between)} ${half(across)}`]]]
    : [
        parts('* + *'),
        [/column/.test(String(flow)) ? ['margin-top', between] : ['margin-inline-start', across]],
      ];
  return [[rule.selector, [['gap', '0']]], spaced];
}

/** The parts of a value: those in brackets are one. */
const valuesOf = (value: string): readonly string[] =>
  value.match(/(?:[^\s(]+\((?:[^()]|\([^()]*\))*\)|[^\s(])+/g) ?? [];
