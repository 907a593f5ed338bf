import { randomUUID } from 'node:crypto';
import {
  CURRENCIES,
  type Currency,
  changeZone,
  dayAt,
  formatDay,
  formatMoney,
  formatMonth,
  type Instant,
  type Money,
  monthAfter,
  monthAt,
  oneZone,
  periodOfMonth,
  type Zones,
} from '@munshi/core';
import { describe, expect } from 'vitest';
import { type Chance, chanceOf } from '../../simulation/chance.ts';
import { cellsOf } from '../../support/csv.ts';
import { createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { completeOrder } from '../../support/outcomes.ts';
import { createPortalUser, portalClient } from '../../support/portal.ts';
import { serviceTest } from '../../support/service-test.ts';
import { SEED } from '../../support/size.ts';

/** Statements and their files against the ledger, to the last digit. */

const { test, service } = await serviceTest(
  { ROLES: 'http' },
  { unsound: 'histories are written without the members and adjustments that they are of' },
);
const { pool } = service.database;
const operator = operatorClient(service);
const DAY_MS = 24 * 60 * 60 * 1000;

interface Posting {
  readonly id: string;
  readonly at: Instant;
  readonly kind: 'settlement' | 'credit' | 'debit' | 'freeze' | 'unfreeze';
  readonly wallet: Money;
  readonly frozen: Money;
  readonly fees: Money;
  /** Of a settlement: what the order was for, in its currency. */
  readonly order: OrderTerms | null;
}
interface OrderTerms {
  readonly currency: Currency;
  readonly amount: Money;
  readonly fee: Money | null;
}
type Moves = Pick<Posting, 'kind' | 'wallet' | 'frozen' | 'fees'>;

function movesOf(chance: Chance): Moves {
  const units = () => BigInt(chance.number(10 ** (1 + chance.number(9)))) + 1n;
  const amount = units() * BigInt(chance.pick([1, 10_000, 333]));
  const fees = BigInt(chance.number(10 ** (1 + chance.number(6))));
  const none = { frozen: 0n, fees: 0n };
  return chance.pick<Moves>([
    { kind: 'settlement', wallet: amount > fees ? amount - fees : 0n, frozen: 0n, fees },
    { kind: 'settlement', wallet: -amount - fees, frozen: 0n, fees },
    { kind: 'credit', wallet: amount, ...none },
    { kind: 'debit', wallet: -amount, ...none },
    { kind: 'freeze', wallet: -amount, frozen: amount, fees: 0n },
    { kind: 'unfreeze', wallet: amount, frozen: -amount, fees: 0n },
  ]);
}

/** Any: what it came to in PKR is the posting's. */
function orderOf(chance: Chance): OrderTerms {
  const amount = BigInt(chance.number(10 ** (1 + chance.number(9)))) * 99_991n + 1n;
  const fee = chance.oneIn(5) ? null : BigInt(chance.number(1_000_000)) % (amount + 1n);
  return { currency: chance.pick(CURRENCIES), amount, fee };
}

const MONTHS_BACK = 7;
/** Thousands of movements over months, many of them at the moments at which months change. */
function historyOf(chance: Chance, zones: Zones, count: number, now: Instant): readonly Posting[] {
  const thisMonth = monthAt(now, zones);
  const edges = Array.from({ length: MONTHS_BACK }, (_, back) => {
    const { from } = periodOfMonth(monthAfter(thisMonth, -back), zones);
    return [from - 1, from, from + 1];
  }).flat();
  const { from: first } = periodOfMonth(monthAfter(thisMonth, -MONTHS_BACK), zones);
  const span = now - 60_000 - first;
  const rich = { kind: 'credit', wallet: 10n ** 18n, frozen: 0n, fees: 0n } as const;
  const safe = { kind: 'freeze', wallet: -(10n ** 16n), frozen: 10n ** 16n, fees: 0n } as const;
  const moments = Array.from({ length: count }, () =>
    chance.oneIn(4)
      ? chance.pick(edges)
      : first + Math.floor((chance.number(2 ** 31) / 2 ** 31) * span),
  );
  const rows = [
    ...[rich, safe].map((moves) => ({ id: randomUUID(), at: first, ...moves, order: null })),
    ...moments.map((at) => {
      const moves = movesOf(chance);
      const order = moves.kind === 'settlement' ? orderOf(chance) : null;
      return { id: randomUUID(), at, ...moves, order };
    }),
  ];
  return rows.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

async function write(merchantId: string, memberId: string, rows: readonly Posting[]) {
  const sql = rows.map(({ id, at, kind, wallet, frozen, fees, order }) => ({
    merchant_id: merchantId,
    posting_id: id,
    kind,
    order_id: order && randomUUID(),
    order_type: wallet < 0n ? 'Withdrawal' : 'Deposit',
    currency: order?.currency,
    amount: order && formatMoney(order.amount),
    fee: order && (order.fee === null ? null : formatMoney(order.fee)),
    member_id: kind === 'settlement' ? memberId : null,
    wallet: formatMoney(wallet),
    frozen: formatMoney(frozen),
    fees: formatMoney(fees),
    posted_at: new Date(at).toISOString(),
  }));
  await pool.query(
    `insert into postings (merchant_id, posting_id, kind, order_id, member_id, wallet, frozen, fees,
       member_float, adjustments, posted_at)
     select merchant_id, posting_id, kind, order_id, member_id, wallet, frozen, fees,
       case when kind = 'settlement' then -wallet - fees else 0 end,
       case when kind = 'settlement' then 0 else -wallet - frozen end,
       posted_at
     from json_to_recordset($1) as row (merchant_id uuid, posting_id uuid, kind text, order_id uuid,
       member_id uuid, wallet numeric, frozen numeric, fees numeric, posted_at timestamptz)`,
    [JSON.stringify(sql)],
  );
  await pool.query(
    `insert into orders (merchant_id, order_id, order_reference, api_key_id, idempotency_key,
       order_type, wallet_type, currency, amount, fee, rate, settlement_amount, float_amount,
       txn_ref_digits_required, max_retry_count, page_origin, created_status, status, created_at,
       completed_at, expires_at)
     select merchant_id, order_id, order_id, order_id, order_id, order_type, 'ProviderA', currency,
       amount, fee, 1.5, 0, 0, 4, 0, '', 'Awaiting', 'Completed', posted_at, posted_at, posted_at
     from json_to_recordset($1) as row (merchant_id uuid, order_id uuid, order_type text,
       currency text, amount numeric, fee numeric, posted_at timestamptz)
     where order_id is not null`,
    [JSON.stringify(sql)],
  );
  await pool.query(
    `update merchant_wallets set
       balance = (select sum(wallet) from postings where merchant_id = $1),
       frozen = (select sum(frozen) from postings where merchant_id = $1)
     where merchant_id = $1`,
    [merchantId],
  );
}

const sum = (rows: readonly Posting[], of: 'wallet' | 'frozen' | 'fees') =>
  rows.reduce((total, row) => total + row[of], 0n);
const balances = (rows: readonly Posting[]) => ({
  walletBalance: formatMoney(sum(rows, 'wallet')),
  frozenBalance: formatMoney(sum(rows, 'frozen')),
});
const moved = (rows: readonly Posting[]) => ({
  count: String(rows.length),
  amount: formatMoney(sum(rows, 'wallet') + sum(rows, 'fees')),
  fee: formatMoney(sum(rows, 'fees')),
  walletChange: formatMoney(sum(rows, 'wallet')),
  frozenChange: formatMoney(sum(rows, 'frozen')),
});
const ofOrders = (rows: readonly Posting[], of: 'amount' | 'fee') =>
  formatMoney(rows.reduce((total, { order }) => total + (order?.[of] ?? 0n), 0n));
/** The orders of a month by kind and currency, those that there are. */
const byCurrency = (rows: readonly Posting[]) =>
  ['deposit', 'withdrawal'].flatMap((kind) =>
    CURRENCIES.flatMap((currency) => {
      const its = rows.filter((row) => nameOf(row) === kind && row.order?.currency === currency);
      const inIt = { orderAmount: ofOrders(its, 'amount'), orderFee: ofOrders(its, 'fee') };
      return its.length === 0 ? [] : [{ kind, currency, ...inIt, ...moved(its) }];
    }),
  );
const nameOf = ({ kind, wallet }: Posting) =>
  kind === 'settlement' ? (wallet < 0n ? 'withdrawal' : 'deposit') : kind;
const KINDS = ['deposit', 'withdrawal', 'credit', 'debit', 'freeze', 'unfreeze'];

/** Every digit as it was sent: no amount passes through a JavaScript number. */
const exact = (text: string) =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? source : value) as never);
const rowsOf = (csv: string) => {
  const [names = [], ...rows] = cellsOf(csv);
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], cell])));
};

