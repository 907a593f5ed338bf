import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { createMerchant, createOrder } from '../support/fixtures.ts';
import { openPage } from '../support/page-client.ts';
import { databaseUrl } from '../support/process.ts';
import { MASTER_KEY, type Service, startService } from '../support/service.ts';

const NEW = '7e'.repeat(32);
const ADMIN = path.join(import.meta.dirname, '../../apps/server/src/admin.ts');
const open: Service[] = [];
afterAll(async () => {
  for (const service of open.reverse()) await service.close();
});
async function started(env: Record<string, string>, sharing?: Service): Promise<Service> {
  const service = await startService(env, sharing);
  open.push(service);
  return service;
}

test('a master key takes over from another: orders are taken and links open at every step', async () => {
  const first = await started({});
  const merchant = await createMerchant(first);
  const reseal = async (masterKey: string) => {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl(first.target), MASTER_KEY: masterKey };
    return (await promisify(execFile)(process.execPath, [ADMIN, 'reseal'], { env })).stdout;
  };
  const steps = [first, await started({ MASTER_KEY: `${MASTER_KEY},${NEW}` }, first), await started({ MASTER_KEY: `${NEW},${MASTER_KEY}` }, first)];
  const links = [];
  for (const { url } of steps) links.push((await createOrder({ ...merchant, url })).paymentPageUrl);

  expect(await reseal(`${NEW},${MASTER_KEY}`)).toContain('1 signing secrets were sealed anew');
  expect(await reseal(`${NEW},${MASTER_KEY}`)).toContain('0 signing secrets were sealed anew');
  // Those that run have the secret in mind; those that start now need the new key, and it alone.
  const last = await started({ MASTER_KEY: NEW }, first);
  const beforeLast = await started({ MASTER_KEY: `${NEW},${MASTER_KEY}` }, first);
  for (const { url } of [...steps, beforeLast, last]) await createOrder({ ...merchant, url });
  for (const link of links) {
    const { pathname, search } = new URL(link);
    expect((await openPage({ paymentPageUrl: `${beforeLast.url}${pathname}${search}` }).get()).status).toBe(200);
  }
});
