import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { attachEmbeddedPostgres } from '@munshi/embedded-postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, MUNSHI, runIn, startIn } from '../../support/first-start.ts';
import { freePort } from '../../support/free-port.ts';
import { rawRequest, sendBytes } from '../../support/raw-http.ts';
import { signatureOf, startReceiver } from '../../support/receiver.ts';
import { listenTo, type Spoken } from '../../support/spoken.ts';

const ROOT = path.join(import.meta.dirname, '../../..');

let dataDir: string;
let server: Spoken;
let url: string;

const run = (script: string, args: readonly string[], env: Record<string, string> = {}) =>
  runIn(dataDir, script, args, env);

const startServer = async () => {
  ({ server, url } = await startIn(dataDir));
};

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'munshi first '));
  await startServer();
});
afterAll(async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  await rm(dataDir, { recursive: true, force: true });
});

test('the first start prepares the database, makes a demo and says what to try next', () => {
  for (const text of [
    'Preparing the database',
    'mk_live_',
    'sksec_',
    'op_',
    'npm run try',
    '/docs',
  ])
    expect(server.said()).toContain(text);
});

/** The commands that a start has printed, run as they stand by a shell that has no setting. */
async function expectPrintedCommandsToWork() {
  const commands = [
    ...server.said().matchAll(/^ {4}((?:(?:MUNSHI_URL|DATA_DIR)=.* )?npm run .*)$/gm),
  ].map(([, command]) => command as string);
  expect(commands.map((command) => /npm run \w+/.exec(command)?.[0])).toEqual([
    'npm run try',
    'npm run munshi',
  ]);
  for (const command of commands) {
    const printed = listenTo('sh', ['-c', command], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', HOME: dataDir },
    });
    expect(await printed.exited, printed.said()).toBe(0);
  }
}

test('the commands that it prints work as they stand, with this address and a data folder with spaces', async () => {
  await expectPrintedCommandsToWork();
});

test('it names the file with the secrets whole', () => {
  expect(server.said()).toContain(path.join(dataDir, 'demo.json'));
});

test('a key of other data is said to be unknown', async () => {
  const tried = run(MUNSHI, ['trigger', 'completed'], {
    MUNSHI_URL: url,
    MUNSHI_API_KEY: `mk_live_${'0'.repeat(32)}`,
    MUNSHI_SIGNING_SECRET: 'sksec_other',
  });
  expect(await tried.exited).toBe(1);
  expect(tried.said()).toBe('munshi: the service does not know MUNSHI_API_KEY\n');
});

test('a port that is taken is said before anything is made', async () => {
  const { port } = new URL(url);
  const elsewhere = path.join(dataDir, 'elsewhere');
  for (const args of [[], ['--roles', 'worker'], ['--empty']]) {
    const other = run(MAIN, args, { DATA_DIR: elsewhere, PORT: port });
    expect(await other.exited).toBe(1);
    expect(other.said()).toMatch(
      /^munshi: PORT \d+ is taken: .+ Stop what listens there, or set PORT to another port\.\n$/,
    );
  }
  expect(existsSync(elsewhere)).toBe(false);
});

test('where it is taken in the meantime that is said too, and the demo is not lost', async () => {
  const elsewhere = path.join(dataDir, 'elsewhere');
  const port = await freePort();
  const other = run(MAIN, [], { DATA_DIR: elsewhere, PORT: String(port) });
  await other.says(/Preparing the database/);
  const taking = createServer().listen(port, '127.0.0.1');
  expect(await other.exited).toBe(1);
  taking.close();
  expect(other.said()).toMatch(/^munshi: PORT \d+ is taken: .+ set PORT to another port\.$/m);
  expect(other.said()).toContain(path.join(elsewhere, 'demo.json'));
  expect(JSON.parse(await readFile(path.join(elsewhere, 'demo.json'), 'utf8'))).toMatchObject({
    merchant: { name: 'Demo Store' },
  });
});

test('the service is not the superuser of its Postgres, nor the owner of its tables', async () => {
  const postgres = await attachEmbeddedPostgres(dataDir);
  const client = new pg.Client(postgres?.config('postgres'));
  await client.connect();
  const users = await client.query(
    "select distinct usename::text as name from pg_stat_activity where application_name like 'munshi%'",
  );
  const owners = await client.query(
    "select distinct tableowner::text as name from pg_tables where schemaname = 'public'",
  );
  await client.end();
  expect([users.rows, owners.rows]).toEqual([[{ name: 'munshi_app' }], [{ name: 'munshi_owner' }]]);
});

