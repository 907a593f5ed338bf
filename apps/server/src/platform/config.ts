import { parseBlock, type RetentionPolicy } from '@munshi/core';
import { type DatabaseTarget, readDatabaseUrl } from './config/database-url.ts';
import { gatherSettings } from './config/gather.ts';
import { type MailServer, readMail, readSupportEmail } from './config/mail.ts';
import { refuseDevelopment } from './config/production.ts';
import { readRetention, readRetentionDatabase } from './config/retention.ts';
import {
  ConfigError,
  choice,
  type Environment,
  flag,
  integer,
  listOf,
  type Setting,
  settingOf,
} from './config/setting.ts';
import { timeOfDay } from './config/time-of-day.ts';
import { DERIVED_LINK_KEY } from './vault.ts';

export { ConfigError, isLocalHost } from './config/setting.ts';

/** Every setting of the process, parsed once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /**
   * As customers reach the service, with a path where it has one and without a slash at the end;
   * undefined: the address listened on.
   */
  readonly publicUrl: string | undefined;
  /** Undefined: the embedded Postgres. */
  readonly database: DatabaseTarget | undefined;
  /**
   * The role that owns the tables of `database` and migrates them; undefined: `database` itself
   * does.
   */
  readonly databaseOwner: DatabaseTarget | undefined;
  readonly dataDir: string | undefined;
  readonly poolSize: number;
  readonly masterKey: string | undefined;
  /** 64 hex characters each, or `derived`; at least one, of which the first signs payment links. */
  readonly linkKeys: readonly string[];
  readonly operatorTokens: readonly OperatorToken[];
  readonly trustedProxies: readonly string[];
  /** The instance is a sandbox: its members play themselves (testing.md). */
  readonly sandbox: boolean;
  /** Admins advance the clock: for tests. */
  readonly sandboxClock: boolean;
  readonly allowPrivateCallbacks: boolean;
  readonly roles: ReadonlySet<'http' | 'worker'>;
  /** New data get no demo. */
  readonly empty: boolean;
  readonly metricsToken: string | undefined;
  /** When the books are checked, in minutes after midnight UTC; null: never. */
  readonly verifyMinute: number | null;
  /** A standby on which they are; undefined: `database`. */
  readonly verifyDatabase: DatabaseTarget | undefined;
  /** For how long what may be deleted of orders that are over is kept; by default for ever. */
  readonly retention: RetentionPolicy;
  /** The role that removes it from `database`. */
  readonly retentionDatabase: DatabaseTarget | undefined;
  /** Base of a receiver of OpenTelemetry's traces, without a slash at its end; undefined: none. */
  readonly traceEndpoint: string | undefined;
  /** Undefined: no mail is sent. */
  readonly mail: MailServer | undefined;
  /** Where merchants’ people write to with questions; undefined: by ways of their own. */
  readonly supportEmail: string | undefined;
  readonly logLevel: string;
  readonly production: boolean;
}

/** A script token of the environment, which is an operator of its own with every right. */
export interface OperatorToken {
  readonly setting: Setting;
  readonly operatorId: string;
  readonly token: string;
}
export const OPERATOR_TOKENS = { OPERATOR_TOKEN: 'env-1', OPERATOR_TOKEN_2: 'env-2' } as const;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const ROLES = ['http', 'worker'] as const;

/**
 * Reads the settings from the environment, the files that it names, and the command line
 * (`--roles http,worker --empty`). Throws ConfigError at the first one that is wrong, that would have
 * no effect, or that production refuses (operate/install.md#what-it-needs).
 */
