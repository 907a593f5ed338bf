import { readFileSync } from 'node:fs';
import { parseBlock } from '@munshi/core';
import type { DatabaseTarget } from './storage/db.ts';
import { DERIVED_LINK_KEY } from './vault.ts';

/** Every setting of the process, parsed once. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Base of payment page links, without a slash at the end; undefined: the address listened on. */
  readonly publicUrl: string | undefined;
  /** Undefined: the embedded Postgres. */
  readonly database: DatabaseTarget | undefined;
  readonly dataDir: string | undefined;
  readonly poolSize: number;
  readonly masterKey: string | undefined;
  /** 64 hex characters each, or `derived`; at least one, of which the first signs payment links. */
  readonly linkKeys: readonly string[];
  readonly operatorTokens: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly sandboxClock: boolean;
  readonly allowPrivateCallbacks: boolean;
  readonly roles: ReadonlySet<'http' | 'worker'>;
  readonly metricsToken: string | undefined;
  readonly logLevel: string;
  readonly production: boolean;
}

/** A setting that is wrong or missing; the message names it and says what it takes. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the settings from the environment and the command line (`--roles http,worker`). Throws ConfigError at the first wrong one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>, args: readonly string[] = []): Config {
  const text = (name: string) => (env[name] === undefined || env[name] === '' ? undefined : env[name]);
  const production = text('NODE_ENV') === 'production';
  const database = text('DATABASE_URL') === undefined ? undefined : readDatabase(text('DATABASE_URL') as string, env);
  const masterKey = text('MASTER_KEY')?.replace(/\s/g, '').toLowerCase();
  if (masterKey !== undefined && !/^[0-9a-f]{64}(,[0-9a-f]{64})*$/.test(masterKey))
    throw new ConfigError('MASTER_KEY must be 64 hex characters (32 bytes), e.g. from: openssl rand -hex 32, or several of them separated by commas');
  if (masterKey === undefined && database !== undefined) {
    throw new ConfigError('MASTER_KEY is required with DATABASE_URL: it seals the signing secrets. Make one with: openssl rand -hex 32');
  }
  const sandboxClock = choice(text('CLOCK'), 'CLOCK', ['sandbox', 'real'], 'real') === 'sandbox';
  const allowPrivateCallbacks = flag(text('ALLOW_PRIVATE_CALLBACKS'), 'ALLOW_PRIVATE_CALLBACKS');
  if (production && allowPrivateCallbacks) throw new ConfigError('ALLOW_PRIVATE_CALLBACKS must not be set when NODE_ENV=production');
  if (production && sandboxClock) throw new ConfigError('CLOCK=sandbox must not be set when NODE_ENV=production');
  return {
    host: text('HOST') ?? '127.0.0.1',
    port: integer(text('PORT'), 'PORT', 3000, 0, 65_535),
    publicUrl: readPublicUrl(text('PUBLIC_URL')),
    database,
    dataDir: text('DATA_DIR'),
    poolSize: integer(text('DATABASE_POOL_SIZE'), 'DATABASE_POOL_SIZE', 8, 2, 200),
    masterKey,
    linkKeys: readLinkKeys(text('LINK_KEYS')),
    operatorTokens: ['OPERATOR_TOKEN', 'OPERATOR_TOKEN_2'].flatMap((name) => readOperatorToken(name, text(name))),
    trustedProxies: readBlocks(text('TRUSTED_PROXIES')),
    sandboxClock,
    allowPrivateCallbacks,
    roles: readRoles(args, text('ROLES')),
    metricsToken: text('METRICS_TOKEN'),
    logLevel: choice(text('LOG_LEVEL'), 'LOG_LEVEL', LOG_LEVELS, 'info'),
    production,
  };
}

function integer(value: string | undefined, name: string, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback;
  if (!/^\d+$/.test(value) || Number(value) < min || Number(value) > max)
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is "${value}"`);
  return Number(value);
}

function choice(value: string | undefined, name: string, choices: readonly string[], fallback: string): string {
  if (value !== undefined && !choices.includes(value)) throw new ConfigError(`${name} must be one of ${choices.join(', ')}; it is "${value}"`);
  return value ?? fallback;
}

function flag(value: string | undefined, name: string): boolean {
  return choice(value, name, ['0', '1'], '0') === '1';
}

function readPublicUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!/^https?:\/\/[^\s]+$/.test(value) || !URL.canParse(value)) throw new ConfigError(`PUBLIC_URL must be an absolute http(s) URL; it is "${value}"`);
  return value.replace(/\/+$/, '');
}

/** The message counts the entries, so that no key comes into a log. */
function readLinkKeys(value: string | undefined): readonly string[] {
  const keys = (value ?? DERIVED_LINK_KEY).split(',').map((entry) => entry.trim().toLowerCase());
  const wrong = keys.findIndex((key) => key !== DERIVED_LINK_KEY && !/^[0-9a-f]{64}$/.test(key));
  if (wrong >= 0) {
    throw new ConfigError(
      `LINK_KEYS must list keys of 64 hex characters (32 bytes), e.g. from: openssl rand -hex 32, or the word derived, separated by commas; entry ${wrong + 1} is neither`,
    );
  }
  const repeated = keys.findIndex((key, at) => keys.indexOf(key) < at);
  if (repeated >= 0) throw new ConfigError(`LINK_KEYS names one key twice: entry ${repeated + 1} was there before`);
  return keys;
}

