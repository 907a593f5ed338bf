import { existsSync } from 'node:fs';
import closeWithGrace from 'close-with-grace';
import { type App, createApp } from './app/app.ts';
import {
  createDemo,
  type Demo,
  demoFile,
  isUnused,
  readDemoKeys,
  readDemoSignIns,
} from './demo/demo.ts';
import { startPast } from './demo/start-past.ts';
import { lacksApprovers } from './people/approvers.service.ts';
import { readOperatorNames } from './people/operators.store.ts';
import { type Config, readConfig } from './platform/config.ts';
import { createOutage } from './platform/database/connection/outage.ts';
import { NEWEST_TESTED, OLDEST_TESTED } from './platform/database/connection/server-version.ts';
import { waitForDatabase } from './platform/database/connection/wait-for-database.ts';
import { openDatabase } from './platform/database/db.ts';
import { mayChangeSchema } from './platform/database/grants.ts';
import { say, sayError } from './platform/observe/journal.ts';
import { createLogger } from './platform/observe/log.ts';
import { createVault } from './platform/vault.ts';
import { makeMembers } from './sandbox/members.service.ts';
import { keepAddress } from './start/address.ts';
import { expectFreePort } from './start/expect-free-port.ts';
import { migrateDatabase, openLocalDatabase } from './start/local-database.ts';
import { checkMasterKey } from './start/master-key.ts';
import { reloadOnHangUp } from './start/reload.ts';
import { describeFailure, explainDatabase, explainListening } from './start/start-errors.ts';
import { describeDemo, describeReturn } from './welcome.ts';

/**
 * With five seconds for a free connection before it, under the ten within which every request is
 * answered.
 */
const STATEMENT_TIMEOUT_MS = 4_000;
/** The database may be starting too, or in the middle of a failover. */
const START_PATIENCE_MS = 30_000;

/**
 * How many connections this process holds at once (operate/database.md): the pool, the engine,
 * gathered reads and notices to members; a worker's for webhooks, what it listens for, and its
 * jobs.
 */
const connectionsOf = ({ poolSize, roles }: Pick<Config, 'poolSize' | 'roles'>): number =>
  poolSize + 3 + (roles.has('worker') ? 4 : 0);

async function main() {
  const config = readConfig(process.env, process.argv.slice(2));
  const outage = createOutage();
  const log = createLogger(config, outage.covers);
  if (config.allowPrivateCallbacks)
    log.warn(
      'ALLOW_PRIVATE_CALLBACKS is set, or a sandbox in development: webhooks may go to private addresses.',
    );
  if (config.sandbox) log.info('This is a sandbox: members play themselves.');

  await expectFreePort(config);
  const local = await openLocalDatabase(config, { progress: say, onDeath: endWithPostgres });
  const database = openDatabase(local.target, {
    poolSize: config.poolSize,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    watch: outage.watch(log),
  });
  const waiting = ({ message }: Error) => say(`Waiting for the database: ${message}`);
  const version = await waitForDatabase(
    database,
    START_PATIENCE_MS,
    waiting,
    connectionsOf(config),
  ).catch(explainDatabase);
  if (version.standing === 'untested')
    log.warn(
      `The database is Postgres ${version.name}, and this version of Munshi was tested on ${OLDEST_TESTED} to ${NEWEST_TESTED} alone.`,
    );
  await migrateDatabase(local, say);
  if (config.production && (await mayChangeSchema(database.pool))) {
    log.warn(
      `The role ${local.target.user} of DATABASE_URL may change the tables that it works on. Give the service a role of its own: docs/operate/database.md, "Two roles".`,
    );
  }
  await checkMasterKey(database, createVault(local.masterKey));
  const demoDir =
    !config.production && !config.empty && config.roles.has('http') ? local.dataDir : undefined;
  const demoSignIns = demoDir === undefined ? undefined : () => readDemoSignIns(demoDir);
  const demoKeys =
    config.sandbox && demoDir !== undefined ? () => readDemoKeys(demoDir) : undefined;
  const { masterKey, retention: retentionDatabase } = local;
  const settings = { ...config, masterKey, retentionDatabase, demoSignIns, demoKeys };
  const app = await createApp(settings, database, log);
  // A demo for a fresh clone: on new data of the embedded Postgres alone,
  // once; there before anybody is answered.
  const demo =
    demoDir !== undefined && (await isUnused(app)) ? await prepareDemo(app, demoDir) : undefined;
  if (config.sandbox) await makeMembers(app.deps);
  const lack = await lacksApprovers(database.pool, { ...config, clock: app.deps.clock });
  if (lack !== undefined) log.warn(lack);
  const tokens = config.operatorTokens.length;
  const nobody = tokens === 0 && (await readOperatorNames(database.pool)).length === 0;
  const address = await app.listen().catch((error: Error) => {
    if (demo !== undefined)
      say(`The demo that was made is described in ${demoFile(demoDir as string)}.`);
    return explainListening(error, config);
  });
  if (local.dataDir !== undefined) keepAddress(local.dataDir, address);
  if (demoDir !== undefined) {
    const place = { address, dataDir: demoDir, chosen: config.dataDir !== undefined };
    if (demo !== undefined) say(describeDemo(demo, place));
    else if (existsSync(demoFile(demoDir))) say(describeReturn(place));
  }
  if (app.deps.secureCookies && config.publicUrl?.startsWith('https:') !== true) {
    log.warn(
      'Browsers keep a sign-in over https alone, unless they are on this machine: put TLS in front, and set PUBLIC_URL to the https address.',
    );
  }
  const endPast =
    demoDir !== undefined &&
    !config.sandboxClock &&
    !config.sandbox &&
    existsSync(demoFile(demoDir))
      ? await startPast(database, { dataDir: demoDir, masterKey: local.masterKey, address })
      : undefined;
  // In production SIGHUP asks to read the settings again; otherwise a terminal was closed.
  if (config.production) reloadOnHangUp(log);
  const skip = config.production ? (['SIGHUP'] as const) : [];
  closeWithGrace({ delay: 15_000, logger: false, skip: [...skip] }, async ({ err }) => {
    if (err) log.error({ err }, 'stopping after an error');
    await endPast?.();
    await app.close();
    await database.close();
    await local.stop();
  });
  if (nobody)
    say(
      'Nobody can sign in to the console yet. Make the first operator: munshi operator-link <name> (in a clone: npm run munshi -- operator-link <name>).',
    );
  say(`Munshi is listening on ${address} (started in ${Math.round(performance.now())} ms)`);
}

function endWithPostgres(reason: string, dataDir: string): never {
  sayError(
    `The embedded Postgres has died: ${reason}\nThe service cannot go on without it. Start it again; the data is safe in ${dataDir}.`,
  );
  process.exit(1);
}

function prepareDemo(app: App, dataDir: string): Promise<Demo> {
  say('Preparing a demo…');
  return createDemo(app, dataDir);
}

main().catch((error: Error) => {
  sayError(`munshi: ${describeFailure(error)}`);
  process.exit(1);
});
