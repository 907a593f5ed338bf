import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { claimLate, readLateClaims } from '../../../apps/server/src/late-claims/service.ts';
import type { PageOrder } from '../../../apps/server/src/orders/page.store.ts';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
} from '../../support/fixtures.ts';
import { createOperator, operatorClient, secondOperator } from '../../support/operator-client.ts';
import { completeOrder, failedOrder, payDeposit } from '../../support/outcomes.ts';
import { openPage } from '../../support/page-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { WRITTEN_BY_JOBS } from '../../support/written-by-jobs.ts';

const { test, service } = await serviceTest();
const operator = operatorClient(service);
const merchant = await createMerchant(service, { name: 'Corner Shop', balance: '100000' });
const member = await createMember(service, {
  name: 'Aisha',
  methods: ['ProviderA', 'ProviderAQR', 'ProviderBQR'],
  float: '10000000',
  maxOpenOrders: 1000,
});

const pageOrder = async ({ orderId }: CreatedOrder) =>
  (await service.app.deps.readers.pageOrder(orderId)) as PageOrder;
const now = () => service.app.deps.clock.now();
const NOT_OPEN = { isOpen: false };
/** As the page does. */
async function claim(created: CreatedOrder, digits: string | null = '4711', at = now()) {
  const { deps } = service.app;
  const order = await pageOrder(created);
  const late = (await readLateClaims(deps, order, at)) ?? NOT_OPEN;
  return claimLate(deps, order, late, digits, at);
}
const open = ({ orderId }: CreatedOrder) =>
  service.app.deps.engine.submit({
    kind: 'open-page',
    commandId: randomUUID(),
    orderId,
    need: undefined,
  });
/** A deposit whose customer saw the account and did not confirm in time. */
async function expired(body: object = {}, by = merchant): Promise<CreatedOrder> {
  const order = await createOrder(by, { ...body });
  await open(order);
  await advance(service, 900);
  expect((await orderStatus(by, order.orderId)).status).toBe('Expired');
  return order;
}
const claimsOf = async ({ orderId }: CreatedOrder) =>
  (await operator.get(`/orders/${orderId}`)).data.lateClaims;

/** Every row of every other table but those of jobs, with the transaction that wrote it. */
async function everythingElse() {
  const { rows: tables } = await service.database.pool.query(
    `select format('select %L as name, xmin::text, t::text from %I t order by 2, 3', tablename, tablename) as text from pg_tables
     where schemaname = current_schema() and tablename <> all ($1) order by tablename`,
    [['late_claims', ...WRITTEN_BY_JOBS]],
  );
  const contents = [];
  for (const { text } of tables) contents.push((await service.database.pool.query(text)).rows);
  expect(contents.length).toBeGreaterThan(15);
  return contents;
}

