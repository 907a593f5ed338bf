import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenTo, type Spoken } from '../support/spoken.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/**
 * The npm that came with Node 20 and 22. It makes no node_modules/.bin/node, and knows nothing of
 * allowScripts.
 */
const NPM = 'npm@10.8.2';

/** What a user's shell has: nothing of this run, and no Node but their own. */
const KEPT =
  /^(HOME|LANG|TMPDIR|(HTTPS?|NO)_PROXY|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|npm_config_(registry|cache|userconfig))$/i;
const ENV: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      KEPT.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  ),
  PATH: (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(path.delimiter),
  NO_COLOR: '1',
  PORT: '0',
};

let folder: string;
let clone: string;
let npm: string;

const run = (command: string, ...args: readonly string[]) =>
  listenTo(command, args, { cwd: existsSync(clone) ? clone : folder, env: ENV });

async function expectSuccess(process: Spoken): Promise<string> {
  const code = await process.exited;
  expect(code, process.said()).toBe(0);
  return process.said().trim();
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'munshi-clone-'));
  await chmod(folder, 0o755); // as a folder of a user is: Postgres does not run as root
  clone = path.join(folder, 'munshi');
  await expectSuccess(run('git', 'clone', '--quiet', ROOT, clone));
  npm = await expectSuccess(run('npx', '--yes', '--package', NPM, '-c', 'command -v npm'));
  await expectSuccess(run(npm, 'ci', '--prefer-offline'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('npm ci has built the web apps, so that npm start has nothing to build', () => {
  expect(existsSync(path.join(clone, 'apps', 'console', 'dist', 'index.html'))).toBe(true);
});

test('npm start answers, and SIGTERM ends it together with its Postgres', async () => {
  const server = run(npm, 'start');
  const [, url] = await server.says(/Munshi is listening on (\S+)/);
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/console/`)).status).toBe(200);
  const [postgres] = (
    await readFile(path.join(clone, '.data', 'pg18', 'postmaster.pid'), 'utf8')
  ).split('\n');
  expect(() => process.kill(Number(postgres), 0)).not.toThrow();

  server.child.kill('SIGTERM');
  expect(await server.exited, server.said()).toBe(0);
  expect(() => process.kill(Number(postgres), 0)).toThrow('ESRCH');
});

test('a start that fails ends with its exit code', async () => {
  const server = listenTo(npm, ['start'], { cwd: clone, env: { ...ENV, PORT: 'none' } });
  expect(await server.exited).toBe(1);
  expect(server.said()).toContain('PORT must be a whole number');
});

/** Not all of `npm run test:quick`, which this run itself has done already. */
test('its tools and tests run: the types hold, and orders are created', async () => {
  await expectSuccess(run(npm, 'run', 'typecheck'));
  const tests = await expectSuccess(
    run(npm, 'run', 'vitest', '--', 'run', 'tests/e2e/orders/creation.test.ts'),
  );
  expect(tests).toMatch(/Test Files +1 passed/);
});
