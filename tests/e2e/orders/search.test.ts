import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { exportOrders } from '../../../apps/server/src/orders/lists.service.ts';
import { expectTakenByChunks } from '../../support/chunks.ts';
import { cellsOf } from '../../support/csv.ts';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  setPresence,
} from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
} from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { OPERATOR_TOKEN } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** One box finds an order by any of its details, and has its table as CSV. */

const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, {
  balance: '100000',
  name: '=cmd|calc',
  defaultCallbackUrl: 'https://shop.example/hook',
});
const member = await createMember(service, { methods: ['ProviderA'], name: 'Aisha' });

const cancel = (orderId: string) => operator.post(`/orders/${orderId}/cancel`, { note: 'n' });
async function paid(more: Record<string, unknown>): Promise<CreatedOrder> {
  const order = await createOrder(merchant, more);
  await openPage(order).data('open');
  await openPage(order).data('confirm', { transactionDigits: '4711' });
  return order;
}
const confirmed = async (orderId: string, transactionReference: string) =>
  service.app.deps.engine.submit({
    kind: 'member-confirm',
    commandId: randomUUID(),
    orderId,
    memberId: member.memberId,
    receivedAmount: null,
    transactionReference,
  });

const open = await paid({
  amount: 2500,
  merchantOrderRef: 'INV-7, "urgent"',
  customerReference: '+customer',
});
const done = await paid({
  amount: 2501.5,
  merchantOrderRef: 'Mixture-815',
  customerReference: 'plus-customer',
});
await confirmed(done.orderId, 'TRX-99 887-766');
const payout = await createOrder(merchant, {
  orderType: 'Withdrawal',
  amount: 300,
  customerAccountNumber: '+92\u00a0300\u2011123 4567',
  customerAccountName: 'Bilal Sadiq',
});
await cancel(payout.orderId);
await setPresence(service, member.memberId, false);
const waiting = await createOrder(merchant, { amount: 2500, walletType: 'TillID' });

/** In Urdu's and in precomposed letters. */
const KAUSAR = '\u06a9\u0648\u062b\u0631 \u09df\u09be\u09b8\u09ae\u09bf\u09a8';
for (const [order, name] of [
  [open, 'Ayesha Khan'],
  [done, KAUSAR],
] as const)
  await service.database.pool.query(
    `insert into order_notes (merchant_id, order_id, note_id, number, actor_kind, kind, note, at)
     values ($1, $2, $3, 1, 'customer', 'paidBy', $4, now())`,
    [merchant.merchantId, order.orderId, randomUUID(), name],
  );

const named: Readonly<Record<string, CreatedOrder>> = { open, done, payout, waiting };
const namesOf = (rows: readonly CreatedOrder[]) =>
  rows.map(
    ({ orderId }) => Object.entries(named).find(([, order]) => order.orderId === orderId)?.[0],
  );