describe('a customer who says after expiry that they paid', () => {
  test('reaches the operators, with the digits; no order, money or anything else changes', async () => {
    const order = await expired({ amount: 777.25 });
    const before = await everythingElse();
    const claimedAt = now();
    expect(await claim(order, ' 0012-3456 7890 ', claimedAt)).toBe('recorded');
    expect(await everythingElse()).toEqual(before);
    expect(await claimsOf(order)).toEqual([
      {
        claimId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        merchantId: merchant.merchantId,
        orderId: order.orderId,
        transactionDigits: '001234567890',
        payerAccount: null,
        status: 'open',
        claimedAt: new Date(claimedAt).toISOString(),
        takenAt: null,
        takenBy: null,
        takenByName: null,
        closedAt: null,
        closedBy: null,
        closedByName: null,
        note: null,
        allowedActions: ['take', 'close'],
      },
    ]);
  });

  test('says the same twice: one claim, also after it was closed', async () => {
    const order = await expired();
    expect([
      await claim(order, '4711'),
      await claim(order, '47 11'),
      await claim(order, '4712'),
    ]).toEqual(['recorded', 'already', 'recorded']);
    const [first] = await claimsOf(order);
    await operator.post(`/late-claims/${first.claimId}/close`, { note: 'nothing came' });
    expect(await claim(order, '4711')).toBe('already');
    expect((await claimsOf(order)).map(({ status }: { status: string }) => status)).toEqual([
      'closed',
      'open',
    ]);
  });

  test('has three different claims of an order, closed ones counted', async () => {
    const order = await expired();
    for (const digits of ['1001', '1002', '1003'])
      expect(await claim(order, digits)).toBe('recorded');
    const [first] = await claimsOf(order);
    await operator.post(`/late-claims/${first.claimId}/close`, { note: 'nothing came' });
    expect([await claim(order, '1004'), await claim(order, '1002')]).toEqual([
      'too-many',
      'already',
    ]);
    expect(await claimsOf(order)).toHaveLength(3);
  });

  test('sends a claim many times at once: each is there once, and no more than three', async () => {
    for (let round = 0; round < 5; round += 1) {
      const order = await pageOrder(await expired());
      const sent = Array.from({ length: 24 }, (_, at) => String(5000 + (at % 6)));
      const outcomes = await Promise.all(
        sent.map((digits) => claimLate(service.app.deps, order, { isOpen: true }, digits, now())),
      );
      const claims = await claimsOf(order as unknown as CreatedOrder);
      expect(claims).toHaveLength(3);
      expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(3);
      const kept = new Set(
        claims.map(({ transactionDigits }: { transactionDigits: string }) => transactionDigits),
      );
      expect(kept.size).toBe(3);
      for (const [at, outcome] of outcomes.entries())
        expect(outcome === 'too-many').toBe(!kept.has(sent[at]));
    }
  });

  test.each(['', '123', 'TX471', null])('with %j leaves nothing', async (digits) => {
    const order = await expired();
    expect(await claim(order, digits)).toBe('invalid-digits');
    expect(await claimsOf(order)).toEqual([]);
  });
});

describe('of a QR method', () => {
  /** One whose customer gave this account for the code, and did not confirm in time. */
  async function scanned(payer: object, body: Record<string, unknown>): Promise<CreatedOrder> {
    const order = await createOrder(merchant, body);
    const page = openPage(order);
    await page.data('open');
    await page.data('payer', payer);
    await advance(service, 900);
    return order;
  }

  test('a claim needs no digits: the payer that was given is copied, once; digits may follow', async () => {
    const order = await scanned(
      { accountNumber: '03007654321' },
      { walletType: 'ProviderAQR', amount: 512 },
    );
    const page = openPage(order);
    expect((await page.get()).text).not.toContain('name="transactionDigits"');
    for (const time of ['first', 'again']) {
      const answer = await page.form('claim');
      expect([time, answer.status]).toEqual([time, 303]);
      expect((await page.get()).text).not.toContain('4321');
    }
    expect(await claimsOf(order)).toMatchObject([
      { transactionDigits: null, payerAccount: '…4321', status: 'open' },
    ]);
    expect((await page.form('claim', { transactionDigits: '12' })).status).toBe(400);
    expect((await page.post('claim', { transactionDigits: '4711' })).status).toBe(200);
    expect(await claimsOf(order)).toMatchObject([
      { transactionDigits: null, payerAccount: '…4321' },
      { transactionDigits: '4711', payerAccount: '…4321' },
    ]);
  });

  test('its candidates are the payments of the same payer', async () => {
    const body = { walletType: 'ProviderBQR', amount: 513 };
    const paid = await createOrder(merchant, body);
    const page = openPage(paid);
    await page.data('open');
    await page.data('payer', { ibanLast4: '0071' });
    await page.data('confirm');
    const order = await scanned({ ibanLast4: '0071' }, body);
    expect(await claim(order, '')).toBe('recorded');
    const [{ claimId }] = await claimsOf(order);
    const candidates = await operator.get(`/late-claims/${claimId}/candidates`);
    expect(candidates.data).toMatchObject([
      { orderId: paid.orderId, because: expect.arrayContaining(['payer']) },
    ]);
    expect(candidates.text).not.toContain('member-reference');
  });

  test('whose payer was never given, so that no code was shown, takes no claim', async () => {
    const order = await createOrder(merchant, { walletType: 'ProviderAQR' });
    await openPage(order).data('open');
    await advance(service, 900);
    expect([await claim(order, ''), await claim(order, '4711')]).toEqual([
      'not-claimable',
      'not-claimable',
    ]);
    const { status, text } = await openPage(order).get();
    expect([status, text.includes('/claim?')]).toEqual([410, false]);
  });

  test('a process of the version before reads such a claim, and writes claims as ever', async () => {
    const order = await scanned({ accountNumber: '03007654399' }, { walletType: 'ProviderAQR' });
    expect(await claim(order, '')).toBe('recorded');
    const { rows } = await service.database.pool.query(
      'select transaction_digits from late_claims where order_id = $1',
      [order.orderId],
    );
    expect(rows).toEqual([{ transaction_digits: '' }]);
    await service.database.pool.query(
      `insert into late_claims
         (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
       values ($1, $2, 2, $3, '4711', now())`,
      [merchant.merchantId, order.orderId, randomUUID()],
    );
    expect(await claim(order, '4711')).toBe('already');
  });
});

