import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '..', '..');

/** Files of the repository by pattern, as paths from its root with forward slashes. */
export const filesOf = (...patterns: readonly string[]): readonly string[] =>
  globSync([...patterns], {
    cwd: ROOT,
    exclude: (name) => /node_modules|\bdist$/.test(String(name)),
  })
    .map((name) => name.split(path.sep).join('/'))
    .sort();

export const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/**
 * What a module imports or exports from elsewhere, as written, or as a path from the root where it
 * names a file.
 */
export function importsOf(file: string): readonly string[] {
  const statements =
    /^(?:import|export)\s(?:[^'"`;]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
  return [...read(file).matchAll(statements)].map((match) => {
    const name = (match[1] ?? match[2]) as string;
    return name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name;
  });
}
