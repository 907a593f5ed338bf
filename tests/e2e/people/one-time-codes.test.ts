import { describe, expect } from 'vitest';
import { codeAt, withCodes } from '../../support/authenticator.ts';
import {
  createOperator,
  operatorClient,
  secondOperator,
  send,
  type TestOperator,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

const { test, service } = await serviceTest();
const [admin, second] = [operatorClient(service), secondOperator(service)];
const { clock } = service.app.deps;

const signIn = ({ username, password }: TestOperator, oneTimeCode?: string) =>
  send(service, 'POST', '/session', {}, { username, password, oneTimeCode });

/** The code of the app, some steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0) => codeAt(secret, clock.now() + steps * 30_000);

async function signedIn(role: 'viewer' | 'support' | 'admin') {
  const operator = await createOperator(service, role);
  const { data } = await signIn(operator);
  return { operator, own: operatorClient(service, data.token) };
}

describe('one-time codes are set up', () => {
  test('by the password, an app and its first code', async () => {
    const { operator, own } = await signedIn('support');
    const refused = await own.post('/one-time-code', { currentPassword: 'another password' });
    expect(refused.errors).toHaveProperty('$.currentPassword');

    const { data } = await own.post('/one-time-code', { currentPassword: operator.password });
    expect(data.uri).toContain(`secret=${data.secret}`);
    expect(data.qrSvg).toMatch(/^<svg /);
    expect((await signIn(operator)).status).toBe(200); // not confirmed: not asked for
    const wrong = await own.post('/one-time-code/confirm', { oneTimeCode: '000000' });
    expect(wrong.errors).toHaveProperty('$.oneTimeCode');

    const other = operatorClient(service, (await signIn(operator)).data.token);
    const confirmed = await own.post('/one-time-code/confirm', {
      oneTimeCode: codeOf(data.secret),
    });
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(10);
    expect((await own.get('/one-time-code')).data).toEqual({ on: true, recoveryCodesLeft: 10 });
    expect((await own.get('/session')).data.oneTimeCode).toBe('on');
    expect((await other.get('/session')).status).toBe(401);
    expect((await own.post('/one-time-code', { currentPassword: operator.password })).status).toBe(
      409,
    );
  });

  test('in rows that hold neither the secret nor a recovery code', async () => {
    const { secret, recoveryCodes } = await withCodes(service, 'support');
    const { rows } = await service.database.pool.query(
      `select json_agg(c)::text || (select json_agg(r)::text from recovery_codes r) as text
       from operator_codes c`,
    );
    for (const hidden of [secret, ...recoveryCodes]) expect(rows[0].text).not.toContain(hidden);
  });

  test('by nobody with a script token alone', async () => {
    const { token, password } = await createOperator(service, 'admin');
    const refused = await operatorClient(service, token).post('/one-time-code', {
      currentPassword: password,
    });
    expect(refused.status).toBe(409);
  });
});

describe('a sign-in', () => {
  test('needs the code once the password was right, and takes each code once', async () => {
    const { operator, secret } = await withCodes(service, 'support');
    const asked = await signIn(operator);
    expect(asked).toMatchObject({ status: 401 });
    expect(JSON.parse(asked.text).code).toBe('one-time-code-required');
    const wrongPassword = await signIn({ ...operator, password: 'another password' });
    expect(JSON.parse(wrongPassword.text).code).toBe('wrong-credentials');

    const code = codeOf(secret);
    expect((await signIn(operator, code)).status).toBe(200);
    const replayed = await signIn(operator, code);
    expect(JSON.parse(replayed.text).code).toBe('one-time-code-wrong');
    const earlier = await signIn(operator, codeOf(secret, -1));
    expect(JSON.parse(earlier.text).code).toBe('one-time-code-wrong');
    expect((await signIn(operator, codeOf(secret, 1))).status).toBe(200);
  });

  test('of two with one code at once lets one in', async () => {
    const { operator, secret } = await withCodes(service, 'support');
    const code = codeOf(secret);
    const tries = await Promise.all(Array.from({ length: 4 }, () => signIn(operator, code)));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  test('takes each recovery code once, however it was written down', async () => {
    const { operator, recoveryCodes } = await withCodes(service, 'support');
    const [first = '', next = ''] = recoveryCodes;
    const { status, data } = await signIn(operator, first.toLowerCase().replaceAll('-', ' '));
    expect(status).toBe(200);
    expect((await signIn(operator, first)).status).toBe(401);
    expect((await signIn(operator, next)).status).toBe(200);
    const state = await operatorClient(service, data.token).get('/one-time-code');
    expect(state.data.recoveryCodesLeft).toBe(8);
    const log = await admin.get(`/audit-log?target=${operator.operatorId}&action=session.create`);
    expect(log.data[0].detail).toEqual({ oneTimeCode: 'recovery' });
  });

  test('takes no code of an app after ten wrong ones, and a recovery code still', async () => {
    const { operator, secret, recoveryCodes } = await withCodes(service, 'support');
    const { pool } = service.database;
    await signIn(operator, '000000');
    await pool.query('update operator_codes set wrong_in_a_row = 10 where operator_id = $1', [
      operator.operatorId,
    ]);
    const refused = await signIn(operator, codeOf(secret));
    expect(refused.status).toBe(401);
    expect(refused.error).toContain('too many wrong ones');
    expect((await signIn(operator, recoveryCodes[0])).status).toBe(200);
    expect((await signIn(operator, codeOf(secret))).status).toBe(200);
  });
});

describe('one-time codes are turned off', () => {
  test('by a code, and not without one', async () => {
    const { operator, own, secret, recoveryCodes } = await withCodes(service, 'support');
    expect((await own.post('/one-time-code/turn-off', { oneTimeCode: '000000' })).status).toBe(400);
    const renewed = await own.post('/one-time-code/recovery-codes', {
      oneTimeCode: codeOf(secret),
    });
    expect(renewed.data.recoveryCodes).toHaveLength(10);
    const off = (oneTimeCode: string | undefined) =>
      own.post('/one-time-code/turn-off', { oneTimeCode });
    expect((await off(recoveryCodes[0])).status).toBe(400); // void
    expect((await off(renewed.data.recoveryCodes[0])).data.on).toBe(false);
    expect((await signIn(operator)).status).toBe(200);
  });

  test('by another admin, after which the sign-ins have ended', async () => {
    const { operator, own } = await withCodes(service, 'admin');
    const path = `/operators/${operator.operatorId}/one-time-code`;
    const { data: listed } = await admin.get('/operators?limit=1');
    expect(listed[0]).toMatchObject({ hasOneTimeCode: true });
    expect(listed[0].allowedActions).toContain('one-time-code');
    expect((await own.delete(path)).status).toBe(409); // one's own
    expect((await admin.delete(path)).data).toEqual({ removed: true });
    expect((await own.get('/session')).status).toBe(401);
    expect((await signIn(operator)).status).toBe(200);
    expect((await admin.delete(path)).status).toBe(409);
  });

  test('by two admins while a second operator is required', async () => {
    const { operator } = await withCodes(service, 'support');
    await admin.patch('/settings', { requireSecondOperator: true, adjustmentApprovalLimit: 5 });
    const asked = await admin.delete(`/operators/${operator.operatorId}/one-time-code`);
    expect(asked.data.status).toBe('pendingApproval');
    expect((await signIn(operator)).status).toBe(401);
    await second.post(`/approvals/${asked.data.approvalId}/approve`, {});
    expect((await signIn(operator)).status).toBe(200);
    const off = await admin.patch('/settings', { requireSecondOperator: false });
    await second.post(`/approvals/${off.data.approvalId}/approve`, {});
  });
});

test('where admins need codes, one without can only set them up', async () => {
  const { operator, own } = await signedIn('admin');
  const support = await signedIn('support');
  await admin.patch('/settings', { requireOneTimeCode: true });
  try {
    const { data } = await signIn(operator);
    expect(data).toMatchObject({ oneTimeCode: 'to-set-up', sections: [] });
    for (const path of ['/orders', '/operators', '/sessions', '/audit-log']) {
      const refused = await own.get(path);
      expect(refused.status, path).toBe(403);
      expect(JSON.parse(refused.text).code).toBe('one-time-code-set-up');
    }
    expect((await own.post(`/operators/${operator.operatorId}/tokens`, { name: 'x' })).status).toBe(
      403,
    );
    expect((await support.own.get('/orders')).status).toBe(200);
    expect((await operatorClient(service, operator.token).get('/orders')).status).toBe(200);

    const set = await own.post('/one-time-code', { currentPassword: operator.password });
    await own.post('/one-time-code/confirm', { oneTimeCode: codeOf(set.data.secret) });
    expect((await own.get('/orders')).status).toBe(200);
  } finally {
    await admin.patch('/settings', { requireOneTimeCode: false });
  }
});