/** What the page says to a claim that it refuses. */
const FULL = 'We already know of your payment';

describe('on the page of the expired link', () => {
  test('the form takes the digits, in the customer’s own numerals and with the letters of an ID too, and the page says so; sent again it says the same', async () => {
    const order = await expired({ amount: 777.25 });
    const page = openPage(order);
    expect((await page.get()).status).toBe(410);
    for (const transactionDigits of ['4711 0815', '۴۷۱۱۰۸۱۵', 'TX4711HJ0815', '47110815']) {
      const answer = await page.form('claim', { transactionDigits });
      const target = new URL(answer.headers.get('location') as string, page.at('claim')).href;
      expect([answer.status, target]).toEqual([303, order.paymentPageUrl]);
      const { status, text } = await page.get();
      expect([status, text.includes('We have your digits')]).toEqual([410, true]);
      expect(text).not.toContain(order.orderReference);
    }
    expect(
      (await claimsOf(order)).map(
        ({ transactionDigits }: { transactionDigits: string }) => transactionDigits,
      ),
    ).toEqual(['47110815']);
  });

  test('digits that cannot be are asked for again, a fourth claim is refused, and a changed link takes none', async () => {
    const order = await expired();
    const page = openPage(order);
    expect((await page.form('claim', { transactionDigits: '12' })).status).toBe(400);
    expect((await page.post('claim', {})).status).toBe(400);
    expect(
      (
        await openPage({ paymentPageUrl: `${order.paymentPageUrl}x` }).form('claim', {
          transactionDigits: '4711',
        })
      ).status,
    ).toBe(403);
    expect(await claimsOf(order)).toEqual([]);
    const statuses = [];
    for (const transactionDigits of ['1001', '1002', '1003', '1004'])
      statuses.push((await page.post('claim', { transactionDigits })).status);
    expect(statuses).toEqual([200, 200, 200, 409]);
    const fourth = await page.form('claim', { transactionDigits: '1004' });
    expect([fourth.status, fourth.text.includes(FULL)]).toEqual([409, true]);
  });

  test('a link that has not expired, and one whose order completed since, take none', async () => {
    const early = await createOrder(merchant);
    expect((await openPage(early).post('claim', { transactionDigits: '4711' })).status).toBe(409);
    const late = await expired();
    await operator.post(`/orders/${late.orderId}/confirm`, { note: 'found' });
    expect((await openPage(late).post('claim', { transactionDigits: '4711' })).status).toBe(409);
    expect([await claimsOf(early), await claimsOf(late)]).toEqual([[], []]);
  });
});

