import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bareEnvironment, listenTo, type Spoken } from '../../support/spoken.ts';
import { ROOT, read } from '../../tidy/sources.ts';

const [, firstFiveMinutes = ''] =
  /^## The first five minutes\n([\s\S]*?)^## /m.exec(read('README.md')) ?? [];
/** What a reader pastes, step after step into one shell. */
const blocks = [...firstFiveMinutes.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
  ([, block]) => block as string,
);

let folder: string;
let dataDir: string;
let env: Record<string, string>;
let server: Spoken;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'munshi readme '));
  await chmod(folder, 0o755); // for the account of Postgres
  dataDir = path.join(folder, 'data');
  env = {
    ...bareEnvironment(),
    HOME: folder,
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
  };
  server = listenTo('npm', ['start'], { cwd: ROOT, env });
  const [, url = ''] = await server.says(/Munshi is listening on (\S+)/);
  env = { ...env, PORT: new URL(url).port };
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await rm(folder, { recursive: true, force: true });
});

async function paste(script: string): Promise<string> {
  const shell = listenTo('sh', ['-euc', script], { cwd: ROOT, env });
  expect(await shell.exited, shell.said()).toBe(0);
  return shell.said();
}

test('the blocks of the first five minutes can be pasted as they are', async () => {
  const { merchant } = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as {
    merchant: { apiKey: string; signingSecret: string };
  };
  for (const secret of [merchant.apiKey, merchant.signingSecret])
    expect(firstFiveMinutes).not.toContain(secret);
  expect(blocks.length).toBe(2);
  const said = await paste(blocks.join('\n'));
  // Each answer ends its line, so that the prompt does not stand behind it.
  expect(said).toMatch(/^\{.*"orderReference":"ORD-[^}]+"paymentPageUrl":"http.*\}$/m);
  expect(said).toMatch(/^\{.*"availableBalance":\s*50000.*\}$/m);
  const [head = '', body] = said.slice(said.indexOf('HTTP/1.1 401')).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  expect(body).toBe('');
});

test('so can its commands, with the same settings', async () => {
  const commands = [...firstFiveMinutes.matchAll(/`(npm run [^`]+)`/g)].map(
    ([, command]) => command as string,
  );
  expect(commands).toEqual(['npm run try', 'npm run munshi -- verify']);
  const said = await paste(commands.join('\n'));
  expect(said).toContain('→ Completed');
  expect(said).toContain('invariants hold');
});
