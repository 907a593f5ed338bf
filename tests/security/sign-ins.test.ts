import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { hashPassword } from '../../apps/server/src/platform/sign-in/passwords.ts';
import { createMember } from '../support/fixtures.ts';
import { createOperator, operatorClient } from '../support/operator-client.ts';
import { serviceTest } from '../support/service-test.ts';

/**
 * Sign-ins while strangers try passwords, from as many addresses as they like: the test stands
 * where a trusted proxy would.
 */

const PASSWORD = 'correct horse';

const { test, service } = await serviceTest({ TRUSTED_PROXIES: '127.0.0.0/8' });

const newMember = async () =>
  (await createMember(service, { password: PASSWORD, online: false, methods: [] })).username;

async function signIn(
  username: string,
  { password = PASSWORD, from = '203.0.113.1', cookie = '', face = 'member' } = {},
) {
  const response = await fetch(`${service.url}/api/${face}/session`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': from,
      ...(cookie === '' ? {} : { Cookie: cookie }),
    },
    body: JSON.stringify({ username, password }),
  });
  const cookies = response.headers.getSetCookie().map((set) => set.split(';')[0] as string);
  const known = cookies.find((set) => set.includes('_known=')) ?? '';
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: Number(response.headers.get('retry-after')),
    known,
  };
}

describe.each(['member', 'operator'])('sign-ins of the %s face', (face) => {
  const newName = async () => {
    if (face === 'member') return { username: await newMember(), password: PASSWORD };
    const { username, password } = await createOperator(service, 'viewer');
    return { username, password };
  };

  test('a flood from one address is refused with a time to come back, and others get in meanwhile', async () => {
    const { username, password } = await newName();
    const flood = Array.from({ length: 200 }, () =>
      signIn(`nobody-${randomUUID()}`, { face, from: `203.0.113.${face.length}` }),
    );
    expect((await signIn(username, { face, password, from: '198.51.100.1' })).status).toBe(200);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    // However slowly they come: a hundred failures, and those who waited or were checked by then.
    expect(refused.length).toBeGreaterThanOrEqual(200 - 100 - 16 - 4);
    for (const { retryAfter } of refused) expect(retryAfter).toBeGreaterThan(0);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  test('strangers who fail with somebody’s name keep them out nowhere', async () => {
    const { username, password } = await newName();
    const { known } = await signIn(username, { face, password, from: '192.0.2.1' });
    for (let at = 0; at < 4; at += 1) {
      const tries = Array.from({ length: 10 }, () =>
        signIn(username, { face, password: 'a guess', from: `2001:db8:${face.length}:${at}::1` }),
      );
      expect((await Promise.all(tries)).map(({ status }) => status)).toEqual(Array(10).fill(401));
    }
    expect((await signIn(username, { face, password, from: '192.0.2.99' })).status).toBe(200);
    // Where the strangers share the owner's address, and have used up its tries, the owner's
    // browser is known.
    const from = `2001:db8:${face.length}:0::2`;
    expect((await signIn(username, { face, password, from })).status).toBe(429);
    expect((await signIn(username, { face, password, from, cookie: known })).status).toBe(200);
    expect(
      (await signIn(username, { face, password: 'a guess', from, cookie: known })).status,
    ).toBe(401);
  });

  test('a browser is known no longer once the password is another one', async () => {
    const { username, password } = await newName();
    const from = `2001:db8:${face.length}:9::1`;
    const before = await signIn(username, { face, password, from: '192.0.2.4' });
    const table = face === 'member' ? 'members' : 'operators';
    await service.database.pool.query(
      `update ${table} set password_hash = $2 where username = $1`,
      [username, await hashPassword('another horse')],
    );
    const now = { face, password: 'another horse' };
    for (let at = 0; at < 10; at += 1)
      expect((await signIn(username, { face, password: 'a guess', from })).status).toBe(401);
    expect((await signIn(username, { ...now, from, cookie: before.known })).status).toBe(429);
    const after = await signIn(username, { ...now, from: '192.0.2.4' });
    expect((await signIn(username, { ...now, from, cookie: after.known })).status).toBe(200);
  });

  test('a thief who was signed in once uses up no tries of the owner’s browsers', async () => {
    const { username, password } = await newName();
    const [home, away] = ['192.0.2.5', '198.51.100.5'];
    const owner = await signIn(username, { face, password, from: home });
    const thief = await signIn(username, { face, password, from: away });
    const guess = { face, password: 'a guess', from: away, cookie: thief.known };
    for (let at = 0; at < 10; at += 1) expect((await signIn(username, guess)).status).toBe(401);
    expect((await signIn(username, guess)).status).toBe(429);
    const again = { face, password, from: home, cookie: owner.known };
    expect((await signIn(username, again)).status).toBe(200);
  });

  test('the mark of a known browser is of no use to another person', async () => {
    const [mine, other] = [await newName(), await newName()];
    const { known } = await signIn(mine.username, {
      face,
      password: mine.password,
      from: '192.0.2.2',
    });
    const guess = (cookie: string) =>
      signIn(other.username, { face, password: 'a guess', from: '192.0.2.3', cookie });
    for (let at = 0; at < 10; at += 1) expect((await guess(known)).status).toBe(401);
    expect((await guess(known)).status).toBe(429);
    expect((await guess(`${known.split('=')[0]}=${'A'.repeat(43)}`)).status).toBe(429);
  });
});

test('failures are written to the audit log together, however many there are', async () => {
  await service.app.deps.signInFailures.write();
  const operator = operatorClient(service);
  const before = (await operator.get('/audit-log?action=session.failed&limit=200')).data.length;
  const username = await newMember();
  for (let at = 0; at < 12; at += 1)
    await signIn(username, { password: 'a guess', from: `198.51.100.${20 + (at % 6)}` });
  await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      signIn(`nobody-${at}`, { password: 'a guess', from: `198.51.100.${40 + at}` }),
    ),
  );
  await service.app.deps.signInFailures.write();
  const { data } = await operator.get('/audit-log?action=session.failed&limit=200');
  const { rows } = await service.database.pool.query(
    'select member_id from members where username = $1',
    [username],
  );
  expect(data.length - before).toBe(2);
  const addresses = [20, 21, 22, 23, 24].map((last) => `198.51.100.${last}`).join(', ');
  const entries = data.slice(0, 2);
  expect(entries).toContainEqual(
    expect.objectContaining({
      target: rows[0].member_id,
      detail: expect.objectContaining({ face: 'member', failures: 12, addresses }),
    }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({
      target: 'unknown',
      detail: expect.objectContaining({ failures: 12 }),
    }),
  );
});

test('somebody has a hundred sign-ins at once: the oldest ends', async () => {
  const username = await newMember();
  const { known } = await signIn(username);
  const { rows } = await service.database.pool.query(
    'select member_id from members where username = $1',
    [username],
  );
  const count = async () => {
    const found = await service.database.pool.query(
      'select count(*)::int as sessions from sessions where principal_id = $1',
      [rows[0].member_id],
    );
    return found.rows[0].sessions;
  };
  await service.database.pool.query(
    `insert into sessions (token_hash, kind, principal_id, created_at, expires_at)
     select sha256(n::text::bytea), 'member', $1, now() - n * interval '1 second', now() + interval '10 years' from generate_series(1, 150) n`,
    [rows[0].member_id],
  );
  await signIn(username, { cookie: known });
  expect(await count()).toBe(100);
});
