import { isBuiltin } from 'node:module';
import { describe, expect, test } from 'vitest';
import { SUBJECTS } from '../../apps/server/src/subjects.ts';
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
  'apps/docs/src/': 'docs',
  'apps/member/src/': 'member',
  'apps/portal/src/': 'portal',
  'packages/embedded-postgres/': 'embedded-postgres',
  'apps/server/src/': 'server',
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

const SERVER = 'apps/server/src/';
const LEDGER = `${SERVER}engine/ledger/`;

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

  test('has no circle of files, types included', () => {
    const left = new Map(sources.map((file) => [file, new Set<string>()]));
    for (const { file, name } of imports) if (left.has(name)) left.get(file)?.add(name);
    // What imports nothing that is left is in no circle.
    for (let before = -1; before !== left.size; ) {
      before = left.size;
      for (const [file, names] of left)
        if (![...names].some((name) => left.has(name))) left.delete(file);
    }
    expect([...left.keys()]).toEqual([]);
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
    expect(own).toEqual([
      'apps/server/src/platform/http/csv.ts',
      'packages/api/src/contract/endpoint.ts',
    ]);
  });

  test('no request has a password hashed but in its turn', () => {
    const hashes = sources.filter((file) => /\bhashPassword\b/.test(read(file)));
    expect(hashes).toEqual([
      `${SERVER}operators/service.ts`, // from the command line
      `${SERVER}platform/sign-in/guard.ts`,
      `${SERVER}platform/sign-in/passwords.ts`,
    ]);
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
});

describe('the contract', () => {
  const CONTRACT = 'packages/api/src/';
  const subjects = Object.keys(SUBJECTS);
  const files = sources.filter(
    (file) => file.startsWith(CONTRACT) && file !== `${CONTRACT}index.ts`,
  );
  /** What knows no subject comes first. */
  const placeOf = (file: string) =>
    file.startsWith(`${CONTRACT}contract/`)
      ? 0
      : subjects.indexOf(file.slice(CONTRACT.length).split('.')[0] as string);

  test('has its files by the subjects of the server, and a face at the end where it has one', () => {
    expect(files.filter((file) => placeOf(file) < 0)).toEqual([]);
    const ofFaces = files.filter((file) =>
      /\b(endpoint|write|moneyWrite)\(\n? *'/.test(read(file)),
    );
    expect(ofFaces.filter((file) => !/\.(operator|member|portal|page)\.ts$/.test(file))).toEqual([
      `${CONTRACT}people.ts`,
    ]);
  });

  test('imports nothing from a subject that stands later', () => {
    const up = imports.filter(
      ({ file, name }) =>
        files.includes(file) && files.includes(name) && placeOf(name) > placeOf(file),
    );
    expect(up).toEqual([]);
  });
});

describe('the server', () => {
  const order = ['', ...Object.keys(SUBJECTS)];
  /** The folder of a file; '' for what is next to them, such as `main.ts`. */
  const subjectOf = (file: string) => {
    const [first = '', ...rest] = file.slice(SERVER.length).split('/');
    return rest.length === 0 ? '' : first;
  };
  // What is next to the folders starts the service, and comes last.
  const placeOf = (subject: string) => (subject === '' ? order.length : order.indexOf(subject));
  const inServer = imports.filter(
    ({ file, name }) => file.startsWith(SERVER) && name.startsWith(SERVER),
  );

  test('has its folders in the order of its list, and no other', () => {
    const folders = new Set(sources.filter((file) => file.startsWith(SERVER)).map(subjectOf));
    expect([...folders].sort()).toEqual([...order].sort());
  });

  test('imports nothing from a folder that stands later', () => {
    const up = inServer.filter(
      ({ file, name }) => placeOf(subjectOf(name)) > placeOf(subjectOf(file)),
    );
    expect(up.map(({ file, name }) => `${file} imports ${name}`)).toEqual([]);
    expect(inServer.length).toBeGreaterThan(1_500);
  });

  test('imports the routes of a face in faces alone', () => {
    const routes = /(?:\/|\.)routes\.(?:merchant|member|operator|portal)\.ts$/;
    const others = inServer.filter(
      ({ file, name }) => routes.test(name) && subjectOf(file) !== 'faces',
    );
    expect(others.map(({ file, name }) => `${file} imports ${name}`)).toEqual([]);
  });

  test('adds nothing to the types of packages: what a request carries is an argument', () => {
    const inTypes = sources.filter(
      (file) => file.startsWith(SERVER) && /^declare (module|global)\b/m.test(read(file)),
    );
    expect(inTypes).toEqual([]);
  });

  test('the ledger is opened by the engine alone: one writer of money and status', () => {
    const others = imports.filter(
      ({ file, name }) => name.startsWith(LEDGER) && subjectOf(file) !== 'engine',
    );
    expect(others).toEqual([]);
  });
});

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
