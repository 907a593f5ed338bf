import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
} from '../../support/fixtures.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
} from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';
import { WRITTEN_BY_JOBS } from '../../support/written-by-jobs.ts';

/**
 * With `?preview=true` a write answers what it would do. What it said is what doing it then
 * writes, and saying it leaves no trace in any table.
 */

// Nobody sends: deliveries stay as they are written.
const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const second = secondOperator(service);
const merchant = await createMerchant(service, {
  balance: '100000',
  name: 'Corner Shop',
  defaultCallbackUrl: 'https://shop.example/hook',
});
const pool = service.database.pool;
const note = 'because';

/** Every row of every table; but for sessions, which keep their last use, and what jobs write. */
async function contents(): Promise<Record<string, string>> {
  const { rows } = await pool.query(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema()
       and table_type = 'BASE TABLE'
       and table_name <> all ($1)`,
    [['sessions', ...WRITTEN_BY_JOBS]],
  );
  const digests = rows.map(async ({ name }) => {
    const { rows } = await pool.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as all
       from ${name} t`,
    );
    return [name, rows[0].all] as const;
  });
  return Object.fromEntries(await Promise.all(digests));
}

const submit = (command: Parameters<typeof service.app.deps.engine.submit>[0]) =>
  service.app.deps.engine.submit(command);
const about = (orderId: string) => ({ commandId: randomUUID(), orderId });

// ---- States

type Body = Readonly<Record<string, unknown>>;
async function inHand(body: Body = {}) {
  await everybodyOffline(service);
  const member = await createMember(service, { name: 'Sana Iqbal' });
  const { orderId } = await createOrder(merchant, { ...body });
  await submit({ kind: 'open-page', ...about(orderId), need: undefined });
  return { orderId, member };
}
const anyDigits = () => String(randomInt(10_000_000, 99_999_999));
async function paid(body: Body = {}, digits = anyDigits()) {
  const { orderId, member } = await inHand({ txnRefDigitsRequired: 8, ...body });
  await submit({ kind: 'confirm-payment', ...about(orderId), transactionDigits: digits });
  return { orderId, member };
}
async function inReview(make = paid, body: Body = {}) {
  const { orderId, member } = await make(body);
  await operator.post(`/orders/${orderId}/escalate`, { note });
  return { orderId, member };
}
async function waiting(body: Body = {}) {
  await everybodyOffline(service);
  return createOrder(merchant, body);
}
async function failed(body: Body = {}) {
  const { orderId, member } = await inHand(body);
  await operator.post(`/orders/${orderId}/cancel`, { note });
  return { orderId, member };
}
const WITHDRAWAL = { orderType: 'Withdrawal', customerAccountNumber: '03001234567', amount: 700 };
async function payout(body: Body = {}) {
  await everybodyOffline(service);
  const member = await createMember(service);
  const { orderId } = await createOrder(merchant, { ...WITHDRAWAL, ...body });
  return { orderId, member };
}
async function sending(body: Body = {}) {
  const { orderId, member } = await payout(body);
  await submit({ kind: 'member-sending', ...about(orderId), memberId: member.memberId });
  return { orderId, member };
}
async function reported(made?: Awaited<ReturnType<typeof payout>>) {
  const { orderId, member } = made ?? (await payout());
  const by = { memberId: member.memberId, reason: 'It was sent to another account.' };
  await submit({ kind: 'member-report', ...about(orderId), ...by });
  return { orderId, member };
}
async function referenceTaken() {
  const reference = `taken-${randomUUID()}`;
  const { orderId } = await failed({ merchantOrderRef: reference });
  await everybodyOffline(service);
  await createOrder(merchant, { merchantOrderRef: reference, amount: 777 });
  return { orderId };
}
async function secondRequired<T>(required: boolean, work: () => Promise<T>): Promise<T> {
  await pool.query('update settings set require_second_operator = $1', [required]);
  try {
    return await work();
  } finally {
    await pool.query('update settings set require_second_operator = false');
  }
}

// ---- What was said, and what was written

/** The same without ids and times, which differ by nature. */
const timeless = (body: string) => body.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'then');