describe('which orders', () => {
  const expiry = ({ expiresAt }: CreatedOrder) => Date.parse(expiresAt);

  test('from the moment of expiry, before its job has run, if an account was shown', async () => {
    const queued = await createOrder(merchant);
    const opened = await createOrder(merchant);
    await open(opened);
    const waiting = await createOrder(merchant, { walletType: 'TillID' });
    for (const [order, status, outcome] of [
      [queued, 'Queued', 'not-claimable'],
      [opened, 'AwaitingCustomerPayment', 'recorded'],
      [waiting, 'Awaiting', 'not-claimable'],
    ] as const) {
      expect(await claim(order, '4711', expiry(order) - 1)).toBe('not-claimable');
      expect(await claim(order, '4711', expiry(order))).toBe(outcome);
      expect((await orderStatus(merchant, order.orderId)).status).toBe(status);
    }
  });

  test('failed ones, however they ended; for 30 days', async () => {
    const cancelled = await createOrder(merchant);
    await open(cancelled);
    await operator.post(`/orders/${cancelled.orderId}/cancel`, { note: 'asked for' });
    const byCustomer = await createOrder(merchant);
    await open(byCustomer);
    await service.app.deps.engine.submit({
      kind: 'cancel-by-customer',
      commandId: randomUUID(),
      orderId: byCustomer.orderId,
    });
    const unopened = await failedOrder(service, merchant, {});
    await advance(service, 900);
    expect(await claim(unopened)).toBe('not-claimable');
    for (const [order, status] of [
      [cancelled, 'Cancelled'],
      [byCustomer, 'CancelledAuto'],
    ] as const) {
      expect((await orderStatus(merchant, order.orderId)).status).toBe(status);
      expect(await claim(order, '4711', expiry(order) + 30 * 86_400_000 - 1)).toBe('recorded');
      expect(await claim(order, '4712', expiry(order) + 30 * 86_400_000)).toBe('not-claimable');
    }
  });

  test('one that was confirmed in time and rejected: at once', async () => {
    const rejected = await createOrder(merchant);
    await payDeposit(service, rejected);
    await service.app.deps.engine.submit({
      kind: 'member-reject',
      commandId: randomUUID(),
      orderId: rejected.orderId,
      memberId: member.memberId,
      reason: 'nothing came',
    });
    expect(await claim(rejected)).toBe('recorded');
  });

  test('none that waits for its decision, none that completed, no withdrawal', async () => {
    const confirmed = await createOrder(merchant);
    await payDeposit(service, confirmed);
    const completed = await createOrder(merchant);
    await completeOrder(service, completed, member);
    const withdrawal = await createOrder(merchant, { orderType: 'Withdrawal' });
    await advance(service, 900);
    for (const order of [confirmed, completed, withdrawal])
      expect(await claim(order)).toBe('not-claimable');
  });
});

