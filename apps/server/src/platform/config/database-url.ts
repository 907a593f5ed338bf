import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { ConfigError, choice, type Environment, isLocalHost, settingOf } from './setting.ts';

const FORM = 'postgres://user:password@host[:port][,host2…]/database[?sslmode=…]';
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const PARAMETERS = ['sslmode', 'host', 'port'] as const;
const ENCODE =
  'In a user name, password or database name write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25.';

export interface Host {
  readonly host: string;
  readonly port: number;
}

/**
 * Where the database is: one or more hosts of which exactly one is the primary, or a Unix socket.
 */
export interface DatabaseTarget {
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl:
    | boolean
    | {
        readonly rejectUnauthorized: boolean;
        readonly ca?: string;
        readonly checkServerIdentity?: typeof checkServerIdentity;
      };
}

/**
 * Reads `postgres://user:password@host1:port1,host2:port2/database?sslmode=…`, or with
 * `?host=/socket/folder`. A part that is not understood stops the start. A password with characters
 * that separate parts moves into other parts, so a message holds nothing of the URL but the names
 * of parameters behind a user and host.
 */
export function readDatabaseUrl(setting: string, url: string, env: Environment): DatabaseTarget {
  const match = /^postgres(?:ql)?:\/\/([^/?]*)\/([^?]*)(?:\?(.*))?$/s.exec(url);
  if (match === null) throw new ConfigError(`${setting} must look like ${FORM}. ${ENCODE}`);
  const [, authority = '', database = '', query = ''] = match;
  const [hostList = '', credentials, ...more] = authority.split('@').reverse();
  if (more.length > 0 || database.includes('@') || query.includes('@')) {
    throw new ConfigError(`${setting} has an @ where none can be. ${ENCODE}`);
  }
  if (database === '' || database.includes('/'))
    throw new ConfigError(`${setting} must end with the name of one database: ${FORM}. ${ENCODE}`);
  const decode = decoder(setting);
  const [user = '', ...password] = (credentials ?? '').split(':');
  const parameters = readParameters(setting, query, credentials !== undefined);
  const hosts = readHosts(setting, hostList, parameters);
  return {
    hosts,
    user: decode(user, 'user name') || (settingOf(env, 'PGUSER') ?? 'postgres'),
    password: decode(password.join(':'), 'password') || (settingOf(env, 'PGPASSWORD') ?? ''),
    database: decode(database, 'database name'),
    ssl: readSsl(setting, hosts, parameters.get('sslmode'), settingOf(env, 'DATABASE_CA')),
  };
}

const decoder = (setting: string) => (text: string, what: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ConfigError(
      `${setting}: the ${what} has a % that two hex digits do not follow. ${ENCODE}`,
    );
  }
};

function readParameters(
  setting: string,
  query: string,
  mayBeNamed: boolean,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = (PARAMETERS as readonly string[]).includes(name);
    if (!known)
      throw new ConfigError(
        `${setting} has an unknown parameter${mayBeNamed ? ` "${name}"` : ''}; there is: ${PARAMETERS.join(', ')}`,
      );
    if (found.has(name)) throw new ConfigError(`${setting} has the parameter ${name} twice`);
    if (value === '') throw new ConfigError(`${setting}: the parameter ${name} is empty`);
    found.set(name, value);
  }
  return found;
}

/**
 * From the URL's own place for hosts, or from its parameters `host` and `port`, each a list too.
 */
