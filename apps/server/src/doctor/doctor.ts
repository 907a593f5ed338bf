import type { DatabaseTarget } from '../platform/config/database-url.ts';
import { type Config, ConfigError, isLocalHost, readConfig } from '../platform/config.ts';
import { nameOf } from '../platform/database/connection/primary.ts';
import { onStandby } from '../platform/database/connection/standby.ts';
import { waitForDatabase } from '../platform/database/connection/wait-for-database.ts';
import { openDatabase } from '../platform/database/db.ts';
import { whyNoMail } from '../platform/mail.ts';
import { isGuessedFirst } from '../platform/sign-in/guessed-passwords.ts';
import { createVault } from '../platform/vault.ts';
import { type LocalDatabase, openLocalDatabase } from '../start/local-database.ts';
import { describeFailure, explainDatabase } from '../start/start-errors.ts';
import { expectReadable, readWebhookHosts } from './checkup.store.ts';
import type {
  DatabaseFacts,
  Facts,
  HostFacts,
  MailFacts,
  SettingsFacts,
  Unknown,
  VerifyFacts,
} from './facts.ts';
import { isUnknown } from './facts.ts';
import type { Finding } from './judgement.ts';
import { lookAtAddress } from './look-at-address.ts';
import { lookAtDatabase } from './look-at-database.ts';
import { lookAtMachine, tryHosts } from './look-at-machine.ts';
import { judge } from './rules.ts';

const print = (text: string) => process.stdout.write(`${text}\n`);

/**
 * `munshi doctor`: looks at a production set-up and says of each thing what is wrong and how to mend
 * it. Changes nothing. Answers 1 where something is wrong, else 0 (operate/install.md#the-doctor).
 */
export async function runDoctor({ json }: { readonly json: boolean }): Promise<number> {
  const findings = await examine();
  const isWrong = findings.some(({ state }) => state === 'wrong');
  print(json ? JSON.stringify({ ok: !isWrong, findings }, null, 2) : describe(findings));
  return isWrong ? 1 : 0;
}

async function examine(): Promise<readonly Finding[]> {
  try {
    return judge(await look(readConfig(process.env)));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      {
        check: 'settings',
        state: 'wrong',
        found: error.message,
        mend: 'Set it right, and run this again: nothing else was looked at.',
      },
    ];
  }
}

const PATIENCE_MS = 10_000;
const STATEMENT_MS = 10_000;
const HOSTS_MAX = 5;

async function look(config: Config): Promise<Facts> {
  const local = await openLocalDatabase(config, { attach: true });
  const vault = createVault(local.masterKey);
  const { publicUrl, trustedProxies } = config;
  try {
    const [seen, hosts, address, mail, verify] = await Promise.all([
      lookThere(config, local, vault),
      lookAtHosts(config),
      publicUrl && lookAtAddress({ publicUrl, trustedProxies, vault }),
      lookAtMail(config),
      lookAtVerify(config),
    ]);
    const { database, outbound } = seen;
    const directory = isUnknown(database) ? undefined : database.server.settings['data_directory'];
    const isLocal = config.database === undefined || isOnThisMachine(config.database);
    return {
      settings: readSettingsFacts(config),
      database,
      hosts,
      address: address || undefined,
      machine: await lookAtMachine(local.dataDir ?? (isLocal ? directory : undefined)),
      outbound,
      mail,
      verify,
    };
  } finally {
    await local.stop();
  }
}

/** The database, and the receivers that it knows. */
async function lookThere(
  config: Config,
  { target, retention }: LocalDatabase,
  vault: ReturnType<typeof createVault>,
): Promise<{
  readonly database: DatabaseFacts | Unknown;
  readonly outbound: readonly HostFacts[];
}> {
  const database = openDatabase(target, { poolSize: 2, timeoutMs: STATEMENT_MS });
  try {
    await waitForDatabase(database, PATIENCE_MS).catch(explainDatabase);
    const facts = await lookAtDatabase(database, vault, retention, {
      ...config,
      clock: { now: Date.now },
    });
    const hosts = isUnknown(facts) ? [] : await readWebhookHosts(database.pool, HOSTS_MAX);
    const rules = { allowPrivate: config.allowPrivateCallbacks };
    return { database: facts, outbound: await tryHosts(hosts, rules) };
  } catch (error) {
    return { database: { error: describeFailure(error as Error) }, outbound: [] };
  } finally {
    await database.close();
  }
}

/** Until a standby leads, nothing else says that it lets nobody in. */
async function lookAtHosts({ database }: Config): Promise<readonly HostFacts[]> {
  if (database === undefined || database.hosts.length < 2) return [];
  return Promise.all(
    database.hosts.map(async (host) => ({
      host: nameOf(host),
      error: await failureOf(onStandby({ ...database, hosts: [host] }, async () => {})),
    })),
  );
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({ message }: Error) => message,
  );

async function lookAtMail({ mail }: Config): Promise<MailFacts | undefined> {
  if (mail === undefined) return undefined;
  return { host: mail.host, error: await whyNoMail(mail) };
}

async function lookAtVerify({ verifyDatabase }: Config): Promise<VerifyFacts | undefined> {
  if (verifyDatabase === undefined) return undefined;
  const error = await failureOf(onStandby(verifyDatabase, expectReadable));
  return { role: verifyDatabase.user, error };
}

const isOnThisMachine = ({ hosts }: DatabaseTarget) =>
  hosts.every(({ host }) => host.startsWith('/') || isLocalHost(host));

/** A shorter password of a database is tried out in hours. */
const PASSWORD_LENGTH_MIN = 12;

function readSettingsFacts(config: Config): SettingsFacts {
  const { database, databaseOwner, retentionDatabase, verifyDatabase } = config;
  const targets = [database, databaseOwner, retentionDatabase, verifyDatabase].filter(
    (target) => target !== undefined,
  );
  return {
    production: config.production,
    sandbox: config.sandbox,
    embedded: database === undefined,
    publicUrl: config.publicUrl,
    roles: config.roles,
    operatorTokens: config.operatorTokens.length,
    hasMetricsToken: config.metricsToken !== undefined,
    databaseIsLocal: database === undefined || isOnThisMachine(database),
    databaseIsVerified:
      typeof database?.ssl === 'object' && database.ssl.rejectUnauthorized !== false,
    removes: Object.keys(config.retention).length > 0,
    guessedPasswords: targets.filter(isGuessable).map(({ user }) => user),
  };
}

/** Without a password the server knows the role by other means. */
const isGuessable = ({ user, password }: DatabaseTarget) =>
  password !== '' &&
  (password.length < PASSWORD_LENGTH_MIN || password.includes(user) || isGuessedFirst(password));

const MARKS = { ok: 'ok     ', warning: 'WARNING', wrong: 'WRONG  ', unknown: 'unknown' };
const INDENT = ' '.repeat(MARKS.ok.length + 2);

function describe(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, state, found, mend }) => [
    `${MARKS[state]}  ${check}: ${found}`,
    ...(mend === undefined ? [] : [`${INDENT}${mend}`]),
  ]);
  const count = (state: Finding['state']) =>
    findings.filter((finding) => finding.state === state).length;
  return [
    ...lines,
    '',
    `${count('wrong')} wrong, ${count('warning')} to decide on, ${count('unknown')} that could not be looked at, ${count('ok')} well.`,
  ].join('\n');
}
