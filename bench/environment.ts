import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@munshi/embedded-postgres';
import pg from 'pg';
import type { DatabaseTarget } from '../apps/server/src/platform/config/database-url.ts';
import { type Database, openDatabase } from '../apps/server/src/platform/database/db.ts';
import { migrate } from '../apps/server/src/platform/database/migrate.ts';

export const MASTER_KEY = '5a'.repeat(32);

/** The embedded Postgres of a run, with production durability unless it is ephemeral. */
export interface Cluster {
  /** Process id of the postmaster. */
  readonly postgresPid: number;
  readonly socketDir: string;
  readonly user: string;
  readonly password: string;
  readonly version: string;
  /** A migrated database of its own. */
  createDatabase(name: string): Promise<Environment>;
  /** An empty database, for a peer that brings its own tables. */
  createEmptyDatabase(
    name: string,
  ): Promise<{ readonly env: Readonly<Record<string, string>>; drop(): Promise<void> }>;
  close(): Promise<void>;
}

/** A migrated database, and the settings by which a server uses it. */
export interface Environment {
  readonly cluster: Cluster;
  readonly name: string;
  readonly database: Database;
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

const TEMPLATE = 'bench_template';

export async function openCluster({ ephemeral = false } = {}): Promise<Cluster> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'munshi-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, ephemeral });
  const { host, user, password } = postgres.config('postgres');
  const targetOf = (database: string): DatabaseTarget => ({
    hosts: [{ host, port: 5432 }],
    user,
    password,
    database,
    ssl: false,
  });
  const urlOf = (database: string) =>
    `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}`;
  const admin = new pg.Client({ host, user, password, database: 'postgres' });
  await admin.connect();
  const { rows } = await admin.query<{ server_version: string }>('show server_version');
  await admin.query(`create database ${TEMPLATE}`);
  const template = openDatabase(targetOf(TEMPLATE), { poolSize: 1 });
  await migrate(template.pool);
  await template.close();

  const cluster: Cluster = {
    postgresPid: postgres.pid,
    socketDir: host,
    user,
    password,
    version: rows[0]?.server_version ?? 'unknown',
    async createDatabase(name) {
      await admin.query(`create database ${name} template ${TEMPLATE}`);
      const database = openDatabase(targetOf(name), { poolSize: 4 });
      return {
        cluster,
        name,
        database,
        env: { DATABASE_URL: urlOf(name), MASTER_KEY, LOG_LEVEL: 'warn' },
        async drop() {
          await database.close();
          await admin.query(`drop database ${name} with (force)`);
        },
      };
    },
    async createEmptyDatabase(name) {
      await admin.query(`create database ${name}`);
      return {
        env: {
          DATABASE_URL: urlOf(name),
          PGHOST: host,
          PGUSER: user,
          PGPASSWORD: password,
          PGDATABASE: name,
        },
        drop: async () => {
          await admin.query(`drop database ${name} with (force)`);
        },
      };
    },
    async close() {
      await admin.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return cluster;
}

/** A Postgres with one migrated database. */
export async function openEnvironment(): Promise<Environment & { close(): Promise<void> }> {
  const cluster = await openCluster();
  const environment = await cluster.createDatabase('bench');
  return {
    ...environment,
    async close() {
      await environment.database.close();
      await cluster.close();
    },
  };
}

/** Where figures were measured. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  readonly postgres: string;
  readonly commit: string;
  /** Whether files of the service differ from the commit. */
  readonly changed: boolean;
}

export function describeMachine(postgres: string): Machine {
  const git = (...args: string[]) => {
    try {
      return execFileSync('git', args, {
        encoding: 'utf8',
        cwd: import.meta.dirname,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
    } catch {
      return '';
    }
  };
  return {
    cpu: os.cpus()[0]?.model ?? 'unknown',
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    kernel: os.release(),
    node: process.version,
    postgres,
    commit: git('rev-parse', '--short', 'HEAD') || 'unknown',
    changed: git('status', '--porcelain', '--', '../apps', '../packages') !== '',
  };
}
