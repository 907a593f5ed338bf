import { setPriority } from 'node:os';
import { attachEmbeddedPostgres } from '@munshi/embedded-postgres';
import { createApp } from '../app/app.ts';
import type { DatabaseTarget } from '../platform/config/database-url.ts';
import { readConfig } from '../platform/config.ts';
import { copyRows } from '../platform/database/copy-rows.ts';
import { inTransaction, openDatabase } from '../platform/database/db.ts';
import { migrate } from '../platform/database/migrate.ts';
import { prepareRoles, rolesOf } from '../platform/database/roles.ts';
import { createLogger } from '../platform/observe/log.ts';
import type { Sender } from '../platform/outbound/send.ts';
import { setClockBack } from '../settings/clock-offset.store.ts';
import { DAYS, liveThrough } from './fortnight.ts';
import { SILENT_HOST, SILENT_HOURS } from './people.ts';

/**
 * Gives the demo its past: a process of its own beside the running service, of low priority.
 * It runs the ordinary service on an empty database beside the living one, with a sandbox clock that
 * was set a fortnight back, and copies what came of it in one transaction.
 */

const SCRATCH = 'munshi_past';
/** As the superuser, who alone may create databases. */
const MAINTENANCE = { name: 'demo past', poolSize: 2 };
/** The service goes first; beside other busy programs the past still comes within minutes. */
const LOW_PRIORITY = 5;

async function main(dataDir: string) {
  setPriority(LOW_PRIORITY);
  const postgres = await attachEmbeddedPostgres(dataDir);
  if (postgres === undefined) throw new Error('no service runs on these data');
  const targetOf = (name: string): DatabaseTarget => {
    const { host, port, user, password, database } = postgres.config(name);
    return { hosts: [{ host, port }], user, password, database, ssl: false };
  };
  const living = openDatabase(targetOf('postgres'), MAINTENANCE);
  const drop = () => living.pool.query(`drop database if exists ${SCRATCH} with (force)`);
  try {
    await drop();
    await living.pool.query(`create database ${SCRATCH}`);
    const scratch = openDatabase(targetOf(SCRATCH), MAINTENANCE);
    try {
      await live(targetOf(SCRATCH));
      await inTransaction(living.pool, (client) => copyRows(scratch.pool, client));
      process.stderr.write('The demo has its past: a fortnight of orders of four merchants.\n');
    } finally {
      await scratch.close();
    }
  } finally {
    await drop();
    await living.close();
  }
}

/** Runs the service on the empty database until it has arrived in the present. */
async function live(superuser: DatabaseTarget): Promise<void> {
  const roles = rolesOf(superuser);
  const { owner, runtime } = roles;
  const supervisor = openDatabase(superuser, MAINTENANCE);
  await prepareRoles(supervisor.pool, roles);
  const owning = openDatabase(owner, { poolSize: 1 });
  await migrate(owning.pool, { runtimeRole: runtime.user }).finally(owning.close);
  await setClockBack(supervisor.pool, DAYS * 86_400_000);
  await supervisor.close();

  const config = readConfig({ ...process.env, CLOCK: 'sandbox', PORT: '0', LOG_LEVEL: 'error' });
  const database = openDatabase(runtime, { poolSize: 3 });
  const app = await createApp(
    { ...config, masterKey: config.masterKey as string },
    database,
    createLogger(config, () => false),
    { sender: shops(Date.now() - SILENT_HOURS * 3_600_000, () => app.deps.clock.now()) },
  );
  try {
    await liveThrough(app, await app.listen());
  } finally {
    await app.close();
    await database.close();
  }
}

/** The merchants' servers: all answer, but for one that has gone. */
function shops(goneAt: number, now: () => number): Sender {
  return {
    async send({ url }) {
      if (new URL(url).hostname === SILENT_HOST && now() > goneAt)
        return {
          outcome: 'failed',
          responseStatus: null,
          error: `getaddrinfo ENOTFOUND ${SILENT_HOST}`,
          answer: null,
          durationMs: 24,
        };
      return {
        outcome: 'acknowledged',
        responseStatus: 200,
        error: null,
        answer: 'ok',
        durationMs: 80 + (url.length % 40),
      };
    },
    async close() {},
  };
}

main(process.argv[2] as string).catch((error: Error) => {
  process.stderr.write(`The demo has no past: ${error.stack}\n`);
  process.exit(1);
});