export function readConfig(environment: Environment, args: readonly string[] = []): Config {
  const env = gatherSettings(environment);
  const text = (name: Setting) => settingOf(env, name);
  const production =
    choice(text('NODE_ENV'), 'NODE_ENV', ['development', 'test', 'production'], 'development') ===
    'production';
  const databaseUrl = text('DATABASE_URL');
  const database =
    databaseUrl === undefined ? undefined : readDatabaseUrl('DATABASE_URL', databaseUrl, env);
  if (database === undefined && text('DATABASE_CA') !== undefined) {
    throw new ConfigError(
      'DATABASE_CA is set without DATABASE_URL: it is for the connection to a database of your own',
    );
  }
  if (database !== undefined && text('DATA_DIR') !== undefined) {
    throw new ConfigError(
      'DATA_DIR and DATABASE_URL are both set: DATA_DIR is where the embedded Postgres keeps its data. Leave one of them out',
    );
  }
  const ownerUrl = text('DATABASE_OWNER_URL');
  if (ownerUrl !== undefined && database === undefined) {
    throw new ConfigError(
      'DATABASE_OWNER_URL is set without DATABASE_URL, which names the role that the service runs as',
    );
  }
  const databaseOwner =
    ownerUrl === undefined ? undefined : readDatabaseUrl('DATABASE_OWNER_URL', ownerUrl, env);
  const masterKey = readMasterKey(text('MASTER_KEY'));
  if (masterKey === undefined && database !== undefined) {
    throw new ConfigError(
      'MASTER_KEY is required with DATABASE_URL: it seals the signing secrets. Make one with: openssl rand -hex 32',
    );
  }
  const verifyUrl = text('VERIFY_DATABASE_URL');
  const sandboxClock = choice(text('CLOCK'), 'CLOCK', ['sandbox', 'real'], 'real') === 'sandbox';
  const sandbox = flag(text('SANDBOX'), 'SANDBOX');
  const retention = readRetention(env);
  const roles = readRoles(
    args.filter((arg) => arg !== '--empty'),
    env,
  );
  const config: Config = {
    host: text('HOST') ?? '127.0.0.1',
    port: integer(text('PORT'), 'PORT', 3000, 0, 65_535),
    publicUrl: readPublicUrl(text('PUBLIC_URL')),
    database,
    databaseOwner,
    dataDir: text('DATA_DIR'),
    poolSize: integer(text('DATABASE_POOL_SIZE'), 'DATABASE_POOL_SIZE', 8, 2, 200),
    masterKey,
    linkKeys: readLinkKeys(text('LINK_KEYS')),
    operatorTokens: readOperatorTokens(env),
    trustedProxies: readBlocks(text('TRUSTED_PROXIES')),
    sandbox,
    sandboxClock,
    allowPrivateCallbacks:
      flag(text('ALLOW_PRIVATE_CALLBACKS'), 'ALLOW_PRIVATE_CALLBACKS') || (sandbox && !production),
    roles,
    empty: args.includes('--empty'),
    metricsToken: readMetricsToken(text('METRICS_TOKEN')),
    verifyMinute: timeOfDay('VERIFY_AT', text('VERIFY_AT') ?? (sandboxClock ? 'off' : '22:00')),
    verifyDatabase:
      verifyUrl === undefined ? undefined : readDatabaseUrl('VERIFY_DATABASE_URL', verifyUrl, env),
    retention,
    retentionDatabase: readRetentionDatabase(env, retention, {
      database,
      isWorker: roles.has('worker'),
    }),
    traceEndpoint: readTraceEndpoint(text('OTEL_EXPORTER_OTLP_ENDPOINT')),
    mail: readMail(env),
    supportEmail: readSupportEmail(env),
    logLevel: choice(text('LOG_LEVEL'), 'LOG_LEVEL', LOG_LEVELS, 'info'),
    production,
  };
  if (production) refuseDevelopment(config);
  return config;
}

/**
 * Its parts stand in links, in the paths of cookies and behind a proxy that takes them off: plain
 * ones alone.
 */
function readPublicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.username || url?.password)
    throw new ConfigError(
      'PUBLIC_URL must hold no user name or password: it is shown to customers',
    );
  if (url === undefined || !/^https?:\/\/[^\s/]/i.test(value))
    throw new ConfigError(`PUBLIC_URL must be an absolute http(s) URL; it is "${value}"`);
  if (/[?#]/.test(value))
    throw new ConfigError(`PUBLIC_URL must end with its path, without ? or #; it is "${value}"`);
  const path = url.pathname.replace(/\/$/, '');
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path))
    throw new ConfigError(
      `PUBLIC_URL may have a path of letters, digits and . _ ~ - between slashes; it is "${value}"`,
    );
  return url.origin + path;
}

/** The messages about keys count the entries, so that no key comes into a log. */
function readMasterKey(value: string | undefined): string | undefined {
  const keys = value?.replace(/\s/g, '').toLowerCase();
  if (keys === undefined) return undefined;
  if (!/^[0-9a-f]{64}(,[0-9a-f]{64})*$/.test(keys))
    throw new ConfigError(
      'MASTER_KEY must be 64 hex characters (32 bytes), e.g. from: openssl rand -hex 32, or several of them separated by commas',
    );
  refuseRepeated('MASTER_KEY', keys.split(','));
  return keys;
}

