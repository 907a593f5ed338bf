import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { advance } from '../../support/fixtures.ts';
import {
  createOperator,
  operatorClient,
  send,
  type TestOperator,
} from '../../support/operator-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();

/** Signs in as a browser would; answers what it would keep. */
async function signIn(
  { username, password }: Pick<TestOperator, 'username' | 'password'>,
  cookie?: string,
) {
  const answer = await send(
    service,
    'POST',
    '/session',
    cookie === undefined ? {} : { Cookie: cookie },
    { username, password },
  );
  const setCookie = answer.headers.get('set-cookie') ?? '';
  return { ...answer, setCookie, cookie: setCookie.split(';')[0] as string };
}
const newOperator = () => createOperator(service, 'admin');

test('signing in sets a cookie that scripts cannot read and other sites cannot use', async () => {
  const { status, setCookie, data } = await signIn(await newOperator());
  expect(status).toBe(200);
  expect(setCookie).toMatch(
    /^munshi_operator=[\w-]{43}; Path=\/api\/operator; HttpOnly; SameSite=Strict, munshi_operator_known=[\w-]{43}; Max-Age=31536000; Path=\/api\/operator; HttpOnly; SameSite=Strict$/,
  );
  expect(data).toMatchObject({ operator: { role: 'admin' } });
  expect(Date.parse(data.expiresAt) - service.app.deps.clock.now()).toBeGreaterThan(
    11.9 * 3_600_000,
  );
});