function readOperatorToken(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!/^op_[A-Za-z0-9_-]{8,}$/.test(value)) throw new ConfigError(`${name} must be "op_" followed by at least 8 letters, digits, "_" or "-"`);
  return [value];
}

function readBlocks(value: string | undefined): readonly string[] {
  const blocks = (value ?? '').split(',').flatMap((part) => part.trim() || []);
  const wrong = blocks.find((block) => parseBlock(block) === undefined);
  if (wrong !== undefined) throw new ConfigError(`TRUSTED_PROXIES must list IP addresses or CIDR blocks, separated by commas; "${wrong}" is neither`);
  return blocks;
}

function readRoles(args: readonly string[], env: string | undefined): ReadonlySet<'http' | 'worker'> {
  const at = args.indexOf('--roles');
  const roles = ((at >= 0 ? args[at + 1] : env) ?? 'http,worker').split(',').map((role) => role.trim());
  if (!roles.every((role) => role === 'http' || role === 'worker')) throw new ConfigError(`--roles takes http, worker or both; it is "${roles.join(',')}"`);
  return new Set(roles as ('http' | 'worker')[]);
}

/** `postgres://user:password@host1:port1,host2:port2/database?sslmode=…`, or with `?host=/socket/folder`. */
function readDatabase(url: string, env: Readonly<Record<string, string | undefined>>): DatabaseTarget {
  const match = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?]*)\/([^?]+)(?:\?(.*))?$/.exec(url);
  if (match === null) throw new ConfigError('DATABASE_URL must look like postgres://user:password@host[:port][,host2…]/database');
  const [, user = '', password = '', hostList = '', database = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const socket = parameters.get('host');
  const hosts = (socket ?? (hostList === '' ? 'localhost' : hostList)).split(',').map((entry) => {
    const parts = socket === null ? /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry) : [entry, entry, parameters.get('port') ?? undefined];
    if (parts === null) throw new ConfigError(`DATABASE_URL names a host that cannot be read: "${entry}"`);
    return { host: (parts[1] as string).replace(/^\[|\]$/g, ''), port: Number(parts[2] ?? 5432) };
  });
  return {
    hosts,
    user: decodeURIComponent(user || (env['PGUSER'] ?? 'postgres')),
    password: decodeURIComponent(password || (env['PGPASSWORD'] ?? '')),
    database: decodeURIComponent(database),
    ssl: readSsl(parameters.get('sslmode'), env['DATABASE_CA']),
  };
}

function readSsl(mode: string | null, caFile: string | undefined): DatabaseTarget['ssl'] {
  const known = choice(mode ?? undefined, 'DATABASE_URL: sslmode', ['disable', 'require', 'verify-ca', 'verify-full'], 'disable');
  if (known === 'disable') return false;
  if (caFile === undefined) return { rejectUnauthorized: known !== 'require' };
  try {
    return { rejectUnauthorized: known !== 'require', ca: readFileSync(caFile, 'utf8') };
  } catch {
    throw new ConfigError(`DATABASE_CA names a file that cannot be read: "${caFile}"`);
  }
}