function readLinkKeys(value: string | undefined): readonly string[] {
  const keys = listOf((value ?? DERIVED_LINK_KEY).toLowerCase());
  const wrong = keys.findIndex((key) => key !== DERIVED_LINK_KEY && !/^[0-9a-f]{64}$/.test(key));
  if (wrong >= 0) {
    throw new ConfigError(
      `LINK_KEYS must list keys of 64 hex characters (32 bytes), e.g. from: openssl rand -hex 32, or the word derived, separated by commas; entry ${wrong + 1} is neither`,
    );
  }
  refuseRepeated('LINK_KEYS', keys);
  return keys;
}

function refuseRepeated(name: string, keys: readonly string[]) {
  const repeated = keys.findIndex((key, at) => keys.indexOf(key) < at);
  if (repeated >= 0)
    throw new ConfigError(`${name} names one key twice: entry ${repeated + 1} was there before`);
}

/** Each is an operator of its own, so that one may approve what the other asks for. */
function readOperatorTokens(env: Environment): readonly OperatorToken[] {
  const settings = Object.keys(OPERATOR_TOKENS) as (keyof typeof OPERATOR_TOKENS)[];
  const tokens = settings.flatMap((setting) => {
    const token = settingOf(env, setting);
    if (token !== undefined && !/^op_[A-Za-z0-9_-]{8,}$/.test(token))
      throw new ConfigError(
        `${setting} must be "op_" followed by at least 8 letters, digits, "_" or "-", e.g. from: echo op_$(openssl rand -hex 32)`,
      );
    return token === undefined ? [] : { setting, operatorId: OPERATOR_TOKENS[setting], token };
  });
  if (tokens.length === 2 && tokens[0]?.token === tokens[1]?.token)
    throw new ConfigError(
      'OPERATOR_TOKEN_2 must differ from OPERATOR_TOKEN: it is another operator',
    );
  return tokens;
}

function readTraceEndpoint(value: string | undefined): string | undefined {
  if (value !== undefined && !(URL.canParse(value) && /^https?:\/\//.test(value)))
    throw new ConfigError(
      `OTEL_EXPORTER_OTLP_ENDPOINT must be an http(s) URL such as http://localhost:4318; it is "${value}"`,
    );
  return value?.replace(/\/+$/, '');
}

/** What can be sent as `Authorization: Bearer` (RFC 6750). */
function readMetricsToken(token: string | undefined): string | undefined {
  if (token !== undefined && !/^[A-Za-z0-9._~+/-]{8,}=*$/.test(token))
    throw new ConfigError(
      'METRICS_TOKEN must be at least 8 letters, digits or . _ ~ + / -, e.g. from: openssl rand -hex 32',
    );
  return token;
}

function readBlocks(value: string | undefined): readonly string[] {
  const blocks = listOf(value ?? '').filter((block) => block !== '');
  const wrong = blocks.find((block) => parseBlock(block) === undefined);
  if (wrong !== undefined)
    throw new ConfigError(
      `TRUSTED_PROXIES must list IP addresses or CIDR blocks, separated by commas; "${wrong}" is neither`,
    );
  return blocks;
}

/** The command line comes before the environment. */
function readRoles(args: readonly string[], env: Environment): Config['roles'] {
  for (const name of ['roles', 'empty'])
    if (env[`npm_config_${name}`] !== undefined)
      throw new ConfigError(
        `npm has kept --${name} for itself: put -- before it, as in npm start -- --${name}`,
      );
  const [option, ...rest] = args.flatMap((arg) =>
    arg.startsWith('--roles=') ? ['--roles', arg.slice('--roles='.length)] : [arg],
  );
  if (option !== undefined && option !== '--roles')
    throw new ConfigError(
      `there is no option "${option}"; there are: --roles http,worker and --empty`,
    );
  if (rest.length > 1)
    throw new ConfigError(`--roles takes one value and is given once; "${rest[1]}" is too much`);
  const text =
    option === undefined ? (settingOf(env, 'ROLES') ?? ROLES.join(',')) : (rest[0] ?? '');
  const roles = listOf(text);
  const isRole = (role: string): role is (typeof ROLES)[number] =>
    (ROLES as readonly string[]).includes(role);
  if (!roles.every(isRole))
    throw new ConfigError(
      `${option ?? 'ROLES'} takes http, worker or both, separated by a comma; it is "${text}"`,
    );
  return new Set(roles);
}