const emptied = (row: object) => Object.fromEntries(Object.keys(row).map((name) => [name, '']));

const CASES: readonly { readonly zones: (now: Instant) => Zones }[] = [
  { zones: () => oneZone('Asia/Karachi') },
  { zones: () => oneZone('America/New_York') }, // summer time ends and begins
  { zones: () => oneZone('Africa/Cairo') }, // at midnight
  {
    zones: (now) => changeZone(oneZone('Asia/Kolkata'), 'Pacific/Auckland', now - 75 * DAY_MS),
  },
];

describe.each(CASES)('a random history, case %#', ({ zones: zonesAt }) => {
  test(`is what its statements and files say (TEST_SEED=${SEED})`, async () => {
    const now = service.app.deps.clock.now();
    const zones = zonesAt(now);
    const chance = chanceOf(SEED);
    const merchant = await createMerchant(service, { name: 'Random Shop' });
    const member = await createMember(service, { methods: [] });
    const stored = [JSON.stringify(zones), merchant.merchantId];
    await pool.query('update merchants set time_zones = $1 where merchant_id = $2', stored);
    const all = historyOf(chance, zones, 1_500, now).map((row) => {
      const day = formatDay(dayAt(row.at, zones));
      return { ...row, day, month: day.slice(0, 7) };
    });
    await write(merchant.merchantId, member.memberId, all);
    const portal = portalClient(
      service,
      (await createPortalUser(service, merchant, 'viewer')).token,
    );
    const get = async (path: string) => exact((await portal.call('GET', path)).text);

    const list = (await get('/statements?limit=200')).data;
    expect(list.map(({ month }: { month: string }) => month)).toEqual(
      Array.from({ length: MONTHS_BACK + 1 }, (_, back) =>
        formatMonth(monthAfter(monthAt(now, zones), -back)),
      ),
    );
    for (const listed of list) {
      const { month } = listed;
      const rows = all.filter((row) => row.month === month);
      const opening = balances(all.filter((row) => row.month < month));
      const closing = balances(all.filter((row) => row.month <= month));
      const { data } = await get(`/statements/${month}`);
      const expected = {
        month,
        opening,
        closing,
        closed: month !== formatMonth(monthAt(now, zones)),
      };
      expect(data).toMatchObject({ ...expected, total: moved(rows) });
      expect(listed).toMatchObject({ ...expected, ...moved(rows) });
      expect(data.kinds).toEqual(
        KINDS.map((kind) => ({ kind, ...moved(rows.filter((row) => nameOf(row) === kind)) })),
      );
      const orders = byCurrency(rows);
      expect(data.currencies).toEqual(orders);
      const summary = rowsOf((await portal.call('GET', `/statements/${month}/summary.csv`)).text);
      const nothing = { currency: '', orderAmount: '', orderFee: '' };
      const sums = [
        { ...nothing, ...emptied(moved([])), kind: 'opening', ...opening },
        ...KINDS.flatMap((kind) => {
          const its = rows.filter((row) => nameOf(row) === kind);
          const split = orders.filter((each) => each.kind === kind);
          if (split.length > 0 || its.length === 0) return split;
          return [{ kind, ...nothing, ...moved(its) }];
        }).map((row) => ({ ...row, ...emptied(balances([])) })),
        { ...nothing, ...emptied(moved([])), kind: 'closing', ...closing },
      ];
      expect(summary).toEqual(sums);
      const days = Map.groupBy(rows, (row) => row.day);
      expect(data.days).toEqual(
        [...days].map(([day, on]) => {
          const { count, walletChange, frozenChange } = moved(on);
          const until = all.filter((row) => row.day <= day);
          return { day, count, walletChange, frozenChange, ...balances(until) };
        }),
      );

      const file = rowsOf((await portal.call('GET', `/statements/${month}/movements.csv`)).text);
      expect(file.at(0)).toMatchObject({ kind: 'opening', ...opening });
      expect(file.at(-1)).toMatchObject({ kind: 'closing', ...closing });
      const running = { wallet: 0n, frozen: 0n };
      for (const row of all.filter((one) => one.month < month)) {
        running.wallet += row.wallet;
        running.frozen += row.frozen;
      }
      expect(file.slice(1, -1)).toEqual(
        rows.map((row) => {
          running.wallet += row.wallet;
          running.frozen += row.frozen;
          return expect.objectContaining({
            day: row.day,
            movementId: row.id,
            kind: row.kind,
            currency: row.order?.currency ?? '',
            orderAmount: row.order === null ? '' : formatMoney(row.order.amount),
            orderFee: row.order?.fee == null ? '' : formatMoney(row.order.fee),
            amount: formatMoney(row.wallet + row.fees),
            fee: formatMoney(row.fees),
            walletChange: formatMoney(row.wallet),
            frozenChange: formatMoney(row.frozen),
            walletBalance: formatMoney(running.wallet),
            frozenBalance: formatMoney(running.frozen),
          });
        }),
      );
      expect((await get(`/balance?at=${data.to}`)).data).toMatchObject(closing);
    }
    const whole = rowsOf((await portal.call('GET', '/movements.csv')).text);
    expect(whole.map(({ movementId }) => movementId)).toEqual(all.map(({ id }) => id));
    expect((await get('/balance')).data).toMatchObject(balances(all));
    expect(whole.at(-1)).toMatchObject(balances(all));
    for (let tries = 0; tries < 10; tries += 1) {
      const { at } = chance.pick(all);
      const past = all.filter((row) => row.at < at);
      const asked = new Date(at).toISOString();
      expect((await get(`/balance?at=${asked}`)).data).toMatchObject({
        at: asked,
        ...balances(past),
      });
    }
  });
});

