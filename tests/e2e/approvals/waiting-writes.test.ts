import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { advance, createMerchant } from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** Writes that are no command and wait for a second operator, whichever they are. */

const { test, service } = await serviceTest();
const asker = operatorClient(service, (await createOperator(service, 'admin')).token);
const second = operatorClient(service);
const third = secondOperator(service);
const require = (on: boolean) =>
  service.database.pool.query('update settings set require_second_operator = $1', [on]);
beforeEach(() => require(true));
afterEach(() => expectSound(service));

const WAITS = {
  status: 200,
  data: { status: 'pendingApproval', approvalId: expect.any(String) },
};
const approve = (by: OperatorClient, { data }: { data: { approvalId: string } }) =>
  by.post(`/approvals/${data.approvalId}/approve`);
const read = async ({ data }: { data: { approvalId: string } }) =>
  (await second.get(`/approvals/${data.approvalId}`)).data;
const setRate = (by: OperatorClient, rate: number | string, currency = 'INR') =>
  by.post('/exchange-rates', { currency, rate });
const rateOf = async (currency: string) =>
  (await second.get('/exchange-rates')).data.find(
    (one: { currency: string }) => one.currency === currency,
  ).rate;

describe('an exchange rate', () => {
  test('waits, is shown with what it does to an order of 10,000, and is set by another operator', async () => {
    await require(false);
    expect((await setRate(asker, 3.3)).data).toMatchObject({ currency: 'INR', rate: 3.3 });
    await require(true);
    const asked = await setRate(asker, 0.0001);
    expect(asked).toMatchObject(WAITS);
    expect(await rateOf('INR')).toBe(3.3);
    expect(await read(asked)).toMatchObject({
      kind: 'write',
      endpoint: 'POST /exchange-rates',
      summary: 'Set an exchange rate',
      target: 'INR',
      request: {
        rateOf: 'INR',
        rate: '0.0001',
        rateBefore: '3.3',
        creditOf10000: '1',
        creditOf10000Before: '33000',
      },
      status: 'pending',
    });
    expect((await approve(asker, asked)).status).toBe(403);
    expect((await approve(second, asked)).data).toMatchObject({ status: 'done' });
    expect(await rateOf('INR')).toBe(0.0001);
    const [entry] = (await second.get('/audit-log?action=exchange-rate.set&limit=1')).data;
    expect(entry).toMatchObject({
      actor: { id: 'env-1' },
      target: 'INR',
      detail: { rate: '0.0001', approvalId: asked.data.approvalId },
    });
    expect((await approve(third, asked)).status).toBe(409);
  });

  test('that has changed meanwhile is not what its second operator was shown', async () => {
    const asked = await setRate(asker, 2);
    await require(false);
    await setRate(second, 3);
    await require(true);
    expect(await approve(second, asked)).toMatchObject({
      status: 409,
      error: 'It would no longer do what it says here. Decline it, and have it asked for again.',
    });
    expect(await rateOf('INR')).toBe(3);
    expect((await read(asked)).status).toBe('pending');
  });

  test('asked for again replaces the asker’s own of its currency alone', async () => {
    const [first, taka] = [await setRate(asker, 2), await setRate(asker, 2, 'BDT')];
    const other = await setRate(second, 2.25);
    expect((await read(first)).status).toBe('pending');
    const again = await setRate(asker, 2.5);
    expect(await read(first)).toMatchObject({
      status: 'withdrawn',
      note: 'A newer request has taken its place.',
    });
    for (const asked of [other, taka]) expect((await read(asked)).status).toBe('pending');
    expect((await approve(third, again)).data.status).toBe('done');
    expect(await rateOf('INR')).toBe(2.5);
    expect((await approve(third, other)).status).toBe(409); // the rate is another than it says
  });

  test('asked for ten times at once waits once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => setRate(asker, 4, 'BDT')));
    for (const answer of answers) expect(answer).toMatchObject(WAITS);
    const { data } = await second.get('/approvals?status=pending&target=BDT');
    expect(data).toHaveLength(1);
  });

  test('is asked for and approved at once in some order, and nobody waits for nobody', async () => {
    for (let round = 0; round < 10; round += 1) {
      const asked = await asker.patch('/settings', { payoutWindowSeconds: 89 - round });
      const answers = await Promise.all([
        approve(second, asked),
        ...[1, 2].map((less) =>
          asker.patch('/settings', { payoutWindowSeconds: 80 - round - less }),
        ),
        setRate(asker, 3 + round),
        approve(third, asked),
      ]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
    }
  });

  test('keeps every digit, and one key asks once', async () => {
    const ask = () =>
      asker.post('/exchange-rates', { currency: 'BDT', rate: 2.12345678 }, 'rate-of-today');
    const [first, repeated] = [await ask(), await ask()];
    expect(repeated.data).toEqual(first.data);
    await approve(second, first);
    expect(await rateOf('BDT')).toBe(2.12345678);
  });

  test('is refused at once where it is wrong', async () => {
    expect(await setRate(asker, 0)).toMatchObject({
      status: 400,
      errors: { '$.rate': ['must be greater than 0.'] },
    });
  });
});

