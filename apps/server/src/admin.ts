import type { OperatorRole } from '@munshi/core';
import { putSealedSecrets, readSecretsSealedOtherwise } from './api-keys/store.ts';
import { createApp } from './app/app.ts';
import { readChainHead } from './audit/chain.store.ts';
import { findViolations, INVARIANTS } from './books/invariants.ts';
import { createDemo, isUnused } from './demo/demo.ts';
import { createIds } from './engine/ids.ts';
import { resealTerms } from './engine/terms-key.ts';
import { channelSealOwner } from './member-alerts/channels.service.ts';
import { putChannel, readChannels } from './member-alerts/channels.store.ts';
import { PUSH_SEAL_OWNER } from './member-alerts/push.service.ts';
import {
  forgetPushKeysSealedOtherwise,
  readPushKeys,
  resealPushKeys,
} from './member-alerts/push.store.ts';
import { COMMAND_LINE, createOperatorWithToken, makeOperatorLink } from './operators/service.ts';
import { codeSealOwner } from './people/one-time-codes.service.ts';
import { readCodesSealedOtherwise, resealCode } from './people/one-time-codes.store.ts';
import { deleteEverySession } from './people/sessions.store.ts';
import { createClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { COMMAND_SESSION, reportingWaits } from './platform/database/connection/commit-waits.ts';
import { waitForDatabase } from './platform/database/connection/wait-for-database.ts';
import { type Database, inTransaction, openDatabase } from './platform/database/db.ts';
import { say, sayError } from './platform/observe/journal.ts';
import { createLogger } from './platform/observe/log.ts';
import { Refused } from './platform/refusals.ts';
import { createVault, type Vault } from './platform/vault.ts';
import { readClockOffset } from './settings/clock-offset.store.ts';
import { readAddress } from './start/address.ts';
import { migrateDatabase, openLocalDatabase } from './start/local-database.ts';
import { keepMasterKeyCheck } from './start/master-key.store.ts';
import { adoptMasterKey, checkMasterKey } from './start/master-key.ts';
import { describeFailure, explainDatabase } from './start/start-errors.ts';
import { describeDemo } from './welcome.ts';
import { insertAudit } from './writes/audit-log.store.ts';
import { auditEntry } from './writes/write.ts';

const COMMANDS = {
  migrate: migrateOnly,
  verify,
  demo,
  'platform-secret': platformSecret,
  reseal,
  'adopt-master-key': adoptKey,
  'renew-push-keys': renewPushKeys,
  'end-sessions': endSessions,
  'operator-link': operatorLink,
  'operator-token': operatorToken,
} satisfies Record<string, (deps: AdminDeps) => Promise<number>>;

export type AdminCommand = keyof typeof COMMANDS;

/** These encrypt, decrypt or derive something with MASTER_KEY. */
const WITH_MASTER_KEY: ReadonlySet<AdminCommand> = new Set(['demo', 'platform-secret', 'reseal']);
/** The database may be starting, or in the middle of a failover. */
const START_PATIENCE_MS = 30_000;

interface AdminDeps {
  readonly args: readonly string[];
  readonly config: Config & { readonly masterKey: string };
  readonly database: Database;
  readonly dataDir: string | undefined;
  readonly now: () => number;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Runs a command on the database that the settings in the environment name, after migrating it.
 * Answers the exit code; a failure is explained on standard error and answers 1.
 */
export async function runAdminCommand(
  name: AdminCommand,
  args: readonly string[],
): Promise<number> {
  try {
    return await onDatabase(name, args);
  } catch (error) {
    sayError(`munshi: ${describeFailure(error as Error)}`);
    return 1;
  }
}

async function onDatabase(name: AdminCommand, args: readonly string[]): Promise<number> {
  const config = readConfig(process.env);
  const local = await openLocalDatabase(config, { attach: true });
  const database = openDatabase(local.target, { name: COMMAND_SESSION, poolSize: 2 });
  try {
    const waiting = ({ message }: Error) => say(`Waiting for the database: ${message}`);
    await waitForDatabase(database, START_PATIENCE_MS, waiting).catch(explainDatabase);
    await migrateDatabase(local, say);
    const clock = createClock({ sandbox: true }); // a clock that was never advanced has no offset
    clock.setOffset(await readClockOffset(database.pool));
    const { dataDir, masterKey } = local;
    if (WITH_MASTER_KEY.has(name))
      await checkMasterKey(database, createVault(masterKey), { resealing: name === 'reseal' });
    const deps = { args, config: { ...config, masterKey }, database, dataDir, now: clock.now };
    return await reportingWaits(local.target, say, () => COMMANDS[name](deps));
  } finally {
    await database.close();
    await local.stop();
  }
}

async function migrateOnly(): Promise<number> {
  print('The database is up to date.');
  return 0;
}

/**
 * Rebuilds wallets and floats from the postings, holds every order against the rules, and says what
 * does not agree.
 */
async function verify({ database, now }: AdminDeps): Promise<number> {
  const violations = await findViolations(database.pool, now());
  for (const { id, rule, rows } of violations) {
    print(`${id} is broken: ${rule}`);
    for (const row of rows) print(`  ${JSON.stringify(row)}`);
  }
  print(
    violations.length === 0
      ? `All ${INVARIANTS.length} invariants hold.`
      : `${violations.length} of ${INVARIANTS.length} invariants are broken.`,
  );
  const { position, hash } = await readChainHead(database.pool);
  print(`The audit log has ${position} linked entries; the last hash is ${hash.toString('hex')}.`);
  return violations.length === 0 ? 0 : 1;
}

/**
 * The demo that the first `npm start` makes, asked for: for an outside database, which never gets
 * one by itself.
 */
async function demo({ config, database, dataDir }: AdminDeps): Promise<number> {
  if (config.production)
    throw new ConfigError('a demo is for development: it is not made with NODE_ENV=production');
  const app = await createApp(
    { ...config, roles: new Set(['http']) },
    database,
    createLogger({ logLevel: 'error' }),
  );
  try {
    if (!(await isUnused(app)))
      throw new ConfigError('the database is in use already; a demo is only made on an empty one');
    const address = config.publicUrl ?? `http://${config.host}:${config.port}`;
    print(
      describeDemo(await createDemo(app, dataDir), {
        address,
        dataDir,
        chosen: config.dataDir !== undefined,
      }),
    );
    return 0;
  } finally {
    await app.close();
  }
}

/**
 * What merchants with legacy API keys verify their webhooks with (webhooks.md#which-secret). It
 * follows from the master key.
 */
async function platformSecret({ config }: AdminDeps): Promise<number> {
  print(createVault(config.masterKey).platformSecret);
  return 0;
}

const RESEALED_AT_ONCE = 500;

/**
 * Seals every signing secret under the first of the master keys: the last step before another one
 * is dropped. Can be run again.
 */
async function reseal({ config, database }: AdminDeps): Promise<number> {
  const vault = createVault(config.masterKey);
  let count = 0;
  for (;;) {
    const secrets = await readSecretsSealedOtherwise(
      database.pool,
      vault.sealKeyId,
      RESEALED_AT_ONCE,
    );
    if (secrets.length === 0) break;
    await putSealedSecrets(
      database.pool,
      secrets.map((secret) => ({
        keyId: secret.keyId,
        ...vault.seal(vault.openToReseal(secret), secret),
      })),
    );
    count += secrets.length;
  }
  const codes = await resealCodes(database, vault);
  await resealAlerts(database, vault);
  await resealTerms(database, vault);
  await keepMasterKeyCheck(database.pool, vault.checkValues[0]);
  print(
    `${count} signing secrets were sealed anew, and ${codes} secrets of one-time codes; all of them are under the first key of MASTER_KEY.`,
  );
  return 0;
}

async function resealCodes({ pool }: Database, vault: Vault): Promise<number> {
  for (let count = 0; ; ) {
    const codes = await readCodesSealedOtherwise(pool, vault.sealKeyId, RESEALED_AT_ONCE);
    for (const code of codes) {
      const owner = codeSealOwner(code);
      const { sealed, sealKeyId } = code;
      await resealCode(pool, code, vault.seal(vault.open({ sealed, sealKeyId, ...owner }), owner));
    }
    if (codes.length === 0) return count;
    count += codes.length;
  }
}

/** The key of pushes, and the calls of the alert channels. */
async function resealAlerts({ pool }: Database, vault: Vault): Promise<void> {
  const keys = await readPushKeys(pool);
  if (keys !== undefined)
    await resealPushKeys(
      pool,
      vault.seal(vault.open({ ...keys, ...PUSH_SEAL_OWNER }), PUSH_SEAL_OWNER),
    );
  for (const channel of await readChannels(pool)) {
    const owner = channelSealOwner(channel.position);
    const sealed = vault.seal(vault.open({ ...channel, ...owner }), owner);
    await putChannel(pool, { ...channel, ...sealed });
  }
}

/** Where the master key is lost: the one that is set takes its place. */
async function adoptKey({ config, database, now }: AdminDeps): Promise<number> {
  const revoked = await adoptMasterKey(database, createVault(config.masterKey), now());
  print(
    `MASTER_KEY is this database's own from now on. ${revoked} API keys were revoked, whose signing secrets it cannot open: issue new ones to their merchants.`,
  );
  return 0;
}

/** The next start makes another pair; phones subscribe with it when their app is next opened. */
async function renewPushKeys({ database, now }: AdminDeps): Promise<number> {
  const at = now();
  const phones = await inTransaction(database.pool, async (client) => {
    const forgotten = await forgetPushKeysSealedOtherwise(client, []);
    const entry = {
      action: 'renew-push-keys' as const,
      target: 'push-keys',
      detail: { phones: forgotten },
    };
    await insertAudit(client, auditEntry(createIds(), COMMAND_LINE, entry, at));
    return forgotten;
  });
  print(
    `The key of pushes is gone, and ${phones} phones with it. Restart the processes: the first one makes another key, with which a phone subscribes when its app is opened.`,
  );
  return 0;
}

/** After a restore, which brings back what was ended since: nobody stays signed in. */
async function endSessions({ database, now }: AdminDeps): Promise<number> {
  const at = now();
  const ended = await inTransaction(database.pool, async (client) => {
    const count = await deleteEverySession(client);
    await insertAudit(client, {
      auditId: createIds().uuid(at),
      actor: COMMAND_LINE,
      action: 'end-sessions' as const,
      target: 'sessions',
      detail: { ended: count },
      at,
    });
    return count;
  });
  print(
    `${ended} sign-ins and script tokens have ended: people sign in again, and programs need new tokens.`,
  );
  return 0;
}

/** An operator, who is made if there is none of that name, signs in by it alone. */
async function operatorLink(deps: AdminDeps): Promise<number> {
  const { args, config, database, dataDir, now } = deps;
  const [username, role = null] = args as [string, OperatorRole?];
  const running = dataDir === undefined ? undefined : readAddress(dataDir);
  const origin = config.publicUrl ?? running ?? `http://${config.host}:${config.port}`;
  const { link } = await makeOperatorLink(
    { database, ids: createIds(), pageOrigin: () => origin },
    { username, role },
    now(),
  ).catch((error: Error) => {
    throw error instanceof Refused ? new ConfigError(error.message) : error;
  });
  print(link);
  return 0;
}

/** A new operator who works by script, with a token that is shown once. */
async function operatorToken({ args, database, now }: AdminDeps): Promise<number> {
  const [name, role = 'admin'] = args as [string, OperatorRole?];
  const { token } = await createOperatorWithToken(
    { database, ids: createIds() },
    { username: name, name, role },
    now(),
  ).catch((error: Error) => {
    throw error instanceof Refused
      ? new ConfigError(
          `there is an operator named "${name}" already: another token is made in the console, or by POST /api/operator/operators/{operatorId}/tokens`,
        )
      : error;
  });
  print(token);
  return 0;
}
