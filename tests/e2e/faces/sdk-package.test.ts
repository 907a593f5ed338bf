import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, describe, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { failedOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';
import { buildStale } from '../../support/web-app.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const SDK = path.join(ROOT, 'packages/sdk');
const BIN = path.join(ROOT, 'node_modules');

/** A merchant's project, empty but for the package. */
const project = mkdtempSync(path.join(tmpdir(), 'munshi-sdk-'));
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Not the synchronous form: the service that the programs call runs in this process. */
const run = async (program: string, args: readonly string[], env: object = {}) =>
  promisify(execFile)(program, args, { cwd: project, env: { ...process.env, ...env } });
const node = async (...args: string[]) => (await run(process.execPath, args)).stdout;

/** Every Node of this machine's PATH, which merchants may have too. */
const nodes = [
  ...new Set(
    [process.execPath, ...(process.env['PATH'] ?? '').split(path.delimiter)]
      .map((at) => (at.endsWith('/node') ? at : path.join(at, 'node')))
      .filter((at) => existsSync(at))
      .map((at) => realpathSync(at)),
  ),
];

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await buildStale();
writeFileSync(
  path.join(project, 'package.json'),
  '{ "name": "shop", "private": true, "type": "module" }',
);
await run('npm', ['install', '--no-audit', '--no-fund', `${service.url}/sdk/munshi-sdk.tgz`]);

const settings = () =>
  JSON.stringify({
    baseUrl: service.url,
    apiKey: merchant.apiKey,
    signingSecret: merchant.signingSecret,
  });
const order = (reference: string) =>
  `{ orderType: 'Deposit', amount: '99999999999999.9999', walletType: 'ProviderA', merchantOrderRef: '${reference}' }`;

/** What each program does: an order and its status, printed as JSON. */
const use = (reference: string) => `
const client = createClient(${settings()});
client.createOrder(${order(reference)}).then(async (created) => {
  const status = await client.orderStatus(created.orderId);
  console.log(JSON.stringify([created.merchantOrderRef, status.amount]));
});
`;

describe('the SDK as merchants install it', () => {
  test('brings nothing else along', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--json']);
    const installed = JSON.parse(stdout) as { dependencies: object };
    expect(installed.dependencies).toEqual({
      '@munshi/sdk': expect.not.objectContaining({ dependencies: expect.anything() }),
    });
  });

  test.each(nodes)('creates an order from an ES module and from CommonJS, on %s', async (its) => {
    for (const [file, load] of [
      ['shop.mjs', "import { createClient } from '@munshi/sdk';"],
      ['shop.cjs', "const { createClient } = require('@munshi/sdk');"],
    ] as const) {
      const reference = `${file}-${randomUUID()}`;
      writeFileSync(path.join(project, file), `${load}${use(reference)}`);
      const { stdout } = await run(its, [file]);
      expect(JSON.parse(stdout)).toEqual([reference, '99999999999999.9999']);
    }
  });

  test.each(nodes)('brings the command munshi along, on %s', async (its) => {
    const munshi = path.join(project, 'node_modules/.bin/munshi');
    const help = await run(its, [munshi, '--help']);
    expect(help.stdout).toMatch(/listen.*trigger.*check/s);
    const unset = { MUNSHI_URL: '', MUNSHI_API_KEY: '' };
    await expect(run(its, [munshi, 'listen'], unset)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^munshi: set MUNSHI_URL, MUNSHI_API_KEY, /),
    });
    const refused = run(munshi, ['check', 'localhost:9/hook', '--order', 'none'], {
      MUNSHI_URL: service.url,
      MUNSHI_API_KEY: 'mk_live_wrong',
      MUNSHI_SIGNING_SECRET: merchant.signingSecret,
    });
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: 'munshi: the service does not know MUNSHI_API_KEY\n',
    });
  });

  test('follows the events of the service from the oldest, verified, and ends after the last', async () => {
    const orders = [];
    for (const amount of [100, 200]) orders.push(await failedOrder(service, merchant, { amount }));
    writeFileSync(
      path.join(project, 'events.mjs'),
      `import { createClient } from '@munshi/sdk';
const events = [];
for await (const { event } of createClient(${settings()}).events({ wait: 0 }))
  events.push([event.orderId, event.eventType, event.amount]);
console.log(JSON.stringify(events));`,
    );
    expect(JSON.parse(await node('events.mjs'))).toEqual([
      [orders[0]?.orderId, 'order.failed', '100'],
      [orders[1]?.orderId, 'order.failed', '200'],
    ]);
  });

  test('is what npm pack makes in its folder', async () => {
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--dry-run', '--ignore-scripts', '--json'],
      { cwd: SDK },
    );
    const [packed] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
    const installed = path.join(project, 'node_modules/@munshi/sdk');
    expect(packed.files.map((file) => file.path).sort()).toEqual(
      globSync('**/*', { cwd: installed, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(installed, path.join(entry.parentPath, entry.name)))
        .sort(),
    );
  });

  test('creates an order from TypeScript, which checks what is sent and read', async () => {
    mkdirSync(path.join(project, 'ts'));
    writeFileSync(
      path.join(project, 'ts/shop.ts'),
      `import { createClient } from '@munshi/sdk';${use('from-ts')}`,
    );
    writeFileSync(
      path.join(project, 'ts/wrong.ts'),
      `import { createClient } from '@munshi/sdk';${use('from-ts').replace("'99999999999999.9999'", '1500.5')}`,
    );
    const compile = (file: string) =>
      node(
        path.join(BIN, 'typescript/bin/tsc'),
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--types',
        '',
        '--lib',
        'es2022,dom',
        `ts/${file}`,
      );
    await compile('shop.ts');
    expect(JSON.parse(await node('ts/shop.js'))).toEqual(['from-ts', '99999999999999.9999']);
    await expect(compile('wrong.ts')).rejects.toThrow();
  });

  test('is clean by publint and by what TypeScript finds of it', async () => {
    const { messages, pkg } = await publint({
      pkgDir: path.join(project, 'node_modules/@munshi/sdk'),
      strict: true,
      pack: 'npm',
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const report = JSON.parse(
      await node(
        path.join(BIN, '@arethetypeswrong/cli/dist/index.js'),
        '--format',
        'json',
        path.join(SDK, 'packed/munshi-sdk.tgz'),
      ),
    ) as {
      analysis: { problems: unknown[] };
    };
    expect(report.analysis.problems).toEqual([]);
  });
});
