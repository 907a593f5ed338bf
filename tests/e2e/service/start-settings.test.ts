import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explainDataDir, explainListening } from '../../../apps/server/src/start/start-errors.ts';
import { cloneDatabase } from '../../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.ts';
import { databaseUrl } from '../../support/process.ts';
import { MASTER_KEY } from '../../support/service.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { bareEnvironment, listenTo } from '../../support/spoken.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let proxy: DatabaseProxy;
let folder: string;
beforeAll(async () => {
  clone = await cloneDatabase();
  proxy = await startDatabaseProxy(clone.target);
  folder = await mkdtemp(path.join(tmpdir(), 'munshi-settings-'));
  await chmod(folder, 0o755); // for the account of Postgres
});
afterAll(async () => {
  await proxy.close();
  await clone.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Everything that a start says which fails, by lines. */
async function refused(
  env: Record<string, string>,
  args: readonly string[] = [],
  script = 'apps/server/src/main.ts',
): Promise<readonly string[]> {
  const { exited, said } = listenTo(process.execPath, [path.join(ROOT, script), ...args], {
    cwd: folder,
    env: { ...bareEnvironment(), PORT: '0', ...env },
  });
  expect(await exited, said()).toBe(1);
  return said().trimEnd().split('\n');
}

/**
 * Has the database of these tests say that it is of another version, until the answer is called.
 */
async function pretendVersion(name: string, number: number) {
  const { pool } = clone.database;
  const { database } = clone.target;
  await pool.query(`create schema pretended;
    grant usage on schema pretended to public;
    create function pretended.current_setting(name text) returns text language sql as
      $$ select case name when 'server_version' then '${name}' when 'server_version_num' then '${number}'
        else pg_catalog.current_setting(name) end $$;
    alter database ${database} set search_path = public, pretended, pg_catalog`);
  return async () => {
    await pool.query(`alter database ${database} reset search_path; drop schema pretended cascade`);
  };
}

const TLS = path.join(ROOT, 'tests/support/tls');

/**
 * Speaks as much of Postgres as it takes to begin TLS, and then refuses the client.
 */
async function startTlsServer() {
  const secureContext = createSecureContext({
    key: await readFile(path.join(TLS, 'receiver-key.pem')),
    cert: await readFile(path.join(TLS, 'receiver-certificate.pem')),
  });
  let greeted = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on('error', () => {});
      secure.once('data', () => {
        greeted += 1;
        // ErrorResponse: invalid_authorization_specification
        const fields = Buffer.from('SFATAL\0C28000\0Mno\0\0');
        secure.end(Buffer.concat([Buffer.from([0x45, 0, 0, 0, fields.length + 4]), fields]));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    greeted: () => greeted,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const onDatabase = (query = '') => ({
  DATABASE_URL: databaseUrl(proxy.target) + query,
  MASTER_KEY,
});

describe('a start that fails says so in one line that names the setting', () => {
  test('a misspelt parameter of DATABASE_URL', async () => {
    expect(await refused(onDatabase('?sslmod=verify-full'))).toEqual([
      'munshi: DATABASE_URL has an unknown parameter "sslmod"; there is: sslmode, host, port',
    ]);
  });

  test('an option that there is not, of the server and of the commands', async () => {
    expect(await refused(onDatabase(), ['--role', 'worker'])).toEqual([
      'munshi: there is no option "--role"; there are: --roles http,worker and --empty',
    ]);
    for (const [args, said] of [
      [['verify', 'everything'], "too many arguments for 'verify'"],
      [['verify', '--al'], "unknown option '--al'"],
      [['verfy'], "unknown command 'verfy'"],
      [['operator-token', 'create', 'somebody', 'owner'], 'Allowed choices are viewer'],
    ] as const)
      expect((await refused(onDatabase(), args, 'bin/munshi.ts')).join(' ')).toMatch(
        new RegExp(`^munshi: .*${said}.*--help lists what there is`),
      );
  });

  test('a server without TLS where TLS is asked for, at once', async () => {
    // Had it waited for the database, it would have said so.
    const said =
      'munshi: The database that DATABASE_URL names cannot be reached: The server does not support SSL connections. Turn TLS on there';
    expect(await refused(onDatabase('?sslmode=require'))).toEqual([expect.stringContaining(said)]);
  });

  test('a certificate of the database that is another host’s, or that nobody has signed, at once', async () => {
    const server = await startTlsServer();
    const url = `postgres://u:p@127.0.0.1:${server.port}/books`;
    const DATABASE_CA = path.join(TLS, 'receiver-certificate.pem');
    const [full, unsigned] = await Promise.all([
      refused({ MASTER_KEY, DATABASE_URL: `${url}?sslmode=verify-full`, DATABASE_CA }),
      refused({ MASTER_KEY, DATABASE_URL: `${url}?sslmode=verify-ca` }),
    ]);
    expect(full).toEqual([
      expect.stringMatching(
        /^munshi: The database that DATABASE_URL names cannot be reached: .*127\.0\.0\.1 is not in the cert/,
      ),
    ]);
    expect(unsigned).toEqual([
      expect.stringMatching(
        /^munshi: The database that DATABASE_URL names cannot be reached: self-signed certificate/,
      ),
    ]);
    expect(server.greeted()).toBe(0);
    // With its authority named it is spoken to.
    await refused({ MASTER_KEY, DATABASE_URL: `${url}?sslmode=verify-ca`, DATABASE_CA });
    expect(server.greeted()).toBeGreaterThan(0);
    await server.close();
  });

  test('a wrong password of the database, without a part of it', async () => {
    const lines = await refused({
      ...onDatabase(),
      DATABASE_URL: databaseUrl({ ...proxy.target, password: 'wrong-Qx7/Zk@9' }),
    });
    expect(lines).toEqual([expect.stringContaining('password authentication failed')]);
    expect(lines.join()).not.toMatch(/Qx7|Zk/);
  });

  test('a Postgres that is too old', async () => {
    const drop = await pretendVersion('14.23', 140_023);
    for (const script of ['apps/server/src/main.ts', 'bin/munshi.ts'])
      expect(
        await refused(onDatabase(), script.startsWith('bin') ? ['verify'] : [], script),
      ).toEqual([
        'munshi: The database that DATABASE_URL names cannot be used: it is Postgres 14.23, and Munshi needs 15 or later.',
      ]);
    await drop();
  });

  test('a HOST that is no address', async () => {
    const [name, elsewhere] = await Promise.all(
      ['nonsense.invalid', '192.0.2.1'].map((HOST) => refused({ ...onDatabase(), HOST })),
    );
    expect(name).toEqual([
      expect.stringMatching(
        /^munshi: HOST "nonsense\.invalid" is no address and no name that is known here/,
      ),
    ]);
    expect(elsewhere).toEqual([
      expect.stringContaining('HOST "192.0.2.1" is no address of this machine'),
    ]);
  });

  test('a DATA_DIR that cannot be written to', async () => {
    await writeFile(path.join(folder, 'file'), '');
    const DATA_DIR = path.join(folder, 'file', 'data');
    expect(await refused({ DATA_DIR })).toEqual([
      expect.stringMatching(
        /^munshi: DATA_DIR \(.*\) cannot be written to: .* Set DATA_DIR to a folder/,
      ),
    ]);
  });
});

test('a start on a Postgres newer than any that was tested says so in the log, and serves', async () => {
  const drop = await pretendVersion('19.1', 190_001);
  const server = listenTo(process.execPath, [path.join(ROOT, 'apps/server/src/main.ts')], {
    cwd: folder,
    env: { ...bareEnvironment(), PORT: '0', ...onDatabase() },
  });
  await server.says(/Munshi is listening on/);
  await server.says(
    /"level":40.*Postgres 19\.1, and this version of Munshi was tested on 15 to 18/,
  );
  server.child.kill('SIGTERM');
  await server.exited;
  await drop();
});

test('a port without the right to it, and a full disk, are said by their settings', () => {
  const failure = (code: string, message = code) =>
    Object.assign(new Error(message), { code, syscall: 'any' });
  expect(() => explainListening(failure('EACCES'), { host: '127.0.0.1', port: 80 })).toThrow(
    /^PORT 80 may not be listened on by this user/,
  );
  expect(() => explainListening(failure('EADDRINUSE'), { host: '127.0.0.1', port: 80 })).toThrow(
    /^PORT 80 is taken/,
  );
  expect(() => explainDataDir(failure('ENOSPC', 'ENOSPC: no space left'), '/data')).toThrow(
    /^DATA_DIR \(\/data\) is on a full disk/,
  );
  expect(() =>
    explainDataDir(new Error('initdb failed.\nFATAL: No space left on device'), '/data'),
  ).toThrow(/^DATA_DIR \(\/data\) is on a full disk/);
});

test('on a disk too small for a database the start says so in one line, and leaves no half of one', async (context) => {
  const disk = await mountSmallDisk(200, context);
  try {
    await writeFile(path.join(disk.folder, 'ballast'), Buffer.alloc(190 * 2 ** 20));
    const lines = await refused({ DATA_DIR: path.join(disk.folder, 'data') });
    expect(lines.at(-1)).toMatch(/^munshi: DATA_DIR \(.*\) is on a full disk: free some space/);
    expect(lines.filter((line) => /^\s+at /.test(line))).toEqual([]);
    expect(await readdir(path.join(disk.folder, 'data'))).not.toContain('pg18');
  } finally {
    await disk.unmount();
  }
});

test('in production new data gets no demo', async () => {
  const DATA_DIR = path.join(folder, 'production');
  const env = { ...bareEnvironment(), PORT: '0', NODE_ENV: 'production', DATA_DIR };
  const server = listenTo(process.execPath, [path.join(ROOT, 'apps/server/src/main.ts')], {
    cwd: folder,
    env,
  });
  await server.says(/Munshi is listening on/);
  expect(server.said()).not.toMatch(/demo/i);
  expect(await readdir(DATA_DIR)).not.toContain('demo.json');
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
});