const found = async (query: Record<string, string>) => {
  const { status, data, text } = await operator.get(`/orders?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return namesOf(data);
};
const end = ({ orderReference }: CreatedOrder) => orderReference.slice(-6);
/** With a letter: digits alone are a whole number. */
const part = (order: CreatedOrder) =>
  [0, 1, 2].map((at) => end(order).slice(at, at + 4)).find((four) => /[A-Z]/.test(four)) ??
  end(order);
const csv = async (query: Record<string, string> = {}) => {
  const path = `${service.url}/api/operator/orders.csv?${new URLSearchParams(query)}`;
  return fetch(path, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } });
};

describe('the search', () => {
  test.each<readonly [string, () => string, readonly string[]]>([
    ['the end of an open order’s reference', () => end(open), ['open']],
    [
      'the end of an ended order’s reference, in small letters',
      () => end(done).toLowerCase(),
      ['done'],
    ],
    ['the reference of the merchant, with marks', () => 'INV-7, "urgent"', ['open']],
    ['a customer’s account as they group it', () => '03001234567', ['payout']],
    ['the same with other marks', () => '0300 1234-567', ['payout']],
    ['the same with the country’s code', () => '00923001234567', ['payout']],
    [
      'the same as chats and PDF files write it',
      () => '\u202a+92\u202f300 1234567\u202c',
      ['payout'],
    ],
    [
      'the member’s account that was paid to',
      () => member.accounts[0]?.accountNumber ?? '',
      ['payout', 'done', 'open'],
    ],
    ['a transaction by its ID', () => 'trx99887766', ['done']],
    ['digits that customers entered', () => '4711', ['done', 'open']],
    ['a whole transaction ID that ends like an open order’s digits', () => '9988774711', ['open']],
    [
      'a message with its transaction',
      () => `${'Aap ko '.repeat(30)}Rs 2,501.5 mile. TID: TRX-99887766. Shukriya`,
      ['done'],
    ],
    [
      'our reference as chats write it',
      () => `\u200e${done.orderReference.replaceAll('-', '\u2013')}\u200b`,
      ['done'],
    ],
    ['a customer’s account as lists mask it', () => '…4567', ['payout']],
    ['an amount', () => '2,500.00', ['waiting', 'open']],
    ['an amount as lists show it', () => 'PKR\u00a02,501.50', ['done']],
    ['an amount in groups, behind a sign', () => 'Rs. 2 500/-', ['waiting', 'open']],
    ['an amount with its decimals', () => 'PKR 2501.5', ['done']],
    ['what nobody has', () => 'no such thing', []],
    ['a merchant’s reference in another case', () => 'inv-7, "URGENT"', ['open']],
    ['the end of a merchant’s reference', () => 'TURE-815', ['done']],
    ['a part of it', () => 'mixture', ['done']],
    ['a number in one', () => '815', ['done']],
    ['a part of a customer’s reference', () => 'PLUS-cust', ['done']],
    ['a part of our reference', () => part(done).toLowerCase(), ['done']],
    ['a part of the merchant’s name', () => 'CMD|', ['waiting', 'payout', 'done', 'open']],
    ['a part of the member’s name', () => 'ISHA', ['payout', 'done', 'open']],
    ['who the member’s account belongs to', () => 'providerA OF', ['payout', 'done', 'open']],
    ['a part of the name of a customer’s account', () => 'LAL\u00a0 sad', ['payout']],
    ['a name typed on an Arabic keyboard', () => '\u0643\u0648\u062b\u0631', ['done']],
    ['a name typed letter by letter', () => '\u09af\u09bc\u09be\u09b8', ['done']],
    ['who paid, as the customer says', () => 'yesha kh', ['open']],
    ['the last four of a customer’s account', () => '4567', ['payout']],
  ])('finds by %s', async (_what, text, names) => {
    expect(await found({ search: text() })).toEqual(names);
  });

  test('does not find part of a number that is none', async () => {
    for (const search of ['81', '15', 'al', '300123']) expect(await found({ search })).toEqual([]);
  });

  test('says what it was looked for as, and looks for customers’ names for those who may see them', async () => {
    const { token } = await createOperator(service, 'viewer');
    const asked = async (by: OperatorClient, query: string) =>
      JSON.parse((await by.get(`/orders${query}`)).text);
    expect((await asked(operator, '?search=sadiq')).searched).toEqual({
      inAll: ['reference', 'merchantReferenceEnd', 'account', 'transaction', 'name'],
      inNewest: ['referencePart', 'customerName'],
      newestFrom: null,
    });
    expect((await asked(operator, '')).searched).toBeNull();
    const { data, searched } = await asked(operatorClient(service, token), '?search=sadiq');
    expect(data).toEqual([]);
    expect(searched.inNewest).toEqual(['referencePart']);
  });

  test('finds an amount by the time that somebody remembers, where they are', async () => {
    const inKarachi = new Date(service.app.deps.clock.now() + 5 * 3_600_000).toISOString();
    const [day, time] = [inKarachi.slice(0, 10), inKarachi.slice(11, 16)];
    expect(await found({ search: `2500 ${day} ${time}`, utcOffset: '300' })).toEqual([
      'waiting',
      'open',
    ]);
    expect(await found({ search: `2500 ${day} ${time}`, utcOffset: '-300' })).toEqual([]);
    expect(await found({ search: '2500 2020-01-01' })).toEqual([]);
  });

  test('is held to the filters beside it, and goes on page by page', async () => {
    expect(await found({ search: '2500', walletType: 'TillID' })).toEqual(['waiting']);
    expect(await found({ search: '4711', status: 'Completed' })).toEqual(['done']);
    expect(await found({ search: '4711', merchantId: randomUUID() })).toEqual([]);
    const first = await operator.get('/orders?search=4711&limit=1');
    const next = await operator.get(`/orders?search=4711&limit=1&cursor=${first.nextCursor}`);
    expect(namesOf([...first.data, ...next.data])).toEqual(['done', 'open']);
    expect(next.nextCursor).toBeNull();
  });

  test('filters by amount, currency, deadline, late claim and failing webhook', async () => {
    const later = new Date(service.app.deps.clock.now() + 86_400_000).toISOString();
    expect(await found({ amountFrom: '2500', amountTo: '2501' })).toEqual(['waiting', 'open']);
    expect(await found({ amountFrom: '2501.5' })).toEqual(['done']);
    expect(await found({ currency: 'PKR', orderType: 'Withdrawal' })).toEqual(['payout']);
    expect(await found({ currency: 'INR' })).toEqual([]);
    expect(await found({ dueTo: later })).toEqual(['waiting', 'open']);
    expect(await found({ dueFrom: later })).toEqual([]);
    expect(await found({ dueWithinMinutes: '1440' })).toEqual(['waiting', 'open']);
    expect(await found({ dueWithinMinutes: '0' })).toEqual([]);
    expect(await found({ dueWithinMinutes: '0', dueTo: later })).toEqual([]);
    expect(await found({ hasLateClaim: 'true' })).toEqual([]);
    expect(await found({ hasFailingWebhook: 'false' })).toHaveLength(4);
    const { pool } = service.database;
    await pool.query('update delivery_queue set attempts = 1 where order_id = $1', [
      payout.orderId,
    ]);
    await pool.query(
      `insert into late_claims (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
       values ($1, $2, 1, $3, '31415926', now())`,
      [merchant.merchantId, payout.orderId, randomUUID()],
    );
    expect(await found({ hasFailingWebhook: 'true' })).toEqual(['payout']);
    expect(await found({ hasFailingWebhook: 'false' })).toEqual(['waiting', 'done', 'open']);
    expect(await found({ hasLateClaim: 'true' })).toEqual(['payout']);
    expect(await found({ search: '3141 5926' })).toEqual(['payout']);
    await pool.query('update delivery_queue set attempts = 0 where order_id = $1', [
      payout.orderId,
    ]);
  });

  test('is refused with what to narrow when it takes too long', async () => {
    const holder = await service.database.pool.connect();
    const asked = async (query: string) => {
      const { status, text } = await operator.get(`/orders?${query}`);
      return [status, JSON.parse(text)];
    };
    try {
      await holder.query('begin');
      await holder.query('lock table orders in access exclusive mode');
      // At once, for each is waited for until it is abandoned.
      const answers = ['status=Frozen', 'status=Frozen&from=2026-01-01'].map(asked);
      expect(await Promise.all(answers)).toEqual([
        [
          422,
          { code: 'too-slow', error: 'This search takes too long. Say since when: set `from`.' },
        ],
        [422, { code: 'too-slow', error: expect.stringContaining('`merchantId`') }],
      ]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });
});

test('a count says how many there are', async () => {
  expect((await operator.get('/orders/count')).data).toEqual({ count: 4, more: false });
  expect((await operator.get('/orders/count?search=4711')).data).toEqual({ count: 2, more: false });
});

describe('the CSV', () => {
  test('has the rows of the list, exact amounts, and no cell that is a formula', async () => {
    const response = await csv({ search: '2500' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toContain('orders.csv');
    const [header, ...rows] = cellsOf(await response.text());
    expect(header?.slice(0, 6)).toEqual([
      'orderId',
      'orderReference',
      'merchantId',
      'merchantName',
      'merchantOrderRef',
      'customerReference',
    ]);
    expect(rows.map(([orderId]) => orderId)).toEqual([waiting.orderId, open.orderId]);
    expect(rows[1]?.slice(3, 10)).toEqual([
      ...["'=cmd|calc", 'INV-7, "urgent"', "'+customer"],
      ...['Deposit', 'ProviderA', 'PKR', '2500'],
    ]);
  });

  test('of nothing is the header alone; each export is in the audit log with its filters, the search masked', async () => {
    const text = await (await csv({ search: ' 03009998877', status: 'Queued' })).text();
    expect(text.trimEnd().split('\r\n')).toHaveLength(1);
    const [entry] = (await operator.get('/audit-log?action=orders.export')).data;
    expect(entry).toMatchObject({
      target: 'orders',
      actor: { id: 'env-1' },
      detail: { search: '…8877', status: 'Queued' },
    });
  });

  test('goes on beyond one chunk, each order once', async () => {
    await service.database.pool.query(
      `insert into orders select (jsonb_populate_record(o, jsonb_build_object('order_id', gen_random_uuid(), 'order_reference', 'MANY-' || n,
         'idempotency_key', 'many-' || n))).* from orders o, generate_series(1, 1200) n where o.order_id = $1`,
      [payout.orderId],
    );
    const lines = (await (await csv({ search: '03001234567' })).text()).trimEnd().split('\r\n');
    expect(new Set(lines).size).toBe(1 + 1201);
    const caller = {
      actor: { kind: 'operator', id: 'env-1', name: 'OPERATOR_TOKEN', address: '127.0.0.1' },
      once: { commandId: randomUUID(), mayBeDone: false },
      boundKey: null,
    } as const;
    await expectTakenByChunks(service, (database) =>
      exportOrders({ ...service.app.deps, database }, caller, {}, {}),
    );
    await service.database.pool.query(`delete from orders where order_reference like 'MANY-%'`);
  });
});