async function writtenSince(orderId: string, before: Written) {
  const after = await read(orderId);
  const isNew = ({ postingId }: { postingId: string }) =>
    !before.postings.some((one) => one.postingId === postingId);
  return { ...after, postings: after.postings.filter(isNew) };
}
type Written = Awaited<ReturnType<typeof read>>;
async function read(orderId: string) {
  const { data } = await operator.get(`/orders/${orderId}`);
  const bodies = await pool.query(
    `select url, convert_from(body, 'UTF8') as body
     from deliveries
     where order_id = $1
     order by sequence desc`,
    [orderId],
  );
  const { data: balance } = await operator.get(`/merchants/${data.merchantId}/balance`);
  return {
    status: data.status,
    stage: data.stage,
    failureReason: data.failureReason,
    memberId: data.memberId as string | null,
    postings: data.postings as { postingId: string; wallet: number }[],
    webhook: bodies.rows[0] as { url: string; body: string } | undefined,
    deliveries: bodies.rows.length,
    balance,
  };
}
const floatOf = async (memberId: string) => {
  const { data } = await operator.get(`/members/${memberId}`);
  return {
    floatBalance: data.floatBalance,
    floatHeld: data.floatHeld,
    openOrders: data.openOrders,
  };
};

interface Case {
  readonly state: () => Promise<{ orderId: string }>;
  readonly path: string;
  readonly body?: object;
  readonly warnings?: readonly string[];
}
const resolve = (outcome: string): Pick<Case, 'path' | 'body'> => ({
  path: 'resolve',
  body: { outcome, note },
});
const noted = (path: string): Pick<Case, 'path' | 'body'> => ({ path, body: { note } });

const CASES: Readonly<Record<string, Case>> = {
  'a paid deposit in review, resolved as Completed': { state: inReview, ...resolve('Completed') },
  'a paid deposit in review, resolved as Cancelled': { state: inReview, ...resolve('Cancelled') },
  'a paid deposit whose digits another order has, resolved as Completed': {
    state: async () => {
      const digits = anyDigits();
      await paid({}, digits);
      const { orderId } = await paid({}, digits);
      await operator.post(`/orders/${orderId}/escalate`, { note });
      return { orderId };
    },
    ...resolve('Completed'),
    warnings: ['digits-elsewhere'],
  },
  'a deposit in review that nobody says is paid, resolved as Completed': {
    state: () => inReview(inHand),
    ...resolve('Completed'),
    warnings: ['nobody-said-paid'],
  },
  'a withdrawal in review, resolved as Completed': {
    state: () => inReview(payout),
    ...resolve('Completed'),
    warnings: ['nobody-said-paid'],
  },
  'a withdrawal in review, resolved as Cancelled': {
    state: () => inReview(payout),
    ...resolve('Cancelled'),
  },
  'a withdrawal that its member is sending, cancelled': {
    state: sending,
    ...noted('cancel'),
    warnings: ['member-may-have-paid'],
  },
  'a withdrawal that its member is sending, escalated': { state: sending, ...noted('escalate') },
  'a withdrawal that its member was sending, resolved as Cancelled': {
    state: () => inReview(sending),
    ...resolve('Cancelled'),
    warnings: ['member-may-have-paid'],
  },
  'a withdrawal that its member reported, resolved as Cancelled': {
    state: () => reported(),
    ...resolve('Cancelled'),
    warnings: ['member-may-have-paid'],
  },
  'a withdrawal that its member reported in review, resolved as Cancelled': {
    state: async () => reported(await inReview(payout)),
    ...resolve('Cancelled'),
    warnings: ['member-may-have-paid'],
  },
  'a waiting deposit, cancelled': { state: waiting, ...noted('cancel') },
  'an assigned deposit, cancelled': { state: inHand, ...noted('cancel') },
  'a withdrawal in hand, cancelled': { state: payout, ...noted('cancel') },
  'a waiting withdrawal, cancelled': {
    state: () => waiting(WITHDRAWAL),
    ...noted('cancel'),
  },
  'a paid deposit, escalated': { state: paid, ...noted('escalate') },
  'a withdrawal in hand, escalated': { state: payout, ...noted('escalate') },
  'a failed deposit, confirmed late': {
    state: failed,
    ...noted('confirm'),
    warnings: ['nobody-said-paid'],
  },
  'a failed deposit that nobody held, confirmed late': {
    state: async () => {
      const { orderId } = await waiting();
      await operator.post(`/orders/${orderId}/cancel`, { note });
      return { orderId };
    },
    ...noted('confirm'),
    warnings: ['nobody-said-paid', 'no-member'],
  },
  'a failed deposit whose reference a newer order has, confirmed late': {
    state: referenceTaken,
    ...noted('confirm'),
    warnings: ['reference-taken', 'nobody-said-paid'],
  },
  'a failed withdrawal, confirmed late': {
    state: () => failed(WITHDRAWAL),
    ...noted('confirm'),
    warnings: ['nobody-said-paid'],
  },
  'the outcome of a failed order, sent again': { state: failed, path: 'deliveries/resend' },
  'a delivery that has failed once, retried': {
    state: async () => {
      const { orderId } = await failed();
      const later = new Date(service.app.deps.clock.now() + 3_600_000);
      const { rows } = await pool.query(
        `update delivery_queue
         set attempts = 1, next_attempt_at = $2
         where order_id = $1
         returning merchant_id, delivery_id`,
        [orderId, later],
      );
      await pool.query(
        'insert into delivery_attempts values ($1, $2, 1, $3, 120, false, 500, null)',
        [rows[0].merchant_id, rows[0].delivery_id, later],
      );
      return { orderId };
    },
    path: 'deliveries/retry-now',
  },
};

