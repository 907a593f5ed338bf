import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect } from 'vitest';
import { takenBack } from '../../../apps/server/src/platform/database/db.ts';
import { cellsOf } from '../../support/csv.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import {
  createControlled,
  createOperator,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { payDeposit } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound, rulesBroken } from '../../support/verify.ts';

/** Days and shifts, counted and signed (operate/close-a-day.md, decision 35). */

const { test, service } = await serviceTest();
const { pool } = service.database;
const counter = operatorClient(service);
const signer = secondOperator(service);
const ORDERS = 500;
const AT_ONCE = 20;

const exact = (text: string) => {
  const [whole = '', decimals = ''] = text.replace('-', '').split('.');
  const value = BigInt(`${whole}${decimals.padEnd(4, '0')}`);
  return text.startsWith('-') ? -value : value;
};
/** Exact, from the digits of a file. */
async function fileOf(closingId: string) {
  const { text } = await counter.get(`/closings/${closingId}/closing.csv`);
  const [head = [], ...rows] = cellsOf(text);
  const amounts = head.slice(3, -1);
  return new Map(
    rows.map((row) => {
      const given = amounts.filter((name) => row[head.indexOf(name)] !== '');
      const shown = given.map((name) => [name, exact(row[head.indexOf(name)] ?? '')] as const);
      return [row[1] ?? '', Object.fromEntries(shown) as Readonly<Record<string, bigint>>];
    }),
  );
}

async function begin(to?: string) {
  const { data } = await counter.post('/closings', to === undefined ? {} : { to });
  return data.closingId as string;
}
const readClosing = async (closingId: string, by = counter) =>
  (await by.get(`/closings/${closingId}`)).data;
const membersOf = async (closingId: string) =>
  (await counter.get(`/closings/${closingId}/members?limit=200`)).data as readonly {
    memberId: string;
    closing: number;
  }[];
const count = (closingId: string, body: object, by = counter) =>
  by.post(`/closings/${closingId}/counts`, body);
async function countAll(closingId: string) {
  for (const { memberId, closing } of await membersOf(closingId))
    expect((await count(closingId, { memberId, counted: closing })).status).toBe(200);
}
async function sign(closingId: string, by = signer) {
  const { countedAt } = await readClosing(closingId);
  return by.post(`/closings/${closingId}/sign`, { countedAt });
}
async function close(to?: string) {
  const closingId = await begin(to);
  await countAll(closingId);
  expect((await sign(closingId)).status).toBe(200);
  return closingId;
}
async function settle(merchant: TestMerchant, body: Readonly<Record<string, unknown>>) {
  const order = await createOrder(merchant, body);
  if (body['orderType'] !== 'Withdrawal') await payDeposit(service, order);
  const { orderId } = order;
  const { rows } = await pool.query('select member_id from orders where order_id = $1', [orderId]);
  const memberId = rows[0].member_id as string;
  const decision = await service.app.deps.engine.submit({
    ...{ kind: 'member-confirm', commandId: randomUUID(), orderId, memberId },
    ...{ receivedAmount: null, transactionReference: null },
  });
  expect(decision.ok).toBe(true);
  return memberId;
}
const adjust = (merchant: TestMerchant, kind: string, amount: number) =>
  counter.post(`/merchants/${merchant.merchantId}/adjustments`, {
    ...{ kind, amount, reason: 'for the test' },
  });
const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

let merchants: readonly TestMerchant[];
let members: readonly TestMember[];
beforeAll(async () => {
  merchants = await Promise.all(
    ['North', '=South', 'West'].map((name) => createMerchant(service, { name, balance: '500000' })),
  );
  members = await Promise.all(
    Array.from({ length: 5 }, () =>
      createMember(service, {
        ...{ float: '900000.5', maxOpenOrders: 500, methods: ['ProviderA', 'ProviderB'] },
      }),
    ),
  );
  for (const orderType of ['Deposit', 'Withdrawal'])
    await counter.post('/fee-rules', { orderType, walletType: 'ProviderA', percent: 1.25 });
});

