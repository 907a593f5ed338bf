import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  signInMember,
} from '../../support/fixtures.ts';
import {
  createOperator,
  operatorClient,
  secondOperator,
  send,
} from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A write of the operator and member faces acts once for each Idempotency-Key. */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '1000' });

const adjust = (fields: object, key?: string, by = operator) =>
  by.post(
    `/merchants/${merchant.merchantId}/adjustments`,
    { kind: 'credit', amount: 10, reason: 'r', ...fields },
    key,
  );
const balance = async () =>
  (await operator.get(`/merchants/${merchant.merchantId}/balance`)).data.walletBalance;
/** As after a crash, or a cut connection, between the effect and the keeping of its answer. */
const loseAnswers = () =>
  service.database.pool.query('update request_keys set status = null, answer = null');

describe('adjustments', () => {
  test('need a key', async () => {
    const float = `/members/${(await createMember(service)).memberId}/float-adjustments`;
    for (const path of [`/merchants/${merchant.merchantId}/adjustments`, float]) {
      const body = { amount: 1, reason: 'r', ...(path === float ? {} : { kind: 'credit' }) };
      const bearer = { Authorization: `Bearer ${OPERATOR_TOKEN}` };
      for (const headers of [
        bearer,
        { ...bearer, 'Idempotency-Key': '' },
        { ...bearer, 'Idempotency-Key': 'k'.repeat(101) },
      ]) {
        const answer = await send(service, 'POST', path, headers, body);
        expect([answer.status, Object.keys(answer.errors ?? {})]).toEqual([
          400,
          ['Idempotency-Key'],
        ]);
      }
      expect(
        (
          await send(
            service,
            'POST',
            path,
            { ...bearer, 'Idempotency-Key': path.slice(0, 9) + 'k'.repeat(91) },
            body,
          )
        ).status,
      ).toBe(200);
    }
  });

  test('repeated answer the first result and move nothing', async () => {
    const [key, before] = [randomUUID(), await balance()];
    const first = await adjust({}, key);
    expect(first).toMatchObject({ status: 200, data: { status: 'applied' } });
    await adjust({ amount: 1 });
    expect((await adjust({}, key)).text).toBe(first.text);
    expect(await balance()).toBe(before + 11);

    const { memberId } = await createMember(service, { float: '100' });
    const path = `/members/${memberId}/float-adjustments`;
    const float = await operator.post(path, { amount: 5, reason: 'r' }, key + key.slice(0, 4));
    await operator.post(path, { amount: 1, reason: 'r' });
    expect(
      (await operator.post(path, { amount: 5, reason: 'r' }, key + key.slice(0, 4))).text,
    ).toBe(float.text);
    expect((await operator.get(`/members/${memberId}`)).data.floatBalance).toBe(106);
  });

  test('at once, one does it and all are answered alike', async () => {
    const [key, before] = [randomUUID(), await balance()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => adjust({ amount: 7 }, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await balance()).toBe(before + 7);
  });

  test('of another body, of another path or of another operator are other requests', async () => {
    const key = randomUUID();
    const before = await balance();
    await adjust({}, key);
    const used = {
      status: 422,
      error: 'This Idempotency-Key was already used for a different request.',
    };
    expect(await adjust({ amount: 10.0001 }, key)).toMatchObject(used);
    expect(await operator.post('/merchants', { name: 'Other' }, key)).toMatchObject(used);
    const other = await createMerchant(service);
    expect(
      await operator.post(
        `/merchants/${other.merchantId}/adjustments`,
        { kind: 'credit', amount: 10, reason: 'r' },
        key,
      ),
    ).toMatchObject(used);
    expect((await adjust({}, key, secondOperator(service))).status).toBe(200);
    expect(await balance()).toBe(before + 20);
  });

  test('are the same request in another order of fields', async () => {
    const [key, path] = [randomUUID(), `/merchants/${merchant.merchantId}/adjustments`];
    const before = await balance();
    const first = await operator.post(path, '{"kind":"credit","amount":1.50,"reason":"r"}', key);
    expect(
      (await operator.post(path, '{ "reason": "r", "kind": "credit", "amount": 1.50 }', key)).text,
    ).toBe(first.text);
    expect(await balance()).toBe(before + 1.5);
  });

  test('that were refused bind nothing: the key is tried again, or used for another request', async () => {
    const [key, debit] = [randomUUID(), { kind: 'debit', amount: (await balance()) + 5 }];
    expect((await adjust(debit, key)).status).toBe(422);
    await adjust({ amount: 5 });
    expect((await adjust(debit, key)).status).toBe(200);
    expect(await balance()).toBe(0);
    const another = randomUUID();
    expect((await adjust({ kind: 'debit', amount: 1 }, another)).status).toBe(422);
    expect((await adjust({ amount: 1000 }, another)).status).toBe(200);
    expect((await adjust({ amount: 1000 }, another)).status).toBe(200);
    expect(await balance()).toBe(1000);
  });

  test('that wait are approved once for a key', async () => {
    await operator.patch('/settings', { adjustmentApprovalLimit: 100 });
    const { data } = await adjust({ amount: 200 });
    await operator.patch('/settings', { adjustmentApprovalLimit: null });
    const approve = (key: string) =>
      secondOperator(service).post(`/approvals/${data.approvalId}/approve`, undefined, key);
    const key = randomUUID();
    const before = await balance();
    const first = await approve(key);
    expect(first.data.status).toBe('done');
    expect((await approve(key)).text).toBe(first.text);
    expect((await approve(randomUUID())).status).toBe(409);
    expect(await balance()).toBe(before + 200);
  });
});

describe('what is made', () => {
  test('is made once, by repeats and at once', async () => {
    const { memberId } = await createMember(service);
    const writes: [string, object][] = [
      ['/merchants', { name: `Once ${randomUUID()}` }],
      [
        '/operators',
        {
          username: randomUUID(),
          name: 'Once',
          role: 'viewer',
          password: 'a long enough password',
        },
      ],
      ['/members', { username: randomUUID(), name: 'Once', password: 'a long enough password' }],
      [
        `/members/${memberId}/accounts`,
        { walletType: 'TillID', accountNumber: '1', accountTitle: 'Once' },
      ],
      [
        '/fee-rules',
        { merchantId: merchant.merchantId, orderType: 'Deposit', walletType: 'TillID', fixed: 1 },
      ],
      ['/exchange-rates', { currency: 'INR', rate: 3.2 }],
    ];
    for (const [path, body] of writes) {
      const key = randomUUID();
      const first = await operator.post(path, body, key);
      expect(first.status, path).toBe(200);
      const again = await Promise.all([1, 2, 3].map(() => operator.post(path, body, key)));
      expect(again.map(({ text }) => text)).toEqual([first.text, first.text, first.text]);
      const together = await Promise.all(
        [1, 2, 3].map(() => operator.post(path, uniquely(body), `${key}!`)),
      );
      expect(new Set(together.map(({ status, text }) => `${status} ${text}`)).size, path).toBe(1);
      expect(together[0]?.status).toBe(200);
    }
    const { rows } = await service.database.pool.query(
      `select count(*)::integer as count from merchants where name like 'Once %'`,
    );
    expect(rows[0].count).toBe(2);
  });

  test('with a secret shows it once, and no repeat stores or shows it', async () => {
    const viewer = await createOperator(service, 'viewer');
    const key = randomUUID();
    const apiKeys = `/merchants/${merchant.merchantId}/api-keys`;
    const issued = await operator.post(apiKeys, undefined, key);
    const { apiKey, signingSecret, ...rest } = issued.data;
    expect((await operator.post(apiKeys, undefined, key)).data).toEqual({
      ...rest,
      secretShown: true,
    });
    const tokens = `/operators/${viewer.operatorId}/tokens`;
    const { token, ...named } = (await operator.post(tokens, { name: 'twice' }, `${key}2`)).data;
    expect((await operator.post(tokens, { name: 'twice' }, `${key}2`)).data).toEqual({
      ...named,
      secretShown: true,
    });
    expect(
      (await operator.get(`/merchants/${merchant.merchantId}/api-keys`)).data.filter(
        ({ keyId }: { keyId: string }) => keyId === rest.keyId,
      ),
    ).toHaveLength(1);
    const password = `pass ${randomUUID()}`;
    await operator.patch(`/operators/${viewer.operatorId}`, { password });
    const { rows } = await service.database.pool.query(
      'select string_agg(k::text, $1) as stored from request_keys k',
      ['\n'],
    );
    for (const secret of [apiKey, signingSecret, token, password])
      expect(rows[0].stored).not.toContain(secret);
  });
});

/** The same kind of thing under another name or number. */
const uniquely = (body: object) =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      ['username', 'name', 'accountNumber'].includes(name) ? `${value}9` : value,
    ]),
  );

