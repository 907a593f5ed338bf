import { describe, expect, test } from 'vitest';
import type { Environment, Setting } from './config/setting.ts';
import { ConfigError, readConfig } from './config.ts';

const MASTER_KEY = 'ab'.repeat(32);
const LINK_KEY = 'c3'.repeat(32);

test('without any setting the service runs on its embedded Postgres, on this machine alone', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    database: undefined,
    publicUrl: undefined,
    sandboxClock: false,
    production: false,
  });
});

describe('a wrong setting stops the start with one line that names it', () => {
  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535; it is "70000"'],
    [{ PORT: '3000x' }, 'PORT'],
    [{ MASTER_KEY: 'short' }, 'MASTER_KEY must be 64 hex characters'],
    [{ LINK_KEYS: 'short' }, 'LINK_KEYS must list keys of 64 hex characters'],
    [{ LINK_KEYS: `${LINK_KEY},` }, 'entry 2 is neither'],
    [{ LINK_KEYS: `derived,${LINK_KEY}0` }, 'entry 2 is neither'],
    [
      { LINK_KEYS: `${LINK_KEY}, ${LINK_KEY.toUpperCase()}` },
      'LINK_KEYS names one key twice: entry 2',
    ],
    [{ DATABASE_URL: 'postgres://localhost/munshi' }, 'MASTER_KEY is required with DATABASE_URL'],
    [{ DATABASE_URL: 'mysql://localhost/munshi', MASTER_KEY }, 'DATABASE_URL must look like'],
    [
      { DATABASE_URL: 'postgres://localhost/munshi?sslmode=maybe', MASTER_KEY },
      'DATABASE_URL: sslmode must be one of',
    ],
    [
      {
        DATABASE_URL: 'postgres://localhost/munshi?sslmode=require',
        MASTER_KEY,
        DATABASE_CA: '/nowhere',
      },
      'DATABASE_CA names a file that cannot be read',
    ],
    [{ PUBLIC_URL: 'pay.example.com' }, 'PUBLIC_URL must be an absolute http(s) URL'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,nonsense' }, '"nonsense" is neither'],
    [{ CLOCK: 'fast' }, 'CLOCK must be one of sandbox, real'],
    [{ ALLOW_PRIVATE_CALLBACKS: 'yes' }, 'ALLOW_PRIVATE_CALLBACKS must be one of 0, 1'],
    [{ OPERATOR_TOKEN: 'secret' }, 'OPERATOR_TOKEN must be "op_"'],
    [{ OPERATOR_TOKEN_2: 'op_short' }, 'OPERATOR_TOKEN_2 must be "op_"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ ROLES: 'http,cron' }, 'ROLES takes http, worker or both'],
    [{ npm_config_roles: 'worker' }, 'put -- before it'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be one of development, test, production; it is "prod"'],
    [{ DATABASE_CA: '/etc/ca.pem' }, 'DATABASE_CA is set without DATABASE_URL'],
    [
      { DATABASE_URL: 'postgres://localhost/munshi', MASTER_KEY, DATABASE_CA: '/etc/ca.pem' },
      'the connection has no TLS',
    ],
    [
      { DATABASE_URL: 'postgres://db/munshi', MASTER_KEY, DATABASE_CA: import.meta.filename },
      'DATABASE_CA names a file that holds no certificate',
    ],
    [
      { DATABASE_URL: 'postgres://localhost/munshi', MASTER_KEY, DATA_DIR: '.data' },
      'DATA_DIR and DATABASE_URL are both set',
    ],
    [{ MASTER_KEY: `${MASTER_KEY},${MASTER_KEY}` }, 'MASTER_KEY names one key twice: entry 2'],
    [{ METRICS_TOKEN: 'two words' }, 'METRICS_TOKEN must be at least 8'],
    [
      { VERIFY_AT: '24:00' },
      'VERIFY_AT must be a time in UTC such as 22:00, or off; it is "24:00"',
    ],
    [
      { OPERATOR_TOKEN: 'op_one-operator', OPERATOR_TOKEN_2: 'op_one-operator' },
      'OPERATOR_TOKEN_2 must differ',
    ],
    [{ PUBLIC_URL: 'https://pay.example/?shop=1' }, 'PUBLIC_URL must end with its path'],
    [{ PUBLIC_URL: 'https://pay.example/#top' }, 'PUBLIC_URL must end with its path'],
    [{ PUBLIC_URL: 'https://pay.example/a;b' }, 'PUBLIC_URL may have a path of letters'],
    [{ PUBLIC_URL: 'https:pay.example' }, 'PUBLIC_URL must be an absolute http(s) URL'],
    [
      { PUBLIC_URL: 'https://me:secret@pay.example' },
      'PUBLIC_URL must hold no user name or password',
    ],
  ])('%o', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(message);
  });

  test.each([
    [['--role', 'worker'], 'there is no option "--role"'],
    [['worker'], 'there is no option "worker"'],
    [['--roles'], '--roles takes http, worker or both'],
    [['--roles', 'worker', '--roles', 'http'], '"--roles" is too much'],
    [['--roles', 'worker', '--port', '80'], '"--port" is too much'],
  ])('npm start -- %s', (args, message) => {
    expect(() => readConfig({}, args)).toThrow(message);
  });
});

