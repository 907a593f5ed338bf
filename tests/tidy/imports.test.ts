import { isBuiltin } from 'node:module';
import { describe, expect, test } from 'vitest';
import { filesOf, importsOf, read } from './sources.ts';

const isTest = (file: string) => /\.test\.ts$|\/testing\/|test-support\.ts$/.test(file);
const sources = filesOf('packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}').filter(
  (file) => !isTest(file),
);

/** Modules by the path that their files begin with; the longest that fits counts. */
const MODULES: Readonly<Record<string, string>> = {
  'packages/core/': 'core',
  'packages/api/': 'api',
  'packages/sdk/': 'sdk',
  'packages/cli/': 'cli',
  'packages/web/': 'web',
  'packages/web-ui/': 'web-ui',
  'apps/console/src/': 'console',
  'apps/member/src/': 'member',
  'apps/portal/src/': 'portal',
  'packages/embedded-postgres/': 'embedded-postgres',
  'apps/server/src/': 'server',
  'apps/server/src/bounded-map.ts': 'tools',
  'apps/server/src/clock.ts': 'tools',
  'apps/server/src/config.ts': 'tools',
  'apps/server/src/config/': 'tools',
  'apps/server/src/guessed-passwords.ts': 'tools',
  'apps/server/src/one-time-codes.ts': 'tools',
  'apps/server/src/passwords.ts': 'tools',
  'apps/server/src/person-kinds.ts': 'tools',
  'apps/server/src/sign-webhook.ts': 'tools',
  'apps/server/src/vault.ts': 'tools',
  'apps/server/src/storage/': 'storage',
  'apps/server/src/engine/': 'engine',
  'apps/server/src/services/': 'services',
  'apps/server/src/webhooks/': 'webhooks',
  'apps/server/src/workers/': 'workers',
  'apps/server/src/metrics/': 'metrics',
  'apps/server/src/http/': 'http',
  'apps/server/src/http/merchant/': 'http/merchant',
  'apps/server/src/http/checkout/': 'http/checkout',
  'apps/server/src/http/member/': 'http/member',
  'apps/server/src/http/operator/': 'http/operator',
  'apps/server/src/http/portal/': 'http/portal',
};

const NAMES = [...new Set(Object.values(MODULES))];

/** The table of ARCHITECTURE.md: which modules each module may import besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    ...read('ARCHITECTURE.md').matchAll(
      /^\| `([\w/-]+)` \| (nothing|everything but .*|`[\w/-]+`(?:, `[\w/-]+`)*) \|$/gm,
    ),
  ].map(([, module, cell = '']) => {
    const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
    return [
      module,
      cell.startsWith('everything but') ? NAMES.filter((name) => !named.includes(name)) : named,
    ];
  }),
);

const PACKAGES: Readonly<Record<string, string>> = Object.fromEntries(
  ['core', 'api', 'sdk', 'cli', 'web', 'web-ui', 'embedded-postgres'].map((name) => [
    `@munshi/${name}`,
    name,
  ]),
);

function moduleOf(path: string): string | undefined {
  const prefix = Object.keys(MODULES)
    .filter((start) => path.startsWith(start))
    .sort((left, right) => right.length - left.length)[0];
  return prefix === undefined ? undefined : MODULES[prefix];
}

const LEDGER = 'apps/server/src/storage/ledger/';

/** A document whose words are shown is no code. */
const isDocument = (name: string) => name.endsWith('.md?raw');

const imports = sources.flatMap((file) =>
  importsOf(file).flatMap((name) => (isDocument(name) ? [] : [{ file, name }])),
);

describe('the import table', () => {
  test('stands in ARCHITECTURE.md, with every module that has files', () => {
    const used = new Set(sources.map(moduleOf));
    expect(
      [...used].filter((module) => module === undefined || MAY_IMPORT[module] === undefined),
    ).toEqual([]);
    expect(MAY_IMPORT['core']).toEqual([]);
    expect(MAY_IMPORT['http/merchant']).not.toContain('http/operator');
  });

  test('sees the imports of every source file', () => {
    expect(sources.length).toBeGreaterThan(80);
    const withImports = new Set(imports.map(({ file }) => file));
    const without = sources.filter(
      (file) => !withImports.has(file) && /^import /m.test(read(file)),
    );
    expect(without).toEqual([]);
  });

  test('is kept: modules import only what they may', () => {
    const broken = imports.filter(({ file, name }) => {
      const from = moduleOf(file) as string;
      const to = PACKAGES[name] ?? (/^(apps|packages)\//.test(name) ? moduleOf(name) : from);
      return to === undefined || (to !== from && !(MAY_IMPORT[from] ?? []).includes(to));
    });
    expect(broken.map(({ file, name }) => `${file} imports ${name}`)).toEqual([]);
  });

  test('has no two modules that may import each other', () => {
    const both = NAMES.flatMap((one) =>
      (MAY_IMPORT[one] ?? []).filter((other) => other !== one && MAY_IMPORT[other]?.includes(one)),
    );
    expect(both).toEqual([]);
  });

  test('core imports nothing, not even Node', () => {
    const broken = imports.filter(
      ({ file, name }) => moduleOf(file) === 'core' && !name.startsWith('packages/core/'),
    );
    expect(broken).toEqual([]);
    const pure = sources.filter(
      (file) =>
        moduleOf(file) === 'core' &&
        /\b(process|Buffer|setTimeout|Date\.now|Math\.random|new Date\(\))\b/.test(
          withoutComments(read(file)),
        ),
    );
    expect(pure).toEqual([]);
  });

  test('one writer of files for spreadsheets, which defuses their cells', () => {
    const written = /['"`](text\/csv|data:text\/csv)/;
    const own = sources.filter((file) => written.test(read(file)));
    expect(own).toEqual(['apps/server/src/http/csv.ts', 'packages/api/src/schemas.ts']);
  });

  test('api imports no Node module, for browsers load it too', () => {
    expect(imports.filter(({ file, name }) => moduleOf(file) === 'api' && isBuiltin(name))).toEqual(
      [],
    );
  });

  test('what browsers load imports no Node module, and apps no rule of core', () => {
    const inBrowsers = imports.filter(({ file }) =>
      ['web', 'web-ui', 'console', 'member', 'portal'].includes(moduleOf(file) as string),
    );
    expect(inBrowsers.filter(({ name }) => isBuiltin(name))).toEqual([]);
    expect(
      inBrowsers.filter(
        ({ file, name }) =>
          moduleOf(file) !== 'web' && /^@munshi\/core$|^packages\/core\//.test(name),
      ),
    ).toEqual([]);
  });

  test('the ledger is opened by the engine alone: one writer of money and status', () => {
    const others = imports.filter(
      ({ file, name }) =>
        name.startsWith(LEDGER) && !file.startsWith(LEDGER) && moduleOf(file) !== 'engine',
    );
    expect(others).toEqual([]);
  });
});

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
