import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readSignature } from '@munshi/core';
import { describe, expect, test } from 'vitest';
import { filesOf, ROOT, read } from './sources.ts';

const pages = filesOf(
  ...['*.md', 'docs/**/*.md', 'deploy/**/*.md'],
  ...['packages/**/*.md', 'apps/**/*.md', 'bench/**/*.md', 'tests/**/*.md'],
);

/** As most viewers make it: lower case, punctuation dropped, spaces to hyphens. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/[`*]/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchors = new Map<string, readonly string[]>();
function anchorsOf(page: string): readonly string[] {
  const found =
    anchors.get(page) ??
    [...withoutCode(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      anchorOf(heading),
    );
  anchors.set(page, found);
  return found;
}
const withoutCode = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

interface Link {
  readonly page: string;
  readonly target: string;
}
const links: readonly Link[] = pages.flatMap((page) =>
  [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => ({ page, target: target as string }))
    .filter(({ target }) => !/^https?:/.test(target)),
);

/** A page of ours that a file names, with an anchor after `#` or with headings in quotes. */
interface Named {
  readonly file: string;
  readonly page: string;
  readonly anchor: string | undefined;
  readonly headings: readonly string[];
}
const NAMED =
  /(?<![\w/])((?:[\w.-]+\/)*[\w-]+\.md)(?:#([a-z0-9-]+))?(?:,? "([^"\n]+)")?(?: and "([^"\n]+)")?/g;

const namedIn = (file: string): readonly Named[] =>
  [...read(file).matchAll(NAMED)].map(([, written = '', anchor, first, second]) => {
    const page = written.replace(/^(\.\.\/)+/, '');
    const headings = [first, second].filter((heading) => heading !== undefined);
    return { file, page: placeOf(page), anchor, headings };
  });
/** Pages of docs/ are named with and without the folder; units name them where they are installed. */
const placeOf = (page: string) => {
  const fromRoot = page.replace(/^opt\/munshi\//, '');
  return existsSync(path.join(ROOT, fromRoot)) ? fromRoot : `docs/${fromRoot}`;
};
const exists = ({ page, anchor, headings }: Named) =>
  existsSync(path.join(ROOT, page)) &&
  [...(anchor === undefined ? [] : [anchor]), ...headings.map(anchorOf)].every((one) =>
    anchorsOf(page).includes(one),
  );

describe('the documentation', () => {
  test('has the pages that a newcomer looks for', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        'README.md',
        'ARCHITECTURE.md',
        'CONTRIBUTING.md',
        'CHANGELOG.md',
        'docs/decisions/README.md',
        'docs/glossary.md',
        'docs/operate/README.md',
      ]),
    );
  });

  test('links to files and headings that exist', () => {
    const broken = links.filter(({ page, target }) => {
      const [file = '', anchor] = target.split('#');
      const absolute = file === '' ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(ROOT, absolute))) return true;
      return anchor !== undefined && !anchorsOf(absolute).includes(anchor);
    });
    expect(broken).toEqual([]);
    expect(links.length).toBeGreaterThan(10);
  });

  test('gives each heading of a page an anchor of its own', () => {
    const twice = pages.flatMap((page) =>
      anchorsOf(page)
        .filter((anchor, at, all) => all.indexOf(anchor) !== at)
        .map((anchor) => `${page}#${anchor}`),
    );
    expect(twice).toEqual([]);
  });

  test('has lines of at most 100 columns outside tables and code', () => {
    const wide = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        withoutCode(read(page))
          .split('\n')
          .filter((line) => line.length > 100 && !line.startsWith('|'))
          .map((line) => `${page}: ${line}`),
      );
    expect(wide).toEqual([]);
  });

  test('says of every script what it does, and names no other', () => {
    const scriptsOf = (file: string) => Object.keys(JSON.parse(read(file)).scripts ?? {});
    const scripts = scriptsOf('package.json');
    const known = [...scripts, ...filesOf('packages/*/package.json').flatMap(scriptsOf)];
    const table = read('CONTRIBUTING.md');
    const named = (script: string) => new RegExp(`[\`\\s]${script}[\`\\s]`).test(table);
    expect(scripts.filter((script) => !named(script))).toEqual([]);
    const asked = [
      ...pages,
      ...filesOf('{packages,apps,tests,bench}/**/*.{ts,tsx}', 'bin/*', '.ci/run'),
    ].flatMap((file) =>
      [...read(file).matchAll(/\bnpm run (?:-s )?([a-z][\w:]*)/g)].map(([, script = '']) => ({
        file,
        script,
      })),
    );
    expect(asked.filter(({ script }) => !known.includes(script))).toEqual([]);
    expect(asked.length).toBeGreaterThan(20);
  });

  test('names files that exist', () => {
    const named = pages.flatMap((page) =>
      [
        ...read(page).matchAll(
          /`((?:apps|packages|tests|bench|docs)\/[\w./-]+\.(?:ts|md|json|sql|sh))`/g,
        ),
      ].map(([, file]) => ({ page, file: file as string })),
    );
    expect(named.filter(({ file }) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
  });

  test('has every page and heading that code, messages, rules and units name', () => {
    const named = filesOf(
      ...['packages', 'apps', 'tests', 'bench'].map((folder) => `${folder}/**/*.{ts,tsx,sql}`),
      ...['bin/*', 'deploy/**/*.*', 'deploy/systemd/*'],
    ).flatMap(namedIn);
    expect(named.filter((one) => !exists(one))).toEqual([]);
    const doctor = named.filter(({ file }) => file.startsWith('apps/server/src/doctor/'));
    expect(
      doctor.every(({ anchor, headings }) => anchor !== undefined || headings.length > 0),
    ).toBe(true);
    expect(doctor.length).toBeGreaterThan(10);
    const rules = named.filter(({ file }) => file === 'deploy/prometheus/rules.yml');
    expect(rules.length).toBeGreaterThan(25);
  });

  describe('decisions', () => {
    const INDEX = 'docs/decisions/README.md';
    const MIGRATIONS = 'apps/server/src/platform/database/migrations/';
    const records = filesOf('docs/decisions/[0-9]*.md');
    const numberOf = (record: string) => Number(path.basename(record).slice(0, 3));
    const citing = [
      ...filesOf(
        ...['packages', 'apps', 'tests', 'bench'].map((folder) => `${folder}/**/*.{ts,tsx,sql}`),
        ...['bin/*', 'deploy/**/*.*', 'deploy/systemd/*'],
      ),
      ...pages,
    ];
    const found = (file: string, pattern: RegExp) =>
      [...read(file).matchAll(pattern)].map(([, number]) => Number(number));

    test('are numbered without a gap, have their four parts, and are in the index', () => {
      expect(records.map(numberOf)).toEqual(records.map((_, at) => at + 1));
      expect(records.length).toBeGreaterThan(20);
      for (const record of records) {
        const text = read(record);
        expect(text, record).toMatch(new RegExp(`^# ${numberOf(record)}\\. .+\n\nStatus: `));
        for (const part of ['Context', 'Decision', 'Alternatives', 'Consequence'])
          expect(text, record).toContain(`\n**${part}.** `);
        expect(read(INDEX)).toContain(`](${path.basename(record)})`);
      }
    });

    test('that code and pages cite exist', () => {
      const numbers = records.map(numberOf);
      const cited = citing.flatMap((file) =>
        found(file, /\bdecision\s+(?:(?:\*|\/\/|--|#)\s+)?([0-9]+)/g).map((number) => ({
          file,
          number,
        })),
      );
      expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
      expect(cited.length).toBeGreaterThan(50);
    });

    test('by their old numbers are cited by landed migrations alone, which the index serves', () => {
      const OLD = /(?<![\w'.])D([1-9][0-9]{0,2})\b(?!['-])/g;
      const served = found(INDEX, /^- D([0-9]+): /gm);
      const old = citing
        .filter((file) => file !== INDEX)
        .map((file) => ({ file, numbers: found(file, OLD) }))
        .filter(({ numbers }) => numbers.length > 0);
      expect(old.filter(({ file }) => !file.startsWith(MIGRATIONS))).toEqual([]);
      const landed = old.flatMap(({ numbers }) => numbers);
      expect(landed.length).toBeGreaterThan(5);
      expect(landed.filter((number) => !served.includes(number))).toEqual([]);
    });
  });

  test('invariants that the code cites are recorded', () => {
    const record = read('docs/invariants.md');
    const code = filesOf('packages/**/*.ts', 'apps/**/*.ts', 'tests/**/*.ts');
    const cited = new Set(
      code.flatMap((file) => [...read(file).matchAll(/\b[ISW][1-9]\d?\b/g)].map(([id]) => id)),
    );
    expect([...cited].filter((id) => !record.includes(`| ${id} |`))).toEqual([]);
    expect(cited.size).toBeGreaterThan(20);
  });

  test('the requests that pages show are signed as the service checks it', () => {
    const example = read('README.md');
    const canonical = /printf '%s' "([^"]+)\$SECRET"/.exec(example)?.[1]?.replaceAll('$REF', 'REF');
    const body = /-d '(\{.*\})'/.exec(example)?.[1]?.replace("'$REF'", 'REF');
    expect(readSignature(body ?? '')).toMatchObject({ ok: true, canonical });

    const [, secret = ''] = /the secret `(sksec_\w{40})`/.exec(read('docs/signing.md')) ?? [];
    const signed = readSignature(/^\{"orderType".*\}$/m.exec(read('docs/signing.md'))?.[0] ?? '');
    if (!signed.ok) throw new Error(signed.code);
    expect(hash('md5', signed.canonical + secret)).toBe(signed.signature);
    expect(read('docs/signing.md')).toContain(`printf '%s' '${signed.canonical}${secret}'`);
  });
});
