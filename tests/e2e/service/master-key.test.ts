import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../../apps/server/src/platform/database/db.ts';
import { createVault } from '../../../apps/server/src/platform/vault.ts';
import { checkMasterKey } from '../../../apps/server/src/start/master-key.ts';
import { withCodes } from '../../support/authenticator.ts';
import { createMerchant, createOrder, signedOrder } from '../../support/fixtures.ts';
import { send } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { createPortalUser, PORTAL_PASSWORD, portalClient } from '../../support/portal.ts';
import { databaseUrl, startProcess } from '../../support/process.ts';
import { MASTER_KEY, type Service, startService } from '../../support/service.ts';
import { bareEnvironment } from '../../support/spoken.ts';

const NEW = '7e'.repeat(32);
const MUNSHI = path.join(import.meta.dirname, '../../../bin/munshi.ts');
const open: Service[] = [];
afterAll(async () => {
  for (const service of open.reverse()) await service.close();
});
async function started(env: Record<string, string>, sharing?: Service): Promise<Service> {
  const service = await startService(env, sharing);
  open.push(service);
  return service;
}

/** A command of the server's on this database, with this master key. */
async function munshi({ target }: Service, command: string, masterKey: string): Promise<string> {
  const env = {
    ...bareEnvironment(),
    DATABASE_URL: databaseUrl(target),
    MASTER_KEY: masterKey,
  };
  return (await promisify(execFile)(process.execPath, [MUNSHI, command], { env })).stdout;
}

/** Whether a start with this master key passes its check. */
async function accepts({ target }: Service, masterKey: string): Promise<boolean> {
  const database = openDatabase(target, { poolSize: 1 });
  try {
    await checkMasterKey(database, createVault(masterKey));
    return true;
  } catch (error) {
    expect((error as Error).message).toMatch(/^MASTER_KEY is not the one that this database/);
    return false;
  } finally {
    await database.close();
  }
}

test('a master key takes over from another: orders are taken and links open at every step', async () => {
  const first = await started({});
  const merchant = await createMerchant(first);
  const reseal = (masterKey: string) => munshi(first, 'reseal', masterKey);
  const steps = [
    first,
    await started({ MASTER_KEY: `${MASTER_KEY},${NEW}` }, first),
    await started({ MASTER_KEY: `${NEW},${MASTER_KEY}` }, first),
  ];
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
    expect(
      (await openPage({ paymentPageUrl: `${beforeLast.url}${pathname}${search}` }).get()).status,
    ).toBe(200);
  }
});

test('one-time codes go on when a master key takes over from another, and not without their key', async () => {
  const service = await started({});
  const codes = await withCodes(service, 'support');
  expect(await accepts(service, NEW)).toBe(false);
  expect(await munshi(service, 'reseal', `${NEW},${MASTER_KEY}`)).toContain(
    '1 secrets of one-time codes',
  );
  const last = await started({ MASTER_KEY: NEW }, service);
  expect(await signInStatus(last, codes, '000000')).toBe(401);
  expect(await signInStatus(last, codes, codes.code())).toBe(200);

  // A process that has the first key alone still seals under it.
  const { token } = await createPortalUser(service, await createMerchant(last), 'admin');
  await portalClient(service, token).data('POST', '/one-time-code', {
    currentPassword: PORTAL_PASSWORD,
  });
  expect(await accepts(service, NEW)).toBe(false);
});

async function signInStatus(
  service: Service,
  { operator }: Awaited<ReturnType<typeof withCodes>>,
  oneTimeCode?: string,
): Promise<number> {
  const { username, password } = operator;
  const body = { username, password, oneTimeCode };
  return (await send(service, 'POST', '/session', {}, body)).status;
}

test('a server does not start with another master key than the database was made with, and says so in one line', async () => {
  const service = await started({});
  await expect(startProcess(service, { MASTER_KEY: NEW })).rejects.toThrow(
    /exited with 1: munshi: MASTER_KEY is not the one that this database was made with[^\n]*\n$/,
  );
});

test('no other master key is accepted than the database was made with, new or old, and each is at every step of a change', async () => {
  const service = await started({});
  expect(await accepts(service, MASTER_KEY)).toBe(true);
  expect(await accepts(service, NEW)).toBe(false); // no secret of a merchant is sealed yet
  await service.database.pool.query('delete from master_key_checks'); // as a database that is older than the checks
  expect(await accepts(service, NEW)).toBe(false);

  await createMerchant(service);
  expect(await accepts(service, NEW)).toBe(false);
  for (const keys of [MASTER_KEY, `${MASTER_KEY},${NEW}`, `${NEW},${MASTER_KEY}`])
    expect(await accepts(service, keys)).toBe(true);
  expect(await accepts(service, NEW)).toBe(false); // what is there is not sealed again yet
  await munshi(service, 'reseal', `${NEW},${MASTER_KEY}`);
  expect(await accepts(service, NEW)).toBe(true);
  expect(await accepts(service, MASTER_KEY)).toBe(false);
});

test('commands that need the master key notice another one, and the others do not ask for it', async () => {
  const service = await started({});
  await munshi(service, 'platform-secret', MASTER_KEY);
  for (const command of ['platform-secret', 'reseal', 'demo']) {
    await expect(munshi(service, command, NEW)).rejects.toThrow(
      'MASTER_KEY is not the one that this database was made with',
    );
  }
  for (const command of ['migrate', 'verify']) await munshi(service, command, NEW);
});

test('where the master key is lost a new one is adopted, and keys whose secrets are lost are revoked', async () => {
  const service = await started({});
  const merchant = await createMerchant(service);
  await createOrder(merchant);
  const codes = await withCodes(service, 'support');
  expect(await munshi(service, 'adopt-master-key', NEW)).toContain('1 API keys were revoked');
  expect(
    (await signedOrder(merchant, { orderType: 'Deposit', amount: 5, walletType: 'ProviderA' }))
      .status,
  ).toBe(401);
  expect(await accepts(service, MASTER_KEY)).toBe(false);
  expect(await accepts(service, NEW)).toBe(true);
  expect(await munshi(service, 'reseal', NEW)).toContain('0 signing secrets were sealed anew');
  const { rows } = await service.database.pool.query(
    "select actor_name, detail from audit_log where action = 'adopt-master-key'",
  );
  const detail = { revoked: 1, codesOff: 1 };
  expect(rows).toEqual([{ actor_name: 'the command line', detail }]);
  const last = await started({ MASTER_KEY: NEW }, service);
  expect(await signInStatus(last, codes)).toBe(200); // without a code that nobody can check
});