/** A value that is refused, with what else is set; null: any text may be right. */
const REFUSED: Readonly<Record<Setting, (Environment & { readonly value: string }) | null>> = {
  ALLOW_PRIVATE_CALLBACKS: { value: 'yes' },
  CELLS_DATABASE_URL: null, // read by `munshi cell` alone
  CLOCK: { value: 'fast' },
  DATABASE_CA: { value: '/nowhere', MASTER_KEY, DATABASE_URL: 'postgres://db/munshi' },
  DATABASE_OWNER_URL: { value: 'db', MASTER_KEY, DATABASE_URL: 'postgres://db/munshi' },
  DATABASE_POOL_SIZE: { value: '1' },
  DATABASE_URL: { value: 'db', MASTER_KEY },
  DATA_DIR: null, // a folder's name; the file system refuses it
  HOST: null, // a name; listening refuses it
  LINK_KEYS: { value: 'short' },
  LOG_LEVEL: { value: 'loud' },
  MAIL_FROM: { value: 'nobody', SMTP_URL: 'smtp://localhost' },
  MASTER_KEY: { value: 'short' },
  METRICS_TOKEN: { value: 'short' },
  NODE_ENV: { value: 'prod' },
  OPERATOR_TOKEN: { value: 'op_short' },
  OPERATOR_TOKEN_2: { value: 'op_short' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { value: 'localhost:4318' },
  PGPASSWORD: null,
  PGUSER: null,
  PORT: { value: '70000' },
  PUBLIC_URL: { value: 'pay.example' },
  RETENTION_ATTEMPTS_DAYS: { value: '0' },
  RETENTION_BODIES_DAYS: { value: '0' },
  RETENTION_DATABASE_URL: { value: 'db', MASTER_KEY, DATABASE_URL: 'postgres://db/munshi' },
  RETENTION_HISTORY_DAYS: { value: '0' },
  RETENTION_LATE_CLAIMS_DAYS: { value: '0' },
  RETENTION_PERSONAL_DATA_DAYS: { value: '0' },
  RETENTION_SESSIONS_DAYS: { value: '0' },
  ROLES: { value: 'cron' },
  SANDBOX: { value: 'yes' },
  SMTP_URL: { value: 'mail', MAIL_FROM: 'a@shop.example' },
  SUPPORT_EMAIL: { value: 'nobody' },
  TRUSTED_PROXIES: { value: 'nonsense' },
  VERIFY_AT: { value: '24:00' },
  VERIFY_DATABASE_URL: { value: 'db' },
};
/** The same for what production alone refuses. */
const REFUSED_IN_PRODUCTION: readonly [Setting, string][] = [
  ['ALLOW_PRIVATE_CALLBACKS', '1'],
  ['CLOCK', 'sandbox'],
  ['LINK_KEYS', '0'.repeat(64)],
  ['MASTER_KEY', '0'.repeat(64)],
  ['OPERATOR_TOKEN', 'op_too-short'],
  ['OPERATOR_TOKEN_2', 'op_too-short'],
  ['PUBLIC_URL', 'http://pay.example'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
];

describe('a bad value is refused by the name of its own setting', () => {
  const rows = Object.entries(REFUSED).flatMap(([name, given]) => {
    if (given === null) return [];
    const { value, ...others } = given;
    return [[name, { ...others, [name]: value }] as const];
  });
  const inProduction = REFUSED_IN_PRODUCTION.map(
    ([name, value]) => [name, { [name]: value, NODE_ENV: 'production' }] as const,
  );
  test.each([...rows, ...inProduction])('%s of %o', (name, env) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name}\\b`));
  });

  test('and what is refused with a second token names the second', () => {
    const strong = `op_9f86d081884c7d659a2feaa0c55ad015`;
    for (const weak of ['op_short', 'op_too-short', strong])
      expect(() =>
        readConfig({ OPERATOR_TOKEN: strong, OPERATOR_TOKEN_2: weak, NODE_ENV: 'production' }),
      ).toThrow(/^OPERATOR_TOKEN_2 must/);
  });
});

test('a script token is the operator of its own setting, alone too', () => {
  const { operatorTokens } = readConfig({ OPERATOR_TOKEN_2: 'op_long-enough' });
  expect(operatorTokens).toEqual([
    { setting: 'OPERATOR_TOKEN_2', operatorId: 'env-2', token: 'op_long-enough' },
  ]);
});

describe('production refuses what is for development', () => {
  test.each([
    [{ CLOCK: 'sandbox' }, 'CLOCK=sandbox must not be set'],
    [{ ALLOW_PRIVATE_CALLBACKS: '1' }, 'ALLOW_PRIVATE_CALLBACKS must not be set'],
    [
      { OPERATOR_TOKEN: 'op_Zk3v9Qw1Lr8Ty5Xc2Bn7Mf4Ph6Jd0S' },
      'OPERATOR_TOKEN must have at least 32 random characters',
    ],
    [
      { OPERATOR_TOKEN_2: `op_${'test'.repeat(16)}` },
      'OPERATOR_TOKEN_2 must have at least 32 random characters',
    ],
    [{ MASTER_KEY: '0'.repeat(64) }, 'MASTER_KEY must not be one digit again and again'],
    [
      { MASTER_KEY: `${MASTER_KEY},${'0'.repeat(64)}` },
      'MASTER_KEY must not be one digit again and again',
    ],
    [{ LINK_KEYS: 'f'.repeat(64) }, 'LINK_KEYS must hold no key of one digit'],
    [{ TRUSTED_PROXIES: '10.0.0.1,0.0.0.0/0' }, 'TRUSTED_PROXIES must not cover everybody'],
    [{ TRUSTED_PROXIES: '::/0' }, 'TRUSTED_PROXIES must not cover everybody'],
    [{ TRUSTED_PROXIES: '0.0.0.0/1,128.0.0.0/1' }, 'TRUSTED_PROXIES must not cover everybody'],
    [{ PUBLIC_URL: 'http://pay.example' }, 'PUBLIC_URL must be https'],
    [{ HOST: '0.0.0.0' }, 'PUBLIC_URL is required'],
  ])('%o', (env, message) => {
    expect(() => readConfig({ ...env, NODE_ENV: 'production' })).toThrow(message);
    expect(() => readConfig({ ...env, NODE_ENV: 'development' })).not.toThrow();
  });

  test('and takes what is for production', () => {
    const env = {
      MASTER_KEY,
      LINK_KEYS: LINK_KEY,
      OPERATOR_TOKEN: 'op_9f86d081884c7d659a2feaa0c55ad015',
      TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,fd00::/8',
    };
    for (const place of [
      { PUBLIC_URL: 'https://pay.example/munshi', HOST: '0.0.0.0' },
      { PUBLIC_URL: 'http://localhost:3000' },
      { HOST: '0.0.0.0', ROLES: 'worker' },
    ]) {
      expect(readConfig({ ...env, ...place, NODE_ENV: 'production' }).production).toBe(true);
    }
  });
});

describe('PUBLIC_URL', () => {
  test('is kept with its path and without a slash at its end', () => {
    const kept = [
      'https://Pay.example/munshi/',
      'https://pay.example:443',
      'http://localhost:3000/',
    ].map((PUBLIC_URL) => readConfig({ PUBLIC_URL }).publicUrl);
    expect(kept).toEqual([
      'https://pay.example/munshi',
      'https://pay.example',
      'http://localhost:3000',
    ]);
  });
});

test('--roles on the command line comes before ROLES', () => {
  for (const args of [['--roles', 'worker'], ['--roles=worker']])
    expect([...readConfig({ ROLES: 'http' }, args).roles]).toEqual(['worker']);
});

describe('LINK_KEYS', () => {
  test('without any the key derived from the master key signs', () => {
    expect([readConfig({}).linkKeys, readConfig({ LINK_KEYS: '' }).linkKeys]).toEqual([
      ['derived'],
      ['derived'],
    ]);
  });
  test('are kept in their order, the derived one among them', () => {
    expect(readConfig({ LINK_KEYS: ` ${LINK_KEY.toUpperCase()} ,derived` }).linkKeys).toEqual([
      LINK_KEY,
      'derived',
    ]);
  });
  test('do not come into the message about a wrong one', () => {
    expect(() => readConfig({ LINK_KEYS: `${LINK_KEY},${LINK_KEY}0` })).not.toThrow(LINK_KEY);
  });
});