describe('a fee rule', () => {
  const slot = { orderType: 'Deposit', walletType: 'ProviderA' };

  test('waits with the fee of an order of 10,000, and so does its end', async () => {
    const { merchantId } = await createMerchant(service);
    const asked = await asker.post('/fee-rules', { ...slot, merchantId, percent: 100 });
    expect(asked).toMatchObject(WAITS);
    const { request } = await read(asked);
    expect(request).toMatchObject({ merchantId, percent: '100', exampleAmount: '10000' });
    expect(request['exampleFee']).toBe('10000');
    const quote = async () =>
      (
        await second.get(
          `/fee-rules/quote?merchantId=${merchantId}&orderType=Deposit&walletType=ProviderA&amount=10000`,
        )
      ).data;
    const before = await quote();
    expect(request['exampleFeeBefore']).toBe(before.fee === null ? null : String(before.fee));
    expect((await approve(second, asked)).data.status).toBe('done');
    const { rule, fee } = await quote();
    expect(fee).toBe(10_000);

    const end = await asker.delete(`/fee-rules/${rule.feeRuleId}`);
    expect(end).toMatchObject(WAITS);
    expect((await read(end)).request).toMatchObject({
      merchantId,
      exampleFee: request['exampleFeeBefore'],
      exampleFeeBefore: '10000',
    });
    expect((await quote()).fee).toBe(10_000);
    expect((await approve(third, end)).data.status).toBe('done');
    expect((await quote()).fee).toEqual(before.fee);
  });

  test('whose band is refused does not wait', async () => {
    const { merchantId } = await createMerchant(service);
    expect(await asker.delete(`/fee-rules/${merchantId}`)).toMatchObject({ status: 404 });
    expect(
      await asker.post('/fee-rules', { ...slot, merchantId, fromAmount: 5, toAmount: 5 }),
    ).toMatchObject({ status: 400 });
  });
});

describe('settings', () => {
  test('wait whole where a part of them takes a protection away', async () => {
    for (const change of [{ sendingGraceSeconds: 1 }, { stopWithdrawalsOnBreach: false }]) {
      await require(false);
      await second.patch('/settings', { sendingGraceSeconds: 90, stopWithdrawalsOnBreach: true });
      await require(true);
      const asked = await asker.patch('/settings', { ...change, missedAlertsMax: 7 });
      expect(asked).toMatchObject(WAITS);
      const shown = Object.keys(change).flatMap((name) => [name, `${name}Before`]);
      expect(Object.keys((await read(asked)).request)).toEqual(expect.arrayContaining(shown));
      expect((await second.get('/settings')).data).toMatchObject({
        sendingGraceSeconds: 90,
        stopWithdrawalsOnBreach: true,
      });
      expect((await approve(second, asked)).data.status).toBe('done');
      expect((await second.get('/settings')).data).toMatchObject({ ...change, missedAlertsMax: 7 });
    }
    const longer = await asker.patch('/settings', { sendingGraceSeconds: 120 });
    expect(longer.data.sendingGraceSeconds).toBe(120);
  });
});

describe('a merchant’s whitelist', () => {
  const entry = (address: string) => ({ address, scope: 'Both' });

  test('waits where it lets more callers in, with all of the request; narrowing it does not', async () => {
    const { merchantId } = await createMerchant(service);
    const path = `/merchants/${merchantId}`;
    const change = (by: OperatorClient, ipWhitelist: object, more = {}) =>
      by.patch(path, { ipWhitelist, ...more });
    const on = { enabled: true, entries: [entry('203.0.113.0/24')] };
    expect((await change(asker, on)).data.ipWhitelist).toEqual(on);
    expect((await change(asker, { ...on, entries: [entry('203.0.113.7')] })).status).toBe(200);
    await change(asker, on);
    const wider = { enabled: true, entries: [entry('0.0.0.0/0')] };
    const asked = await change(asker, wider, { name: 'Renamed' });
    expect(asked).toMatchObject(WAITS);
    const { request, target } = await read(asked);
    expect(target).toBe(merchantId);
    expect(JSON.parse(request.ipWhitelist)).toEqual(wider);
    expect((await second.get(path)).data.ipWhitelist).not.toEqual(wider);
    expect(await change(asker, { enabled: false, entries: [] })).toMatchObject(WAITS);
    expect((await read(asked)).status).toBe('withdrawn');
    const again = await change(asker, wider, { name: 'Renamed' });
    expect((await approve(asker, again)).status).toBe(403);
    expect((await approve(second, again)).data.status).toBe('done');
    expect((await second.get(path)).data).toMatchObject({ ipWhitelist: wider, name: 'Renamed' });
  });

  test('is previewed and refused as before', async () => {
    const { merchantId } = await createMerchant(service);
    const path = `/merchants/${merchantId}`;
    const preview = await asker.patch(`${path}?preview=true`, { status: 'suspended' });
    expect(preview.data).toMatchObject({ preview: true, status: { after: 'suspended' } });
    const wrong = { enabled: true, entries: [entry('nowhere')] };
    expect((await asker.patch(path, { ipWhitelist: wrong })).status).toBe(400);
  });
});