describe('order actions', () => {
  test('of operators are answered alike, once and after a lost answer', async () => {
    await createMember(service, { methods: ['ProviderA'] });
    const { orderId } = await createOrder(merchant);
    await openPage(await createOrder(merchant)).data('open');
    for (const [action, body] of [
      ['escalate', { note: 'look' }],
      ['resolve', { outcome: 'Cancelled', note: 'no' }],
      ['confirm', { note: 'paid after all' }],
    ] as const) {
      const key = randomUUID();
      const act = () => operator.post(`/orders/${orderId}/${action}`, body, key);
      const first = await act();
      expect(first.status, action).toBe(200);
      expect((await act()).text).toBe(first.text);
      if (action !== 'escalate') continue; // the others keep their answer with the effect
      await loseAnswers();
      expect((await act()).text).toBe(first.text);
    }
    expect((await operator.get(`/orders/${orderId}`)).data.postings).toHaveLength(1);
  });

  test('of members are answered alike, once and after a lost answer', async () => {
    const password = 'correct horse';
    await everybodyOffline(service);
    const member = await createMember(service, { methods: ['TillID'], password });
    const token = await signInMember(service, member, password);
    const ask = async (path: string, body: object, key: string) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': key,
      };
      const response = await fetch(`${service.url}/api/member${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const account = { customerAccountNumber: '03001234567', customerAccountName: 'Customer' };
    const { orderId } = await createOrder(merchant, {
      orderType: 'Withdrawal',
      walletType: 'TillID',
      amount: 20,
      ...account,
    });
    for (const reason of ['refused', 'refused again']) {
      const key = randomUUID();
      const first = await ask(`/orders/${orderId}/report`, { reason }, key);
      expect(first.status).toBe(200);
      await loseAnswers();
      expect(await ask(`/orders/${orderId}/report`, { reason }, key)).toEqual(first);
      expect(await ask(`/orders/${orderId}/report`, { reason: 'other' }, key)).toMatchObject({
        status: 422,
      });
    }
    const { timeline } = (await operator.get(`/orders/${orderId}`)).data;
    expect(
      timeline.filter(({ note }: { note: string }) => note?.startsWith('refused')),
    ).toHaveLength(2);
    const key = randomUUID();
    const added = await Promise.all(
      [1, 2, 3].map(() =>
        ask(
          '/accounts',
          { walletType: 'ProviderB', accountNumber: '5', accountTitle: 'Mine' },
          key,
        ),
      ),
    );
    expect(added.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(added.map(({ text }) => text)).size).toBe(1);
  });
});

test('a key is forgotten after 30 days', async () => {
  const [key, before] = [randomUUID(), await balance()];
  await adjust({}, key);
  await advance(service, 29 * 86_400);
  await adjust({}, key);
  expect(await balance()).toBe(before + 10);
  await advance(service, 2 * 86_400);
  await adjust({}, key);
  expect(await balance()).toBe(before + 20);
});
