import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  signedOrder,
  type TestMember,
} from '../support/fixtures.ts';
import { createOperator, operatorClient } from '../support/operator-client.ts';
import { startProcess } from '../support/process.ts';
import { OPERATOR_TOKEN } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';

/**
 * What ends, ends everywhere: one process takes a right away, and the other refuses the next
 * request. The operators' own sign-in is held to the same rules in
 * tests/e2e/operators/session.test.ts; here are the members', and two processes.
 */
const PASSWORD = 'correct horse';

const { test, service } = await serviceTest();
const other = await startProcess(service, { OPERATOR_TOKEN });
afterAll(async () => {
  await other?.stop();
});

async function ask(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: unknown,
) {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    data: text.startsWith('{') ? JSON.parse(text).data : undefined,
    text,
    setCookie: response.headers.get('set-cookie') ?? '',
  };
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function signIn(
  member: Pick<TestMember, 'username'>,
  { password = PASSWORD, cookie = '', url = service.url } = {},
) {
  const answer = await ask(
    'POST',
    `${url}/api/member/session`,
    cookie === '' ? {} : { Cookie: cookie },
    { username: member.username, password },
  );
  return { ...answer, cookie: answer.setCookie.split(';')[0] as string };
}
/** A member's event stream in each of the two processes. */
async function openStreams(token: string) {
  const ended = [false, false];
  for (const [at, { url }] of [service, other].entries()) {
    const { body } = await fetch(`${url}/api/member/events`, { headers: bearer(token) });
    body?.pipeTo(new WritableStream()).finally(() => (ended[at] = true));
  }
  return { ended: () => ended };
}

const newMember = () => createMember(service, { password: PASSWORD, online: false });

describe('a member’s session', () => {
  test('is never the one that somebody planted, and a new sign-in ends the one before', async () => {
    const member = await newMember();
    const planted = 'munshi_member=planted-by-somebody-else';
    const first = await signIn(member, { cookie: planted });
    expect(first.cookie).not.toBe(planted);
    expect((await ask('GET', `${service.url}/api/member/me`, { Cookie: planted })).status).toBe(
      401,
    );
    const second = await signIn(member, { cookie: first.cookie });
    expect((await ask('GET', `${other.url}/api/member/me`, { Cookie: first.cookie })).status).toBe(
      401,
    );
    expect((await ask('GET', `${other.url}/api/member/me`, { Cookie: second.cookie })).status).toBe(
      200,
    );
  });

  test('ends in every process: by signing out, by a suspension, by a new password, by one of the member’s own, and thirty days after the last use', async () => {
    const endings: readonly ((member: TestMember, token: string) => Promise<unknown>)[] = [
      (_member, token) => ask('DELETE', `${service.url}/api/member/session`, bearer(token)),
      (member) =>
        operatorClient(service).patch(`/members/${member.memberId}`, { status: 'suspended' }),
      (member) =>
        operatorClient(service).patch(`/members/${member.memberId}`, {
          password: 'another password',
        }),
      (_member, token) =>
        ask('POST', `${service.url}/api/member/password`, bearer(token), {
          currentPassword: PASSWORD,
          newPassword: 'another password',
        }),
      () => advance(service, 30 * 86_400),
    ];
    const ends: number[] = [];
    for (const end of endings) {
      const member = await newMember();
      const { token } = (await signIn(member)).data;
      expect((await ask('GET', `${other.url}/api/member/me`, bearer(token))).status).toBe(200);
      await end(member, token);
      const again = () => ask('GET', `${other.url}/api/member/me`, bearer(token));
      // An advance of the clock reaches other processes in a moment; everything else is read
      // with the request.
      if (end === endings[4]) await expect.poll(async () => (await again()).status).toBe(401);
      ends.push((await again()).status);
    }
    expect(ends).toEqual([401, 403, 401, 401, 401]);
  });

  test('ends its event streams in every process within a second, and no other member’s', async () => {
    const endings: readonly ((
      member: TestMember,
      token: string,
      cookie: string,
    ) => Promise<unknown>)[] = [
      (_member, token) => ask('DELETE', `${service.url}/api/member/session`, bearer(token)),
      (member) =>
        operatorClient(service).patch(`/members/${member.memberId}`, { status: 'suspended' }),
      (member) =>
        operatorClient(service).patch(`/members/${member.memberId}`, {
          password: 'another password',
        }),
      (_member, token) =>
        ask('POST', `${service.url}/api/member/password`, bearer(token), {
          currentPassword: PASSWORD,
          newPassword: 'another password',
        }),
      async (_member, _token, cookie) => signIn(await newMember(), { cookie }),
      () => advance(service, 30 * 86_400),
    ];
    const stranger = await openStreams((await signIn(await newMember())).data.token);
    for (const end of endings.slice(0, -1)) {
      const member = await newMember();
      const { data, cookie } = await signIn(member);
      const streams = await openStreams(data.token);
      await end(member, data.token, cookie);
      await expect.poll(streams.ended, { interval: 20 }).toEqual([true, true]);
    }
    expect(stranger.ended()).toEqual([false, false]);
    await endings.at(-1)?.(await newMember(), '', '');
    await expect.poll(stranger.ended, { interval: 20 }).toEqual([true, true]);
  });

  test('goes on with every use', async () => {
    const { token } = (await signIn(await newMember())).data;
    const expiresAt = async () =>
      Date.parse(
        (await ask('GET', `${service.url}/api/member/session`, bearer(token))).data.expiresAt,
      );
    const first = await expiresAt();
    await advance(service, 29 * 86_400);
    expect(await expiresAt()).toBe(first); // the use is written beside the request
    await expect.poll(expiresAt).toBeGreaterThanOrEqual(first + 29 * 86_400_000);
    await advance(service, 29 * 86_400);
    expect((await ask('GET', `${service.url}/api/member/me`, bearer(token))).status).toBe(200);
  });

  test('by cookie writes only with its own anti-forgery token, signing out included', async () => {
    const [member, stranger] = [await newMember(), await newMember()];
    const [own, others] = [await signIn(member), await signIn(stranger)];
    const write = (headers: Record<string, string>) =>
      ask(
        'POST',
        `${service.url}/api/member/presence`,
        { Cookie: own.cookie, ...headers },
        { online: false },
      );
    for (const headers of [
      {},
      { 'X-CSRF-Token': '' },
      { 'X-CSRF-Token': 'null' },
      { 'X-CSRF-Token': others.data.csrfToken },
      { 'X-CSRF-Token': `${own.data.csrfToken}x` },
    ]) {
      expect((await write(headers)).status, JSON.stringify(headers)).toBe(403);
    }
    expect(
      (await ask('DELETE', `${service.url}/api/member/session`, { Cookie: own.cookie })).status,
    ).toBe(403);
    expect((await write({ 'X-CSRF-Token': own.data.csrfToken })).status).toBe(200);
  });

  test('is not taken by another face, nor an operator’s by this one', async () => {
    const { token } = (await signIn(await newMember())).data;
    const operator = await createOperator(service, 'admin');
    for (const headers of [bearer(token), { Cookie: `munshi_operator=${token}` }])
      expect((await ask('GET', `${service.url}/api/operator/session`, headers)).status).toBe(401);
    for (const headers of [bearer(operator.token), { Cookie: `munshi_member=${operator.token}` }])
      expect((await ask('GET', `${service.url}/api/member/me`, headers)).status).toBe(401);
  });

  test('is not had by guessing: ten tries a minute, for every name and however it is written', async () => {
    const member = await newMember();
    const tries: number[] = [];
    for (let at = 0; at < 11; at += 1)
      tries.push((await signIn(member, { password: `guess ${at}` })).status);
    expect(tries).toEqual([...Array(10).fill(401), 429]);
    expect((await signIn(member)).status).toBe(429);
    expect((await signIn(await newMember())).status).toBe(200);
  });

  test.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    'cannot be started or used by a form of another site (%s)',
    async (type) => {
      const member = await newMember();
      const { cookie } = await signIn(member);
      const send = (path: string, headers: Record<string, string>) =>
        fetch(`${service.url}/api/member${path}`, {
          method: 'POST',
          headers: { 'Content-Type': type, ...headers },
          body: JSON.stringify({ username: member.username, password: PASSWORD }),
        });
      expect((await send('/session', {})).status).toBe(415);
      expect((await send('/presence', { Cookie: cookie })).status).toBe(403);
    },
  );
});

