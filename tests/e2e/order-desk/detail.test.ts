import { randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, vi } from 'vitest';
import {
  advance,
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
} from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What an operator is shown of an order beside its own fields (apis.md#orders). */

const { test, service } = await serviceTest({ CLOCK: 'sandbox' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000', name: 'Corner Shop' });
const member = await createMember(service, {
  name: 'Sana Iqbal',
  methods: ['ProviderA'],
  float: '1000000',
  maxOpenOrders: 100,
});
const { engine } = service.app.deps;
const about = (orderId: string) => ({ commandId: randomUUID(), orderId });
const read = async ({ orderId }: { orderId: string }) =>
  (await operator.get(`/orders/${orderId}`)).data;

async function shown(body: Readonly<Record<string, unknown>> = {}, by = merchant) {
  const order = await createOrder(by, { customerReference: randomUUID(), ...body });
  await engine.submit({ kind: 'open-page', ...about(order.orderId), need: undefined });
  return order;
}
async function paid(digits: string, body: Readonly<Record<string, unknown>> = {}) {
  const order = await shown({ txnRefDigitsRequired: 8, ...body });
  const how = { ...about(order.orderId), transactionDigits: digits };
  await engine.submit({ kind: 'confirm-payment', ...how });
  return order;
}
const memberConfirms = ({ orderId }: CreatedOrder, transactionReference: string | null = null) =>
  engine.submit({
    kind: 'member-confirm',
    ...about(orderId),
    memberId: member.memberId,
    receivedAmount: null,
    transactionReference,
  });
const namesOf = (orders: { orderReference: string; likenesses?: string[]; because?: string[] }[]) =>
  orders.map(({ orderReference, likenesses, because }) => [orderReference, likenesses ?? because]);

describe('orders like it', () => {
  test('have its digits on the same account or for the same amount, within 24 hours', async () => {
    const order = await paid('52110001', { amount: 1001 });
    const sameAccount = await paid('52110001', { amount: 1002 });
    await paid('52110002', { amount: 1003 });
    expect(namesOf((await read(order)).similar)).toEqual([
      [sameAccount.orderReference, ['digits']],
    ]);
    await advance(service, 24 * 3600);
    const tomorrow = await paid('52110001', { amount: 1004 });
    expect((await read(tomorrow)).similar).toEqual([]);
  });

  test('have its amount on the same account within 2 hours, ended ones too', async () => {
    const order = await shown({ amount: 2001 });
    const ended = await paid('52110003', { amount: 2001 });
    await memberConfirms(ended);
    await shown({ amount: 2002 });
    await advance(service, 2 * 3600 + 60);
    const late = await shown({ amount: 2001 });
    const { similar } = await read(order);
    expect(namesOf(similar)).toEqual([[ended.orderReference, ['amount']]]);
    expect(similar[0]).toMatchObject({
      orderId: ended.orderId,
      amount: 2001,
      status: 'Completed',
      merchantName: 'Corner Shop',
      memberName: 'Sana Iqbal',
      transactionDigits: '52110003',
    });
    expect((await read(late)).similar).toEqual([]);
  });

  test('have its reference, and come first when more is alike', async () => {
    const reference = { merchantOrderRef: 'again', amount: 3001 };
    const first = await shown(reference);
    await operator.post(`/orders/${first.orderId}/cancel`, { note: 'n' });
    const other = await shown({ amount: 3001 });
    const second = await shown(reference);
    expect(namesOf((await read(second)).similar)).toEqual([
      [first.orderReference, ['amount', 'reference']],
      [other.orderReference, ['amount']],
    ]);
  });
});

describe('candidates of a late claim', () => {
  async function claimed(digits: string, body: Readonly<Record<string, unknown>>) {
    const order = await shown(body);
    await advance(service, 900);
    await engine.submit({ kind: 'pass-deadline', ...about(order.orderId), need: undefined });
    const claimId = randomUUID();
    await service.database.pool.query(
      `insert into late_claims
         (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
       values ($1, $2, 1, $3, $4, $5)`,
      [merchant.merchantId, order.orderId, claimId, digits, new Date(service.app.deps.clock.now())],
    );
    return { order, claimId };
  }

  test('are the orders that may have got its payment, with the reasons', async () => {
    const { claimId } = await claimed('990052119999', { amount: 4001 });
    const taken = await paid('52119999', { amount: 4001 });
    const noted = await paid('52118888', { amount: 4001 });
    await memberConfirms(noted, '990052119999');
    const equal = await shown({ amount: 4001 });
    await paid('52117777', { amount: 4002 });
    const { data } = await operator.get(`/late-claims/${claimId}/candidates`);
    expect(namesOf(data)).toEqual([
      [noted.orderReference, ['amount', 'member-reference', 'account']],
      [taken.orderReference, ['digits', 'amount', 'account']],
      [equal.orderReference, ['amount', 'account']],
    ]);
  });

  test('are known by the digits of a reference with letters', async () => {
    const { claimId } = await claimed('0092', { amount: 4004 });
    const noted = await paid('52116666', { amount: 4004 });
    await memberConfirms(noted, 'BFD9KRC2ZA');
    const { data } = await operator.get(`/late-claims/${claimId}/candidates`);
    expect(namesOf(data)).toEqual([
      [noted.orderReference, ['amount', 'member-reference', 'account']],
    ]);
  });

  test('are none where nothing is alike, and of an unknown claim not found', async () => {
    const { claimId } = await claimed('47110815', { amount: 4003 });
    expect((await operator.get(`/late-claims/${claimId}/candidates`)).data).toEqual([]);
    expect((await operator.get(`/late-claims/${randomUUID()}/candidates`)).status).toBe(404);
  });
});

describe('the customer', () => {
  const customer = {
    orderType: 'Withdrawal',
    walletType: 'ProviderA',
    amount: 500,
    customerAccountNumber: '03001234567',
    customerAccountName: 'Ayesha Khan',
  };
  const reveals = async ({ orderId }: CreatedOrder) =>
    (await operator.get(`/audit-log?target=${orderId}&action=order.reveal`)).data;

  test('is masked, and each look at them in full stands in the audit log', async () => {
    const order = await createOrder(merchant, customer);
    const { username, password } = await createOperator(service, 'support');
    const signedIn = await operator.post('/session', { username, password });
    const person = operatorClient(service, signedIn.data.token);
    const masked = await person.get(`/orders/${order.orderId}`);
    expect(masked.text).not.toContain('03001234567');
    expect(masked.text).not.toContain('Ayesha');
    expect(masked.data).toMatchObject({
      customerAccountNumber: '…4567',
      customerAccountName: 'A… K…',
      canReveal: true,
    });
    expect(await reveals(order)).toEqual([]);
    const support = await createOperator(service, 'support');
    const by = operatorClient(service, support.token);
    const { data } = await by.post(`/orders/${order.orderId}/reveal`);
    expect(data).toEqual({
      customerAccountNumber: '03001234567',
      customerAccountName: 'Ayesha Khan',
      payerAccount: null,
      paidBy: null,
    });
    expect(await reveals(order)).toMatchObject([{ actor: { id: support.operatorId }, detail: {} }]);
  });

  test('is read in full by scripts', async () => {
    const order = await createOrder(merchant, customer);
    expect((await operator.get(`/orders/${order.orderId}`)).data).toMatchObject({
      customerAccountNumber: '03001234567',
      customerAccountName: 'Ayesha Khan',
    });
  });

  test('is not shown to a viewer', async () => {
    const order = await createOrder(merchant, customer);
    const viewer = operatorClient(service, (await createOperator(service, 'viewer')).token);
    expect((await viewer.get(`/orders/${order.orderId}`)).data.canReveal).toBe(false);
    expect((await viewer.post(`/orders/${order.orderId}/reveal`)).status).toBe(403);
    expect(await reveals(order)).toEqual([]);
  });
});

test('names who decided, with their address, operators of the environment too', async () => {
  const order = await shown({ amount: 5001 });
  const support = await createOperator(service, 'support');
  const by = operatorClient(service, support.token);
  await by.post(`/orders/${order.orderId}/escalate`, { note: 'look at this' });
  await operator.post(`/orders/${order.orderId}/resolve`, { outcome: 'Cancelled', note: 'no' });
  const { timeline } = await read(order);
  const actors = timeline.map(({ actor }: { actor: object }) => actor);
  expect(actors.slice(-2)).toEqual([
    { kind: 'operator', id: support.operatorId, name: support.username, address: '127.0.0.1' },
    { kind: 'operator', id: 'env-1', name: 'OPERATOR_TOKEN', address: '127.0.0.1' },
  ]);
  expect(actors[0]).toEqual({ kind: 'merchant', id: null, name: null, address: null });
});

test('names the rule that its fee came from, by the rules of then', async () => {
  const by = await createMerchant(service);
  const rule = { orderType: 'Deposit', walletType: 'ProviderA' };
  const { data: platform } = await operator.post('/fee-rules', { ...rule, percent: 1.5 });
  const first = await createOrder(by, { amount: 6001 });
  await advance(service, 1);
  const own = { ...rule, merchantId: by.merchantId, fixed: 10, percent: 1 };
  const { data: merchants } = await operator.post('/fee-rules', own);
  const second = await createOrder(by, { amount: 6002 });
  expect((await read(first)).feeRule).toMatchObject({
    feeRuleId: platform.feeRuleId,
    merchantId: null,
    percent: 1.5,
  });
  expect((await read(second)).feeRule).toMatchObject({ feeRuleId: merchants.feeRuleId, fixed: 10 });
  await operator.post('/fee-rules', { ...rule, percent: 0 });
});

test('shows what its member has in hand and how they have dealt with their last orders', async () => {
  const { memberId } = await createMember(service, {
    name: 'Hina',
    methods: ['TillID'],
    float: '9000',
  });
  const mine = { walletType: 'TillID' };
  // The clock stands still but for the seconds it is advanced by.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const inHand = await shown({ ...mine, amount: 700 });
  const confirmed = await paid('52116666', { ...mine, amount: 701 });
  await advance(service, 90);
  const confirm = { ...about(confirmed.orderId), memberId, receivedAmount: null };
  await engine.submit({ kind: 'member-confirm', ...confirm, transactionReference: null });
  const rejected = await paid('52115555', { ...mine, amount: 702 });
  const reject = { ...about(rejected.orderId), memberId, reason: 'not here' };
  await engine.submit({ kind: 'member-reject', ...reject });
  expect((await read(inHand)).member).toMatchObject({
    name: 'Hina',
    online: true,
    openOrders: 1,
    maxOpenOrders: 10,
    floatBalance: 9000 - 701,
    floatHeld: 700,
    record: { ended: 2, rejected: 1, medianConfirmSeconds: 90 },
  });
});
