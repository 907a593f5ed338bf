import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  setPresence,
  signInMember,
} from '../../support/fixtures.ts';
import { memberClient } from '../../support/member-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

const PASSWORD = 'correct horse';

const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000000' });
afterEach(async () => {
  const { rows } = await service.database.pool.query(
    `select member_id from members where online and status = 'active'`,
  );
  for (const { member_id } of rows) await setPresence(service, member_id, false);
});

const signIn = (username: string, password: string) =>
  fetch(`${service.url}/api/member/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });

const newMember = async (options: Parameters<typeof createMember>[1] = {}) => {
  const member = await createMember(service, { password: PASSWORD, ...options });
  return {
    ...member,
    client: memberClient(service.url, await signInMember(service, member, PASSWORD)),
  };
};

describe('session', () => {
  test('every call but the sign-in needs a session', async () => {
    const id = randomUUID();
    const calls = [
      'GET /me',
      'POST /presence',
      'GET /session',
      'DELETE /session',
      'GET /orders',
      `GET /orders/${id}`,
      `POST /orders/${id}/confirm`,
    ];
    calls.push(
      `POST /orders/${id}/reject`,
      `POST /orders/${id}/report`,
      `POST /orders/${id}/release`,
      'GET /accounts',
      'POST /accounts',
      'GET /events',
    );
    for (const call of calls) {
      const [method = '', path = ''] = call.split(' ');
      for (const token of ['', 'unknown']) {
        expect(await memberClient(service.url, token).call(method, path), call).toMatchObject({
          status: 401,
          json: { error: expect.any(String) },
        });
      }
    }
  });

  test('a wrong password and an unknown username get the same answer', async () => {
    const member = await createMember(service, { password: PASSWORD });
    const answers = await Promise.all([
      signIn(member.username, 'wrong'),
      signIn('nobody', PASSWORD),
    ]);
    for (const answer of answers)
      expect([answer.status, await answer.json()]).toEqual([
        401,
        { error: 'The username or password is wrong.', code: 'wrong-credentials' },
      ]);
  });

  test('a browser signs in by cookie, and writes with the anti-forgery token alone', async () => {
    const member = await createMember(service, { password: PASSWORD, online: false });
    const answer = await signIn(member.username, PASSWORD);
    const cookie = answer.headers.get('set-cookie') as string;
    expect(cookie).toMatch(/^munshi_member=[^;]+; .*HttpOnly; SameSite=Strict/i);
    const { data } = (await answer.json()) as { data: { csrfToken: string; member: object } };
    expect(data.member).toEqual({
      memberId: member.memberId,
      username: member.username,
      name: 'Test Member',
    });
    const headers = { cookie: cookie.split(';')[0] as string, 'Content-Type': 'application/json' };
    const presence = (more: Record<string, string>) =>
      fetch(`${service.url}/api/member/presence`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body: '{"online": true}',
      });
    expect((await presence({})).status).toBe(403);
    expect((await presence({ 'X-CSRF-Token': 'x' })).status).toBe(403);
    expect((await presence({ 'X-CSRF-Token': data.csrfToken })).status).toBe(200);
    const who = (await (await fetch(`${service.url}/api/member/session`, { headers })).json()) as {
      data: object;
    };
    expect(who.data).toMatchObject({
      csrfToken: data.csrfToken,
      member: { memberId: member.memberId },
    });
  });

  test('signing out ends the session, a suspension shuts the member out at once', async () => {
    const [leaver, suspended] = [await newMember(), await newMember()];
    expect(await leaver.client.data('DELETE', '/session')).toEqual({ signedOut: true });
    expect(await leaver.client.call('GET', '/me')).toMatchObject({ status: 401 });
    await service.database.pool.query(
      `update members set status = 'suspended' where member_id = $1`,
      [suspended.memberId],
    );
    expect(await suspended.client.call('GET', '/me')).toMatchObject({ status: 403 });
    expect((await signIn(suspended.username, PASSWORD)).status).toBe(403);
  });
});

describe('me', () => {
  test('suspended while coming online: answered as a suspended member is', async () => {
    const member = await newMember({ online: false });
    const { pool } = service.database;
    const operator = await pool.connect();
    await operator.query('begin');
    await operator.query(`update members set status = 'suspended' where member_id = $1`, [
      member.memberId,
    ]);
    const answer = member.client.call('POST', '/presence', { online: true });
    const waiting = `select from pg_stat_activity where datname = current_database() and application_name = 'munshi-engine' and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 5 }).toBe(1);
    await operator.query('commit');
    operator.release();
    const suspended = { status: 403, json: { error: 'This account is suspended.' } };
    expect(await answer).toMatchObject(suspended);
    expect(await member.client.call('GET', '/me')).toMatchObject(suspended);
  });

  test('shows presence, float, capacity and accounts with what they have taken on today, exactly', async () => {
    const member = await newMember({
      float: '99999999999999.9999',
      maxOpenOrders: 3,
      methods: ['TillID'],
      limits: { maximumPerDay: '5000.5' },
    });
    await createOrder(merchant, { walletType: 'TillID', amount: 1200.25 });
    expect(await member.client.data('GET', '/me')).toMatchObject({
      memberId: member.memberId,
      status: 'active',
      online: true,
      currency: 'PKR',
      capacity: { maxOpenOrders: 3, openOrders: 1, free: 2 },
      accounts: [
        {
          accountId: member.accounts[0]?.accountId,
          walletType: 'TillID',
          status: 'approved',
          maximumPerDay: 5000.5,
          usedToday: 1200.25,
        },
      ],
      noOrdersBecause: [],
    });
    const { text } = await member.client.call('GET', '/me');
    expect(text).toContain(
      '"float":{"balance":99999999999999.9999,"held":1200.25,"free":99999999998799.7499}',
    );
  });

  test.each([
    ['offline', { online: false }, 'everything'],
    ['no-approved-account', { methods: [] }, 'everything'],
    ['orders-paused', { maxOpenOrders: 0 }, 'everything'],
    ['no-float', { float: '0' }, 'deposits'],
    ['daily-limit', { methods: ['ProviderA'], limits: { maximumPerDay: '0' } }, 'account'],
  ] as const)('says why no orders come: %s', async (code, options, stops) => {
    const member = await newMember(options);
    const { noOrdersBecause } = await member.client.data('GET', '/me');
    expect(noOrdersBecause).toEqual([
      {
        code,
        stops,
        accountId: code === 'daily-limit' ? member.accounts[0]?.accountId : null,
        message: expect.any(String),
      },
    ]);
  });

  test('says of a float that is used up what adds to it: finishing deposits frees none of it', async () => {
    const member = await newMember({ float: '2500', methods: ['ProviderA'] });
    const order = await createOrder(merchant, { walletType: 'ProviderA', amount: 2500 });
    const look = () => member.client.data('GET', '/me');
    const held = await look();
    expect(held.float).toMatchObject({ held: 2500, free: 0 });
    expect(held.noOrdersBecause).toMatchObject([
      {
        code: 'no-float',
        message:
          'You have no float for deposits: PKR\u00a02,500 of PKR\u00a02,500 is held by open deposits. Pay withdrawals out, or ask the operator for float.',
      },
    ]);
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '1234' });
    await member.client.data('POST', `/orders/${order.orderId}/confirm`, { receivedAmount: 2500 });
    expect((await look()).float).toMatchObject({ balance: 0, held: 0, free: 0 });
  });

  test('coming online takes up a withdrawal that waits; going offline stops new orders and keeps those in hand', async () => {
    const member = await newMember({ online: false, methods: ['ProviderB'] });
    const waiting = await createOrder(merchant, {
      orderType: 'Withdrawal',
      walletType: 'ProviderB',
      customerAccountNumber: '0300',
    });
    expect(waiting.status).toBe('Awaiting');
    expect(await member.client.data('POST', '/presence', { online: true })).toMatchObject({
      online: true,
      noOrdersBecause: [],
    });
    await expect
      .poll(async () => (await member.client.data('GET', '/me')).capacity.openOrders)
      .toBe(1);
    expect(await member.client.data('POST', '/presence', { online: false })).toMatchObject({
      online: false,
      noOrdersBecause: [{ code: 'offline' }],
    });
    expect((await createOrder(merchant, { walletType: 'ProviderB' })).status).toBe('Awaiting');
    expect((await member.client.call('GET', '/orders')).json.data).toHaveLength(1);
    expect(await member.client.call('POST', '/presence', { online: 'yes' })).toMatchObject({
      status: 400,
    });
  });
});

