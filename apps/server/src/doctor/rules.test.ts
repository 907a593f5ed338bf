import { describe, expect, test } from 'vitest';
import type { AddressFacts, DatabaseFacts, Facts } from './facts.ts';
import { judge, RULES } from './rules.ts';

const AT = Date.UTC(2026, 0, 10, 12);
const DAY_MS = 86_400_000;

const server: DatabaseFacts['server'] = {
  versionNumber: 180_004,
  version: '18.4',
  role: 'munshi_app',
  superuser: false,
  encrypted: true,
  connections: 20,
  connectionsMax: 200,
  databaseBytes: 1e9,
  settings: {
    archive_mode: 'on',
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    max_slot_wal_keep_size: '20480',
    synchronous_commit: 'on',
    synchronous_standby_names: 'ANY 1 (*)',
  },
};
const database: DatabaseFacts = {
  server,
  mayChangeSchema: false,
  wrongGrants: [],
  retention: { role: 'munshi_retention', error: undefined, wrongGrants: [] },
  replication: { standbys: 2, synchronous: 1, unseen: [], idleSlots: [] },
  archive: { lastArchivedAt: AT - 60_000, lastFailedAt: AT - DAY_MS },
  clock: { aheadMs: 30, withinMs: 2 },
  masterKey: 'known',
  sandbox: false,
  people: { admins: 2, adminsWithCode: 2, demo: false },
  fourEyes: {
    requireSecondOperator: true,
    approversMissing: 0,
    hasLimit: true,
    requireOneTimeCode: true,
  },
  at: AT,
};
type Reached = Extract<AddressFacts['answer'], { readonly peer: string }>;
const answer: Reached = {
  peer: '10.0.0.5',
  caller: '198.51.100.9',
  forwardedFor: '203.0.113.77, 198.51.100.9',
  claimed: '203.0.113.77',
  askedFromProxy: false,
};
type AppSeen = AddressFacts['apps'][number]['answer'];
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-x'";
const app = { status: 200, policy, cacheControl: 'no-store' };
const apps = (change: Partial<Record<'console' | 'member' | 'portal', AppSeen>>) =>
  Object.entries({ console: app, member: app, portal: app, ...change }).map(([name, seen]) => ({
    name: name as 'portal',
    answer: seen,
  }));
const address: AddressFacts = {
  answer,
  apps: apps({}),
  tls: { protocol: 'TLSv1.3', validUntil: AT + 60 * DAY_MS, at: AT },
  plainHttp: 'redirects',
};
const WELL: Facts = {
  settings: {
    production: true,
    sandbox: false,
    embedded: false,
    publicUrl: 'https://pay.example.com',
    roles: new Set(['http', 'worker']),
    operatorTokens: 0,
    hasMetricsToken: true,
    databaseIsLocal: false,
    databaseIsVerified: true,
    removes: true,
    guessedPasswords: [],
  },
  database,
  hosts: [
    { host: 'db1:5432', error: undefined },
    { host: 'db2:5432', error: undefined },
  ],
  address,
  machine: {
    disk: { path: '/var/lib/postgresql', freeBytes: 80e9, bytes: 100e9 },
    openFilesMax: 65_536,
  },
  outbound: [{ host: 'shop.example.com', error: undefined }],
  mail: { host: 'mail.example.com', error: undefined },
  verify: { role: 'munshi_verify', error: undefined },
};

const settings = (change: Partial<Facts['settings']>): Facts => ({
  ...WELL,
  settings: { ...WELL.settings, ...change },
});
const data = (change: Partial<DatabaseFacts>): Facts => ({
  ...WELL,
  database: { ...database, ...change },
});
const onServer = (change: Partial<DatabaseFacts['server']>) =>
  data({ server: { ...server, ...change } });
const set = (change: Readonly<Record<string, string>>) =>
  onServer({ settings: { ...server.settings, ...change } });
const at = (change: Partial<AddressFacts>): Facts => ({
  ...WELL,
  address: { ...address, ...change },
});
const answered = (change: Partial<Reached>) => at({ answer: { ...answer, ...change } });