describe('rights that are taken away in one process', () => {
  test('are gone in the other with the next request: a lower role, a suspension, a revoked token', async () => {
    const admin = operatorClient(service);
    const operator = await createOperator(service, 'admin');
    const there = (path: string) =>
      ask('GET', `${other.url}/api/operator${path}`, bearer(operator.token));
    expect((await there('/operators')).status).toBe(200);
    await admin.patch(`/operators/${operator.operatorId}`, { role: 'viewer' });
    expect((await there('/operators')).status).toBe(403);
    expect((await there('/orders')).status).toBe(200);
    await admin.patch(`/operators/${operator.operatorId}`, { status: 'suspended' });
    expect((await there('/orders')).status).toBe(403);
    await admin.patch(`/operators/${operator.operatorId}`, { status: 'active' });
    await admin.delete(`/operators/${operator.operatorId}/tokens`);
    expect((await there('/orders')).status).toBe(401);
  });

  test('API keys: every older key fails in both with the next request after a regeneration, and the new one works', async () => {
    const merchant = await createMerchant(service);
    const create = (url: string, key: { apiKey: string; signingSecret: string }) =>
      signedOrder(
        { ...merchant, ...key, url },
        {
          orderType: 'Deposit',
          amount: 3,
          walletType: 'ProviderA',
          merchantOrderRef: randomUUID(),
        },
      );
    const second = (
      await operatorClient(service).post(`/merchants/${merchant.merchantId}/api-keys`)
    ).data;
    for (const url of [service.url, other.url])
      for (const key of [merchant, second]) expect((await create(url, key)).status).toBe(200);
    const third = (
      await operatorClient(service).post(`/merchants/${merchant.merchantId}/api-keys/regenerate`)
    ).data;
    for (const url of [other.url, service.url]) {
      for (const key of [merchant, second]) expect((await create(url, key)).status).toBe(401);
      expect((await create(url, third)).status).toBe(200);
      // The new key does not take the old secret.
      expect(
        (await create(url, { apiKey: third.apiKey, signingSecret: second.signingSecret })).status,
      ).toBe(401);
    }
  });
});
