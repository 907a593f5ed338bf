import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDatabaseUrl } from './database-url.ts';
import { ConfigError } from './setting.ts';

const AUTHORITY = path.join(
  import.meta.dirname,
  '../../../../../tests/support/tls/receiver-certificate.pem',
);
const read = (url: string, env: Record<string, string> = {}) =>
  readDatabaseUrl('DATABASE_URL', url, env);

test('several hosts may be named, each with its port', () => {
  expect(read('postgres://munshi:p%40ss@db1:6432,db2/books?sslmode=require')).toEqual({
    hosts: [
      { host: 'db1', port: 6432 },
      { host: 'db2', port: 5432 },
    ],
    user: 'munshi',
    password: 'p@ss',
    database: 'books',
    ssl: { rejectUnauthorized: false },
  });
});

test.each([
  [
    'postgres://munshi:secret@/books?host=/run/postgresql',
    [{ host: '/run/postgresql', port: 5432 }],
  ],
  ['postgres://munshi:secret@%2Frun%2Fpostgresql/books', [{ host: '/run/postgresql', port: 5432 }]],
  ['postgres://munshi:secret@[::1]:5433/books', [{ host: '::1', port: 5433 }]],
  [
    'postgres:///books?host=db1,db2&port=1,2',
    [
      { host: 'db1', port: 1 },
      { host: 'db2', port: 2 },
    ],
  ],
  ['postgres:///books', [{ host: 'localhost', port: 5432 }]],
] as const)('hosts of %s', (url, hosts) => {
  expect(read(url).hosts).toEqual(hosts);
});

test('PGUSER and PGPASSWORD stand in for what the URL leaves out', () => {
  expect(read('postgres://localhost/books', { PGUSER: 'clerk', PGPASSWORD: '100%' })).toMatchObject(
    { user: 'clerk', password: '100%' },
  );
});

describe('what is not understood stops the start', () => {
  test.each([
    [
      'postgres://u:p@db/books?sslmod=verify-full',
      'unknown parameter "sslmod"; there is: sslmode, host, port',
    ],
    ['postgres://u:p@db/books?sslmode=require&sslmode=disable', 'has the parameter sslmode twice'],
    ['postgres://u:p@db/books?sslmode=', 'the parameter sslmode is empty'],
    [
      'postgres://u:p@db/books?sslmode=prefer',
      'sslmode must be one of disable, require, verify-ca, verify-full; it is "prefer"',
    ],
    ['postgres://u:p@db/books?port=6432', 'the parameter port goes with the parameter host'],
    ['postgres://u:p@db/books?host=/run/postgresql', 'names hosts in two places'],
    ['postgres://u:p@/books?host=a,b&port=1,2,3', 'one port, or one for each host'],
    ['postgres://u:p@/books?host=/run/postgresql&sslmode=require', 'no TLS on a Unix socket'],
    ['postgres://u:p@db1,/books', 'host 2 is empty'],
    ['postgres://u:p@db1:70000/books', 'the port of host 1 must be'],
    ['postgres://u:p@db1:0/books', 'the port of host 1 must be'],
    ['postgres://u:p@db1:/books', 'the port of host 1 must be'],
    ['postgres://u:p@::1/books', 'host 1 is no name'],
    ['postgres://u:p@[db]/books', 'host 1 has brackets'],
    ['postgres://u:p@db%zz/books', 'the host has a %'],
    ['postgres://u:p%zz@db/books', 'the password has a %'],
    ['postgres://u:p@db/', 'must end with the name of one database'],
    ['postgres://u:p@db/books/more', 'must end with the name of one database'],
    ['postgres://u:p@db', 'must look like'],
  ])('%s', (url, message) => {
    expect(() => read(url)).toThrow(ConfigError);
    expect(() => read(url)).toThrow(message);
  });
});

test('a password with unescaped characters is refused or read as it is, and no part of it is in a message', () => {
  const password = fc.array(
    fc.constantFrom('@', '/', ':', '%', '#', '?', '&', '=', ',', '[', 'QXJ', 'ZKV', 'WQY'),
    { minLength: 2, maxLength: 8 },
  );
  fc.assert(
    fc.property(
      password,
      fc.constantFrom('db/books', 'db:5432/books?sslmode=require', 'db1,db2/books'),
      (parts, rest) => {
        const written = parts.join('');
        try {
          expect(read(`postgres://munshi:${written}@${rest}`).password).toBe(written);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          for (const part of ['QXJ', 'ZKV', 'WQY'])
            expect((error as Error).message).not.toContain(part);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

describe('TLS', () => {
  test.each([
    ['localhost', false],
    ['127.0.0.2', false],
    ['[::1]', false],
    ['%2Frun%2Fpostgresql', false],
    ['10.0.0.5', { rejectUnauthorized: false }],
    ['db.example', { rejectUnauthorized: false }],
    ['localhost,db.example', { rejectUnauthorized: false }],
    ['localhost.example', { rejectUnauthorized: false }],
  ])('without sslmode a connection to %s is plain on this machine alone', (host, ssl) => {
    expect(read(`postgres://u:p@${host}/books`).ssl).toEqual(ssl);
  });
  test('sslmode=disable works where it is written', () => {
    expect(read('postgres://u:p@db.example/books?sslmode=disable').ssl).toBe(false);
  });
  test('DATABASE_CA has the certificate checked, also with sslmode=require and without any', () => {
    for (const query of ['', '?sslmode=require', '?sslmode=verify-ca', '?sslmode=verify-full']) {
      expect(
        read(`postgres://u:p@db.example/books${query}`, { DATABASE_CA: AUTHORITY }).ssl,
      ).toMatchObject({
        rejectUnauthorized: true,
        ca: expect.stringContaining('CERT'),
      });
    }
  });
  test('verify-full holds the certificate against the host, an address too, and verify-ca does not', () => {
    const check = (url: string, name: string, subjectaltname: string) => {
      const { ssl } = read(url);
      return typeof ssl === 'object'
        ? ssl.checkServerIdentity?.(name, { subject: {}, subjectaltname } as never)
        : 'not asked';
    };
    expect(
      check('postgres://u:p@db.example/x?sslmode=verify-full', 'db.example', 'DNS:db.example'),
    ).toBeUndefined();
    expect(
      check('postgres://u:p@db.example/x?sslmode=verify-full', 'db.example', 'DNS:other.example'),
    ).toBeInstanceOf(Error);
    expect(
      check('postgres://u:p@db.example/x?sslmode=verify-ca', 'db.example', 'DNS:other.example'),
    ).toBeUndefined();
    // The driver gives no name for an address; Node says "localhost" then.
    expect(
      check('postgres://u:p@10.0.0.5/x?sslmode=verify-full', 'localhost', 'IP Address:10.0.0.5'),
    ).toBeUndefined();
    expect(
      check('postgres://u:p@10.0.0.5/x?sslmode=verify-full', 'localhost', 'DNS:localhost'),
    ).toBeInstanceOf(Error);
  });
});
