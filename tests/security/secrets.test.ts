import { spawn } from 'node:child_process';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { providePushKeys } from '../../apps/server/src/member-alerts/push.service.ts';
import { createVault } from '../../apps/server/src/platform/vault.ts';
import { codeAt } from '../support/authenticator.ts';
import { createOrder, type TestMerchant } from '../support/fixtures.ts';
import { openPage } from '../support/page-client.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { databaseUrl } from '../support/process.ts';
import { startPushService } from '../support/push-service.ts';
import { sendBytes } from '../support/raw-http.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Service, startService } from '../support/service.ts';
import { bareEnvironment } from '../support/spoken.ts';

/**
 * A server process at debug level lives through a day with every kind of secret; then its log, its
 * answers and every row of every table are searched for each of them, in plain text and in the
 * encodings that would give it away.
 */
const MASTER_KEY = randomBytes(32).toString('hex');
const LINK_KEY = randomBytes(32).toString('hex');
const METRICS_TOKEN = `metrics-${randomUUID()}`;
const MAIL_PASSWORD = `mail-${randomUUID()}`;
const SECOND_TOKEN = `op_${randomBytes(20).toString('base64url')}`;
const ENVIRONMENT_TOKEN = `op_${randomBytes(20).toString('base64url')}`;
const PASSWORDS = {
  operator: `pass-${randomUUID()}`,
  member: `word-${randomUUID()}`,
  portal: `shop-${randomUUID()}`,
  changed: `new-${randomUUID()}`,
  wrong: `wrong-${randomUUID()}`,
};

const secrets: Record<string, string> = {
  'master key': MASTER_KEY,
  'link key': LINK_KEY,
  'metrics token': METRICS_TOKEN,
  'password of the mail server': MAIL_PASSWORD,
  'operator token of the environment': ENVIRONMENT_TOKEN,
  'second operator token of the environment': SECOND_TOKEN,
  'password of an operator': PASSWORDS.operator,
  'password of a member': PASSWORDS.member,
  'password of somebody in the portal': PASSWORDS.portal,
  'changed password': PASSWORDS.changed,
  'password that was wrong': PASSWORDS.wrong,
};
/**
 * Everything that the process said and answered, by where; answers that are meant to show a secret
 * once are left out.
 */
const said = { log: '', answers: '' };

let service: Service;
let url: string;
let stop: () => Promise<unknown>;
let dump: string;

beforeAll(async () => {
  service = await startService({ ROLES: 'http', MASTER_KEY });
  ({ url, stop } = await startLogging());
  await live();
  dump = await dumpTables();
  await stop();
});
afterAll(() => service.close());

const MAIN = path.join(import.meta.dirname, '..', '..', 'apps', 'server', 'src', 'main.ts');

