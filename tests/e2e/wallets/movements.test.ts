import { formatMoney, type Money } from '@munshi/core';
import { describe, expect } from 'vitest';
import { allMovements } from '../../../apps/server/src/wallets/movements.service.ts';
import { expectTakenByChunks } from '../../support/chunks.ts';
import { cellsOf } from '../../support/csv.ts';
import {
  advance,
  createMember,
  createMerchant,
  createOrder,
  fundMerchant,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

/** A merchant's statement (apis.md#merchants-members-and-money). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const member = await createMember(service, { float: '1000000', maxOpenOrders: 100 });

interface Movement {
  readonly kind: string;
  readonly at: string;
  readonly walletChange: number;
  readonly walletBalance: number;
  readonly orderReference: string | null;
}

const merchant = await createMerchant(service, { name: 'Stated Shop', balance: '1000' });
const path = `/merchants/${merchant.merchantId}`;
await operator.post('/fee-rules', {
  merchantId: merchant.merchantId,
  orderType: 'Deposit',
  walletType: 'ProviderA',
  percent: 1.5,
});
const deposit = await createOrder(merchant, { amount: 2000 });
await completeOrder(service, deposit, member);
await advance(service, 3600);
const between = service.app.deps.clock.now();
await advance(service, 3600);
for (const adjustment of [
  { kind: 'freeze', amount: 500, reason: '=1+1' },
  { kind: 'unfreeze', amount: 200, reason: 'Half of the case is closed, "for now"' },
])
  await operator.post(`${path}/adjustments`, adjustment);

const iso = (at: number) => encodeURIComponent(new Date(at).toISOString());

describe('the movements of a wallet', () => {
  test('show order, fee, adjustments and freezes with the balances after each, the newest first', async () => {
    const { data, nextCursor } = await operator.get(`${path}/movements`);
    const plain = {
      ...{ orderId: null, orderReference: null, orderType: null, fee: 0 },
      ...{ currency: null, orderAmount: null, orderFee: null, rate: null },
    };
    const at = expect.stringMatching(/Z$/);
    const movementId = expect.any(String);
    expect(data).toEqual([
      {
        ...plain,
        ...{ movementId, at, kind: 'unfreeze', note: 'Half of the case is closed, "for now"' },
        ...{ amount: 200, walletChange: 200, frozenChange: -200 },
        ...{ walletBalance: 2670, frozenBalance: 300 },
      },
      {
        ...plain,
        ...{ movementId, at, kind: 'freeze', note: '=1+1' },
        ...{ amount: -500, walletChange: -500, frozenChange: 500 },
        ...{ walletBalance: 2470, frozenBalance: 500 },
      },
      {
        ...{ movementId, at, kind: 'settlement', note: null, orderType: 'Deposit' },
        ...{ orderId: deposit.orderId, orderReference: deposit.orderReference },
        ...{ currency: 'PKR', orderAmount: 2000, orderFee: 30, rate: 1 },
        ...{ amount: 2000, fee: 30, walletChange: 1970, frozenChange: 0 },
        ...{ walletBalance: 2970, frozenBalance: 0 },
      },
      {
        ...plain,
        ...{ movementId, at, kind: 'credit', note: 'test funds' },
        ...{ amount: 1000, walletChange: 1000, frozenChange: 0 },
        ...{ walletBalance: 1000, frozenBalance: 0 },
      },
    ]);
    expect(nextCursor).toBeNull();
    const { data: balance } = await operator.get(`${path}/balance`);
    expect(data[0]).toMatchObject({
      walletBalance: balance.walletBalance,
      frozenBalance: balance.frozenBalance,
    });
  });

  test('have the same balances page by page, while others are added, and within a time', async () => {
    const whole: readonly Movement[] = (await operator.get(`${path}/movements`)).data;
    const first = await operator.get(`${path}/movements?limit=1`);
    await operator.post(`${path}/adjustments`, { kind: 'credit', amount: 7, reason: 'later' });
    const walked: Movement[] = [...first.data];
    for (let cursor = first.nextCursor; cursor; ) {
      const page = await operator.get(`${path}/movements?limit=1&cursor=${cursor}`);
      walked.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(walked).toEqual(whole);
    const before = await operator.get(`${path}/movements?to=${iso(between)}`);
    expect(before.data).toEqual(whole.slice(2));
    const since = await operator.get(`${path}/movements?from=${iso(between)}`);
    expect(since.data.slice(1)).toEqual(whole.slice(0, 2));
  });

  test('come as CSV from the oldest to the balance that is shown, without a formula', async () => {
    const { text, headers } = await operator.get(`${path}/movements.csv`);
    expect(headers.get('content-disposition')).toBe('attachment; filename="wallet.csv"');
    const [columns = [], ...rows] = cellsOf(text);
    const balance = (row: readonly string[]) => row[columns.indexOf('walletBalance')];
    expect(rows.map(balance)).toEqual(['1000', '2970', '2470', '2670', '2677']);
    expect((await operator.get(`${path}/balance`)).data.walletBalance).toBe(2677);
    expect(rows[2]).toContain("'=1+1");
    expect(rows[3]).toContain('Half of the case is closed, "for now"');
    const since = cellsOf((await operator.get(`${path}/movements.csv?from=${iso(between)}`)).text);
    expect(since.slice(1)).toEqual(rows.slice(2));
    const before = cellsOf((await operator.get(`${path}/movements.csv?to=${iso(between)}`)).text);
    expect(before.slice(1)).toEqual(rows.slice(0, 2));
  });

  test('are one merchant’s alone, and 404 for who is none', async () => {
    const other = await createMerchant(service);
    expect((await operator.get(`/merchants/${other.merchantId}/movements`)).data).toEqual([]);
    for (const ending of ['movements', 'movements.csv']) {
      const unknown = `/merchants/${member.memberId}/${ending}`;
      expect((await operator.get(unknown)).status).toBe(404);
      expect((await operator.get(`${path}/${ending}?from=yesterday`)).errors).toHaveProperty(
        'from',
      );
    }
  });
});

test('a member’s float movements come as CSV, defused, all of them', async () => {
  await operator.post(`/members/${member.memberId}/float-adjustments`, {
    amount: -10.5,
    reason: '@cash',
  });
  const { text } = await operator.get(`/members/${member.memberId}/movements.csv`);
  const [head, ...rows] = cellsOf(text);
  expect(head?.join(',')).toBe('at,kind,amount,orderReference,note,orderId,movementId');
  expect(rows.map((row) => row.slice(1, 5))).toEqual([
    ['float', '-10.5', '', "'@cash"],
    ['settlement', '-2000', deposit.orderReference, ''],
    ['float', '1000000', '', 'test float'],
  ]);
});

test('many movements of one moment stay in order, each once, in both directions', async () => {
  const MANY = 1_100;
  const crowded = await createMerchant(service);
  // Decided together, in batches whose postings have one time.
  await Promise.all(Array.from({ length: MANY }, () => fundMerchant(service, crowded, '1')));
  const statement = `/merchants/${crowded.merchantId}/movements`;
  const csv = cellsOf((await operator.get(`${statement}.csv`)).text).slice(1);
  const ids = csv.map((row) => row.at(-1));
  expect(new Set(ids).size).toBe(MANY);
  expect(new Set(csv.map((row) => row[0])).size).toBeLessThan(MANY);
  const listed: string[] = [];
  const balances: number[] = [];
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const page = await operator.get(`${statement}?limit=200&cursor=${cursor}`);
    for (const row of page.data as readonly (Movement & { movementId: string })[]) {
      listed.push(row.movementId);
      balances.push(row.walletBalance);
    }
    cursor = page.nextCursor;
  }
  expect(listed.toReversed()).toEqual(ids);

  const everything = { merchantId: crowded.merchantId, from: null, to: null };
  await advance(service, 3600);
  await expectTakenByChunks(service, async (database) => {
    const { pages } = await allMovements({ ...service.app.deps, database }, everything);
    return pages;
  });

  // A file ends with the balances of the moment it began, also when others come while it is read.
  const balancesOf: (readonly bigint[])[] = [];
  for await (const chunk of (await allMovements(service.app.deps, everything)).pages) {
    if (balancesOf.length === 0) await fundMerchant(service, crowded, '1');
    balancesOf.push(chunk.map(({ after }) => after.wallet));
  }
  expect(balancesOf.flat()).toHaveLength(MANY);
  expect(formatMoney(balancesOf.flat().at(-1) as Money)).toBe(String(MANY));
  expect(balances).toEqual(Array.from({ length: MANY }, (_, at) => MANY - at));
});
