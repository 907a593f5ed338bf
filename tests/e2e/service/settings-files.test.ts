import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect } from 'vitest';
import { databaseUrl, startProcess } from '../../support/process.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const folder = await mkdtemp(path.join(tmpdir(), 'munshi-files-'));
afterAll(() => rm(folder, { recursive: true }));

const SETTINGS_FILE = path.join(folder, 'munshi.conf');
const MASTER_KEY_FILE = path.join(folder, 'master_key');
const DATABASE_URL_FILE = path.join(folder, 'database_url');

test('a process starts from files alone, and SIGHUP in production uses LOG_LEVEL and names what waits for a restart', async () => {
  const settings = `NODE_ENV=production\nDATABASE_URL_FILE=${DATABASE_URL_FILE}\n`;
  await writeFile(DATABASE_URL_FILE, `${databaseUrl(service.target)}\n`);
  await writeFile(MASTER_KEY_FILE, `${MASTER_KEY}\n`);
  await writeFile(SETTINGS_FILE, settings);
  let log = '';
  const nothing = { DATABASE_URL: '', MASTER_KEY: '', CLOCK: '', LOG_LEVEL: '' };
  const server = await startProcess(
    service,
    { ...nothing, SETTINGS_FILE, MASTER_KEY_FILE },
    (text) => {
      log += text;
    },
  );
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);

  await writeFile(SETTINGS_FILE, `${settings}LOG_LEVEL=debug\nMETRICS_TOKEN=0123456789abcdef\n`);
  server.child.kill('SIGHUP');
  await expect.poll(() => log).toContain('the settings were read again');
  expect(log).toMatch(/"logLevel":"debug","afterRestart":\["METRICS_TOKEN"\]/);
  await fetch(`${server.url}/healthz`);
  await expect.poll(() => log).toContain('"path":"/healthz"');

  await writeFile(SETTINGS_FILE, `${settings}LOG_LEVEL=loud\n`);
  server.child.kill('SIGHUP');
  await expect.poll(() => log).toContain('the settings are wrong: nothing was changed');
  expect(log).toContain('LOG_LEVEL must be one of');
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.stop()).toBe(0);
});