test('a day of 500 orders is closed to the last digit', async () => {
  const before = await close();
  const opened = await fileOf(before);
  const wallets = new Map(
    merchants.map(({ merchantId }) => [merchantId, [0n, 0n, 0n] as bigint[]]),
  );
  const floats = new Map(members.map(({ memberId }) => [memberId as string, [0n, 0n] as bigint[]]));
  const add = (sums: bigint[] | undefined, at: number, amount: bigint) => {
    if (sums === undefined) throw new Error('nobody known');
    sums[at] = (sums[at] ?? 0n) + amount;
  };
  const one = async (at: number) => {
    const merchant = merchants[at % 3] as TestMerchant;
    const isDeposit = at % 4 !== 0;
    const amount = exact(`${200 + at * 3}.${String((at * 37) % 100).padStart(2, '0')}`);
    const fee = (amount * 125n + 5_000n) / 10_000n; // 1.25 %, rounded once
    const text = `${amount / 10_000n}.${String(amount % 10_000n).padStart(4, '0')}`;
    const memberId = await settle(merchant, {
      amount: Number(text),
      ...(isDeposit ? {} : WITHDRAWAL),
    });
    const sign = isDeposit ? 1n : -1n;
    add(wallets.get(merchant.merchantId), isDeposit ? 0 : 1, sign * amount);
    add(wallets.get(merchant.merchantId), 2, -fee);
    add(floats.get(memberId), isDeposit ? 0 : 1, -sign * amount);
  };
  for (let at = 0; at < ORDERS; at += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, next) => one(at + next)));
  await adjust(merchants[0] as TestMerchant, 'credit', 12.3456);
  await adjust(merchants[1] as TestMerchant, 'debit', 0.0001);
  await adjust(merchants[2] as TestMerchant, 'freeze', 1000.01);
  const [first] = members as readonly [TestMember];
  await counter.post(`/members/${first.memberId}/float-adjustments`, {
    ...{ amount: -77.7777, reason: 'taken back' },
  });

  const closing = await close();
  const rows = await fileOf(closing);
  const adjusted = [exact('12.3456'), exact('-0.0001'), 0n];
  for (const [at, { merchantId }] of merchants.entries()) {
    const [deposits = 0n, withdrawals = 0n, fees = 0n] = wallets.get(merchantId) ?? [];
    const adjustments = adjusted[at] as bigint;
    const frozen = at === 2 ? exact('-1000.01') : 0n;
    const opening = opened.get(merchantId)?.['closing'] as bigint;
    expect(rows.get(merchantId)).toEqual({
      ...{ opening, deposits, withdrawals, fees, adjustments, frozen },
      closing: opening + deposits + withdrawals + fees + adjustments + frozen,
      frozenClosing: -frozen,
    });
  }
  for (const { memberId } of members) {
    const [deposits = 0n, withdrawals = 0n] = floats.get(memberId) ?? [];
    const adjustments = memberId === first.memberId ? exact('-77.7777') : 0n;
    const opening = opened.get(memberId)?.['closing'] as bigint;
    const total = opening + deposits + withdrawals + adjustments;
    expect(rows.get(memberId)).toEqual({
      ...{ opening, deposits, withdrawals, adjustments, closing: total },
      ...{ counted: total, difference: 0n },
    });
  }
  await expectSound(service);
});

test('nothing falls between two closings while orders settle, and all belong to one', async () => {
  let settled = 0;
  let isDone = false;
  const work = Promise.all(
    Array.from({ length: 6 }, async (_, worker) => {
      while (!isDone) {
        await settle(merchants[worker % 3] as TestMerchant, { amount: 10 + settled });
        settled += 1;
      }
    }),
  );
  const closed: string[] = [];
  while (closed.length < 4) closed.push(await close());
  isDone = true;
  await work;
  closed.push(await close());
  const figures = await Promise.all(closed.map((closingId) => readClosing(closingId)));
  const { rows } = await pool.query(
    `select count(*)::integer as postings, sum(wallet + fees) as deposits
     from postings
     where posted_at >= $1 and kind = 'settlement'`,
    [figures[0].from],
  );
  expect(rows[0].postings).toBe(settled);
  const deposits = figures.reduce((sum, { sums }) => sum + sums.merchants.deposits, 0);
  expect(deposits).toBeCloseTo(Number(rows[0].deposits), 4);
  for (const [at, { from }] of figures.entries()) if (at > 0) expect(from).toBe(figures[at - 1].to);
  await expectSound(service);
});