async function startLogging() {
  secrets['database password'] = service.target.password;
  secrets['platform secret'] = createVault(MASTER_KEY).platformSecret;
  const env = {
    ...bareEnvironment(),
    DATABASE_URL: databaseUrl(service.target),
    MASTER_KEY,
    LINK_KEYS: LINK_KEY,
    METRICS_TOKEN,
    SMTP_URL: `smtps://munshi:${MAIL_PASSWORD}@localhost:1`,
    MAIL_FROM: 'munshi@pay.example',
    OPERATOR_TOKEN: ENVIRONMENT_TOKEN,
    OPERATOR_TOKEN_2: SECOND_TOKEN,
    PORT: '0',
    CLOCK: 'sandbox',
    LOG_LEVEL: 'trace',
    ALLOW_PRIVATE_CALLBACKS: '1',
  };
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const address = await new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      said.log += chunk.toString();
      const match = /listening on (\S+)/.exec(said.log);
      if (match !== null) resolve(match[1] as string);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    exited.then((code) => reject(new Error(`the server exited with ${code}: ${said.log}`)));
  });
  return {
    url: address,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** A request to the process; what it answers is kept unless it is meant to show a secret. */
async function ask(
  method: string,
  at: string,
  headers: Record<string, string>,
  body?: unknown,
  shows = false,
) {
  const response = await fetch(`${url}${at}`, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!shows) said.answers += `${JSON.stringify([...response.headers])}\n${text}\n`;
  return {
    status: response.status,
    json: text.startsWith('{') ? JSON.parse(text) : {},
    cookie: response.headers.get('set-cookie') ?? '',
  };
}

async function live() {
  const operator = { Authorization: `Bearer ${ENVIRONMENT_TOKEN}` };
  await operatorsAndMembers(operator);
  const merchant = await merchantWithKeys(operator);
  await portalPeople(merchant, operator);
  await orders(merchant, operator);
  await alerts(merchant, operator);
  await trouble(merchant);
  for (const at of [
    '/healthz',
    '/readyz',
    '/openapi/merchant.json',
    '/openapi/operator.json',
    '/openapi/member.json',
    '/openapi/portal.json',
    '/docs/',
  ])
    await ask('GET', at, {});
  await ask('GET', '/metrics', { Authorization: `Bearer ${METRICS_TOKEN}` });
  await ask('GET', '/metrics', {});
  for (const list of [
    'merchants',
    'members',
    'operators',
    'orders',
    'audit-log',
    'settings',
    'webhooks/health',
  ])
    await ask('GET', `/api/operator/${list}`, operator);
}

async function operatorsAndMembers(operator: Record<string, string>) {
  const admin = await ask('POST', '/api/operator/operators', operator, {
    username: 'planted',
    name: 'Planted',
    role: 'admin',
    password: PASSWORDS.operator,
  });
  const { operatorId } = admin.json.data;
  const token = await ask(
    'POST',
    `/api/operator/operators/${operatorId}/tokens`,
    operator,
    { name: 'tests' },
    true,
  );
  secrets['script token'] = token.json.data.token;
  const signIn = await ask(
    'POST',
    '/api/operator/session',
    {},
    { username: 'planted', password: PASSWORDS.operator },
    true,
  );
  secrets['token of an operator’s session'] = signIn.json.data.token;
  const cookie = { Cookie: signIn.cookie.split(';')[0] as string };
  await ask('GET', '/api/operator/merchants', cookie);
  await ask('GET', '/api/operator/session', { Authorization: `Bearer ${SECOND_TOKEN}` });
  const passwords = { currentPassword: PASSWORDS.operator, newPassword: PASSWORDS.changed };
  const renewed = await ask(
    'POST',
    '/api/operator/password',
    { ...cookie, 'X-CSRF-Token': signIn.json.data.csrfToken },
    passwords,
    true,
  );
  secrets['token of the session after a new password'] = renewed.json.data.token;
  await ask(
    'POST',
    '/api/operator/session',
    {},
    { username: 'planted', password: PASSWORDS.wrong },
  );

  const member = await ask('POST', '/api/operator/members', operator, {
    name: 'M',
    username: 'holder',
    password: PASSWORDS.member,
  });
  const { memberId } = member.json.data;
  const account = await ask('POST', `/api/operator/members/${memberId}/accounts`, operator, {
    walletType: 'ProviderA',
    accountNumber: '0300',
    accountTitle: 'M',
  });
  await ask(
    'POST',
    `/api/operator/member-accounts/${account.json.data.accountId}/approve`,
    operator,
    {},
  );
  await ask(
    'POST',
    `/api/operator/members/${memberId}/float-adjustments`,
    { ...operator, 'Idempotency-Key': randomUUID() },
    { amount: 10_000, reason: 'float' },
  );
  const signedIn = await ask(
    'POST',
    '/api/member/session',
    {},
    { username: 'holder', password: PASSWORDS.member },
    true,
  );
  secrets['token of a member’s session'] = signedIn.json.data.token;
  await ask(
    'POST',
    '/api/member/presence',
    { Authorization: `Bearer ${signedIn.json.data.token}` },
    { online: true },
  );
}

async function merchantWithKeys(operator: Record<string, string>): Promise<TestMerchant> {
  const { merchantId } = (
    await ask('POST', '/api/operator/merchants', operator, { name: 'Planted' })
  ).json.data;
  const first = (
    await ask('POST', `/api/operator/merchants/${merchantId}/api-keys`, operator, {}, true)
  ).json.data;
  const second = (
    await ask(
      'POST',
      `/api/operator/merchants/${merchantId}/api-keys/regenerate`,
      operator,
      {},
      true,
    )
  ).json.data;
  Object.assign(secrets, {
    'API key': second.apiKey,
    'revoked API key': first.apiKey,
    'signing secret': second.signingSecret,
    'old signing secret': first.signingSecret,
  });
  await ask('GET', '/api/merchant/orders/balance', { 'SVC-API-Key': first.apiKey });
  return { url, merchantId, ...second };
}

/** An admin of the merchant who was invited, and has one-time codes. */
async function portalPeople({ merchantId }: TestMerchant, operator: Record<string, string>) {
  const who = { username: 'shopkeeper', role: 'admin' };
  const people = `/api/operator/merchants/${merchantId}/portal-users`;
  const invited = await ask('POST', `${people}/invite`, operator, who, true);
  const token = new URL(invited.json.data.link).hash.slice(1);
  secrets['token of an invitation'] = token;
  await ask('POST', '/api/portal/recovery/read', {}, { token });
  await ask('POST', '/api/portal/recovery', {}, { token, newPassword: PASSWORDS.portal });
  const signIn = { username: 'shopkeeper', password: PASSWORDS.portal };
  const session = await ask('POST', '/api/portal/session', {}, signIn, true);
  secrets['token of a session of the portal'] = session.json.data.token;
  const own = { Authorization: `Bearer ${session.json.data.token}` };
  const password = { currentPassword: PASSWORDS.portal };
  const { secret } = (await ask('POST', '/api/portal/one-time-code', own, password, true)).json
    .data;
  secrets['secret of one-time codes'] = secret;
  const code = { oneTimeCode: codeAt(secret, Date.now()) };
  const on = await ask('POST', '/api/portal/one-time-code/confirm', own, code, true);
  secrets['recovery code'] = on.json.data.recoveryCodes[0];
  for (const at of ['session', 'sessions', 'people', 'one-time-code'])
    expect((await ask('GET', `/api/portal/${at}`, own)).status).toBe(200);
}

async function orders(merchant: TestMerchant, operator: Record<string, string>) {
  const receiver = await startReceiver();
  const order = await createOrder(merchant, {
    callbackUrl: `http://127.0.0.1:${receiver.port}/hook`,
    amount: 50,
  });
  secrets['token of a payment link'] = new URL(order.paymentPageUrl).searchParams.get(
    'token',
  ) as string;
  const other = await createOrder(merchant, { walletType: 'ProviderB', amount: 20 });
  secrets['token of another payment link'] = new URL(other.paymentPageUrl).searchParams.get(
    'token',
  ) as string;
  for (const action of ['open', 'cancel']) await openPage(order).post(action);
  await ask('GET', `/api/operator/orders/${order.orderId}`, operator);
  await ask('POST', `/api/operator/orders/${order.orderId}/deliveries/resend`, operator, {});
  const delivered = async () => {
    const { json } = await ask('GET', `/api/operator/orders/${order.orderId}/deliveries`, operator);
    expect(json.data.map(({ status }: { status: string }) => status)).toContain('delivered');
  };
  await vi.waitFor(delivered, PATIENCE_MS);
  const body = {
    orderType: 'Deposit',
    amount: 1,
    walletType: 'ProviderA',
    signature: 'f'.repeat(32),
  };
  await ask('POST', '/api/merchant/orders', { 'SVC-API-Key': merchant.apiKey }, body);
  await receiver.close();
}

/**
 * A deposit that its member does not look at: a push, a channel that answers, one that does not.
 */
async function alerts(merchant: TestMerchant, operator: Record<string, string>) {
  const keys = await providePushKeys(service.database, createVault(MASTER_KEY), Date.now());
  secrets['private key of pushes'] = keys.privateKey;
  const gateway = await startReceiver();
  const [token, header] = [randomUUID(), randomUUID()];
  secrets['token in the address of a channel'] = token;
  secrets['header of a channel'] = header;
  const channel = { headers: { Authorization: `Bearer ${header}` } };
  for (const [position, at] of [
    ['second', `${gateway.url}/${token}?key=${token}`],
    ['third', `http://127.0.0.1:1/${token}`],
  ] as const) {
    await ask('POST', '/api/operator/alert-channels', operator, { position, url: at, ...channel });
    await ask('POST', '/api/operator/alert-channels/test', operator, { position });
  }
  await ask('GET', '/api/operator/alert-channels', operator);

  const member = { Authorization: `Bearer ${secrets['token of a member’s session']}` };
  await ask('GET', '/api/member/push', member);
  const phones = await startPushService(keys.publicKey);
  const { subscription } = phones.phone();
  await ask('POST', '/api/member/push/subscriptions', member, subscription);
  const order = await createOrder(merchant, { amount: 70 });
  await openPage(order).post('open');
  await openPage(order).post('confirm', { transactionDigits: '4821' });
  await ask('POST', '/api/operator/clock/advance', operator, { seconds: 90 });
  expect([phones.pushed.length, gateway.received.length]).toEqual([1, 2]);
  const shown = await ask('GET', `/api/operator/orders/${order.orderId}`, operator);
  const { memberId } = shown.json.data.member;
  expect(shown.json.data.alerts).toMatchObject([
    { pushedAt: expect.any(String), secondError: null, thirdError: expect.any(String) },
  ]);
  await ask('GET', `/api/operator/members/${memberId}/alerts`, operator);
  await ask('GET', '/api/member/push', member);
  await gateway.close();
  await phones.close();
}

/** What goes wrong is what is logged in full. */
async function trouble({ apiKey }: TestMerchant) {
  const keyed = `SVC-API-Key: ${apiKey}\r\nAuthorization: Bearer ${secrets['script token']}\r\nCookie: munshi_operator=${secrets['token of an operator’s session']}\r\n`;
  const bodies = [
    `X: a\0b\r\n\r\n`,
    `Content-Length: abc\r\n\r\n`,
    `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `Transfer-Encoding: chunked\r\n\r\nzz\r\n${PASSWORDS.operator}`,
  ];
  for (const broken of bodies)
    said.answers += (
      await sendBytes(url, [`POST /api/merchant/orders HTTP/1.1\r\nHost: x\r\n${keyed}${broken}`])
    ).text;
  for (const at of ['/api/operator/session', '/api/member/session'])
    await ask('POST', at, {}, `{"username": "planted", "password": "${PASSWORDS.operator}"`);
  await ask(
    'POST',
    '/api/operator/session',
    {},
    { username: 'planted', password: PASSWORDS.operator, extra: PASSWORDS.member },
  );
  // Postgres refuses, and the error with its detail comes into the log.
  await service.database.pool.query(
    `alter table operators add constraint no_trouble check (username <> 'trouble') not valid`,
  );
  await ask(
    'POST',
    '/api/operator/operators',
    { Authorization: `Bearer ${ENVIRONMENT_TOKEN}` },
    { username: 'trouble', name: 'T', role: 'viewer', password: PASSWORDS.operator },
  );
  await service.database.pool.query('alter table operators drop constraint no_trouble');
}

/** As pg_dump would write it: every row of every table as text. */
async function dumpTables(): Promise<string> {
  const { rows: tables } = await service.database.pool.query(
    `select table_name from information_schema.tables where table_schema = 'public'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ table_name }) =>
      (await service.database.pool.query(`select t::text as row from ${table_name} t`)).rows
        .map(({ row }) => row)
        .join('\n'),
    ),
  );
  expect(tables.length).toBeGreaterThan(15);
  return texts.join('\n');
}

