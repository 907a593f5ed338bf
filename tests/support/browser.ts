import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { extract } from 'tar-fs';
import { installFonts } from './fonts.ts';
import { PATIENCE_MS } from './patience.ts';

const MODULES = path.join(import.meta.dirname, '..', '..', 'node_modules');
const ARCHIVES = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));

/** A Chromium to start, and what its environment needs beyond ours. */
interface Executable {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Starts Chromium: the one at `CHROMIUM_PATH`, or the one from npm, which needs nothing from the
 * system. It runs without its sandbox, which root and some containers lack; it shows only our pages.
 * What is waited for in it is waited for with the patience of all tests.
 */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', ...args],
    env: { ...(process.env as Record<string, string>), ...env },
    timeout: PATIENCE_MS,
  });
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
}

/** Where Chromium is, unpacked on first use. */
export async function findChromium(): Promise<Executable> {
  const own = process.env['CHROMIUM_PATH'];
  if (own !== undefined && own !== '') return { executablePath: own, env: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackOnce();
  throw new Error(
    'npm has a Chromium for Linux on x64 only: set CHROMIUM_PATH to the Chromium or Chrome of this machine',
  );
}

/** Unpacks npm's Chromium whole or not at all, so that any number of processes may ask at once. */
async function unpackOnce(): Promise<Executable> {
  const { version } = JSON.parse(
    await readFile(path.join(ARCHIVES, '..', 'package.json'), 'utf8'),
  ) as { version: string };
  const homes = [
    path.join(MODULES, '.cache', `chromium-${version}`),
    path.join(tmpdir(), `munshi-chromium-${version}-${process.getuid?.() ?? 0}`),
  ];
  const home =
    homes.find((place) => existsSync(place)) ?? ((await canWrite(MODULES)) ? homes[0] : homes[1]);
  if (home === undefined) throw new Error('there is nowhere to unpack Chromium');
  if (!existsSync(home)) {
    const half = `${home}.${process.pid}`;
    await unpack(half, home);
    // Another process may have been first; its copy is the same.
    await rename(half, home).catch(() => rm(half, { recursive: true, force: true }));
  }
  const libraries = [path.join(home, 'lib'), process.env['LD_LIBRARY_PATH']]
    .filter(Boolean)
    .join(':');
  return {
    executablePath: path.join(home, 'chromium'),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: path.join(home, 'fonts.conf') },
  };
}

async function unpack(into: string, home: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const open = (name: string) =>
    [createReadStream(path.join(ARCHIVES, name)), createBrotliDecompress()] as const;
  const executable = path.join(into, 'chromium');
  await Promise.all([
    pipeline(...open('chromium.br'), createWriteStream(executable)),
    pipeline(...open('al2023.tar.br'), extract(into)),
    pipeline(...open('swiftshader.tar.br'), extract(into)),
    pipeline(...open('fonts.tar.br'), extract(path.join(into, 'fonts'))),
  ]);
  await chmod(executable, 0o755);
  await installFonts(path.join(into, 'fonts'));
  const places = `<dir>${path.join(home, 'fonts')}</dir><cachedir>${path.join(home, 'font-cache')}</cachedir>`;
  await writeFile(path.join(into, 'fonts.conf'), `<fontconfig>${places}</fontconfig>\n`);
}

const canWrite = (place: string) =>
  access(place, constants.W_OK).then(
    () => true,
    () => false,
  );

/**
 * The time of a page stands still from here on, until the test moves it: however long a busy machine
 * takes between two steps, no timer of the page fires.
 */
export async function stopClock(page: Page): Promise<void> {
  // Ahead of the page's time, which goes on until the browser has stopped it.
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + AHEAD_MS);
}
/** Less than the silence after which our apps connect again. */
const AHEAD_MS = 20_000;