test('a process whose clock is behind posts nothing before the end of a closing', async () => {
  const end = service.app.deps.clock.now() + 2_000; // by the clock of the process that closed
  await pool.query(
    `insert into closings (closing_id, starts_at, ends_at, status, counted_by, counted_name,
       begun_at, decided_by, decided_at)
     values (gen_random_uuid(), $1::timestamptz - interval '1 hour', $1, 'discarded', 'one', 'One',
       $1, 'one', $1)`,
    [new Date(end)],
  );
  await settle(merchants[0] as TestMerchant, { amount: 20 });
  const { rows } = await pool.query('select max(posted_at) as at from postings');
  expect(rows[0].at).toBe(end);
  await expectSound(service);
});

test('a day ends at midnight where the wallets are, and a correction is on its own day', async () => {
  await advance(service, 86_400);
  const { data: next } = await counter.get('/closings/next');
  const [midnight] = next.dayEnds as readonly [string];
  expect(midnight).toMatch(/T19:00:00.000Z$/); // Asia/Karachi
  const closing = await close(midnight);
  const before = await fileOf(closing);
  await adjust(merchants[0] as TestMerchant, 'credit', 5);
  expect(await fileOf(closing)).toEqual(before);
  const today = await readClosing(await close());
  expect(today.sums.merchants.adjustments).toBe(5);
  expect(today.from).toBe(midnight);
});

describe('what is refused', () => {
  const OTHER = 'second-operator';
  const codeOf = ({ text }: { readonly text: string }) => JSON.parse(text).code;

  test('an end in the future, or before the last; a second one while one is open', async () => {
    const to = new Date(service.app.deps.clock.now() + 60_000).toISOString();
    expect((await counter.post('/closings', { to })).errors).toEqual({
      '$.to': ['must not be in the future.'],
    });
    expect((await counter.post('/closings', { to: '2020-01-01' })).errors).toEqual({
      '$.to': ['must be after the end of the last closing.'],
    });
    const closingId = await begin();
    expect(codeOf(await counter.post('/closings', {}))).toBe('wrong-state');
    const discarded = await signer.post(`/closings/${closingId}/discard`, { note: 'too early' });
    expect(discarded.data).toMatchObject({ status: 'discarded', note: 'too early' });
    expect(codeOf(await signer.post(`/closings/${closingId}/discard`, { note: 'again' }))).toBe(
      'wrong-state',
    );
  });

  test('a count by another one, of nobody, or that differs without a note', async () => {
    const closingId = await begin();
    const [row] = await membersOf(closingId);
    if (row === undefined) throw new Error('nobody to count');
    const { memberId, closing } = row;
    const counted = closing - 1;
    expect(codeOf(await count(closingId, { memberId, counted }, signer))).toBe(OTHER);
    expect((await count(closingId, { memberId, counted })).errors).toEqual({
      '$.note': ['must say why it differs.'],
    });
    expect((await count(closingId, { memberId, counted: null })).errors).toEqual({
      '$.note': ['must say why it was not counted.'],
    });
    expect((await count(closingId, { memberId: randomUUID(), counted })).status).toBe(400);
    expect(codeOf(await sign(closingId))).toBe('wrong-state');
    const answer = await count(closingId, { memberId, counted, note: 'one note was torn' });
    expect(answer.data).toMatchObject({ counted, difference: -1, note: 'one note was torn' });
    await signer.post(`/closings/${closingId}/discard`, { note: 'for the test' });
  });

  test('a signature by the counter, by one whom they let in, or of what was counted again', async () => {
    const closingId = await begin();
    await countAll(closingId);
    expect((await readClosing(closingId)).allowedActions).toEqual(['count', 'discard']);
    expect((await readClosing(closingId, signer)).allowedActions).toEqual(['sign', 'discard']);
    expect(codeOf(await sign(closingId, counter))).toBe(OTHER);
    const controlled = operatorClient(service, (await createControlled(service, 'admin')).token);
    expect(codeOf(await sign(closingId, controlled))).toBe(OTHER);
    const support = operatorClient(service, (await createOperator(service, 'support')).token);
    expect(codeOf(await sign(closingId, support))).toBe('role-too-low');

    const { countedAt } = await readClosing(closingId, signer);
    await countAll(closingId);
    const late = await signer.post(`/closings/${closingId}/sign`, { countedAt });
    expect(codeOf(late)).toBe('wrong-state');
    expect((await sign(closingId)).data).toMatchObject({ status: 'signed' });
    for (const action of ['sign', 'discard'])
      expect(
        codeOf(
          await signer.post(`/closings/${closingId}/${action}`, { note: 'x', countedAt: null }),
        ),
      ).toBeOneOf(['wrong-state', 'invalid']);
    const [row] = await membersOf(closingId);
    const again = { memberId: row?.memberId, counted: row?.closing };
    expect(codeOf(await count(closingId, again))).toBe('wrong-state');
  });
});

