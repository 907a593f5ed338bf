import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@munshi/embedded-postgres';
import { type Database, type DatabaseTarget, openDatabase } from '../apps/server/src/storage/db.ts';
import { migrate } from '../apps/server/src/storage/migrate.ts';
import { createVault } from '../apps/server/src/vault.ts';

const MASTER_KEY = '5a'.repeat(32);
const SERVER = path.join(import.meta.dirname, '..', 'apps', 'server', 'src', 'main.ts');

/** As in the start script. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];

/** A Postgres with production durability and a migrated database: what every measured server works on. */
export interface Environment {
  readonly database: Database;
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function openEnvironment(): Promise<Environment> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'munshi-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir });
  const { host, user, password, database: name } = postgres.config('postgres');
  const target: DatabaseTarget = { hosts: [{ host, port: 5432 }], user, password, database: name, ssl: false };
  const database = openDatabase(target, { poolSize: 4 });
  await migrate(database.pool);
  return {
    database,
    env: { DATABASE_URL: `postgres://${user}:${encodeURIComponent(password)}@/${name}?host=${encodeURIComponent(host)}`, MASTER_KEY, LOG_LEVEL: 'warn' },
    async close() {
      await database.close();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Merchant {
  readonly merchantId: string;
  readonly apiKey: string;
  readonly signingSecret: string;
}

const hex = (text: string) => createHash('sha256').update(text).digest();
const METHODS = ['ProviderA', 'ProviderATillID', 'ProviderAQR', 'ProviderB', 'TillID', 'ProviderBQR', 'BankAccount'];

/** An active merchant with a key, a fee rule and plenty of money. */
export async function seedMerchant({ pool }: Database): Promise<Merchant> {
  const merchantId = randomUUID();
  const apiKey = `mk_live_${randomBytes(16).toString('hex')}`;
  const signingSecret = `sksec_${randomBytes(20).toString('hex')}`;
  const { sealed, sealKeyId } = createVault(MASTER_KEY).seal(signingSecret);
  const withdrawals = METHODS.filter((method) => !/QR|ATill/.test(method));
  await pool.query(
    `insert into merchants (merchant_id, name, deposit_methods, withdrawal_methods, currencies, created_at) values ($1, 'Bench', $2, $3, '{PKR}', now())`,
    [merchantId, METHODS, withdrawals],
  );
  await pool.query('insert into merchant_wallets (merchant_id, balance) values ($1, 1e15)', [merchantId]);
  await pool.query(
    'insert into api_keys (merchant_id, key_id, key_hash, prefix, sealed_secret, seal_key_id, created_at) values ($1, $2, $3, $4, $5, $6, now())',
    [merchantId, randomUUID(), hex(apiKey), apiKey.slice(8, 16), sealed, sealKeyId],
  );
  await pool.query(
    `insert into fee_rules (fee_rule_id, merchant_id, order_type, wallet_type, percent, valid_from) values ($1, $2, 'Deposit', 'ProviderA', 2, now())`,
    [randomUUID(), merchantId],
  );
  return { merchantId, apiKey, signingSecret };
}

/** Members who are online, with an approved account of every method, and so much room and float that nothing runs out. */
export async function seedMembers({ pool }: Database, count: number): Promise<void> {
  await pool.query(
    `with m as (insert into members (member_id, name, username, password_hash, online, max_open_orders, float_balance, created_at)
       select gen_random_uuid(), 'Member ' || n, 'member-' || n, '', true, 1000000, 1e15, now() from generate_series(1, $1) n returning member_id)
     insert into member_accounts (account_id, member_id, wallet_type, account_number, account_title, status, created_at)
       select gen_random_uuid(), member_id, method, '03001234567', 'Member', 'approved', now() from m, unnest($2::text[]) method`,
    [count, METHODS],
  );
  await pool.query('analyze');
}

export interface RunningServer {
  readonly url: string;
  readonly process: ChildProcess;
  /** CPU seconds it has used so far, user and system together; undefined where the system does not tell. */
  cpuSeconds(): Promise<number | undefined>;
  stop(): Promise<void>;
}

/** Starts a server as its users would: the real one, or a peer that takes the same settings. */
export async function startServer(environment: Environment, script = SERVER): Promise<RunningServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [...NODE_OPTIONS, script], {
    env: { PATH: process.env['PATH'] ?? '', ...environment.env, NODE_ENV: 'production', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(`${url}/readyz`, child);
  return {
    url,
    process: child,
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

async function cpuSecondsOf(pid: number): Promise<number | undefined> {
  const { readFile } = await import('node:fs/promises');
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / 100;
}

async function answering(url: string, child: ChildProcess) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
