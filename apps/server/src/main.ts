import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DataDirInUseError, defaultDataDir, startEmbeddedPostgres } from '@munshi/embedded-postgres';
import closeWithGrace from 'close-with-grace';
import { createApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { type DatabaseTarget, openDatabase } from './storage/db.ts';
import { migrate } from './storage/migrate.ts';

async function main() {
  const config = readConfig(process.env, process.argv.slice(2));
  const log = createLogger(config);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  if (config.allowPrivateCallbacks) log.warn('ALLOW_PRIVATE_CALLBACKS is set: webhooks may go to private addresses. For development only.');

  let fail: (reason: string) => void = () => {};
  const embedded = config.database === undefined ? await startDatabase(config.dataDir, say, (reason) => fail(reason)) : undefined;
  const database = openDatabase((config.database ?? embedded?.target) as DatabaseTarget, {
    poolSize: config.poolSize,
    log: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  });
  await migrate(database.pool);
  const masterKey = config.masterKey ?? (embedded?.masterKey as string);
  const app = await createApp({ ...config, masterKey }, database, log);
  const address = await app.listen();
  say(`Munshi is listening on ${address} (started in ${Math.round(performance.now())} ms)`);

  const shutdown = closeWithGrace({ delay: 15_000, logger: false }, async ({ err }) => {
    if (err) log.error({ err }, 'stopping after an error');
    await app.close();
    await database.close();
    await embedded?.stop();
  });
  fail = (reason) => {
    say(`The embedded Postgres has died: ${reason}\nThe service cannot go on without it. Start it again; the data is in ${embedded?.dataDir}.`);
    shutdown.uninstall();
    process.exit(1);
  };
}

/** The embedded Postgres with a master key beside its data. */
async function startDatabase(dataDir: string | undefined, say: (text: string) => void, onDeath: (reason: string) => void) {
  const folder = dataDir ?? (await defaultDataDir('munshi'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, progress: say, onDeath });
  const connection = postgres.config('postgres');
  const keyFile = path.join(folder, 'master-key');
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  return {
    dataDir: folder,
    target: {
      hosts: [{ host: connection.host, port: connection.port }],
      user: connection.user,
      password: connection.password,
      database: connection.database,
      ssl: false,
    },
    masterKey: readFileSync(keyFile, 'utf8').trim(),
    stop: () => postgres.stop(),
  };
}

main().catch((error: Error & { code?: string }) => {
  const plain = error instanceof ConfigError || error instanceof DataDirInUseError || error.code === 'EADDRINUSE';
  process.stderr.write(`munshi: ${plain ? error.message : (error.stack ?? error.message)}\n`);
  process.exit(1);
});
