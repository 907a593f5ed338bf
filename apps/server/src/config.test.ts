import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const MASTER_KEY = 'ab'.repeat(32);
const LINK_KEY = 'c3'.repeat(32);

test('without any setting the service runs on its embedded Postgres, on this machine alone', () => {
  expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3000, database: undefined, publicUrl: undefined, sandboxClock: false, production: false });
});

describe('a wrong setting stops the start with one line that names it', () => {
  test.each([
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535; it is "70000"'],
    [{ PORT: '3000x' }, 'PORT'],
    [{ MASTER_KEY: 'short' }, 'MASTER_KEY must be 64 hex characters'],
    [{ LINK_KEYS: 'short' }, 'LINK_KEYS must list keys of 64 hex characters'],
    [{ LINK_KEYS: `${LINK_KEY},` }, 'entry 2 is neither'],
    [{ LINK_KEYS: `derived,${LINK_KEY}0` }, 'entry 2 is neither'],
    [{ LINK_KEYS: `${LINK_KEY}, ${LINK_KEY.toUpperCase()}` }, 'LINK_KEYS names one key twice: entry 2'],
    [{ DATABASE_URL: 'postgres://localhost/munshi' }, 'MASTER_KEY is required with DATABASE_URL'],
    [{ DATABASE_URL: 'mysql://localhost/munshi', MASTER_KEY }, 'DATABASE_URL must look like'],
    [{ DATABASE_URL: 'postgres://localhost/munshi?sslmode=maybe', MASTER_KEY }, 'DATABASE_URL: sslmode must be one of'],
    [{ DATABASE_URL: 'postgres://localhost/munshi?sslmode=require', MASTER_KEY, DATABASE_CA: '/nowhere' }, 'DATABASE_CA names a file that cannot be read'],
    [{ PUBLIC_URL: 'pay.example.com' }, 'PUBLIC_URL must be an absolute http(s) URL'],
    [{ TRUSTED_PROXIES: '10.0.0.0/8,nonsense' }, '"nonsense" is neither'],
    [{ CLOCK: 'fast' }, 'CLOCK must be one of sandbox, real'],
    [{ CLOCK: 'sandbox', NODE_ENV: 'production' }, 'CLOCK=sandbox must not be set'],
    [{ ALLOW_PRIVATE_CALLBACKS: '1', NODE_ENV: 'production' }, 'ALLOW_PRIVATE_CALLBACKS must not be set'],
    [{ ALLOW_PRIVATE_CALLBACKS: 'yes' }, 'ALLOW_PRIVATE_CALLBACKS must be one of 0, 1'],
    [{ OPERATOR_TOKEN: 'secret' }, 'OPERATOR_TOKEN must be "op_"'],
    [{ OPERATOR_TOKEN_2: 'op_short' }, 'OPERATOR_TOKEN_2 must be "op_"'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
    [{ ROLES: 'http,cron' }, '--roles takes http, worker or both'],
  ])('%o', (env, message) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(message);
  });
});

describe('DATABASE_URL', () => {
  const read = (url: string) => readConfig({ DATABASE_URL: url, MASTER_KEY }).database;
  test('may name several hosts, each with its port', () => {
    expect(read('postgres://munshi:p%40ss@db1:6432,db2/books?sslmode=verify-full')).toEqual({
      hosts: [
        { host: 'db1', port: 6432 },
        { host: 'db2', port: 5432 },
      ],
      user: 'munshi',
      password: 'p@ss',
      database: 'books',
      ssl: { rejectUnauthorized: true },
    });
  });
  test('may name a Unix socket or an IPv6 address', () => {
    expect(read('postgres://munshi:secret@/books?host=/run/postgresql')?.hosts).toEqual([{ host: '/run/postgresql', port: 5432 }]);
    expect(read('postgres://munshi:secret@[::1]:5433/books')?.hosts).toEqual([{ host: '::1', port: 5433 }]);
  });
});

test('--roles on the command line comes before ROLES', () => {
  expect([...readConfig({ ROLES: 'http' }, ['--roles', 'worker']).roles]).toEqual(['worker']);
});

describe('LINK_KEYS', () => {
  test('without any the key derived from the master key signs', () => {
    expect([readConfig({}).linkKeys, readConfig({ LINK_KEYS: '' }).linkKeys]).toEqual([['derived'], ['derived']]);
  });
  test('are kept in their order, the derived one among them', () => {
    expect(readConfig({ LINK_KEYS: ` ${LINK_KEY.toUpperCase()} ,derived` }).linkKeys).toEqual([LINK_KEY, 'derived']);
  });
  test('do not come into the message about a wrong one', () => {
    expect(() => readConfig({ LINK_KEYS: `${LINK_KEY},${LINK_KEY}0` })).not.toThrow(LINK_KEY);
  });
});