test.each([
  [{ PUBLIC_URL: 'https://munshi.example' }, true],
  [{ PUBLIC_URL: 'https://localhost' }, true],
  [{ PUBLIC_URL: 'http://munshi.example' }, true],
  [{ PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' }, false],
  [{ HOST: '0.0.0.0' }, true],
] as const)('with %o the cookie is Secure: %s', async (env, secure) => {
  const other = await startService({ ...env, ROLES: 'http' }, service);
  try {
    const { username, password } = await createOperator(service, 'viewer');
    const answer = await send(other, 'POST', '/session', {}, { username, password });
    expect(answer.headers.get('set-cookie')?.includes('; Secure')).toBe(secure);
  } finally {
    await other.close();
  }
});

test('only hashes of tokens are stored', async () => {
  const operator = await newOperator();
  const { data } = await signIn(operator);
  const { rows } = await service.database.pool.query(
    `select encode(token_hash, 'escape') || coalesce(name, '') || coalesce(csrf_token, '') as text from sessions`,
  );
  const stored = rows.map(({ text }) => text).join(' ');
  expect(stored).not.toContain(data.token);
  expect(stored).not.toContain(operator.token);
  const { rows: hashes } = await service.database.pool.query(
    'select password_hash from operators where operator_id = $1',
    [operator.operatorId],
  );
  expect(hashes[0].password_hash).toMatch(/^\$argon2id\$/);
});

test('a write by cookie needs the anti-forgery token; by bearer token it does not', async () => {
  const { cookie, data } = await signIn(await newOperator());
  const write = (headers: Record<string, string>) =>
    send(service, 'POST', '/merchants', headers, { name: 'By browser' });
  expect(await write({ Cookie: cookie })).toMatchObject({
    status: 403,
    error: 'The X-CSRF-Token header must carry the csrfToken that the sign-in answered.',
  });
  expect((await write({ Cookie: cookie, 'X-CSRF-Token': 'x'.repeat(43) })).status).toBe(403);
  expect((await write({ Cookie: cookie, 'X-CSRF-Token': data.csrfToken })).status).toBe(200);
  expect((await write({ Authorization: `Bearer ${data.token}` })).status).toBe(200);
  expect((await send(service, 'GET', '/merchants', { Cookie: cookie })).status).toBe(200);
});

test('the anti-forgery token of one session is no good for another', async () => {
  const operator = await newOperator();
  const [one, other] = [await signIn(operator), await signIn(operator)];
  const answer = await send(
    service,
    'POST',
    '/merchants',
    { Cookie: one.cookie, 'X-CSRF-Token': other.data.csrfToken },
    { name: 'Forged' },
  );
  expect(answer.status).toBe(403);
});

test('a page that is opened again learns who is signed in, and the anti-forgery token', async () => {
  const operator = await newOperator();
  const { cookie, data } = await signIn(operator);
  const answer = await send(service, 'GET', '/session', { Cookie: cookie });
  const { token: _, ...session } = data;
  expect(answer.data).toEqual(session);
  expect(answer.data.operator.username).toBe(operator.username);
});

test('every sign-in has a new token, and ends the session that the browser had', async () => {
  const operator = await newOperator();
  const first = await signIn(operator);
  const second = await signIn(operator, first.cookie);
  expect(second.cookie).not.toBe(first.cookie);
  expect((await send(service, 'GET', '/session', { Cookie: first.cookie })).status).toBe(401);
  expect((await send(service, 'GET', '/session', { Cookie: second.cookie })).status).toBe(200);
});

test('a cookie that somebody has planted never becomes a session', async () => {
  const planted = 'munshi_operator=planted-by-somebody-else';
  const { cookie } = await signIn(await newOperator(), planted);
  expect(cookie).not.toBe(planted);
  expect((await send(service, 'GET', '/session', { Cookie: planted })).status).toBe(401);
});

test('signing out ends the session and clears the cookie', async () => {
  const { cookie, data } = await signIn(await newOperator());
  expect((await send(service, 'DELETE', '/session', { Cookie: cookie })).status).toBe(403);
  const answer = await send(service, 'DELETE', '/session', {
    Cookie: cookie,
    'X-CSRF-Token': data.csrfToken,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('set-cookie')).toMatch(/^munshi_operator=;.*Expires=Thu, 01 Jan 1970/);
  expect((await send(service, 'GET', '/session', { Cookie: cookie })).status).toBe(401);
  expect(
    (await send(service, 'GET', '/session', { Authorization: `Bearer ${data.token}` })).status,
  ).toBe(401);
});

test('a session ends twelve hours after the sign-in by the service clock, however much it is used; a script token lasts longer', async () => {
  const operator = await newOperator();
  const { cookie } = await signIn(operator);
  await advance(service, 12 * 3600 - 60);
  await service.database.pool.query(
    'update sessions set last_used_at = $1 where principal_id = $2',
    [new Date(service.app.deps.clock.now()).toISOString(), operator.operatorId],
  );
  expect((await send(service, 'GET', '/session', { Cookie: cookie })).status).toBe(200);
  await advance(service, 60);
  expect((await send(service, 'GET', '/session', { Cookie: cookie })).status).toBe(401);
  expect((await operatorClient(service, operator.token).get('/session')).status).toBe(200);
});

test('a suspended operator is refused at once, by session, script token and sign-in', async () => {
  const operator = await newOperator();
  const { cookie } = await signIn(operator);
  await operatorClient(service).patch(`/operators/${operator.operatorId}`, { status: 'suspended' });
  const suspended = { status: 403, error: 'This account is suspended.' };
  expect(await send(service, 'GET', '/session', { Cookie: cookie })).toMatchObject(suspended);
  expect(await operatorClient(service, operator.token).get('/session')).toMatchObject(suspended);
  expect(await signIn(operator)).toMatchObject(suspended);
  await operatorClient(service).patch(`/operators/${operator.operatorId}`, { status: 'active' });
  expect((await send(service, 'GET', '/session', { Cookie: cookie })).status).toBe(200);
});

test('a script token ends after 90 days, or when it was made to, and with a new password of its operator', async () => {
  const admin = operatorClient(service);
  const operator = await newOperator();
  const make = async (body: object) =>
    (await admin.post(`/operators/${operator.operatorId}/tokens`, { name: 'script', ...body }))
      .data;
  const [short, long] = [await make({ expiresInDays: 1 }), await make({})];
  expect(Date.parse(long.expiresAt) - Date.parse(short.expiresAt)).toBeGreaterThan(88 * 86_400_000);
  for (const expiresInDays of [0, 366, 1.5])
    expect(
      (await admin.post(`/operators/${operator.operatorId}/tokens`, { name: 'x', expiresInDays }))
        .status,
    ).toBe(400);
  const status = async ({ token }: { token: string }) =>
    (await operatorClient(service, token).get('/session')).status;
  await advance(service, 86_400);
  expect([await status(short), await status(long)]).toEqual([401, 200]);
  await admin.patch(`/operators/${operator.operatorId}`, { password: 'another good password' });
  expect(await status(long)).toBe(401);
});

test('script tokens are listed while they are in force, with their last use, and one is ended by its id', async () => {
  const admin = operatorClient(service);
  const [operator, stranger] = [await newOperator(), await newOperator()];
  const tokens = `/operators/${operator.operatorId}/tokens`;
  const make = async (body: object) => (await admin.post(tokens, body)).data;
  const [short, used, idle] = [
    await make({ name: 'short', expiresInDays: 1 }),
    await make({ name: 'used' }),
    await make({ name: 'idle' }),
  ];
  await advance(service, 86_400);
  const listed = async () => (await admin.get(tokens)).data;
  const namesOf = async () => (await listed()).map(({ name }: { name: string }) => name);
  expect(await namesOf()).toEqual(['idle', 'used', operator.username]);
  expect(
    (await admin.get('/operators?limit=200')).data.find(
      ({ operatorId }: TestOperator) => operatorId === operator.operatorId,
    ).tokens,
  ).toBe(3);

  expect((await operatorClient(service, used.token).get('/session')).status).toBe(200);
  await expect.poll(async () => (await listed())[1].lastUsedAt).toEqual(expect.any(String));
  const row = { expiresAt: idle.expiresAt, createdAt: expect.any(String), lastUsedAt: null };
  expect((await listed())[0]).toEqual({ tokenId: idle.tokenId, name: 'idle', ...row });

  const status = async ({ token }: { token: string }) =>
    (await operatorClient(service, token).get('/session')).status;
  for (const path of [
    `/operators/${stranger.operatorId}/tokens/${used.tokenId}`,
    `${tokens}/${short.tokenId}`,
    `${tokens}/${randomUUID()}`,
  ])
    expect(await admin.delete(path)).toMatchObject({ status: 404, error: 'Token not found.' });
  expect((await admin.get(`/operators/${randomUUID()}/tokens`)).status).toBe(404);
  expect((await admin.delete(`${tokens}/${used.tokenId}`)).data).toEqual({ revoked: 1 });
  expect([await status(used), await status(idle)]).toEqual([401, 200]);
  const log = await admin.get(
    `/audit-log?target=${operator.operatorId}&action=operator.token-revoke`,
  );
  expect(log.data).toMatchObject([{ detail: { revoked: 1, tokenId: used.tokenId, name: 'used' } }]);
  expect((await admin.delete(tokens)).data).toEqual({ revoked: 2 });
  expect(await namesOf()).toEqual([]);
});

test('a new password ends the sign-ins in force', async () => {
  const operator = await newOperator();
  const { cookie } = await signIn(operator);
  await operatorClient(service).patch(`/operators/${operator.operatorId}`, {
    password: 'another good password',
  });
  expect((await send(service, 'GET', '/session', { Cookie: cookie })).status).toBe(401);
  expect((await signIn(operator)).status).toBe(401);
  expect(
    (await signIn({ username: operator.username, password: 'another good password' })).status,
  ).toBe(200);
});

test('a wrong password and an unknown username get the same answer', async () => {
  const { username } = await newOperator();
  const wrong = await signIn({ username, password: 'not the password' });
  const unknown = await signIn({
    username: `nobody-${randomUUID()}`,
    password: 'not the password',
  });
  expect([wrong.status, wrong.text]).toEqual([
    401,
    JSON.stringify({ error: 'The username or password is wrong.', code: 'wrong-credentials' }),
  ]);
  expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
  expect(wrong.setCookie).toBe('');
});

test('an operator without a password cannot sign in with any', async () => {
  const username = `script-${randomUUID().slice(0, 8)}`;
  await operatorClient(service).post('/operators', { username, name: 'Script', role: 'viewer' });
  for (const password of ['', 'null', 'undefined'])
    expect((await signIn({ username, password })).status).toBe(401);
});

test('ten tries a minute for one username from one address, then 429, even with the right password', async () => {
  const operator = await newOperator();
  const answers: number[] = [];
  for (let n = 0; n < 10; n += 1)
    answers.push((await signIn({ ...operator, password: `guess ${n}` })).status);
  expect(answers).toEqual(Array(10).fill(401));
  const refused = await signIn(operator);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await signIn(await newOperator())).status).toBe(200); // others are not held up
});

test('a form of another site cannot sign in or write: only JSON is taken', async () => {
  const { username, password } = await newOperator();
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    const answer = await send(
      service,
      'POST',
      '/session',
      { 'Content-Type': type },
      JSON.stringify({ username, password }),
    );
    expect(answer.status).toBe(415);
  }
});