/** A secret as it might lie somewhere: as it is, encoded, or as a list of byte values. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const raw = /^[0-9a-f]{64}$/.test(secret)
    ? [Buffer.from(secret, 'hex')]
    : /^[\w-]{43}$/.test(secret)
      ? [Buffer.from(secret, 'base64url')]
      : [];
  return [bytes, ...raw]
    .flatMap((one) => [
      one.toString('latin1'),
      one.toString('hex'),
      one.toString('base64').replace(/=+$/, ''),
      one.toString('base64url'),
      [...one].join(','),
      encodeURIComponent(one.toString('latin1')),
    ])
    .filter((form) => form.length > 7);
}
const leaked = (text: string) =>
  Object.entries(secrets).flatMap(([name, secret]) =>
    formsOf(secret).some((form) => text.includes(form)) ? [name] : [],
  );

describe('thirty planted secrets', () => {
  test('were all there, and the search finds what is there', () => {
    expect(Object.values(secrets).filter((secret) => secret?.length >= 8)).toHaveLength(30);
    expect(
      leaked(
        `x ${Buffer.from(MASTER_KEY, 'hex').toString('base64')} y ${Buffer.from(PASSWORDS.member).toString('hex')}`,
      ),
    ).toEqual(['master key', 'password of a member']);
  });

  test('are in no line of the log, at its most talkative', () => {
    expect(leaked(said.log)).toEqual([]);
    for (const message of ['answered', 'not HTTP', 'unexpected error'])
      expect(said.log).toContain(`"msg":"${message}"`);
  });

  test('are in no answer but the one that is meant to show it', () => {
    expect(leaked(said.answers)).toEqual([]);
    expect(said.answers).toContain('munshi_http_request_seconds');
  });

  test('are in no row of the database: hashes and sealed secrets alone', () => {
    expect(leaked(dump)).toEqual([]);
    expect(dump).toContain(hash('sha256', secrets['API key'] as string));
    expect(dump).toContain('$argon2id$');
  });

  test('the database password is not shown when the database cannot be reached, nor is a wrong setting that is a secret', async () => {
    const password = `pg-${randomUUID()}`;
    const attempts = [
      { DATABASE_URL: `postgres:/u:${password}@127.0.0.1:1/none` },
      { DATABASE_URL: `postgres://u:${password}@127.0.0.1:1/none`, MASTER_KEY: password },
      { DATABASE_URL: `postgres://u:${password}@127.0.0.1:1/none`, OPERATOR_TOKEN: password },
      { DATABASE_URL: `postgres://u:${password}@127.0.0.1:1/none`, LINK_KEYS: password },
      {
        DATABASE_URL: `postgres://u:${password}@127.0.0.1:1/none?sslmode=verify-full`,
        DATABASE_CA: '/nowhere',
      },
    ];
    const texts = await Promise.all(attempts.map(startAndFail));
    for (const text of texts) {
      expect(text).toMatch(/^munshi: /m);
      expect(text).not.toContain(password);
    }
  });
});

/** What a process says that does not start. */
function startAndFail(env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...bareEnvironment(), MASTER_KEY, PORT: '0', LOG_LEVEL: 'trace', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return new Promise((resolve) => child.once('close', () => resolve(text)));
}