test('a console that is closed to the world is nobody’s fault', () => {
  const closed = judge(at({ apps: apps({ console: { ...app, status: 403 } }) }));
  expect(closed.filter(({ state }) => state !== 'ok')).toEqual([]);
});

test('a set-up in which all is well has nothing but findings that say so', () => {
  const findings = judge(WELL);
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(findings.length).toBeGreaterThan(15);
});

/** What is changed of what is well, and the one finding that it makes. */
const CASES: readonly (readonly [check: string, state: string, found: RegExp, facts: Facts])[] = [
  ['mode', 'wrong', /not production/, settings({ production: false })],
  ['kind', 'wrong', /of a live service/, settings({ sandbox: true })],
  ['kind', 'wrong', /of a sandbox/, data({ sandbox: true })],
  ['script tokens', 'warning', /OPERATOR_TOKEN is set/, settings({ operatorTokens: 1 })],
  ['metrics', 'warning', /is off/, settings({ hasMetricsToken: false })],
  ['database', 'wrong', /refused/, { ...WELL, database: { error: 'connection refused' } }],
  [
    'hosts of the database',
    'wrong',
    /: db2:5432 says: no pg_hba.conf entry$/,
    {
      ...WELL,
      hosts: [
        { host: 'db1:5432', error: undefined },
        { host: 'db2:5432', error: 'no pg_hba.conf entry' },
      ],
    },
  ],
  [
    'database version',
    'warning',
    /not tested/,
    onServer({ versionNumber: 190_000, version: '19.0' }),
  ],
  ['roles', 'wrong', /superuser/, onServer({ superuser: true })],
  ['roles', 'wrong', /may change the tables/, data({ mayChangeSchema: true })],
  ['roles', 'wrong', /on: postings/, data({ wrongGrants: ['postings'] })],
  [
    'passwords of the database',
    'wrong',
    /munshi_app/,
    settings({ guessedPasswords: ['munshi_app'] }),
  ],
  ['connection to the database', 'wrong', /not encrypted/, onServer({ encrypted: false })],
  [
    'connection to the database',
    'warning',
    /nobody checks/,
    settings({ databaseIsVerified: false }),
  ],
  ['connections', 'warning', /180 of 200/, onServer({ connections: 180 })],
  ['durability', 'wrong', /^fsync is off/, set({ fsync: 'off' })],
  [
    'durability',
    'wrong',
    /full_page_writes, synchronous_commit/,
    set({ full_page_writes: 'off', synchronous_commit: 'off' }),
  ],
  ['durability', 'warning', /data_checksums/, set({ data_checksums: 'off' })],
  [
    'replication',
    'warning',
    /No standby/,
    data({
      server: { ...server, settings: { ...server.settings, synchronous_standby_names: '' } },
      replication: { standbys: 0, synchronous: 0, unseen: [], idleSlots: [] },
    }),
  ],
  [
    'replication',
    'wrong',
    /no standby follows/,
    data({ replication: { standbys: 0, synchronous: 0, unseen: [], idleSlots: [] } }),
  ],
  ['replication', 'warning', /no commit waits/, set({ synchronous_standby_names: '' })],
  ['replication', 'warning', /no commit waits/, set({ synchronous_commit: 'local' })],
  [
    'replication',
    'wrong',
    /none of the 1 standbys/,
    data({ replication: { standbys: 1, synchronous: 0, unseen: [], idleSlots: [] } }),
  ],
  [
    'replication slots',
    'wrong',
    /by db2, db3: .* fills the disk/,
    data({
      server: { ...server, settings: { ...server.settings, max_slot_wal_keep_size: '-1' } },
      replication: { ...database.replication, idleSlots: ['db2', 'db3'] },
    }),
  ],
  [
    'replication slots',
    'warning',
    /by db2: .* up to/,
    data({ replication: { ...database.replication, idleSlots: ['db2'] } }),
  ],
  ['archive of the log', 'warning', /archive_mode is off/, set({ archive_mode: 'off' })],
  [
    'archive of the log',
    'wrong',
    /last attempt .* failed/,
    data({ archive: { lastArchivedAt: AT - 60_000, lastFailedAt: AT } }),
  ],
  [
    'archive of the log',
    'wrong',
    /ever archived/,
    data({ archive: { lastArchivedAt: null, lastFailedAt: null } }),
  ],
  [
    'archive of the log',
    'warning',
    /20 minutes ago/,
    data({ archive: { lastArchivedAt: AT - 20 * 60_000, lastFailedAt: null } }),
  ],
  ['clock', 'wrong', /3\.0 s behind/, data({ clock: { aheadMs: -3_000, withinMs: 2 } })],
  ['master key', 'wrong', /not the one/, data({ masterKey: 'unknown' })],
  ['master key', 'wrong', /does not open/, data({ masterKey: 'lacking' })],
  [
    'four eyes',
    'wrong',
    /One operator moves any amount/,
    data({ fourEyes: { ...database.fourEyes, requireSecondOperator: false } }),
  ],
  [
    'four eyes',
    'wrong',
    /fewer than two approvers/,
    data({ fourEyes: { ...database.fourEyes, approversMissing: 1 } }),
  ],
  [
    'one-time codes',
    'warning',
    /password is enough/,
    data({ fourEyes: { ...database.fourEyes, requireOneTimeCode: false } }),
  ],
  [
    'demo',
    'wrong',
    /demo is in this database/,
    data({ people: { ...database.people, demo: true } }),
  ],
  ['public address', 'wrong', /not set/, { ...WELL, address: undefined }],
  ['public address', 'wrong', /ENOTFOUND/, at({ answer: { error: 'getaddrinfo ENOTFOUND' } })],
  ['public address', 'wrong', /answers 404/, at({ answer: { status: 404 } })],
  ['web apps', 'wrong', /portal.*404/, at({ apps: apps({ portal: { ...app, status: 404 } }) })],
  ['web apps', 'wrong', /member.*reset/, at({ apps: apps({ member: { error: 'reset' } }) })],
  [
    'web apps',
    'wrong',
    /portal.*another/,
    at({ apps: apps({ portal: { ...app, policy: null } }) }),
  ],
  [
    'web apps',
    'wrong',
    /portal.*another/,
    at({ apps: apps({ portal: { ...app, policy: `${policy}, default-src *` } }) }),
  ],
  [
    'web apps',
    'wrong',
    /console.*another/,
    at({ apps: apps({ console: { ...app, cacheControl: 'max-age=60' } }) }),
  ],
  ['TLS', 'wrong', /browsers trust: expired/, at({ tls: { error: 'expired' } })],
  [
    'TLS',
    'warning',
    /ends in 5 days/,
    at({ tls: { protocol: 'TLSv1.3', validUntil: AT + 5 * DAY_MS, at: AT } }),
  ],
  ['plain HTTP', 'warning', /answers plain HTTP/, at({ plainHttp: 'answers' })],
  ['proxies', 'wrong', /does not say whom/, answered({ forwardedFor: null, caller: '10.0.0.5' })],
  [
    'proxies',
    'wrong',
    /passes on what a caller says/,
    answered({ forwardedFor: '203.0.113.77', caller: '203.0.113.77' }),
  ],
  ['proxies', 'wrong', /TRUSTED_PROXIES does not name/, answered({ caller: '10.0.0.5' })],
  ['proxies', 'wrong', /A stranger who names/, answered({ caller: '203.0.113.77' })],
  [
    'proxies',
    'unknown',
    /This machine is one of/,
    answered({ caller: '203.0.113.77', askedFromProxy: true }),
  ],
  ['retention', 'warning', /kept for ever/, settings({ removes: false })],
  [
    'retention',
    'wrong',
    /munshi_retention cannot connect: no such role/,
    data({ retention: { role: 'munshi_retention', error: 'no such role.', wrongGrants: [] } }),
  ],
  [
    'retention',
    'wrong',
    /on: postings/,
    data({
      retention: { role: 'munshi_retention', error: undefined, wrongGrants: ['postings'] },
    }),
  ],
  [
    'free disk',
    'wrong',
    /9\.0 GB free, 9 %/,
    { ...WELL, machine: { ...WELL.machine, disk: { path: '/', freeBytes: 9e9, bytes: 100e9 } } },
  ],
  [
    'free disk',
    'wrong',
    /1\.0 GB free/,
    { ...WELL, machine: { ...WELL.machine, disk: { path: '/', freeBytes: 1e9, bytes: 2e9 } } },
  ],
  [
    'free disk',
    'unknown',
    /cannot/,
    { ...WELL, machine: { ...WELL.machine, disk: { error: 'It cannot be seen.' } } },
  ],
  [
    'open files',
    'warning',
    /may open 1024/,
    { ...WELL, machine: { ...WELL.machine, openFilesMax: 1_024 } },
  ],
  ['way out for webhooks', 'unknown', /No webhook/, { ...WELL, outbound: [] }],
  [
    'way out for webhooks',
    'wrong',
    /None of the 1 receivers/,
    { ...WELL, outbound: [{ host: 'a.example', error: 'no route' }] },
  ],
  [
    'way out for webhooks',
    'warning',
    /1 of 2 receivers/,
    { ...WELL, outbound: [...WELL.outbound, { host: 'a.example', error: 'no route' }] },
  ],
  [
    'mail',
    'wrong',
    /mail\.example\.com: 535/,
    { ...WELL, mail: { host: 'mail.example.com', error: '535 no' } },
  ],
  [
    'nightly check',
    'wrong',
    /munshi_verify cannot read .* password authentication failed/,
    { ...WELL, verify: { role: 'munshi_verify', error: 'password authentication failed' } },
  ],
];