describe('a preview says what doing it writes, and leaves no trace', () => {
  test.for(Object.entries(CASES))('%s', async ([, { state, path, body, warnings = [] }]) => {
    const { orderId } = await state();
    const before = await read(orderId);
    const floatBefore = before.memberId && (await floatOf(before.memberId));
    const rows = await contents();

    const [key, action] = [randomUUID(), `/orders/${orderId}/${path}`];
    const preview = await operator.post(`${action}?preview=true`, body, key);
    expect(preview.status, preview.text).toBe(200);
    expect(await contents()).toEqual(rows);
    const effect = preview.data;
    expect(effect).toMatchObject({ preview: true, status: 'done' });
    expect(effect.warnings.map(({ code }: { code: string }) => code)).toEqual(warnings);

    expect((await operator.post(action, body, key)).status).toBe(200);
    const after = await writtenSince(orderId, before);
    if (path.startsWith('deliveries')) expect(effect.order).toBeNull();
    else {
      const { status, stage, failureReason, memberId } = after;
      expect(effect.order.before).toMatchObject({ status: before.status, stage: before.stage });
      expect(effect.order.after).toMatchObject({ status, stage, failureReason, memberId });
    }
    expect(effect.postings).toMatchObject(
      after.postings.map(({ postingId: _, ...posting }) => {
        const { postedAt: __, ...sums } = posting as typeof posting & { postedAt: string };
        return sums;
      }),
    );
    const [wallet] = effect.wallets;
    expect(wallet?.before ?? {}).toMatchObject(wallet ? sumsOf(before.balance) : {});
    expect(sumsOf(after.balance)).toEqual(wallet?.after ?? sumsOf(before.balance));
    const [float] = effect.floats;
    if (before.memberId === null) expect(effect.floats).toEqual([]);
    else {
      const floatAfter = await floatOf(before.memberId);
      expect(float?.before ?? floatBefore).toMatchObject(floatBefore as object);
      expect(float?.after ?? floatBefore).toMatchObject(floatAfter);
    }
    const sends = after.deliveries > before.deliveries || path.endsWith('retry-now');
    expect(effect.webhook === null).toBe(!sends);
    if (sends) {
      expect(effect.webhook.url).toBe(after.webhook?.url);
      expect(timeless(effect.webhook.body)).toBe(timeless(after.webhook?.body ?? ''));
    }
  });

  const sumsOf = (balance: Record<string, unknown>) => ({
    availableBalance: balance['availableBalance'],
    walletBalance: balance['walletBalance'],
    reservedBalance: balance['reservedBalance'],
    frozenBalance: balance['frozenBalance'],
  });

  test.for(['credit', 'debit', 'freeze', 'unfreeze'])(
    'an adjustment of the kind %s, without an Idempotency-Key',
    async (kind) => {
      const { merchantId } = await createMerchant(service, { balance: '500' });
      const adjustments = `/merchants/${merchantId}/adjustments`;
      await operator.post(adjustments, { kind: 'freeze', amount: 200, reason: note });
      const body = { kind, amount: 50.25, reason: note };
      const balance = async () =>
        sumsOf((await operator.get(`/merchants/${merchantId}/balance`)).data);
      const [before, rows] = [await balance(), await contents()];
      const { data: effect } = await operator.post(`${adjustments}?preview=true`, body);
      expect(await contents()).toEqual(rows);
      expect(effect).toMatchObject({ status: 'done', order: null, webhook: null, warnings: [] });
      await operator.post(adjustments, body);
      expect(effect.wallets).toEqual([
        { merchantId, merchantName: 'Test Merchant', before, after: await balance() },
      ]);
      const { rows: posted } = await pool.query(
        `select kind, wallet::float, frozen::float, adjustments::float
         from postings
         where merchant_id = $1 and kind = $2
         order by posted_at desc
         limit 1`,
        [merchantId, kind],
      );
      expect(effect.postings).toMatchObject(posted);
    },
  );

  test('an adjustment of a member’s float', async () => {
    const { memberId } = await createMember(service, { float: '900', online: false });
    const path = `/members/${memberId}/float-adjustments`;
    const [before, rows] = [await floatOf(memberId), await contents()];
    const body = { amount: -150.5, reason: note };
    const { data: effect } = await operator.post(`${path}?preview=true`, body);
    expect(await contents()).toEqual(rows);
    await operator.post(path, body);
    const [{ before: said, after }] = effect.floats;
    expect(said).toMatchObject(before);
    expect(after).toMatchObject(await floatOf(memberId));
    expect(effect.postings).toMatchObject([
      { kind: 'float', merchantId: null, memberId, memberFloat: -150.5, adjustments: 150.5 },
    ]);
  });

  test('a late claim that is taken up, and closed', async () => {
    const { orderId } = await failed();
    const claimId = randomUUID();
    await pool.query(
      `insert into late_claims (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
       values ($1, $2, 1, $3, '1234', now())`,
      [merchant.merchantId, orderId, claimId],
    );
    for (const [action, body] of [
      ['take', undefined],
      ['take', { from: 'env-1' }],
      ['close', { note }],
    ] as const) {
      const rows = await contents();
      const path = `/late-claims/${claimId}/${action}`;
      const { data: said } = await operator.post(`${path}?preview=true`, body);
      expect(await contents()).toEqual(rows);
      const { data: done } = await operator.post(path, body);
      const untimed = ({ takenAt, closedAt, ...rest }: typeof done) => rest;
      expect(untimed(said)).toEqual(untimed(done));
    }
  });
});

