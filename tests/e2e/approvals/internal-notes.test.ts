import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type CreatedOrder, createMerchant, createOrder } from '../../support/fixtures.ts';
import { createOperator, operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/** What operators write for themselves beside the note that a merchant reads. */

const { test, service } = await serviceTest({ ROLES: 'http' });
const operator = operatorClient(service);
const merchant = await createMerchant(service, { balance: '100000' });
const NOTE = 'The money did not come.';
const INTERNAL = 'Sana has checked 0313 4455667.';
const both = { note: NOTE, internalNote: INTERNAL };

const orderOf = async ({ orderId }: CreatedOrder) =>
  (await operator.get(`/orders/${orderId}`)).data;
const lastStepOf = async (order: CreatedOrder) => (await orderOf(order)).timeline.at(-1);
const audited = async (target: string) =>
  (await operator.get(`/audit-log?target=${target}`)).data[0];

describe('of a cancellation', () => {
  test('are in the history and the audit log, and the merchant gets the note alone', async () => {
    const order = await createOrder(merchant, { callbackUrl: 'https://shop.example/hook' });
    const answer = await operator.post(`/orders/${order.orderId}/cancel`, both);
    expect(answer.data).toMatchObject({ status: 'Cancelled', failureReason: NOTE });
    expect(await lastStepOf(order)).toMatchObject(both);
    expect((await audited(order.orderId)).detail).toEqual(both);
    const { rows } = await service.database.pool.query(
      'select body from deliveries where order_id = $1',
      [order.orderId],
    );
    expect(JSON.parse(rows[0].body)).toMatchObject({ reason: NOTE });
    expect(rows[0].body).not.toContain('Sana');
  });

  test('are part of the request: another one with the same key is refused', async () => {
    const order = await createOrder(merchant);
    const key = randomUUID();
    const path = `/orders/${order.orderId}/cancel`;
    expect((await operator.post(path, both, key)).status).toBe(200);
    expect((await operator.post(path, both, key)).status).toBe(200);
    const other = await operator.post(path, { ...both, internalNote: 'Another.' }, key);
    expect(other.status).toBe(422);
  });

  test('may be left out', async () => {
    const order = await createOrder(merchant);
    await operator.post(`/orders/${order.orderId}/cancel`, { note: NOTE });
    expect(await lastStepOf(order)).toMatchObject({ note: NOTE, internalNote: null });
    expect((await audited(order.orderId)).detail).toEqual({ note: NOTE });
  });
});

test('of an adjustment that waits are shown to its second operator, and kept', async () => {
  const asker = await createOperator(service, 'admin');
  await operator.patch('/settings', { adjustmentApprovalLimit: 100 });
  const asked = await operatorClient(service, asker.token).post(
    `/merchants/${merchant.merchantId}/adjustments`,
    { kind: 'credit', amount: 500, reason: 'A gift', internalNote: INTERNAL },
  );
  const { approvalId } = asked.data;
  expect((await operator.get(`/approvals/${approvalId}`)).data.request).toMatchObject({
    internalNote: INTERNAL,
  });
  await operator.post(`/approvals/${approvalId}/approve`);
  const entry = await audited(merchant.merchantId);
  expect(entry).toMatchObject({
    action: 'wallet.approve',
    detail: { askedInternalNote: INTERNAL },
  });
  const movements = await operator.get(`/merchants/${merchant.merchantId}/movements`);
  expect(movements.text).toContain('A gift');
  expect(movements.text).not.toContain('Sana');
});

describe('of the operator who decides a request', () => {
  const OWN = 'I have called Sana.';
  /** A request of a colleague to confirm an order late. */
  async function askedToConfirm() {
    const asker = await createOperator(service, 'support');
    await operator.patch('/settings', { requireSecondOperator: true });
    const order = await createOrder(merchant);
    await operator.post(`/orders/${order.orderId}/cancel`, { note: 'Nobody paid.' });
    const asked = await operatorClient(service, asker.token).post(
      `/orders/${order.orderId}/confirm`,
      both,
    );
    return { order, path: `/approvals/${asked.data.approvalId}` };
  }

  test('are next to those of the asker, in the history and the audit log', async () => {
    const { order, path } = await askedToConfirm();
    expect((await operator.post(`${path}/approve`, { internalNote: OWN })).status).toBe(200);
    expect(await lastStepOf(order)).toMatchObject({ internalNote: `${INTERNAL}\n${OWN}` });
    expect((await audited(order.orderId)).detail).toMatchObject({
      askedInternalNote: INTERNAL,
      internalNote: OWN,
    });
  });

  test('are kept where it is declined, and where it is no money', async () => {
    const { order, path } = await askedToConfirm();
    const declined = { note: 'No.', internalNote: OWN };
    expect((await operator.post(`${path}/decline`, declined)).status).toBe(200);
    expect(await audited(order.orderId)).toMatchObject({
      action: 'approval.decline',
      detail: declined,
    });
    const asker = await createOperator(service, 'admin');
    const waiting = await operatorClient(service, asker.token).post('/exchange-rates', {
      currency: 'INR',
      rate: 3.3,
    });
    const approval = `/approvals/${waiting.data.approvalId}/approve`;
    expect((await operator.post(approval, { internalNote: OWN })).status).toBe(200);
    const { data } = await operator.get('/audit-log?action=exchange-rate.set');
    expect(data[0].detail).toMatchObject({ internalNote: OWN });
  });
});