describe('events', () => {
  /** A member's open stream: what has come so far, and whether it has ended. */
  async function follow(url: string, token: string) {
    const stop = new AbortController();
    const response = await fetch(`${url}/api/member/events`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    const stream = { response, text: '', ended: false, stop: () => stop.abort() };
    const decoder = new TextDecoder();
    (async () => {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
        stream.text += decoder.decode(chunk);
      stream.ended = true;
    })().catch(() => {});
    return stream;
  }

  test('has events of an assignment, the customer’s confirmation and the outcome, in order and to its member alone', async () => {
    const [member, other] = [
      await newMember({ methods: ['ProviderA'] }),
      await newMember({ methods: ['ProviderA'], online: false }),
    ];
    const [own, others] = [
      await follow(service.url, member.client.token),
      await follow(service.url, other.client.token),
    ];
    expect(own.response.headers.get('content-type')).toContain('text/event-stream');
    const order = await createOrder(merchant, {});
    await openPage(order).data('open');
    await openPage(order).data('confirm', { transactionDigits: '1234' });
    await member.client.data('POST', `/orders/${order.orderId}/confirm`);
    const data = `data: {"orderId":"${order.orderId}"}\n\n`;
    await expect
      .poll(() => own.text)
      .toBe(
        `retry: 3000\n\nevent: assigned\n${data}event: customer-confirmed\n${data}event: completed\n${data}`,
      );
    expect(others.text).toBe('retry: 3000\n\n');
    const left = await createOrder(merchant, {});
    await openPage(left).data('cancel');
    await expect
      .poll(() => own.text)
      .toContain(`event: withdrawn\ndata: {"orderId":"${left.orderId}"}`);
    own.stop();
    others.stop();
  });

  test('a stream of another process has them too', async () => {
    const sibling = await startService({ ROLES: 'http' }, service);
    const member = await newMember({ methods: ['ProviderA'] });
    const stream = await follow(sibling.url, member.client.token);
    // a next order each time, as the stream may have missed one that came while it began to listen
    const orderIds: string[] = [];
    await expect
      .poll(
        async () => {
          orderIds.push((await createOrder(merchant, {})).orderId);
          return orderIds.some((orderId) => stream.text.includes(orderId));
        },
        { interval: 150 },
      )
      .toBe(true);
    stream.stop();
    await sibling.close();
  });

  test.for([{}, { maxOpenOrders: 3 }])(
    'a new password of an operator ends the stream, with %j too',
    async (more) => {
      const member = await newMember({ online: false });
      const stream = await follow(service.url, member.client.token);
      const change = { password: 'another long password', ...more };
      await operatorClient(service).patch(`/members/${member.memberId}`, change);
      await expect.poll(() => stream.ended).toBe(true);
    },
  );

  test('signing out ends the stream, and so does the end of the service', async () => {
    const member = await newMember({ online: false });
    const stream = await follow(service.url, member.client.token);
    await member.client.data('DELETE', '/session');
    await expect.poll(() => stream.ended).toBe(true);

    const sibling = await startService({ ROLES: 'http' }, service);
    const again = await follow(sibling.url, (await newMember({ online: false })).client.token);
    await sibling.close();
    // Ended, not cut off: the service's last resort leaves the reader with an error.
    await expect.poll(() => again.ended).toBe(true);
  });
});
