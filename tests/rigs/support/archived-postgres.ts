import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { type Account, serverAccount } from '../../../packages/embedded-postgres/src/account.ts';
import { freePort } from '../../support/free-port.ts';
import { ROOT } from '../../tidy/sources.ts';

const DEBIAN = '/usr/lib/postgresql';
const DEPLOY = path.join(ROOT, 'deploy');

/** Debian's newest Postgres, or the one in `PG_BIN`. */
function programs(): string {
  const [newest] = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const bin = process.env['PG_BIN'] ?? path.join(DEBIAN, newest ?? '', 'bin');
  if (!existsSync(path.join(bin, 'initdb')))
    throw new Error('Postgres is missing: apt-get install postgresql, or set PG_BIN');
  if (spawnSync('pgbackrest', ['version']).error)
    throw new Error('pgBackRest is missing: apt-get install pgbackrest');
  return bin;
}

/** A Postgres of the system that archives as `deploy/backup` says, with the roles of `deploy/postgres`. */
export interface ArchivedPostgres {
  readonly folder: string;
  readonly data: string;
  readonly superuser: DatabaseTarget;
  readonly owner: DatabaseTarget;
  readonly runtime: DatabaseTarget;
  readonly retention: DatabaseTarget;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Runs a program as Postgres's own user; answers what it says on both outputs. */
  run(program: string, ...args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  const bin = programs();
  const account = serverAccount(undefined);
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-restore-'));
  const below = (name: string) => path.join(folder, name);
  const data = below('data');
  const port = await freePort();
  const roleOf = (user: string, database: string): DatabaseTarget => ({
    hosts: [{ host: '127.0.0.1', port }],
    user,
    password: `password of ${user}`,
    database,
    ssl: false,
  });
  const superuser = roleOf('postgres', 'munshi');
  const owner = roleOf('munshi_owner', 'munshi');
  const runtime = roleOf('munshi_app', 'munshi');
  const retention = roleOf('munshi_retention', 'munshi');
  const env = {
    PATH: process.env['PATH'] ?? '',
    PG_BIN: bin,
    PGHOST: below('socket'),
    PGPORT: `${port}`,
    PGUSER: 'postgres',
    MUNSHI_OWNER_PASSWORD: owner.password,
    MUNSHI_APP_PASSWORD: runtime.password,
    MUNSHI_RETENTION_PASSWORD: retention.password,
    PGBACKREST_CONFIG: below('pgbackrest.conf'),
    PGBACKREST_PG1_PATH: data,
    PGBACKREST_PG1_PORT: `${port}`,
    PGBACKREST_PG1_SOCKET_PATH: below('socket'),
    PGBACKREST_PG1_USER: 'postgres',
    PGBACKREST_REPO1_PATH: below('repository'),
    PGBACKREST_LOCK_PATH: below('lock'),
  };
  const run = async (program: string, ...args: readonly string[]) => {
    const options = { env, cwd: folder, ...account, maxBuffer: 1 << 26 };
    const { stdout, stderr } = await promisify(execFile)(program, args, options);
    return stdout + stderr;
  };
  const control = (...args: readonly string[]) =>
    run(path.join(bin, 'pg_ctl'), ...args, '--silent', '--wait', `--pgdata=${data}`);
  const start = async () => {
    await control('start', '--timeout=300', `--log=${below('log')}`);
  };
  const stop = async () => {
    await control('stop', '--mode=fast');
  };

  await giveTo(account, folder);
  for (const name of ['socket', 'repository', 'lock']) {
    await mkdir(below(name), { mode: 0o700 });
    await giveTo(account, below(name));
  }
  await copyFile(path.join(DEPLOY, 'backup/pgbackrest.conf'), below('pgbackrest.conf'));
  await writeFile(below('password'), superuser.password);
  await giveTo(account, below('password'));
  await run(
    path.join(bin, 'initdb'),
    `--pgdata=${data}`,
    '--username=postgres',
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    `--pwfile=${below('password')}`,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--data-checksums',
    '--no-sync',
    '--no-instructions',
  );
  const settings = [
    `include '${DEPLOY}/backup/archive.conf'`,
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${below('socket')}'`,
  ];
  await writeFile(path.join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
  await start();
  await run('psql', '--quiet', '--no-psqlrc', `--file=${DEPLOY}/postgres/roles.sql`, 'postgres');
  return {
    folder,
    data,
    superuser,
    owner,
    runtime,
    retention,
    start,
    stop,
    run,
    async close() {
      if (existsSync(path.join(data, 'postmaster.pid'))) await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function giveTo(account: Account | undefined, file: string) {
  if (account !== undefined) await chown(file, account.uid, account.gid);
}
