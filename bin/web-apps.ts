import { existsSync, globSync, rmSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = path.join(import.meta.dirname, '..');
/** Apps that browsers load. */
const APPS = ['console', 'docs', 'member', 'portal'];
/** What the apps are made of, besides their own folder. */
const SHARED = [
  'packages/{api,core,web,web-ui}/src',
  'bin/{light-endpoints,web-app-config}.ts',
  'package-lock.json',
];
/** What a single app is made of besides. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  docs: ['docs/*.md', 'packages/sdk/README.md'],
};

const distOf = (app: string) => path.join(ROOT, 'apps', app, 'dist');

/** Whether Vite can be loaded: `npm ci --omit=dev` leaves it out. */
export function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}

/** Builds the apps, or only those whose sources are newer than what was built. */
export async function buildWebApps({ stale = false } = {}): Promise<readonly string[]> {
  const wanted = APPS.filter((app) => !stale || isStale(app));
  for (const app of wanted) await buildApp(app);
  return wanted;
}

function isStale(app: string): boolean {
  const index = path.join(distOf(app), 'index.html');
  if (!existsSync(index)) return true;
  const builtAt = statSync(index).mtimeMs;
  const own = ['index.html', 'vite.config.ts', 'build', 'public', 'src'].map(
    (name) => `apps/${app}/${name}`,
  );
  return globSync(
    [...SHARED, ...own, ...(OTHERS[app] ?? [])].flatMap((name) => [name, `${name}/**/*`]),
    { cwd: ROOT },
  ).some((file) => statSync(path.join(ROOT, file)).mtimeMs > builtAt);
}

/** Built beside what is there and put in its place whole: a server may be reading it. */
async function buildApp(app: string): Promise<void> {
  const { build } = await import('vite');
  const outDir = `${distOf(app)}.${process.pid}`;
  try {
    await build({
      root: path.join(ROOT, 'apps', app),
      logLevel: 'warn',
      build: { outDir, emptyOutDir: true },
    });
    await Promise.all(
      globSync('assets/*.{js,css,svg}', { cwd: outDir }).map((file) =>
        compress(path.join(outDir, file)),
      ),
    );
    rmSync(distOf(app), { recursive: true, force: true });
    await rename(outDir, distOf(app));
  } finally {
    await rm(outDir, { recursive: true, force: true });
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
  if (!APPS.some(isStale)) return;
  await mkdir(path.dirname(LOCK), { recursive: true });
  const lock = new DatabaseSync(LOCK, { timeout: WAIT_MS_MAX });
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive');
    await buildWebApps({ stale: true });
  } finally {
    lock.close();
  }
}