describe('what is not well is said once, with what to do', () => {
  test.each(CASES)('%s is %s: %s', (check, state, found, facts) => {
    const findings = judge(facts).filter((finding) => finding.state !== 'ok');
    expect(findings).toEqual([
      { check, state, found: expect.stringMatching(found), mend: expect.stringMatching(/\.$/) },
    ]);
  });

  test('each check has a case', () => {
    expect(new Set(CASES.map(([check]) => check))).toEqual(new Set(RULES.map(([check]) => check)));
  });
});

test('what does not concern a set-up is left out', () => {
  const checks = (facts: Facts) => judge(facts).map(({ check }) => check);
  const ofHttp = checks(settings({ roles: new Set(['http']) }));
  expect(ofHttp).not.toContain('way out for webhooks');
  expect(ofHttp).not.toContain('open files');
  const unreached = checks({ ...WELL, database: { error: 'refused' } });
  expect(unreached).not.toContain('four eyes');
  const local = checks(at({ tls: undefined, plainHttp: undefined, answer: { error: 'refused' } }));
  expect(local).not.toContain('TLS');
  expect(local).not.toContain('proxies');
  const worker = { ...settings({ roles: new Set(['worker']) }), address: undefined };
  expect(checks(worker)).not.toContain('public address');
  expect(checks({ ...WELL, hosts: [] })).not.toContain('hosts of the database');
  expect(checks({ ...WELL, mail: undefined })).not.toContain('mail');
  expect(checks({ ...WELL, verify: undefined })).not.toContain('nightly check');
});

test.each([
  ['db2', 'ok'],
  ['"DB2"', 'ok'],
  ['db1, db2', 'ok'],
  ['ANY 1 (db1, "db2")', 'ok'],
  ['2 (*)', 'ok'],
  ['first 1 (db1)', 'wrong'],
  ['db22', 'wrong'],
])(
  'a role that sees of the standby db2 its name alone, where commits wait for %s: %s',
  (names, state) => {
    const facts = data({
      server: {
        ...server,
        settings: { ...server.settings, synchronous_standby_names: names },
      },
      replication: { standbys: 1, synchronous: 0, unseen: ['db2'], idleSlots: [] },
    });
    expect(judge(facts).find(({ check }) => check === 'replication')).toMatchObject({ state });
  },
);