describe('where a second operator has to agree', () => {
  test('the preview says so, and what happens when they do', async () => {
    const { orderId } = await inReview();
    await secondRequired(true, async () => {
      const body = { outcome: 'Completed', note };
      const rows = await contents();
      const { data: effect } = await operator.post(`/orders/${orderId}/resolve?preview=true`, body);
      expect(await contents()).toEqual(rows);
      expect(effect.status).toBe('pendingApproval');
      expect(effect.order.after.status).toBe('Completed');
      expect(effect.warnings.map(({ code }: { code: string }) => code)).toEqual([
        'second-operator',
      ]);

      const { data: asked } = await operator.post(`/orders/${orderId}/resolve`, body);
      expect(asked.status).toBe('pendingApproval');
      const path = `/approvals/${asked.approvalId}/approve`;
      const waits = await contents();
      const { data: agreed } = await second.post(`${path}?preview=true`, {});
      expect(await contents()).toEqual(waits);
      expect(agreed).toEqual({
        ...effect,
        ...{ status: 'done', wait: null, limit: null },
        warnings: [],
        webhook: { ...effect.webhook, body: agreed.webhook.body },
      });
      expect(timeless(agreed.webhook.body)).toBe(timeless(effect.webhook.body));
      expect((await second.post(path, {})).status).toBe(200);
      expect((await read(orderId)).status).toBe('Completed');
    });
  });

  test('a withdrawal below zero is confirmed by two, and the balance is shown', async () => {
    const poor = await createMerchant(service, { balance: '710' });
    await everybodyOffline(service);
    await createMember(service);
    const { orderId } = await createOrder(poor, WITHDRAWAL);
    await operator.post(`/orders/${orderId}/cancel`, { note });
    const adjustments = `/merchants/${poor.merchantId}/adjustments`;
    await operator.post(adjustments, { kind: 'debit', amount: 700, reason: note });
    const path = `/orders/${orderId}/confirm`;
    const { data: effect } = await operator.post(`${path}?preview=true`, { note });
    expect(effect.status).toBe('pendingApproval');
    expect(effect.wallets[0].after.availableBalance).toBe(-690);
    expect(effect.warnings.map(({ code }: { code: string }) => code)).toEqual([
      'second-operator',
      'balance-below-zero',
      'nobody-said-paid',
      'no-webhook',
    ]);
    const { approvalId } = (await operator.post(path, { note })).data;
    const rows = await contents();
    const approve = `/approvals/${approvalId}/approve`;
    const { data: agreed } = await second.post(`${approve}?preview=true`, { note });
    expect(await contents()).toEqual(rows);
    await second.post(approve, { note });
    const { data: balance } = await operator.get(`/merchants/${poor.merchantId}/balance`);
    expect(agreed.wallets[0].after.availableBalance).toBe(balance.availableBalance);
  });

  test('a request about something else than money is approved without an effect on it', async () => {
    await secondRequired(true, async () => {
      const username = randomUUID();
      const { data } = await operator.post('/operators', { username, name: 'N', role: 'viewer' });
      const rows = await contents();
      const path = `/approvals/${data.approvalId}/approve`;
      const preview = await second.post(`${path}?preview=true`, {});
      expect(preview.data).toMatchObject({ status: 'done', order: null, postings: [] });
      expect(await contents()).toEqual(rows);
      const own = await operator.post(`${path}?preview=true`, {});
      expect([own.status, own.error]).toEqual([
        403,
        'This must be approved by another operator than the one who asked for it.',
      ]);
    });
  });
});

