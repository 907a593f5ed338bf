import { expect } from 'vitest';
import { cellsOf } from '../../support/csv.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Reports over all merchants and members (apis.md#merchants-members-and-money). */

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const ZONE = 'timeZone=UTC';
const MONTH = `month=${new Date(service.app.deps.clock.now()).toISOString().slice(0, 7)}`;

await operator.post('/exchange-rates', { currency: 'INR', rate: 3.5 });
const member = await createMember(service, { float: '100000', maxOpenOrders: 100 });
const shop = await createMerchant(service, { name: '=Shop', balance: '5000' });
const indian = await createMerchant(service, { balance: '700', currencies: ['INR'] });
for (const { merchantId } of [shop, indian])
  await operator.post('/fee-rules', {
    ...{ merchantId, orderType: 'Deposit', walletType: 'ProviderA', percent: 2 },
  });
await completeOrder(service, await createOrder(shop, { amount: 1000.5 }), member);
await completeOrder(service, await createOrder(indian, { amount: 200, currency: 'INR' }), member);
const adjust = { kind: 'freeze', amount: 300.25, reason: 'held back' };
await operator.post(`/merchants/${shop.merchantId}/adjustments`, adjust);

type Row = Readonly<Record<string, number>>;
const sumOf = (rows: readonly Row[], name: string) =>
  rows.reduce((sum, row) => sum + Math.round((row[name] as number) * 10_000), 0) / 10_000;
const read = async (path: string): Promise<readonly Row[]> =>
  (await operator.get(`/reports/${path}?${MONTH}&${ZONE}&limit=200`)).data;
const trial = async (query = '') => (await operator.get(`/reports/trial-balance${query}`)).data;
const balances = (of: { accounts: readonly { account: string; balance: number }[] }) =>
  Object.fromEntries(of.accounts.map(({ account, balance }) => [account, balance]));

test('merchants and members of a month tie to the trial balance, which is zero', async () => {
  const merchants = await read('merchants');
  expect(merchants.find((row) => String(row['merchantId']) === shop.merchantId)).toMatchObject({
    ...{ opening: 0, deposits: 1000.5, withdrawals: 0, fees: 20.01, adjustments: 5000 },
    ...{ frozen: 300.25, closing: 5680.24, frozenOpening: 0, frozenClosing: 300.25 },
  });
  const members = await read('members');
  expect(members.find((row) => String(row['memberId']) === member.memberId)).toMatchObject({
    ...{ opening: 0, deposits: -1700.5, withdrawals: 0, adjustments: 100_000, closing: 98_299.5 },
  });
  const now = await trial();
  expect(now.total).toBe(0);
  expect(balances(now)).toEqual({
    wallets: sumOf(merchants, 'closing'),
    frozen: sumOf(merchants, 'frozenClosing'),
    floats: sumOf(members, 'closing'),
    fees: sumOf(merchants, 'fees'),
    adjustments: -sumOf(merchants, 'adjustments') - sumOf(members, 'adjustments'),
  });
  for (const { balance, projected } of now.accounts)
    if (projected !== null) expect(projected).toBe(balance);
});

test('the trial balance of a time is what had been posted then', async () => {
  const before = await trial('?at=2020-01-01');
  expect([before.postings, before.total]).toEqual([0, 0]);
  const later = await trial('?at=2099-01-01');
  expect(balances(later)).toEqual(balances(await trial()));
});

test('a row of the merchants’ file adds up as signed', async () => {
  const { text } = await operator.get(`/reports/merchants.csv?${MONTH}&${ZONE}`);
  const [head = [], ...rows] = cellsOf(text);
  const shown = rows.map((row) =>
    Object.fromEntries(head.map((name, at) => [name, Number(row[at])])),
  );
  expect(shown[rows.findIndex((row) => row[0] === shop.merchantId)]).toMatchObject({
    ...{ opening: 0, deposits: 1000.5, withdrawals: 0, fees: -20.01, adjustments: 5000 },
    ...{ frozen: -300.25, closing: 5680.24 },
  });
  const parts = ['opening', 'deposits', 'withdrawals', 'fees', 'adjustments', 'frozen'];
  for (const row of shown)
    expect(parts.reduce((sum, name) => sum + (row[name] as number), 0)).toBeCloseTo(
      row['closing'] as number,
      4,
    );
});

test('files have the same rows, without a formula', async () => {
  const { text } = await operator.get(`/reports/merchants.csv?${MONTH}&${ZONE}`);
  const [head = [], ...rows] = cellsOf(text);
  const closing = head.indexOf('closing');
  const merchants = await read('merchants');
  expect(rows.map((row) => row[closing])).toEqual(merchants.map((row) => String(row['closing'])));
  expect(text).toContain(`,"'=Shop",`);
  const members = await operator.get(`/reports/members.csv?${MONTH}`);
  expect(members.text).toContain(`"${member.memberId}",`);
});

test('each merchant’s month is its own zone’s unless one is named', async () => {
  const { data } = await operator.get(`/reports/merchants?${MONTH}`);
  const zones = Object.fromEntries(
    data.map((row: { merchantId: string; timeZone: string }) => [row.merchantId, row.timeZone]),
  );
  expect([zones[shop.merchantId], zones[indian.merchantId]]).toEqual([
    'Asia/Karachi',
    'Asia/Kolkata',
  ]);
  expect((await operator.get(`/reports/members?${MONTH}&timeZone=Mars`)).status).toBe(400);
  expect((await operator.get('/reports/members?month=1969-12')).status).toBe(400);
  const present = await operator.get(`/reports/members?${MONTH}&timeZone=Asia/Karachi`);
  expect((await operator.get('/reports/members')).data).toEqual(present.data);
});