test('an alert to a merchant that would reach fewer waits, and one that is added does not', async () => {
  const { merchantId } = await createMerchant(service);
  const path = `/merchants/${merchantId}/alert-settings`;
  const settings = async () => (await second.get(path)).data;
  const added = { failingWebhooks: true, alertEmails: ['owner@shop.example'] };
  expect((await asker.patch(path, added)).data).toMatchObject(added);
  const asked = await asker.patch(path, { failingWebhooks: false, lowBalance: 10 });
  expect(asked).toMatchObject(WAITS);
  expect((await read(asked)).request).toMatchObject({
    merchantId,
    failingWebhooks: false,
    failingWebhooksBefore: true,
  });
  expect(await settings()).toMatchObject({ failingWebhooks: true, lowBalance: null });
  expect((await approve(second, asked)).data).toMatchObject({ status: 'done' });
  expect(await settings()).toMatchObject({ failingWebhooks: false, lowBalance: 10 });
  expect((await asker.patch(path, { alertEmails: ['no address'] })).status).toBe(400);
});

test('what waits ends with its asker', async () => {
  await require(false);
  const other = await createOperator(service, 'admin');
  await require(true);
  const asked = await setRate(operatorClient(service, other.token), 9);
  await second.patch(`/operators/${other.operatorId}`, { status: 'suspended' });
  expect((await read(asked)).status).toBe('fallen');
  expect((await approve(second, asked)).status).toBe(409);
});

describe('of one asker twenty wait at most', () => {
  const refused = {
    status: 409,
    error: '20 of your requests wait for a second operator. Withdraw one, or have one decided.',
  };
  /** An asker of whom nothing waits yet. */
  async function newAsker() {
    await require(false);
    const { operatorId, token } = await createOperator(service, 'admin');
    const { merchantId } = await createMerchant(service);
    await require(true);
    const by = operatorClient(service, token);
    const body = { kind: 'credit', amount: 1, reason: 'r' };
    const credit = () => by.post(`/merchants/${merchantId}/adjustments`, body);
    const invite = () =>
      by.post('/operators', { username: randomUUID(), name: randomUUID(), role: 'viewer' });
    /** As many wait, about money and not, after the rate of INR. */
    async function fill(many: number) {
      const rate = await setRate(by, 7);
      const first = await credit();
      const next = await invite();
      const asked = [rate, first, next];
      while (asked.length < many) asked.push(await (asked.length % 2 === 0 ? credit : invite)());
      for (const each of asked) expect(each).toMatchObject(WAITS);
      return { rate, first, next };
    }
    return { operatorId, by, credit, invite, fill };
  }

  test('until one is decided, withdrawn or a day old; one that is replaced does not count', async () => {
    const { by, credit, invite, fill } = await newAsker();
    const { rate, first, next } = await fill(20);
    expect(await credit()).toMatchObject(refused);
    expect(await invite()).toMatchObject(refused);
    expect(await setRate(asker, 8)).toMatchObject(WAITS); // of another asker
    expect(await setRate(by, 8)).toMatchObject(WAITS);
    expect((await read(rate)).status).toBe('withdrawn');
    await by.post(`/approvals/${first.data.approvalId}/decline`, { note: 'not now' });
    expect(await credit()).toMatchObject(WAITS);
    expect((await approve(second, next)).data.status).toBe('done');
    expect(await invite()).toMatchObject(WAITS);
    expect(await credit()).toMatchObject(refused);
    await advance(service, 86_400);
    expect(await credit()).toMatchObject(WAITS);
  });

  test('one after another where they are asked for at once', async () => {
    const { operatorId, credit, invite, fill } = await newAsker();
    await fill(19);
    const client = await service.database.pool.connect();
    await client.query('begin');
    await client.query(
      'insert into operator_sums (operator_id, day, amount) values ($1, 0, 0) on conflict (operator_id) do update set day = 0',
      [operatorId],
    );
    const answers = [credit(), invite()];
    await expect.poll(waitingForLocks, { interval: 10 }).toBe(2);
    await client.query('commit');
    client.release();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
  });

  async function waitingForLocks(): Promise<number> {
    const { rows } = await service.database.pool.query(
      `select count(*)::int as waiting
       from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].waiting;
  }
});

test('what waits is stored so that a process of the version before refuses to approve it', async () => {
  const asked = await setRate(asker, 5);
  const money = await asker.post(
    `/merchants/${(await createMerchant(service)).merchantId}/adjustments`,
    {
      ...{ kind: 'credit', amount: 1, reason: 'r' },
    },
  );
  const { rows } = await service.database.pool.query(
    'select kind, status from approvals where approval_id = any($1) order by kind',
    [[asked.data.approvalId, money.data.approvalId]],
  );
  // A kind that it carries out, in a status that it finds decided.
  expect(rows).toEqual([
    { kind: 'adjustment', status: 'waiting' },
    { kind: 'settings', status: 'waiting' },
  ]);
  const { queues } = (await second.get('/queues')).data;
  const toApprove = queues.find(({ queue }: { queue: string }) => queue === 'toApprove');
  expect(toApprove.count).toBeGreaterThan(0);
});
