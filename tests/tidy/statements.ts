import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'vitest/node';

/** A piece of SQL in a source file. */
export interface Statement {
  readonly file: string;
  readonly line: number;
  /** The outermost function or constant around it. */
  readonly owner: string;
  /** Its text; undefined when it is put together from what a call is given. */
  readonly text: string | undefined;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [property: string]: unknown;
}

const SQL = /^\s*(select|insert\s+into|update|delete\s+from|with)\s/i;

/**
 * Every statement of a source file, as it is sent: literals that begin like SQL, with whatever they
 * are put into. Each is evaluated at the end of a copy of its module, where the module's own
 * constants are in reach and a function's are not.
 */
export async function statementsOf(file: string): Promise<readonly Statement[]> {
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  const found = findSql(parseAst(source) as unknown as Node).map((node) => ({
    line: source.slice(0, node.start).split('\n').length,
    owner: node.owner,
    expression: source.slice(node.start, node.end),
  }));
  if (found.length === 0) return [];
  const evaluated = found.map(
    ({ expression }) => `(() => { try { return (${expression}); } catch { return undefined; } })()`,
  );
  const copy = `${withAbsoluteImports(source, file)}\nexport const statementsFound = [${evaluated.join(',\n')}];`;
  const module = (await import(
    /* @vite-ignore */ `data:text/javascript;base64,${Buffer.from(copy).toString('base64')}`
  )) as { statementsFound: unknown[] };
  return found.map(({ line, owner }, at) => {
    const text = module.statementsFound[at];
    return { file, line, owner, text: typeof text === 'string' ? text : undefined };
  });
}

/** A copy of the module lives nowhere, so that what it imports must be named in full. */
function withAbsoluteImports(source: string, file: string): string {
  const folder = pathToFileURL(`${path.dirname(file)}/`);
  return source
    .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
    .replaceAll(/(\bfrom\s*|\bimport\s*)'([^']+)'/g, (whole, keyword: string, name: string) => {
      if (name.startsWith('.')) return `${keyword}'${new URL(name, folder).href}'`;
      return name.startsWith('node:') ? whole : `${keyword}'${import.meta.resolve(name)}'`;
    });
}

interface FoundSql extends Node {
  readonly owner: string;
}

function findSql(program: Node): FoundSql[] {
  const found = new Map<number, FoundSql>();
  const visit = (node: Node, parents: readonly Node[]) => {
    if (beginsLikeSql(node)) {
      const outermost = whole(node, parents);
      found.set(outermost.start, { ...outermost, owner: ownerOf(parents) });
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child === 'object' && child !== null && 'type' in child)
          visit(child as Node, [...parents, node]);
      }
    }
  };
  visit(program, []);
  return [...found.values()];
}

function beginsLikeSql(node: Node): boolean {
  if (node.type === 'Literal') return typeof node['value'] === 'string' && SQL.test(node['value']);
  if (node.type !== 'TemplateLiteral') return false;
  const [first] = node['quasis'] as { readonly value: { readonly raw: string } }[];
  return SQL.test(first?.value.raw ?? '');
}

/**
 * The expression that a piece of SQL is put into: a template, a sum, or a call of a function of the
 * module.
 */
function whole(node: Node, parents: readonly Node[]): Node {
  const parent = parents.at(-1);
  if (parent === undefined) return node;
  const composed =
    parent.type === 'TemplateLiteral' ||
    parent.type === 'BinaryExpression' ||
    (parent.type === 'CallExpression' && (parent['callee'] as Node).type === 'Identifier');
  return composed ? whole(parent, parents.slice(0, -1)) : node;
}

function ownerOf(parents: readonly Node[]): string {
  for (const node of parents) {
    const id = node['id'] as { readonly name?: string } | null | undefined;
    if (id?.name !== undefined) return id.name;
  }
  return 'the module';
}