describe('operators', () => {
  test('take a claim up: one of them, and until it is closed the customer cannot correct it', async () => {
    const order = await expired();
    await claim(order, '4711');
    const [first] = await claimsOf(order);
    const path = `/late-claims/${first.claimId}/take`;
    const taken = await operator.post(path);
    expect(taken).toMatchObject({ status: 200, data: { allowedActions: ['close'] } });
    expect(await operator.post(path)).toMatchObject({ data: { takenAt: taken.data.takenAt } });
    const { token } = await createOperator(service, 'support');
    const other = operatorClient(service, token);
    expect((await other.post(path)).status).toBe(409);

    expect([await claim(order, '4711'), await claim(order, '4712')]).toEqual([
      'already',
      'taken-up',
    ]);
    const page = openPage(order);
    expect((await page.post('claim', { transactionDigits: '4712' })).status).toBe(409);
    const refused = await page.form('claim', { transactionDigits: '4712' });
    expect([refused.status, refused.text.includes(FULL)]).toEqual([409, true]);
    expect((await page.get()).text).not.toContain('name="transactionDigits"');

    await other.post(`/late-claims/${first.claimId}/close`, { note: 'nothing came' });
    expect((await other.post(path)).status).toBe(409);
    expect(await claim(order, '4712')).toBe('recorded');
  });

  test('take a claim over from the colleague whom they name, and the audit log says from whom', async () => {
    const order = await expired();
    await claim(order, '4711');
    const [first] = await claimsOf(order);
    const path = `/late-claims/${first.claimId}/take`;
    const { data: taken } = await operator.post(path);
    await advance(service, 60);
    const people = [
      await createOperator(service, 'support'),
      await createOperator(service, 'support'),
    ];
    const from = { from: taken.takenBy };
    const answers = await Promise.all(
      people.map(({ token }) => operatorClient(service, token).post(path, from)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const at = answers.findIndex(({ status }) => status === 200);
    const won = people[at]?.operatorId;
    expect(answers[at]?.data).toMatchObject({ takenBy: won, allowedActions: ['close'] });
    expect(answers[at]?.data.takenAt).not.toBe(taken.takenAt);
    expect(await claimsOf(order)).toMatchObject([
      { takenBy: won, allowedActions: ['take-over', 'close'] },
    ]);
    expect((await operator.post(path, from)).status).toBe(409);
    expect((await operator.post(path, {})).status).toBe(409);
    const { data: entries } = await operator.get(`/audit-log?target=${first.claimId}`);
    expect(entries[0]).toMatchObject({
      action: 'late-claim.take',
      actor: { id: won },
      detail: { orderId: order.orderId, takenFrom: taken.takenBy },
    });
    await operator.post(`/late-claims/${first.claimId}/close`, { note: 'nothing came' });
    expect((await operator.post(path, { from: won })).status).toBe(409);
  });

  test('see open claims as a queue, oldest first, by page and by merchant, with what the order says', async () => {
    const own = await createMerchant(service, { name: 'Queue Shop' });
    const orders = [];
    for (const amount of [10.5, 20.25, 30.0001]) {
      const order = await createOrder(own, {
        amount,
        merchantOrderRef: `INV-${amount}`,
        customerReference: 'customer one',
      });
      await open(order);
      orders.push(order);
    }
    await advance(service, 900);
    for (const [at, order] of orders.entries()) {
      expect(await claim(order, `900${at}`)).toBe('recorded');
      await advance(service, 1);
    }
    const query = `merchantId=${own.merchantId}&limit=2`;
    const first = await operator.get(`/late-claims?status=open&${query}`);
    const next = await operator.get(`/late-claims?status=open&${query}&cursor=${first.nextCursor}`);
    expect([...first.data, ...next.data].map(({ orderId }) => orderId)).toEqual(
      orders.map(({ orderId }) => orderId),
    );
    expect(next.nextCursor).toBeNull();
    expect(next.text).toContain('"amount":30.0001,');
    expect(first.data[0]).toMatchObject({
      transactionDigits: '9000',
      status: 'open',
      order: {
        orderReference: orders[0]?.orderReference,
        merchantOrderRef: 'INV-10.5',
        customerReference: 'customer one',
        walletType: 'ProviderA',
        currency: 'PKR',
        amount: 10.5,
        status: 'Expired',
        memberId: member.memberId,
        memberName: 'Aisha',
        merchantName: 'Queue Shop',
        expiresAt: orders[0]?.expiresAt,
      },
    });

    await operator.post(`/late-claims/${first.data[0].claimId}/close`, { note: 'nothing came' });
    const digits = async (filter: string) =>
      (await operator.get(`/late-claims?merchantId=${own.merchantId}${filter}`)).data.map(
        (row: { transactionDigits: string }) => row.transactionDigits,
      );
    expect(await digits('&status=open')).toEqual(['9001', '9002']);
    expect(await digits('&status=closed')).toEqual(['9000']);
    expect(await digits('')).toEqual(['9002', '9001', '9000']);
    expect((await operator.get(`/late-claims?merchantId=${randomUUID()}`)).data).toEqual([]);
  });

  test('confirm the order where the money came: its open claims close with the same note, each in the audit log, and the order takes no more', async () => {
    const order = await expired({ amount: 640 });
    for (const digits of ['4711', '4712', '4713']) await claim(order, digits);
    const [first, ...others] = await claimsOf(order);
    await operator.post(`/late-claims/${first.claimId}/close`, { note: 'typed wrong' });
    const balance = async () =>
      (await operator.get(`/merchants/${merchant.merchantId}/balance`)).data.walletBalance;
    const before = await balance();
    const at = now();
    const note = 'Aisha found it, 4711';
    const path = `/orders/${order.orderId}/confirm`;
    const { data: effect } = await operator.post(`${path}?preview=true`, { note });
    expect(effect.warnings.map(({ code }: { code: string }) => code)).not.toContain(
      'nobody-said-paid',
    );
    expect(await claimsOf(order)).toMatchObject([{ status: 'closed' }, ...others]);
    const confirmed = await operator.post(path, { note, memberId: member.memberId });
    expect(confirmed.data.status).toBe('Completed');
    expect(await balance()).toBe(before + 640);
    const closed = await claimsOf(order);
    expect(closed).toMatchObject([
      { status: 'closed', note: 'typed wrong' },
      ...others.map(({ claimId }: { claimId: string }) => ({
        ...{ claimId, status: 'closed', closedBy: 'env-1', note, allowedActions: [] },
      })),
    ]);
    expect(Date.parse(closed[1].closedAt)).toBeGreaterThanOrEqual(at);
    for (const { claimId } of others)
      expect((await operator.get(`/audit-log?target=${claimId}`)).data).toMatchObject([
        { action: 'late-claim.close', detail: { orderId: order.orderId, note } },
      ]);
    expect(await claim(order, '9999')).toBe('not-claimable');
  });

  test('ask a second one about an order: its claim leaves their own list and count, and is closed once that one agrees', async () => {
    const order = await expired({ amount: 641 });
    await claim(order);
    const second = secondOperator(service);
    /** Of the one who asks, and of the other. */
    const isListed = () =>
      Promise.all(
        [operator, second].map(async (who) => {
          const open = (await who.get('/late-claims?status=open&limit=200')).data;
          const { queues } = (await who.get('/queues')).data;
          const counted = queues.find(({ queue }: { queue: string }) => queue === 'lateClaims');
          expect(counted.count).toBe(open.length);
          return open.some(({ orderId }: CreatedOrder) => orderId === order.orderId);
        }),
      );
    expect(await isListed()).toEqual([true, true]);
    await service.database.pool.query('update settings set require_second_operator = true');
    try {
      const note = 'Seen in the statement.';
      const waits = await operator.post(`/orders/${order.orderId}/confirm`, { note });
      expect(waits.data.status).toBe('pendingApproval');
      expect(await claimsOf(order)).toMatchObject([{ status: 'open' }]);
      expect(await isListed()).toEqual([false, true]);
      const approve = `/approvals/${waits.data.approvalId}/approve`;
      expect((await second.post(`${approve}?preview=true`)).data.preview).toBe(true);
      expect(await claimsOf(order)).toMatchObject([{ status: 'open' }]);
      expect((await second.post(approve)).data.status).toBe('done');
      expect(await claimsOf(order)).toMatchObject([{ status: 'closed', closedBy: 'env-2', note }]);
    } finally {
      await service.database.pool.query('update settings set require_second_operator = false');
    }
  });

  test('close a claim once, with a note that is audited; the order stays as it is', async () => {
    const order = await expired();
    await claim(order);
    const [{ claimId }] = await claimsOf(order);
    const before = await orderStatus(merchant, order.orderId);
    const viewer = operatorClient(service, (await createOperator(service, 'viewer')).token);
    expect((await viewer.get('/late-claims?status=open')).status).toBe(200);
    expect((await viewer.post(`/late-claims/${claimId}/close`, { note: 'n' })).status).toBe(403);
    const close = (note: string) => operator.post(`/late-claims/${claimId}/close`, { note });
    const answers = await Promise.all([close('one'), close('two'), close('three')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.error).toBe(
      'This late claim has been closed already.',
    );
    const { note } = answers.find(({ status }) => status === 200)?.data ?? {};
    expect((await operator.get(`/audit-log?target=${claimId}`)).data).toMatchObject([
      {
        action: 'late-claim.close',
        actor: { kind: 'operator', id: 'env-1' },
        detail: { orderId: order.orderId, note },
        names: { [claimId]: order.orderReference, [order.orderId]: order.orderReference },
      },
    ]);
    expect((await claimsOf(order))[0].note).toBe(note);
    expect(await orderStatus(merchant, order.orderId)).toEqual(before);
    expect(await operator.post(`/late-claims/${randomUUID()}/close`, { note: 'n' })).toMatchObject({
      status: 404,
      error: 'Late claim not found.',
    });
  });

  test('read from a metric how many claims are open', async () => {
    const count = async () =>
      Number(
        /^munshi_late_claims_open (\d+)$/m.exec(
          await (await fetch(`${service.url}/metrics`)).text(),
        )?.[1],
      );
    const order = await expired();
    const before = await count();
    await claim(order);
    expect(await count()).toBe(before + 1);
    const [{ claimId }] = await claimsOf(order);
    await operator.post(`/late-claims/${claimId}/close`, { note: 'n' });
    expect(await count()).toBe(before);
  });
});