test('a script token of the environment is an operator of its own, with no session to end', async () => {
  const client = operatorClient(service);
  expect((await client.get('/session')).data).toEqual({
    operator: {
      operatorId: 'env-1',
      username: 'env-1',
      name: 'OPERATOR_TOKEN',
      role: 'approver',
      capabilities: ['read', 'see-customers', 'decide', 'write', 'administer', 'approve'],
    },
    csrfToken: null,
    expiresAt: null,
    previousSignIn: null,
    oneTimeCode: 'off',
    approversMissing: 0,
    sections: expect.arrayContaining(['now', 'operators', 'settings']),
  });
  expect((await client.delete('/session')).status).toBe(409);
});

test('a sign-in shows the one before, and lists and ends one’s own', async () => {
  const operator = await newOperator();
  const first = await signIn(operator);
  expect(first.data.previousSignIn).toBeNull();
  const [one, two] = [operatorClient(service, first.data.token), await signIn(operator)];
  const { data: listed } = await one.get('/sessions');
  expect(listed).toMatchObject([
    { current: false, address: '127.0.0.1' },
    { current: true, address: '127.0.0.1' },
  ]);
  expect(two.data.previousSignIn).toEqual({ at: listed[1].createdAt, address: '127.0.0.1' });
  const stranger = operatorClient(service, (await signIn(await newOperator())).data.token);
  expect((await stranger.delete(`/sessions/${listed[0].sessionId}`)).status).toBe(404);
  expect((await one.delete(`/sessions/${listed[0].sessionId}`)).data).toEqual({ ended: 1 });
  const second = operatorClient(service, two.data.token);
  expect((await second.get('/session')).status).toBe(401);
  await signIn(operator);
  await signIn(operator);
  expect((await one.delete('/sessions')).data).toEqual({ ended: 2 });
  expect((await one.get('/sessions')).data).toHaveLength(1);
});

test('a sign-in ends after 30 minutes without use, even if its page sends requests by itself', async () => {
  const admin = operatorClient(service);
  const minutes = (count: number) => admin.post('/clock/advance', { seconds: count * 60 });
  const token = (await signIn(await newOperator())).data.token;
  const ask = (headers = {}) =>
    send(service, 'GET', '/session', { Authorization: `Bearer ${token}`, ...headers });
  for (let use = 0; use < 3; use += 1) {
    await minutes(20);
    expect((await ask()).status).toBe(200);
    await expect
      .poll(async () => {
        const { rows } = await service.database.pool.query<{ at: number }>(
          `select max(last_used_at) as at from sessions where kind = 'operator'`,
        );
        return Math.abs((rows[0]?.at ?? 0) - service.app.deps.clock.now());
      })
      .toBeLessThan(60_000);
  }
  await minutes(20);
  expect((await ask({ 'X-Unattended': '1' })).status).toBe(200);
  await minutes(11);
  expect((await ask()).status).toBe(401);
});