describe('a preview is refused as the real call is', () => {
  const same = async (path: string, body: object, by: OperatorClient = operator) => {
    const rows = await contents();
    const said = await by.post(`${path}?preview=true`, body);
    expect(await contents()).toEqual(rows);
    const done = await by.post(path, body, randomUUID());
    expect([said.status, said.text]).toEqual([done.status, done.text]);
    return said.status;
  };

  test('in another status, for what does not exist, beyond the balance, without the role', async () => {
    const { orderId } = await failed();
    const viewer = operatorClient(service, (await createOperator(service, 'viewer')).token);
    expect(await same(`/orders/${orderId}/cancel`, { note })).toBe(409);
    expect(await same(`/orders/${orderId}/resolve`, { outcome: 'Completed', note })).toBe(409);
    expect(await same(`/orders/${randomUUID()}/cancel`, { note })).toBe(404);
    expect(await same(`/orders/${orderId}/confirm`, { note }, viewer)).toBe(403);
    expect(await same(`/orders/${orderId}/confirm`, { note, memberId: randomUUID() })).toBe(422);
    expect(await same(`/late-claims/${randomUUID()}/take`, {})).toBe(404);
    const body = { kind: 'debit', amount: 10_000_000, reason: note };
    expect(await same(`/merchants/${merchant.merchantId}/adjustments`, body)).toBe(422);
  });

  test('and where there is none, is not taken for the write itself', async () => {
    const rows = await contents();
    const answer = await operator.post('/merchants?preview=true', { name: 'N' });
    expect([answer.status, answer.errors]).toEqual([
      400,
      { preview: ['is not known here: this write cannot be previewed.'] },
    ]);
    expect(await contents()).toEqual(rows);
  });
});

test('a preview waits for no lock and holds none up', async () => {
  const { orderId } = await inReview();
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select from orders where order_id = $1 for update', [orderId]);
    await client.query('select from merchant_wallets where merchant_id = $1 for update', [
      merchant.merchantId,
    ]);
    const preview = await operator.post(`/orders/${orderId}/resolve?preview=true`, {
      outcome: 'Completed',
      note,
    });
    expect(preview.data.order.after.status).toBe('Completed');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
