import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Bench, withDatabase } from '../bench.ts';
import type { Environment } from '../environment.ts';
import type { Figures } from '../samples.ts';
import { seedMembers, seedMerchants } from '../seed.ts';

/**
 * The columns that a new deposit fills, with a member and a reference; ids are made by the
 * database.
 */
const insertOf = (
  merchantId: string,
  keyId: string,
  memberId: string,
  accountId: string,
) => `insert into orders (merchant_id, order_id, order_reference,
  api_key_id, idempotency_key, signature_digest, terms_digest, order_type, wallet_type, currency, amount, fee, rate, settlement_amount, float_amount,
  merchant_order_ref, live_reference, customer_reference, callback_url, success_url, metadata, txn_ref_digits_required, max_retry_count, page_origin,
  created_status, status, member_id, account_id, created_at, assigned_at, holder_since, expires_at, due_at)
select '${merchantId}', uuidv7(), 'ORD-' || id, '${keyId}', id, decode(md5(id), 'hex'), substring(sha256(id::bytea), 1, 16), 'Deposit', 'ProviderA', 'PKR', 1500.5, 30.01, 1,
  1470.49, 1500.5, id, id, 'customer-1', 'https://merchant.example/webhooks/munshi', 'https://merchant.example/thank-you', 'cart 7, two items', 4, 3,
  'http://127.0.0.1:3000', 'Queued', 'Queued', '${memberId}', '${accountId}', now(), now(), now(), now() + interval '15 minutes', now() + interval '15 minutes'
from (select gen_random_uuid()::text as id) as fresh`;

interface Inserts {
  readonly contender: 'pgbench' | 'inserts-by-pg';
  readonly figures: Figures;
}

/**
 * One-row inserts into an orders table of its own, each in its own transaction: what Postgres does
 * for the row alone. Uses `pgbench` if installed, else the driver, which costs the client more.
 */
export function insertsPerSecond(bench: Bench, clients: number): Promise<Inserts> {
  return withDatabase(bench, `inserts-${randomUUID().slice(0, 8)}`, async (environment) => {
    const { database } = environment;
    await seedMerchants(database, 1);
    await seedMembers(database, 1);
    const { rows } = await database.pool.query<{
      merchant: string;
      key: string;
      member: string;
      account: string;
    }>(
      `select k.merchant_id as merchant, k.key_id as key, a.member_id as member, a.account_id as account from api_keys k, member_accounts a where a.wallet_type = 'ProviderA'`,
    );
    const { merchant, key, member, account } = rows[0] as (typeof rows)[number];
    const statement = insertOf(merchant, key, member, account);
    const perSecond = await runPgbench(bench, environment, statement, clients);
    if (perSecond !== undefined) return { contender: 'pgbench', figures: { perSecond } };
    return {
      contender: 'inserts-by-pg',
      figures: { perSecond: await insertByDriver(bench, environment, statement, clients) },
    };
  });
}

/** Undefined if there is no pgbench. */
async function runPgbench(
  bench: Bench,
  { cluster, name }: Environment,
  statement: string,
  clients: number,
): Promise<number | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'munshi-pgbench-'));
  try {
    const script = path.join(folder, 'insert.sql');
    await writeFile(script, `${statement.replaceAll('\n', ' ')};\n`);
    const connection = ['-h', cluster.socketDir, '-p', '5432', '-U', cluster.user];
    const work = [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      '2',
      '-T',
      String(Math.ceil(bench.options.seconds)),
      '-f',
      script,
      name,
    ];
    const { stdout } = await promisify(execFile)('pgbench', [...connection, ...work], {
      env: { PATH: process.env['PATH'], PGPASSWORD: cluster.password },
    });
    // It names no rate where nothing was inserted in time.
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function insertByDriver(
  bench: Bench,
  { cluster, name }: Environment,
  text: string,
  clients: number,
): Promise<number> {
  const pool = new pg.Pool({
    host: cluster.socketDir,
    user: cluster.user,
    password: cluster.password,
    database: name,
    max: clients,
  });
  const end = performance.now() + bench.options.seconds * 1000;
  let inserted = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        await pool.query({ name: 'insert', text });
        inserted += 1;
      }
    }),
  );
  const perSecond = (inserted * 1000) / (performance.now() - started);
  await pool.end();
  return perSecond;
}
