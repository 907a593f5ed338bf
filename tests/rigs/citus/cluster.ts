import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import type { DatabaseTarget } from '../../../apps/server/src/platform/config/database-url.ts';
import { freePort } from '../../support/free-port.ts';

/** A coordinator and workers on this machine, without TLS and passwords, on loopback alone. */
export interface CitusCluster {
  /** As the superuser. */
  readonly coordinator: DatabaseTarget;
  /** Every node by its address, the coordinator's first. */
  readonly nodes: readonly string[];
  /** One statement as the superuser, on the node of this address. */
  sql(node: string, text: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends a node at once, as a machine that loses its power, and starts it again. */
  crash(node: string): Promise<void>;
  close(): Promise<void>;
}

const MAJOR = '15';
const INSTALLED = `/usr/lib/postgresql/${MAJOR}`;
const SHARED = `/usr/share/postgresql/${MAJOR}`;
const ACCOUNT = 'postgres';
const WORKERS = 2;

const SETTINGS = [
  "listen_addresses = '127.0.0.1'",
  'max_connections = 300',
  'jit = off',
  'wal_level = logical',
  'max_replication_slots = 20',
  'max_wal_senders = 20',
  'log_min_messages = warning',
  "shared_preload_libraries = 'citus'",
  'max_prepared_transactions = 200',
  "citus.local_hostname = '127.0.0.1'",
  // Triggers of a cell touch that cell alone.
  'citus.enable_unsafe_triggers = on',
  'citus.enable_statistics_collection = off',
  // A transaction that a crash has left prepared keeps its rows until somebody looks: 60 s.
  'citus.recover_2pc_interval = 1s',
];

/** What is missing on this machine, in words that say how to get it; undefined: nothing. */
function missing(): string | undefined {
  if (process.env['CITUS_ARCHIVE'] === undefined)
    return `set CITUS_ARCHIVE to an archive of Citus for Postgres ${MAJOR}: what \`make install\` writes, packed from / (tests/rigs/citus/README.md)`;
  if (spawnSync(`${INSTALLED}/bin/postgres`, ['--version']).error !== undefined)
    return `Postgres ${MAJOR} is missing: apt-get install postgresql-${MAJOR}`;
  return undefined;
}

/** Starts a cluster on new data. Throws what is missing on this machine. */
export async function startCitus(): Promise<CitusCluster> {
  const lacks = missing();
  if (lacks !== undefined) throw new Error(lacks);
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-citus-'));
  const asRoot = process.getuid?.() === 0;
  const bin = path.join(folder, 'usr/lib/postgresql', MAJOR, 'bin');
  /** As an account that Postgres takes: never root. */
  const run = async (program: string, ...args: readonly string[]) => {
    const command = path.join(bin, program);
    return asRoot
      ? promisify(execFile)('runuser', ['-u', ACCOUNT, '--', command, ...args], { cwd: '/' })
      : promisify(execFile)(command, args);
  };
  // A copy beside the installed one, into which the archive is unpacked.
  await cp(INSTALLED, path.join(folder, INSTALLED), { recursive: true, dereference: true });
  await cp(SHARED, path.join(folder, SHARED), { recursive: true, dereference: true });
  await promisify(execFile)('tar', ['-xf', process.env['CITUS_ARCHIVE'] as string, '-C', folder]);
  await chmod(folder, 0o755);
  const data = path.join(folder, 'data');
  await mkdir(data);
  if (asRoot) {
    const { stdout } = await promisify(execFile)('id', ['-u', ACCOUNT]);
    await chown(data, Number(stdout), 0);
  }

  const ports = new Map<string, number>();
  for (const name of ['coordinator', ...Array.from({ length: WORKERS }, (_, at) => `worker${at}`)])
    ports.set(name, await freePort());
  const addressOf = (port: number) => `127.0.0.1:${port}`;
  const nodes = [...ports.values()].map(addressOf);
  const sql = async (node: string, text: string, database = 'munshi') => {
    const port = Number(node.split(':').at(-1));
    const client = new pg.Client({ host: '127.0.0.1', port, user: ACCOUNT, database });
    client.on('error', () => {}); // the query fails with it
    await client.connect();
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  const start = (name: string) =>
    run('pg_ctl', '-D', `${data}/${name}`, '-l', `${data}/${name}.log`, '-w', 'start');
  const stop = (name: string, mode: 'fast' | 'immediate') =>
    run('pg_ctl', '-D', `${data}/${name}`, '-m', mode, '-w', 'stop');

  for (const [name, port] of ports) {
    const trusting = [
      '-U',
      ACCOUNT,
      '--encoding',
      'UTF8',
      '--locale',
      'C.UTF-8',
      '--auth',
      'trust',
    ];
    await run('initdb', '-D', `${data}/${name}`, ...trusting);
    const own = [...SETTINGS, `port = ${port}`, `unix_socket_directories = '${data}'`];
    const file = `${data}/${name}/postgresql.conf`;
    await writeFile(file, `${await readFile(file, 'utf8')}\n${own.join('\n')}\n`);
    await start(name);
    await sql(addressOf(port), 'create database munshi', 'postgres');
    await sql(addressOf(port), 'create extension citus');
  }
  const [first = '', ...workers] = nodes;
  const at = (node: string) => `'127.0.0.1', ${node.split(':').at(-1)}`;
  await sql(first, `select citus_set_coordinator_host(${at(first)})`);
  for (const worker of workers) await sql(first, `select citus_add_node(${at(worker)})`);
  await sql(first, `select citus_set_node_property(${at(first)}, 'shouldhaveshards', false)`);
  const names = [...ports.keys()];
  return {
    coordinator: {
      hosts: [{ host: '127.0.0.1', port: Number(first.split(':').at(-1)) }],
      user: ACCOUNT,
      password: '',
      database: 'munshi',
      ssl: false,
    },
    nodes,
    sql,
    async crash(node) {
      const name = names[nodes.indexOf(node)] as string;
      await stop(name, 'immediate');
      await start(name);
    },
    async close() {
      for (const name of names) await stop(name, 'fast').catch(() => {});
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}