describe('the start page', () => {
  const at = (path: string, headers: Record<string, string>, method = 'GET') =>
    rawRequest(url, { method, path, headers: Object.entries(headers) });
  const enter = (headers: Record<string, string>, path = '/demo') =>
    at(path, { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }, 'POST');

  test('names what runs here and lets the person at this machine in, as the operator of the demo', async () => {
    const page = await at('/', {});
    expect(page.text).toContain('Munshi is running');
    const entered = await enter({ Origin: url });
    expect([entered.status, entered.header('location')]).toEqual([303, '/console/']);
    const cookies = entered.headers.filter(([name]) => name === 'set-cookie');
    expect(cookies.map(([, cookie]) => cookie.split('=')[0]).sort()).toEqual([
      'munshi_operator',
      'munshi_operator_known',
    ]);
    const [, session = ''] = cookies.find(([, cookie]) => /^munshi_operator=/.test(cookie)) ?? [];
    const who = await at('/api/operator/session', { Cookie: session.split(';')[0] as string });
    expect(JSON.parse(who.text).data.operator.username).toBe('operator');
  });

  test('lets them in to the member app too, as a member of the demo', async () => {
    const entered = await enter({ Origin: url }, '/demo/member');
    expect([entered.status, entered.header('location')]).toEqual([303, '/member/']);
    const [, session = ''] =
      entered.headers.find(
        ([name, cookie]) => name === 'set-cookie' && /^munshi_member=/.test(cookie),
      ) ?? [];
    const who = await at('/api/member/session', { Cookie: session.split(';')[0] as string });
    expect(JSON.parse(who.text).data.member.name).toBe('Bilal Ahmed');
    expect((await enter({ Origin: 'https://evil.example' }, '/demo/member')).status).toBe(404);
  });

  test('lets them in to the portal too, as an admin of the demo’s merchant', async () => {
    const entered = await enter({ Origin: url }, '/demo/portal');
    expect([entered.status, entered.header('location')]).toEqual([303, '/portal/']);
    const [, session = ''] =
      entered.headers.find(
        ([name, cookie]) => name === 'set-cookie' && /^munshi_portal=/.test(cookie),
      ) ?? [];
    const who = await at('/api/portal/session', { Cookie: session.split(';')[0] as string });
    expect(JSON.parse(who.text).data).toMatchObject({
      user: { username: 'store', role: 'admin' },
      merchant: { name: 'Demo Store' },
    });
    expect((await enter({ Origin: 'https://evil.example' }, '/demo/portal')).status).toBe(404);
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example' }],
    ['another port of this machine', { Origin: 'http://127.0.0.1:1' }],
    ['no page', {}],
    ['a page that hides its origin', { Origin: 'null' }],
    ['a proxy', { 'X-Forwarded-For': '203.0.113.9' }],
  ])('does not let in what %s sends', async (_what, headers) => {
    const origin: Record<string, string> = 'X-Forwarded-For' in headers ? { Origin: url } : {};
    const refused = await enter({ ...origin, ...headers });
    expect([refused.status, refused.header('set-cookie')]).toEqual([404, undefined]);
  });

  test('shows the sign-in alone, without a name, to a caller that comes by another name or a proxy', async () => {
    const other = { Host: 'rebound.example' };
    const elsewhere = await fetch(url, { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    const texts = [
      await elsewhere.text(),
      (await sendBytes(url, [Buffer.from(`GET / HTTP/1.1\r\nHost: ${other.Host}\r\n\r\n`)])).text,
    ];
    for (const text of texts) {
      expect(text).toContain('Operator console');
      expect(text).not.toMatch(/Munshi|demo|docs/i);
    }
  });
});

test('munshi trigger takes an order of the demo to a status', async () => {
  for (const [args, said] of [
    [
      ['completed'],
      /ORD-\S+, a deposit of \d+\.\d+ PKR\n.*made for this.*\n {3}Queued → Completed/,
    ],
    [['rejected', '--withdrawal'], /a withdrawal of [\s\S]* AwaitingMemberPayout → Rejected/],
  ] as const) {
    const triggered = run(MUNSHI, ['trigger', ...args], { MUNSHI_URL: url });
    expect(await triggered.exited, triggered.said()).toBe(0);
    expect(triggered.said()).toMatch(said);
  }
});

test('munshi listen forwards what munshi trigger makes happen, and munshi check finds the receiver good', async () => {
  const { merchant } = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as {
    merchant: { signingSecret: string };
  };
  const receiver = await startReceiver(({ headers, body }, response) => {
    const matches = headers['x-svc-signature'] === signatureOf(body, merchant.signingSecret);
    response.writeHead(matches ? 200 : 401).end();
  });
  const here = { MUNSHI_URL: url };
  const hook = `127.0.0.1:${receiver.port}/hook`;
  const listening = run(MUNSHI, ['listen', '--forward-to', hook], here);
  await listening.says(/Listening\./);
  const triggered = run(MUNSHI, ['trigger', 'rejected', '--json'], here);
  expect(await triggered.exited, triggered.said()).toBe(0);
  const { orderReference } = JSON.parse(triggered.said()) as { orderReference: string };
  await listening.says(/→ 200 in \d+ ms/);
  listening.child.kill();
  expect(listening.said()).toContain(`order.failed ${orderReference}`);
  expect(listening.said()).toContain('the signature matches');
  expect(receiver.received).toMatchObject([{ url: '/hook', json: { orderReference } }]);

  const checked = run(MUNSHI, ['check', hook, '--order', orderReference], here);
  expect(await checked.exited, checked.said()).toBe(0);
  await receiver.close();
});

test('munshi verify, beside the running service, finds the books in order', async () => {
  const check = run(MUNSHI, ['verify']);
  expect(await check.exited, check.said()).toBe(0);
  expect(check.said()).toContain('invariants hold');
});

test.each<[command: string, ...args: string[]]>([
  ['verify'],
  ['migrate'],
  ['operator-link', 'unread'],
  ['trigger', 'completed'],
  ['listen'],
  ['--help'],
])('munshi %s ends without a stack trace when nobody reads its output', async (...args) => {
  const unread = run(MUNSHI, args, { MUNSHI_URL: url });
  unread.child.stdout?.destroy();
  expect(await unread.exited).toBe(0);
  expect(unread.said()).toBe('');
});

test('munshi operator-token makes a token that works at once', async () => {
  const made = run(MUNSHI, ['operator-token', 'create', 'night-shift', 'viewer']);
  expect(await made.exited, made.said()).toBe(0);
  const headers = { authorization: `Bearer ${made.said().trim()}` };
  expect((await fetch(`${url}/api/operator/orders`, { headers })).status).toBe(200);
  const again = run(MUNSHI, ['operator-token', 'create', 'night-shift']);
  expect(await again.exited).toBe(1);
  expect(again.said()).toContain('there is an operator named "night-shift" already');
});

test('a second start on the same data refuses, and leaves the first alone', async () => {
  const second = run(MAIN, []);
  expect(await second.exited).toBe(1);
  expect(second.said()).toContain('already running');
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
});

test('a demo is made on an empty database alone', async () => {
  const again = run(MUNSHI, ['demo']);
  expect(await again.exited).toBe(1);
  expect(again.said()).toContain('a demo is only made on an empty one');
});

test('SIGTERM stops it cleanly, and the next start finds its data, and says the next steps without a secret', async () => {
  const written = await readFile(path.join(dataDir, 'demo.json'), 'utf8');
  const { merchant } = JSON.parse(written) as { merchant: { apiKey: string } };
  server.child.kill('SIGTERM');
  expect(await server.exited).toBe(0);
  await startServer();
  expect(server.said()).not.toContain('a demo was made');
  expect(server.said()).toContain(path.join(dataDir, 'demo.json'));
  const secrets = [
    ...written.matchAll(/"(?:apiKey|signingSecret|password|operatorToken)": "(.+)"/g),
  ].map(([, secret]) => secret as string);
  expect(secrets.length).toBeGreaterThan(5);
  for (const secret of secrets) expect(server.said()).not.toContain(secret);
  await expectPrintedCommandsToWork();
  expect(
    (
      await fetch(`${url}/api/merchant/orders/balance`, {
        headers: { 'SVC-API-Key': merchant.apiKey },
      })
    ).status,
  ).toBe(200);
});

test('when its Postgres dies the service ends with a message that says so', async () => {
  const [pid] = (await readFile(path.join(dataDir, 'pg18', 'postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  expect(await server.exited).toBe(1);
  expect(server.said()).toContain('The embedded Postgres has died');
  await startServer();
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
});

test('--empty makes no demo, and says how the first operator is made', async () => {
  const elsewhere = path.join(dataDir, 'empty');
  const other = run(MAIN, ['--empty'], { DATA_DIR: elsewhere });
  const [, address] = await other.says(/Munshi is listening on (\S+)/);
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200);
  other.child.kill('SIGTERM');
  expect(await other.exited).toBe(0);
  expect(other.said()).not.toContain('demo');
  expect(other.said()).toContain('Make the first operator: munshi operator-link <name>');
  await expect(readFile(path.join(elsewhere, 'demo.json'))).rejects.toThrow('ENOENT');
});
