import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, expect } from 'vitest';
import { type App, createApp } from '../../../apps/server/src/app/app.ts';
import { readConfig } from '../../../apps/server/src/platform/config.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  signedOrder,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

type Line = Readonly<Record<string, unknown>>;

const open: App[] = [];
const { test, service } = await serviceTest();
const merchant = await createMerchant(service);
await createMember(service);
afterAll(async () => {
  for (const app of open) await app.close();
});

/** A server whose log can be read. */
async function logged(
  env: Record<string, string> = {},
): Promise<{ readonly at: TestMerchant; lines(): readonly Line[] }> {
  const lines: string[] = [];
  const config = {
    ...readConfig({ PORT: '0', MASTER_KEY, ROLES: 'http', ...env }),
    masterKey: MASTER_KEY,
  };
  const app = await createApp(
    config,
    service.database,
    pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
  );
  open.push(app);
  const at = { ...merchant, url: await app.listen() };
  lines.length = 0;
  return { at, lines: () => lines.map((line) => JSON.parse(line) as Line) };
}

test('a merchant reads that the method is disabled, and operators by the log what it was, with the request’s traceId and the merchant', async () => {
  const { at, lines } = await logged();
  const answer = await signedOrder(at, {
    orderType: 'Deposit',
    amount: 5,
    walletType: 'ProviderA',
    currency: 'INR',
    merchantOrderRef: randomUUID(),
  });
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { error: 'ProviderA deposits are disabled for this merchant.' },
  ]);
  expect(lines()).toEqual([
    expect.objectContaining({
      traceId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchantId: merchant.merchantId,
      code: 'method-disabled',
      msg: expect.stringContaining('the currency INR is not enabled'),
    }),
  ]);
});

test('in development the log says once for each host that its webhooks will be refused', async () => {
  const { at, lines } = await logged();
  for (const callbackUrl of [
    'http://127.0.0.1:4000/a',
    'http://127.0.0.1:4000/b',
    'http://localhost:4000/',
    'http://0x7f.1:4000/',
    'https://shop.example/',
    'http://[::1]/',
  ]) {
    await createOrder(at, { callbackUrl });
  }
  const warned = lines().filter(({ level }) => level === 40);
  expect(warned.map(({ host }) => host)).toEqual(['127.0.0.1:4000', 'localhost:4000', '[::1]']);
  for (const { msg } of warned) expect(msg).toContain('ALLOW_PRIVATE_CALLBACKS=1');
});

test('it says nothing where private addresses are allowed, nor in production', async () => {
  for (const env of [{ ALLOW_PRIVATE_CALLBACKS: '1' }, { NODE_ENV: 'production' }]) {
    const { at, lines } = await logged(env);
    await createOrder(at, { callbackUrl: 'http://127.0.0.1:4000/' });
    expect(lines()).toEqual([]);
  }
});
