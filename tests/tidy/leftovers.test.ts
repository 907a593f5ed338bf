import { describe, expect, test } from 'vitest';
import { filesOf, read } from './sources.ts';

const code = filesOf('packages/**/*.ts', 'apps/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts', '*.ts');
const tests = code.filter((file) => file.endsWith('.test.ts'));

/** `file:line` of every line that matches. */
const linesWith = (files: readonly string[], pattern: RegExp) =>
  files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}`] : [])),
  );

describe('leftovers', () => {
  test('no test is alone or skipped', () => {
    expect(linesWith(tests, /\b(describe|test|it)\.(only|skip|todo|fixme)\b/)).toEqual([]);
  });

  // A socket's own timeout only ends it.
  test('no test sleeps: it waits for what it wants to see, or says why it paces what it sends', () => {
    expect(
      linesWith(
        tests,
        /^(?!.*\/\/ pace: \w).*((?<!socket\.)\bsetTimeout\(|timers\/promises|\bsleep\()/,
      ),
    ).toEqual([]);
  });

  test('nothing is left to do, and nobody is suppressed without a reason', () => {
    // put together, so that this file does not find itself
    const marks = new RegExp(
      `\\b(${['TO', 'FIX', 'X'].map((start, at) => start + ['DO', 'ME', 'XX'][at]).join('|')})\\b`,
    );
    expect(linesWith(code, marks)).toEqual([]);
    expect(
      linesWith(code, /@ts-(ignore|nocheck)|biome-ignore [^:]+:\s*$|biome-ignore [^:]+$/),
    ).toEqual([]);
  });

  test('the service prints through its log or says it on standard error, never by console', () => {
    expect(
      linesWith(
        code.filter((file) => /^apps\/server\/src\//.test(file) && !file.endsWith('.test.ts')),
        /\bconsole\./,
      ),
    ).toEqual([]);
  });
});