function readHosts(
  setting: string,
  hostList: string,
  parameters: ReadonlyMap<string, string>,
): readonly Host[] {
  const named = parameters.get('host')?.split(',');
  if (named === undefined) {
    if (parameters.has('port'))
      throw new ConfigError(
        `${setting}: the parameter port goes with the parameter host; write host:port otherwise`,
      );
    return (hostList === '' ? 'localhost' : hostList)
      .split(',')
      .map((entry, at) => readHost(setting, entry, at + 1));
  }
  if (hostList !== '')
    throw new ConfigError(
      `${setting} names hosts in two places: leave one of them out, the parameter host or what stands before the database`,
    );
  const ports = parameters.get('port')?.split(',') ?? ['5432'];
  if (ports.length !== 1 && ports.length !== named.length)
    throw new ConfigError(
      `${setting}: the parameter port must list one port, or one for each host`,
    );
  return named.map((host, at) => ({
    host: checkedHost(setting, host, at + 1),
    port: readPort(setting, (ports.length === 1 ? ports[0] : ports[at]) as string, at + 1),
  }));
}

function readHost(setting: string, entry: string, number: number): Host {
  const [, bracketed, plain, port = '5432'] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::([^:]*))?$/.exec(entry) ?? [];
  if (bracketed !== undefined && !isIPv6(bracketed))
    throw new ConfigError(`${setting}: host ${number} has brackets and is no IPv6 address`);
  return {
    host: bracketed ?? checkedHost(setting, decoder(setting)(plain ?? ':', 'host'), number),
    port: readPort(setting, port, number),
  };
}

function checkedHost(setting: string, host: string, number: number): string {
  if (host === '') throw new ConfigError(`${setting}: host ${number} is empty`);
  if (!/^(\/[^\0]*|[\p{L}\p{N}._-]+)$/u.test(host) && !isIPv6(host)) {
    throw new ConfigError(
      `${setting}: host ${number} is no name, address or socket folder; an IPv6 address stands in brackets. ${ENCODE}`,
    );
  }
  return host;
}

function readPort(setting: string, text: string, number: number): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new ConfigError(
      `${setting}: the port of host ${number} must be a whole number from 1 to 65535. ${ENCODE}`,
    );
  return port;
}

/**
 * Beyond this machine nothing goes in plain text unless that is written. `require` with an
 * authority checks the certificate, as libpq does.
 */
function readSsl(
  setting: string,
  hosts: readonly Host[],
  written: string | undefined,
  caFile: string | undefined,
): DatabaseTarget['ssl'] {
  const isSocket = hosts.some(({ host }) => host.startsWith('/'));
  const isLocal = hosts.every(({ host }) => host.startsWith('/') || isLocalHost(host));
  const mode = choice(written, `${setting}: sslmode`, SSL_MODES, isLocal ? 'disable' : 'require');
  if (mode === 'disable') {
    if (caFile === undefined) return false;
    throw new ConfigError(
      `DATABASE_CA is set, and the connection has no TLS: write sslmode=verify-full in ${setting}, or leave DATABASE_CA out`,
    );
  }
  if (isSocket)
    throw new ConfigError(`${setting}: there is no TLS on a Unix socket: leave sslmode out`);
  const checked = mode !== 'require' || caFile !== undefined;
  return {
    rejectUnauthorized: checked,
    ...(caFile !== undefined && { ca: readAuthority(caFile) }),
    ...(checked && {
      checkServerIdentity: mode === 'verify-full' ? identityCheck(hosts) : () => undefined,
    }),
  };
}

/**
 * For a host that is given by its address the driver names none, and Node would take a certificate
 * of `localhost`: it is held against the addresses.
 */
function identityCheck(hosts: readonly Host[]): typeof checkServerIdentity {
  const addresses = hosts.map(({ host }) => host).filter((host) => isIP(host) !== 0);
  return (name, certificate) => {
    const names = hosts.some(({ host }) => host === name) ? [name] : addresses;
    const errors = names.map((each) => checkServerIdentity(each, certificate));
    return errors.includes(undefined)
      ? undefined
      : (errors[0] ?? checkServerIdentity(name, certificate));
  };
}

function readAuthority(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    new X509Certificate(text);
    return text;
  } catch (error) {
    const unreadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw new ConfigError(
      `DATABASE_CA names a file that ${unreadable ? 'cannot be read' : 'holds no certificate in PEM form'}: "${file}"`,
    );
  }
}