describe('a statement', () => {
  test('shows amount, rate and PKR of orders in another currency, and the year’s only fee', async () => {
    await operator.post('/exchange-rates', { currency: 'INR', rate: 3.31415926 });
    const shop = await createMerchant(service, { currencies: ['INR'] });
    await operator.post('/fee-rules', {
      ...{ merchantId: shop.merchantId, orderType: 'Deposit', walletType: 'ProviderA' },
      percent: 1.5,
    });
    const member = await createMember(service, { float: '1000000', maxOpenOrders: 10 });
    const order = await createOrder(shop, { amount: 1000.1, currency: 'INR' });
    await completeOrder(service, order, member);
    const portal = portalClient(service, (await createPortalUser(service, shop, 'viewer')).token);
    const [row] = exact((await portal.call('GET', '/movements')).text).data;
    // 1000.1 × 3.31415926, and (1000.1 − 15.0015) × 3.31415926, each rounded once
    const inPkr = { amount: '3314.4907', fee: '49.7174', walletChange: '3264.7733' };
    const inInr = { orderAmount: '1000.1', orderFee: '15.0015' };
    const terms = { currency: 'INR', ...inInr, rate: '3.31415926' };
    expect(row).toMatchObject({ ...terms, ...inPkr });
    const month = formatMonth(monthAt(service.app.deps.clock.now(), oneZone('Asia/Kolkata')));
    const { text } = await portal.call('GET', `/statements/${month}/movements.csv`);
    expect(rowsOf(text)[1]).toMatchObject({ ...terms, ...inPkr });
    const { data } = exact((await portal.call('GET', `/statements/${month}`)).text);
    const moved = { count: '1', ...inPkr, frozenChange: '0' };
    expect(data.currencies).toEqual([{ kind: 'deposit', currency: 'INR', ...inInr, ...moved }]);
  });

  test('is of the merchant’s own months alone', async () => {
    const shop = await createMerchant(service);
    const portal = portalClient(service, (await createPortalUser(service, shop, 'viewer')).token);
    const now = monthAt(service.app.deps.clock.now(), oneZone('Asia/Karachi'));
    for (const month of [monthAfter(now, 1), monthAfter(now, -1)])
      for (const ending of ['', '/movements.csv']) {
        const path = `/statements/${formatMonth(month)}${ending}`;
        expect((await portal.call('GET', path)).status, path).toBe(404);
      }
    const path = `/merchants/${shop.merchantId}/statements`;
    const [listed] = (await operator.get(path)).data;
    expect(listed.month).toBe(formatMonth(now));
    const { data } = await operator.get(`${path}/${listed.month}`);
    expect(data).toEqual((await portal.call('GET', `/statements/${listed.month}`)).json.data);
    expect((await operator.get(`/merchants/${randomUUID()}/statements`)).status).toBe(404);
  });

  test('a date is the beginning of that day where the merchant is', async () => {
    const shop = await createMerchant(service, { balance: '5' });
    await operator.patch(`/merchants/${shop.merchantId}`, { timeZone: 'Asia/Dhaka' });
    await operator.patch(`/merchants/${shop.merchantId}`, { name: 'In Dhaka' });
    const path = `/merchants/${shop.merchantId}/balance?at=2099-03-01`;
    expect((await operator.get(path)).data.at).toBe('2099-02-28T18:00:00.000Z');
    expect((await operator.get(`${path}T`)).errors).toHaveProperty('at');
  });
});
