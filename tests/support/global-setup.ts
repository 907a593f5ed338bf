import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '@munshi/embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../apps/server/src/platform/database/db.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { prepareRoles, rolesOf } from '../../apps/server/src/platform/database/roles.ts';
import { startCitus } from '../rigs/citus/cluster.ts';

/**
 * One Postgres for the whole run, without fsync, with a migrated template for every file: the
 * embedded one, or that of the programs in PG_BIN. With CITUS a cluster of Citus, or the one whose
 * coordinator has the port CITUS_PORT, where every file has a cell.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.env['TEST_SEED'] ??= String(Date.now() % 2 ** 31);
  if (process.env['CITUS'] !== undefined) return onCitus(project);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'munshi-test-'));
  // Tests start some hundred servers. A shared compile cache halves the processor time of a start.
  const compiled = await mkdtemp(path.join(tmpdir(), 'munshi-test-compiled-'));
  process.env['NODE_COMPILE_CACHE'] = compiled;
  const server = await startEmbeddedPostgres({
    dataDir,
    bin: process.env['PG_BIN'],
    ephemeral: true,
  });
  const connection = server.config('postgres');
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query('create database template_munshi');
  const target = {
    hosts: [{ host: connection.host, port: 5432 }],
    user: connection.user,
    password: connection.password,
    database: 'template_munshi',
    ssl: false,
  };
  const roles = rolesOf(target);
  const superuser = openDatabase(target, { poolSize: 1 });
  await prepareRoles(superuser.pool, roles).finally(superuser.close);
  const owner = openDatabase(roles.owner, { poolSize: 1 });
  const { runtime, retention } = roles;
  const to = { runtimeRole: runtime.user, retentionRole: retention.user };
  await migrate(owner.pool, to).finally(owner.close);
  // While anybody is connected to it, every copy waits five seconds and then fails.
  await admin.query('alter database template_munshi allow_connections false');
  await admin.end();
  project.provide('postgres', {
    host: connection.host,
    user: connection.user,
    password: connection.password,
  });
  return async () => {
    await server.stop();
    // A process that is just ending may still write to it.
    for (const folder of [dataDir, compiled])
      await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}

async function onCitus(project: TestProject): Promise<() => Promise<void>> {
  const port = process.env['CITUS_PORT'];
  const started = port === undefined ? await startCitus() : undefined;
  const [{ port: own } = { port: Number(port) }] = started?.coordinator.hosts ?? [];
  project.provide('postgres', { host: '127.0.0.1', port: own, user: 'postgres', password: '' });
  return async () => started?.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: {
      readonly host: string;
      /** Of a coordinator of Citus. */
      readonly port?: number;
      readonly user: string;
      readonly password: string;
    };
  }
}
