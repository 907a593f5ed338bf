import { execFile } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import { createMember, createMerchant } from '../support/fixtures.ts';
import { fetchOpenApi } from '../support/openapi.ts';
import { serviceTest } from '../support/service-test.ts';

/** Clients that others generate from the merchants' OpenAPI document. npm has what makes them. */

const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await createMember(service);

const PACKAGES = [
  'typescript@5.9.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
];

let folder: string;
const run = async (program: string, ...args: readonly string[]) =>
  (await promisify(execFile)(program, args, { cwd: folder })).stdout;
const bin = (name: string, ...args: readonly string[]) =>
  run(process.execPath, path.join(folder, 'node_modules', name), ...args);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'munshi-clients-'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', 'install', '--no-audit', '--no-fund', ...PACKAGES).catch((error: Error) => {
    throw new Error(`npm gave no ${PACKAGES.join(', ')}: ${error.message}`);
  });
  const document = await fetchOpenApi(service.url, 'merchant');
  await writeFile(path.join(folder, 'merchant.json'), JSON.stringify(document));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The order of a program, in its fields alone that the contract requires. */
function order() {
  const merchantOrderRef = randomUUID();
  const canonical = `amount=1500.5&merchantorderref=${merchantOrderRef}&ordertype=Deposit&wallettype=ProviderA`;
  const signature = hash('md5', canonical + merchant.signingSecret);
  return `{ orderType: 'Deposit', amount: 1500.5, walletType: 'ProviderA', merchantOrderRef: '${merchantOrderRef}', signature: '${signature}' }`;
}
const headers = () => `{ 'SVC-API-Key': '${merchant.apiKey}' }`;
const key = () => `{ 'Idempotency-Key': '${randomUUID()}' }`;

/** What is answered has texts alone where the request also takes integers. */
const USE = `
const { status, currency, orderType }: { status: string; currency: string; orderType: string } = found.data.data;
console.log(JSON.stringify({ status, currency, orderType }));
`;

/** Each makes its types by a command of its own; the program is compiled under \`strict\` and run. */
const CLIENTS = [
  {
    name: 'openapi-typescript with openapi-fetch',
    generate: ['openapi-typescript/bin/cli.js', 'merchant.json', '-o', 'fetch/schema.d.ts'],
    file: 'fetch/shop.ts',
    program: () => `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const client = createClient<paths>({ baseUrl: '${service.url}', headers: ${headers()} });
const made = await client.POST('/api/merchant/orders', { params: { header: ${key()} }, body: ${order()} });
if (made.data === undefined) throw new Error(JSON.stringify(made.error));
const id = made.data.data.orderId;
const found = await client.GET('/api/merchant/orders/{id}/status', { params: { path: { id } } });
if (found.data === undefined) throw new Error(JSON.stringify(found.error));
${USE}`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: ['@hey-api/openapi-ts/bin/run.js', '-i', 'merchant.json', '-o', 'hey/client'],
    file: 'hey/shop.ts',
    program: () => `
import { client } from './client/client.gen.js';
import { createOrder, getOrderStatus } from './client/index.js';
client.setConfig({ baseUrl: '${service.url}', headers: ${headers()} });
const made = await createOrder({ headers: ${key()}, body: ${order()} });
if (made.data === undefined) throw new Error(JSON.stringify(made.error));
const found = await getOrderStatus({ path: { id: made.data.data.orderId } });
if (found.data === undefined) throw new Error(JSON.stringify(found.error));
${USE}`,
  },
];

const STRICT = {
  strict: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
};

test.each(CLIENTS)(
  'a client of $name compiles under strict, and creates an order',
  async ({ generate: [command = '', ...args], file, program }) => {
    const project = { compilerOptions: STRICT, files: [file] };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(project));
    await bin(command, ...args);
    await writeFile(path.join(folder, file), program());
    await bin('typescript/bin/tsc').catch(({ stdout }) => {
      throw new Error(stdout);
    });
    expect(JSON.parse(await run(process.execPath, file.replace(/ts$/, 'js')))).toEqual({
      status: 'Queued',
      currency: 'PKR',
      orderType: 'Deposit',
    });
  },
);
