import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, describe, expect } from 'vitest';
import { createMerchant } from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const DIST = path.join(ROOT, 'packages/sdk/dist');
const BIN = path.join(ROOT, 'node_modules');

/** A merchant's project, empty but for the package. */

/** Not the synchronous form: the service that the programs call runs in this process. */
const run = async (program: string, ...args: string[]) =>
  (await promisify(execFile)(program, args, { cwd: project })).stdout;
const node = (...args: string[]) => run(process.execPath, ...args);

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
const project = mkdtempSync(path.join(tmpdir(), 'munshi-sdk-'));
await node(path.join(ROOT, 'packages/sdk/build.ts'));
const [packed] = JSON.parse(
  await run('npm', 'pack', '--json', '--pack-destination', project, DIST),
) as { filename: string }[];
writeFileSync(
  path.join(project, 'package.json'),
  '{ "name": "shop", "private": true, "type": "module" }',
);
await run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${packed?.filename}`);
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
});

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
    const installed = JSON.parse(await run('npm', 'ls', '--all', '--json')) as {
      dependencies: object;
    };
    expect(installed.dependencies).toEqual({
      '@munshi/sdk': expect.not.objectContaining({ dependencies: expect.anything() }),
    });
  });

  test('creates an order from an ES module', async () => {
    writeFileSync(
      path.join(project, 'shop.mjs'),
      `import { createClient } from '@munshi/sdk';${use('from-esm')}`,
    );
    expect(JSON.parse(await node('shop.mjs'))).toEqual(['from-esm', '99999999999999.9999']);
  });

  test('creates an order from CommonJS', async () => {
    writeFileSync(
      path.join(project, 'shop.cjs'),
      `const { createClient } = require('@munshi/sdk');${use('from-cjs')}`,
    );
    expect(JSON.parse(await node('shop.cjs'))).toEqual(['from-cjs', '99999999999999.9999']);
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
    const { messages, pkg } = await publint({ pkgDir: DIST, strict: true, pack: 'npm' });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const report = JSON.parse(
      await node(
        path.join(BIN, '@arethetypeswrong/cli/dist/index.js'),
        '--format',
        'json',
        '--pack',
        DIST,
      ),
    ) as {
      analysis: { problems: unknown[] };
    };
    expect(report.analysis.problems).toEqual([]);
  });
});
