import { execFile } from 'node:child_process';
import { existsSync, globSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = path.join(import.meta.dirname, '..');

/** What browsers and merchants load from the service. */
interface Part {
  readonly name: string;
  /** Files and folders that it is made of. */
  readonly sources: readonly string[];
  /** A file that is newer than they are, once it is built. */
  readonly made: string;
  build(): Promise<void>;
}

/** What the apps are made of, besides their own folder. */
const SHARED = [
  'packages/{api,core,web,web-ui}/src',
  'bin/{component-styles,grown-with-text,least-browsers,light-endpoints,web-app-config}.ts',
  'package-lock.json',
];

const app = (name: string, others: readonly string[] = []): Part => ({
  name,
  sources: [
    ...SHARED,
    ...others,
    ...['index.html', 'vite.config.ts', 'build', 'public', 'src'].map(
      (file) => `apps/${name}/${file}`,
    ),
  ],
  made: `apps/${name}/dist/index.html`,
  build: () => buildApp(name),
});

const SDK: Part = {
  name: 'sdk',
  sources: [
    'packages/{core,cli,sdk}/src',
    'packages/sdk/{README.md,build.ts,package.json,tsconfig.build.json}',
    'package-lock.json',
  ],
  made: 'packages/sdk/packed/munshi-sdk.tgz',
  build: packSdk,
};

const PARTS: readonly Part[] = [
  app('console'),
  app('docs', ['docs/*.md', 'packages/sdk/README.md']),
  app('member'),
  app('portal'),
  SDK,
];

const distOf = (name: string) => path.join(ROOT, 'apps', name, 'dist');

/** Whether Vite can be loaded: `npm ci --omit=dev` leaves it out. */
export function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

/** Builds the web apps and the SDK, or only those whose sources are newer than what was built. */
export async function buildWebApps({ stale = false } = {}): Promise<readonly string[]> {
  const wanted = PARTS.filter((part) => !stale || isStale(part));
  for (const part of wanted) await part.build();
  return wanted.map(({ name }) => name);
}

function isStale({ sources, made }: Part): boolean {
  const file = path.join(ROOT, made);
  if (!existsSync(file)) return true;
  const builtAt = statSync(file).mtimeMs;
  return globSync(
    sources.flatMap((name) => [name, `${name}/**/*`]),
    { cwd: ROOT },
  ).some((source) => statSync(path.join(ROOT, source)).mtimeMs > builtAt);
}

/** Built beside what is there and put in its place whole: a server may be reading it. */
async function buildApp(name: string): Promise<void> {
  const { build } = await import('vite');
  const outDir = `${distOf(name)}.${process.pid}`;
  try {
    await build({
      root: path.join(ROOT, 'apps', name),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    await Promise.all(
      globSync('assets/*.{js,css,svg}', { cwd: outDir }).map((file) =>
        compress(path.join(outDir, file)),
      ),
    );
    rmSync(distOf(name), { recursive: true, force: true });
    await rename(outDir, distOf(name));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

const run = promisify(execFile);

/** The tarball that the service gives away at /sdk/, by a name with its version and one without. */
async function packSdk(): Promise<void> {
  const sdk = path.join(ROOT, 'packages', 'sdk');
  const packed = path.join(sdk, 'packed');
  const fresh = `${packed}.${process.pid}`;
  await mkdir(fresh, { recursive: true });
  try {
    // Not by npm's own scripts, which people may have switched off.
    await run(process.execPath, ['build.ts'], { cwd: sdk });
    const pack = ['pack', '--ignore-scripts', '--offline', '--pack-destination', fresh];
    await run('npm', pack, { cwd: sdk });
    for (const file of globSync('*.tgz', { cwd: fresh }))
      await copyFile(path.join(fresh, file), path.join(fresh, 'munshi-sdk.tgz'));
    rmSync(packed, { recursive: true, force: true });
    await rename(fresh, packed);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Stores a file compressed beside itself, as small as it gets: it is done once and sent often. */
async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  await Promise.all([
    promisify(brotliCompress)(content, { params }).then((bytes) => writeFile(`${file}.br`, bytes)),
    promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ]);
}

const LOCK = path.join(ROOT, 'node_modules', '.cache', 'building-web-apps.lock');
/** Others' builds take seconds each. */
const WAIT_MS_MAX = 300_000;

/**
 * Builds what is stale, once however many processes ask at the same time. The lock is an SQLite file
 * in an exclusive transaction: the system ends it with its process, so none is ever left behind.
 */
export async function buildStaleWebApps(): Promise<void> {
  if (!PARTS.some(isStale)) return;
  await mkdir(path.dirname(LOCK), { recursive: true });
  const lock = new DatabaseSync(LOCK, { timeout: WAIT_MS_MAX });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
    await buildWebApps({ stale: true });
  } finally {
    lock.close();
  }
}
