import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { hashPassword } from '../../apps/server/src/platform/sign-in/passwords.ts';
import { createMember } from '../support/fixtures.ts';
import { createOperator, operatorClient } from '../support/operator-client.ts';
import { serviceTest } from '../support/service-test.ts';

/** Passwords that people change themselves, and those that nobody may have. */

const PASSWORD = 'correct horse';
const NEW_PASSWORD = 'a stapled battery';

const { test, service } = await serviceTest({ TRUSTED_PROXIES: '127.0.0.0/8' });

type Face = 'member' | 'operator';
interface Person {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly from: string;
}

let people = 0;
/** Somebody with a network of their own. */
async function newPerson(face: Face): Promise<Person & { readonly scriptToken?: string }> {
  people += 1;
  const from = `198.51.100.${people}`;
  if (face === 'member') {
    const { memberId, username } = await createMember(service, {
      password: PASSWORD,
      online: false,
      methods: [],
    });
    return { id: memberId, username, password: PASSWORD, from };
  }
  const { operatorId, username, password, token } = await createOperator(service, 'viewer');
  return { id: operatorId, username, password, from, scriptToken: token };
}

async function ask(
  face: Face,
  method: string,
  path: string,
  {
    from = '203.0.113.1',
    headers = {},
    body,
  }: { from?: string; headers?: object; body?: object } = {},
) {
  const response = await fetch(`${service.url}/api/${face}${path}`, {
    method,
    headers: {
      'X-Forwarded-For': from,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    text,
    ...JSON.parse(text),
    cookie: (response.headers.get('set-cookie') ?? '').split(';')[0] as string,
  };
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const signIn = (face: Face, { username, password, from }: Omit<Person, 'id'>) =>
  ask(face, 'POST', '/session', { from, body: { username, password } });
const status = async (face: Face, headers: object) =>
  (await ask(face, 'GET', '/session', { headers })).status;
const change = (
  face: Face,
  { from, password }: Person,
  headers: object,
  { currentPassword = password, newPassword = NEW_PASSWORD } = {},
) => ask(face, 'POST', '/password', { from, headers, body: { currentPassword, newPassword } });

describe.each(['member', 'operator'] as const)('one’s own password: %s', (face) => {
  test('is changed with the present one: the asker goes on in a new session, and every other one ends', async () => {
    const person = await newPerson(face);
    const [here, elsewhere] = [await signIn(face, person), await signIn(face, person)];
    const changed = await change(face, person, {
      Cookie: here.cookie,
      'X-CSRF-Token': here.data.csrfToken,
    });
    expect(changed).toMatchObject({
      status: 200,
      data: {
        token: expect.any(String),
        csrfToken: expect.any(String),
        expiresAt: expect.any(String),
      },
    });
    for (const old of [
      { Cookie: here.cookie },
      bearer(elsewhere.data.token),
      bearer(person.scriptToken ?? 'none'),
    ])
      expect(await status(face, old)).toBe(401);
    expect([
      await status(face, { Cookie: changed.cookie }),
      await status(face, bearer(changed.data.token)),
    ]).toEqual([200, 200]);
    expect([
      (await signIn(face, person)).status,
      (await signIn(face, { ...person, password: NEW_PASSWORD })).status,
    ]).toEqual([401, 200]);
    const again = await change(face, person, bearer(changed.data.token));
    expect([again.status, again.errors]).toEqual([
      400,
      { '$.currentPassword': ['is not your password.'] },
    ]);
  });

  test('by cookie needs the anti-forgery token', async () => {
    const person = await newPerson(face);
    const { cookie } = await signIn(face, person);
    expect((await change(face, person, { Cookie: cookie })).status).toBe(403);
    expect((await signIn(face, person)).status).toBe(200);
  });

  test('is in the audit log, with the address and without a password', async () => {
    const person = await newPerson(face);
    await change(face, person, bearer((await signIn(face, person)).data.token));
    const log = await operatorClient(service).get(
      `/audit-log?target=${person.id}&action=${face}.password`,
    );
    expect(log.data).toMatchObject([{ actor: { kind: face, id: person.id } }]);
    expect(log.text).toContain(person.from);
    for (const secret of [person.password, NEW_PASSWORD, 'argon2'])
      expect(log.text).not.toContain(secret);
  });

  test('is not had by guessing the present one: a wrong one is a sign-in that failed, and changes nothing', async () => {
    const person = await newPerson(face);
    const { token } = (await signIn(face, person)).data;
    await service.app.deps.signInFailures.write();
    const answers: number[] = [];
    for (let at = 0; at < 10; at += 1)
      answers.push(
        (await change(face, person, bearer(token), { currentPassword: `guess ${at}` })).status,
      );
    expect(answers).toEqual([...Array(9).fill(400), 429]);
    expect((await change(face, person, bearer(token))).status).toBe(429);
    expect((await signIn(face, person)).status).toBe(429);
    await service.app.deps.signInFailures.write();
    const { data } = await operatorClient(service).get(
      `/audit-log?target=${person.id}&action=session.failed`,
    );
    expect(data).toMatchObject([{ detail: { face, failures: 9, addresses: person.from } }]);
    expect([
      await status(face, bearer(token)),
      (await signIn(face, { ...person, from: '192.0.2.1' })).status,
    ]).toEqual([200, 200]);
  });

  test('must be another one, and none that is guessed first, for everyone who sets one', async () => {
    const person = await newPerson(face);
    const headers = bearer((await signIn(face, person)).data.token);
    const errorsOf = async (newPassword: string) =>
      (await change(face, person, headers, { newPassword })).errors;
    expect(await errorsOf(person.password)).toEqual({
      '$.newPassword': ['must be another one than the present one.'],
    });
    expect(await errorsOf('short')).toEqual({ '$.newPassword': [expect.stringContaining('8')] });
    const guessed = [
      expect.stringMatching(/^must not be a common password, .* guessed first\. Several words/),
    ];
    for (const password of ['Password1', '03001234567', 'QWERTYUIOP'])
      expect(await errorsOf(password)).toEqual({ '$.newPassword': guessed });
    const admin = operatorClient(service);
    const fields = face === 'operator' ? { role: 'viewer' } : {};
    const made = await admin.post(`/${face}s`, {
      name: 'Guessed',
      username: randomUUID(),
      password: 'Password1',
      ...fields,
    });
    const given = await admin.patch(`/${face}s/${person.id}`, { password: 'iLoveYou' });
    for (const answer of [made, given])
      expect([answer.status, answer.errors]).toEqual([400, { '$.password': guessed }]);
    expect((await signIn(face, person)).status).toBe(200);
  });

  test('lets nobody in, and is changed by nobody, who has proven the one before while it was being changed', async () => {
    const person = await newPerson(face);
    const { token } = (await signIn(face, person)).data;
    const { pool } = service.database;
    const table = face === 'member' ? 'members' : 'operators';
    const another = await pool.connect();
    await another.query('begin');
    await another.query(`update ${table} set password_hash = $2 where ${face}_id = $1`, [
      person.id,
      await hashPassword(NEW_PASSWORD),
    ]);
    const late = [signIn(face, person), change(face, person, bearer(token))];
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 5 }).toBe(2);
    await another.query('commit');
    another.release();
    expect((await Promise.all(late)).map((answer) => answer.status)).toEqual([401, 400]);
  });
});

test('an operator’s own password is changed by no other way; the first one is', async () => {
  const admin = operatorClient(service);
  const { data } = await admin.post('/operators', {
    username: randomUUID(),
    name: 'Scripts',
    role: 'admin',
  });
  const token = (await admin.post(`/operators/${data.operatorId}/tokens`, { name: 'script' })).data
    .token;
  const self = operatorClient(service, token);
  const passwords = { currentPassword: 'none', newPassword: NEW_PASSWORD };
  expect(await self.post('/password', passwords)).toMatchObject({
    status: 409,
    error: 'You have no password yet. An admin can give you one.',
  });
  expect(await admin.post('/password', passwords)).toMatchObject({
    status: 409,
    error: 'A token of the environment has no password.',
  });
  expect((await self.patch(`/operators/${data.operatorId}`, { password: PASSWORD })).status).toBe(
    200,
  );
  const { data: session } = await ask('operator', 'POST', '/session', {
    body: { username: data.username, password: PASSWORD },
  });
  expect(
    await operatorClient(service, session.token).patch(`/operators/${data.operatorId}`, {
      password: NEW_PASSWORD,
    }),
  ).toMatchObject({
    status: 409,
    error: 'Change your own password with POST /password, which asks for the present one.',
  });
});