describe('a closed day that is changed', () => {
  const change = (sql: string, ...values: readonly unknown[]) =>
    takenBack(pool, async (client) => {
      await client.query(sql, [...values]);
    });
  const LAST = `closing_id = (select max(closing_id::text)::uuid from closings where status = 'signed')`;
  /** The rules that are broken past the triggers. */
  const brokenBy = (sql: string) =>
    takenBack(pool, async (client) => {
      await client.query('set local session_replication_role = replica');
      expect((await client.query(sql)).rowCount).toBeGreaterThan(0);
      const broken = await rulesBroken(client, service.app.deps.clock.now());
      return [...new Set(broken.map(({ id }) => id))];
    });

  test('is refused by the database', async () => {
    const refused: readonly (readonly [string, string])[] = [
      [`update closings set note = 'x' where status = 'signed'`, 'this closing is signed'],
      ['delete from closings', 'append-only'],
      [
        'update closing_merchants set deposits = deposits + 1, closing = closing + 1',
        'append-only',
      ],
      ['delete from closing_members', 'append-only'],
      ['truncate closing_members', 'append-only'],
      [
        `insert into closing_counts (closing_id, member_id, note)
         select closing_id, member_id, 'x' from closing_members limit 1
         on conflict do nothing`,
        'this closing is not open',
      ],
      [
        `insert into postings (merchant_id, posting_id, kind, posted_at)
         select merchant_id, gen_random_uuid(), 'credit', c.at
         from merchants, (select min(starts_at) + interval '1 second' as at from closings) c
         limit 1`,
        'the day of this posting is closed',
      ],
    ];
    for (const [sql, why] of refused) await expect(change(sql)).rejects.toThrow(why);
  });

  test.each([
    ['C1', `update closings set starts_at = starts_at - interval '1 ms' where ${LAST}`],
    ['C2', 'update closing_merchants set deposits = deposits + 1, closing = closing + 1'],
    [
      'C2',
      'update closing_members set deposits = deposits + 1, closing = closing + 1, counted = counted + 1',
    ],
    ['C2', `update closing_merchants set fees = fees + 1, adjustments = adjustments + 1`],
    [
      'C2',
      `update postings set posted_at = posted_at - interval '1 day'
       where posting_id = (select max(posting_id::text)::uuid from postings where kind = 'settlement')`,
    ],
    [
      'C3',
      `update closing_members set opening = opening + 1, closing = closing + 1, counted = counted + 1
       where closing_id = (select min(closing_id::text)::uuid from closings where status = 'signed')`,
    ],
    ['C3', `update closing_merchants set frozen_closing = frozen_closing + 1 where ${LAST}`],
    ['C3', `delete from closing_members where ${LAST}`],
    ['C5', `update closings set ends_at = ends_at + interval '1 ms' where ${LAST}`],
    ['C5', `update closings set note = 'seen with the bank' where ${LAST}`],
    ['C5', `update closings set decided_by = 'somebody' where ${LAST}`],
    ['C5', `update closing_members set counted = counted - 1, note = 'one was torn'`],
    ['C5', `update closing_members set note = 'one was torn'`],
  ])('is found by %s: %s', async (id, sql) => {
    expect(await brokenBy('select 1')).toEqual([]);
    expect(await brokenBy(sql)).toContain(id);
  });
});
