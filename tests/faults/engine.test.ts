import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { standsAlone } from '../../packages/core/src/testing/literals.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { createMember, createMerchant, signBody, type TestMerchant } from '../support/fixtures.ts';
import {
  expectProblem,
  get,
  postBytes,
  postOrder,
  type Reply,
} from '../support/merchant-client.ts';
import { expectWithin } from '../support/promises.ts';
import { type Service, startService } from '../support/service.ts';
import { serviceTest } from '../support/service-test.ts';
import { expectSound } from '../support/verify.ts';

/**
 * What breaks under the engine: nothing that was acknowledged is lost, nothing is done twice, and
 * neighbours go on.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '1000000' });
await createMember(service, { float: '10000000', maxOpenOrders: 100_000 });
afterEach(async () => {
  await expectSound(service);
});

const sql = (text: string, values: unknown[] = []) => service.database.pool.query(text, values);
const order = (fields: object = {}) => ({
  orderType: 'Deposit',
  amount: 10,
  walletType: 'ProviderA',
  customerReference: randomUUID(),
  ...fields,
});
const mixed = (n: number) =>
  n % 3 === 0
    ? order({ orderType: 'Withdrawal', walletType: 'TillID', customerAccountNumber: '0300' })
    : order();
const ordersOf = async ({ merchantId }: TestMerchant) =>
  (await sql('select order_id, idempotency_key from orders where merchant_id = $1', [merchantId]))
    .rows;

/**
 * Makes the database refuse new orders whose metadata is this word, with this error, while `work`
 * runs.
 */
async function refusing(when: string, errcode: string, work: () => Promise<void>): Promise<void> {
  await sql(`create function fault() returns trigger language plpgsql as $$ begin
    if ${when} then raise exception 'injected fault: the connection of things terminated' using errcode = '${errcode}'; end if; return new; end $$`);
  await sql('create trigger fault before insert on orders for each row execute function fault()');
  try {
    await work();
  } finally {
    await sql('drop trigger fault on orders');
    await sql('drop function fault()');
  }
}

describe('a command that breaks its batch', () => {
  test.each([
    ['an error of the database', 500, 'XX000'],
    ['a check that refuses the row', 500, '23514'],
    ['a conflict that never ends', 503, '40001'],
  ] as const)(
    'fails alone, and the same key works again: %s, %i',
    async (_name, status, errcode) => {
      // Few, as they are decided one by one in the end, which a busy machine has to do within 9 s.
      const poisoned = (n: number) => n % 10 === 7;
      const requests = Array.from({ length: 30 }, (_, n) => ({
        idempotencyKey: randomUUID(),
        body: order(poisoned(n) ? { metadata: 'poison' } : {}),
      }));
      await refusing(`new.metadata = 'poison'`, errcode, async () => {
        const replies = await Promise.all(
          requests.map(({ body, idempotencyKey }) => postOrder(merchant, body, { idempotencyKey })),
        );
        replies.forEach((reply, n) => {
          if (poisoned(n)) expectProblem(reply, status);
          else expect(reply).toMatchObject({ status: 200 });
        });
        // Nothing in it shows the inside.
        for (const { text } of replies) expect(text).not.toContain('injected');
      });
      const again = await Promise.all(
        requests
          .filter((_, n) => poisoned(n))
          .map(({ body, idempotencyKey }) => postOrder(merchant, body, { idempotencyKey })),
      );
      for (const reply of again) expect(reply).toMatchObject({ status: 200 });
    },
  );

  test('a 500 leaves nothing behind: not even the replay guard holds its body to its key', async () => {
    const body = signBody(order({ metadata: 'poison' }), merchant.signingSecret);
    await refusing(`new.metadata = 'poison'`, 'XX000', async () => {
      expectProblem(await postBytes(merchant, body), 500);
    });
    expect(await postBytes(merchant, body)).toMatchObject({ status: 200 });
  });
});

test('a command that meets rows that cannot be fails alone with 500, in the midst of its batch', async () => {
  const broken = await createMerchant(service);
  await sql('delete from merchant_wallets where merchant_id = $1', [broken.merchantId]);
  const withdrawal = () =>
    order({ orderType: 'Withdrawal', walletType: 'TillID', customerAccountNumber: '0300' });
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, n) => postOrder(n % 10 === 7 ? broken : merchant, withdrawal())),
  );
  replies.forEach((reply, n) => {
    if (n % 10 === 7) expectProblem(reply, 500);
    else expect(reply).toMatchObject({ status: 200 });
  });
  await sql('insert into merchant_wallets (merchant_id) values ($1)', [broken.merchantId]);
});

test.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a unique violation', '23505'],
  ['a cancelled statement', '57014'],
  ['an administrator’s shutdown', '57P01'],
])('%s is decided again, and everybody is answered', async (_name, errcode) => {
  // A sequence counts through roll-backs.
  await sql('create sequence faults; grant usage on sequence faults to public');
  const before = service.app.deps.engine.stats.retries;
  await refusing(`nextval('faults') <= 3`, errcode, async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) => postOrder(merchant, mixed(n))),
    );
    for (const reply of replies) expect(reply).toMatchObject({ status: 200 });
    expect(new Set(replies.map(({ json }) => json.data.orderId)).size).toBe(60);
  });
  await sql('drop sequence faults');
  expect(service.app.deps.engine.stats.retries).toBeGreaterThanOrEqual(before + 3);
});

/**
 * Sends orders one after the other from many clients until `stop`; each is sent again with its key
 * until it is answered.
 */
function startLoad(one: TestMerchant, clients: number) {
  const answered = new Map<string, string>();
  const unexpected: Reply[] = [];
  let unavailable = 0;
  let sent = 0;
  let stopping = false;
  const client = async (number: number) => {
    while (!stopping) {
      const body = signBody(mixed(number + sent++), one.signingSecret);
      const idempotencyKey = randomUUID();
      for (;;) {
        const reply = await postBytes(one, body, { idempotencyKey });
        if (reply.status === 503) {
          unavailable += 1;
          continue;
        }
        if (reply.status === 200) answered.set(idempotencyKey, reply.json.data.orderId);
        else unexpected.push(reply);
        break;
      }
    }
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return {
    answered,
    async until(condition: () => boolean) {
      await expect.poll(condition, { interval: 5 }).toBe(true);
    },
    async stop() {
      stopping = true;
      await running;
      expect(unexpected).toEqual([]);
      return { unavailable };
    },
    /**
     * Every key that was answered has one order, the one it was answered with; and no order is
     * without its answer.
     */
    async expectKept() {
      const rows = await ordersOf(one);
      expect(Object.fromEntries(rows.map((row) => [row.idempotency_key, row.order_id]))).toEqual(
        Object.fromEntries(answered),
      );
      expect(rows.length).toBe(answered.size);
    },
  };
}

/** Of a service of its own, whose line to the database breaks for a while. */
async function expectServedAgain(mode: 'reset' | 'silent'): Promise<void> {
  const line = await startDatabaseProxy(service.target);
  const served = await startService({ ROLES: 'http' }, { ...service, target: line.target });
  const there = { ...(await createMerchant(service, { balance: '1000000' })), url: served.url };
  const known = await postOrder(there, order());
  const stranger = { ...(await createMerchant(service)), url: served.url };
  // Every connection stands when the line breaks.
  expect(await get(there, '/orders/balance')).toMatchObject({ status: 200 });
  const body = order();
  const idempotencyKey = randomUUID();
  line.set(mode);
  const started = performance.now();
  const timed = async (request: Promise<Reply>) => ({
    reply: await request,
    ms: performance.now() - started,
  });
  const requests = () => [
    postOrder(there, body, { idempotencyKey }),
    postOrder(there, order({ orderType: 'Withdrawal', walletType: 'TillID' })),
    postBytes(there, 'not JSON'),
    postOrder(stranger, order()),
    get(there, '/orders/balance'),
    get(there, `/orders/${known.json.data.orderId}/status`),
    get(there, '/orders/status?merchantOrderRef=x'),
    get(there, '/orders/x/status'),
    get(stranger, '/orders/balance'),
  ];
  for (const { reply, ms } of await Promise.all(requests().map(timed))) {
    expectProblem(reply, 503);
    expectWithin('an answer without the database', ms, 10_000);
  }
  const unavailable = await fetch(`${served.url}/api/merchant/orders/balance`, {
    headers: { 'SVC-API-Key': there.apiKey },
  });
  expect(unavailable.status).toBe(503);
  expect(unavailable.headers.get('retry-after')).toMatch(/^\d+$/);

  line.set('open');
  const back = performance.now();
  await expect
    .poll(async () => (await postOrder(there, body, { idempotencyKey })).status)
    .toBe(200);
  await expect.poll(async () => (await get(there, '/orders/balance')).status).toBe(200);
  expectWithin('an answer after the database is back', performance.now() - back, 10_000);
  // One connection of each kind for each of four services, however many asked at once.
  const lanes = `select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name in ('munshi-readers', 'munshi-engine')`;
  await expect.poll(async () => (await sql(lanes)).rows[0].n).toBeLessThanOrEqual(8);
  expect(
    (await ordersOf(there)).filter((row) => row.idempotency_key === idempotencyKey),
  ).toHaveLength(1);
  await served.close();
  await line.close();
}

describe('the engine’s connection', () => {
  let one: TestMerchant;
  beforeAll(async () => {
    one = await createMerchant(service, { balance: '1000000' });
  });

  test('ended by the database again and again under load: each request is answered, none is doubled', async () => {
    const load = startLoad(one, 16);
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'munshi-engine'`;
    for (let at = 1; at <= 15; at += 1) {
      await load.until(() => load.answered.size >= at * 30);
      await expect.poll(async () => (await sql(end)).rowCount, { interval: 5 }).toBeGreaterThan(0);
    }
    await load.stop();
    await load.expectKept();
  });

  test('that waits for a row which another session keeps locked: abandoned, it frees those it has, and only requests that need that row go on waiting', async () => {
    const kept = await createMember(service, { methods: ['ProviderBQR'], float: '1000' });
    const withdrawal = (walletType: string) =>
      order({ orderType: 'Withdrawal', walletType, customerAccountNumber: '0300' });
    const needs = { body: withdrawal('ProviderB'), idempotencyKey: randomUUID() };
    const other = await service.database.pool.connect();
    try {
      await other.query('begin'); // somebody in psql, say
      await other.query('select from members where member_id = $1 for update', [kept.memberId]);
      expectProblem(await postOrder(one, needs.body, needs), 503);
      // Wallets are locked before members: the connection that was abandoned had the merchant's.
      // This order needs it too, and another member.
      expect(await postOrder(one, withdrawal('BankAccount'))).toMatchObject({ status: 200 });
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect(await postOrder(one, needs.body, needs)).toMatchObject({ status: 200 });
  });

  describe('through a line that breaks', () => {
    let proxy: DatabaseProxy;
    let far: Service;
    beforeAll(async () => {
      proxy = await startDatabaseProxy(service.target);
      far = await startService({ ROLES: 'http' }, { ...service, target: proxy.target });
    });
    afterEach(() => {
      proxy.loseCommits(0);
      proxy.set('open');
    });
    afterAll(async () => {
      await far.close();
      await proxy.close();
    });

    test('every command of a deposit’s and a withdrawal’s life, each with its commit lost: done once', async () => {
      const mine = await createMerchant(service);
      const member = await createMember(service, { methods: ['ProviderBQR'], float: '500' });
      const { engine } = far.app.deps;
      const lost = proxy.lostCommits();
      let commands = 0;
      const submit = async (command: object) => {
        proxy.loseCommits(1);
        commands += 1;
        const decision = await engine.submit({ commandId: randomUUID(), ...command } as never);
        expect(decision).toMatchObject({ ok: true });
      };
      const actor = { kind: 'operator', id: randomUUID(), name: 'test', address: '127.0.0.1' };
      await submit({
        kind: 'adjust-wallet',
        merchantId: mine.merchantId,
        adjustment: 'credit',
        amount: 1_000_000n,
        reason: 'test',
        ...standsAlone(actor),
      });
      await submit({
        kind: 'adjust-wallet',
        merchantId: mine.merchantId,
        adjustment: 'freeze',
        amount: 100_000n,
        reason: 'test',
        ...standsAlone(actor),
      });
      await submit({
        kind: 'adjust-float',
        memberId: member.memberId,
        amount: 10_000n,
        reason: 'test',
        ...standsAlone(actor),
      });
      const create = async (body: object) => {
        proxy.loseCommits(1);
        commands += 1;
        const reply = await postOrder({ ...mine, url: far.url }, { amount: 5, ...body });
        expect(reply).toMatchObject({ status: 200 });
        return reply.json.data.orderId as string;
      };
      const deposit = await create({ orderType: 'Deposit', walletType: 'ProviderBQR' });
      await submit({ kind: 'open-page', orderId: deposit, need: undefined });
      await submit({
        kind: 'submit-payer',
        orderId: deposit,
        accountNumber: null,
        ibanLast4: '1234',
      });
      await submit({ kind: 'confirm-payment', orderId: deposit, transactionDigits: null });
      await submit({
        kind: 'member-confirm',
        orderId: deposit,
        memberId: member.memberId,
        receivedAmount: null,
        transactionReference: null,
      });
      const withdrawal = await create({
        orderType: 'Withdrawal',
        walletType: 'BankAccount',
        customerAccountNumber: '1',
      });
      await submit({
        kind: 'operator-cancel',
        orderId: withdrawal,
        note: 'test',
        ...standsAlone(actor),
      });
      const late = {
        kind: 'operator-confirm',
        orderId: withdrawal,
        note: 'paid',
        memberId: member.memberId,
        ...standsAlone(actor),
      };
      await submit(late);
      await submit({
        kind: 'update-member',
        memberId: member.memberId,
        online: false,
        actor: { kind: 'member', id: member.memberId },
      });
      expect(proxy.lostCommits() - lost).toBe(commands);
      // 100 − 10 frozen + 5 − 5
      expect((await get(mine, '/orders/balance')).json.data).toEqual({
        availableBalance: 90,
        reservedBalance: 0,
        frozenBalance: 10,
        currency: 'PKR',
      });
      // 500 + 1 − 5 + 5
      expect(
        (await sql('select float_balance from members where member_id = $1', [member.memberId]))
          .rows,
      ).toEqual([{ float_balance: '501.0000' }]);
    });

    test('database unreachable, by resets or in silence: 503 with Retry-After within 10 seconds, then it serves again', () =>
      // At once: each waits out the time that a command has.
      Promise.all((['reset', 'silent'] as const).map(expectServedAgain)));

    test('cut for a moment under load, either way: everybody is answered without noticing', async () => {
      const other = { ...(await createMerchant(service, { balance: '1000000' })), url: far.url };
      const load = startLoad(other, 8);
      for (let at = 1; at <= 5; at += 1) {
        await load.until(() => load.answered.size >= at * 50);
        proxy.set('reset');
        proxy.set('open');
      }
      const { unavailable } = await load.stop();
      expect(unavailable).toBe(0);
      await load.expectKept();
    });
  });
});
