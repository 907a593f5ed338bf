import { randomUUID } from 'node:crypto';
import type { MemberId } from '@munshi/core';
import { beforeAll, describe, expect } from 'vitest';
import { id } from '../../../packages/core/src/testing/literals.ts';
import { type EventStream, openEventStream } from '../../support/event-stream.ts';
import { advance, createMember, createMerchant, createOrder } from '../../support/fixtures.ts';
import { createOperator, operatorClient, send } from '../../support/operator-client.ts';
import { openPage } from '../../support/page-client.ts';
import { startService } from '../../support/service.ts';
import { serviceTest } from '../../support/service-test.ts';

/** Every change reaches every operator's open screen, from any process. */

const { test, service } = await serviceTest();
const other = await startService({}, service);
const operator = operatorClient(service);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const follow = (token: string, at = other) =>
  openEventStream(`${at.url}/api/operator/events`, bearer(token));

let here: EventStream;
let elsewhere: EventStream;
beforeAll(async () => {
  const { token } = await createOperator(service, 'viewer');
  [here, elsewhere] = [await follow(token, service), await follow(token)];
  return async () => {
    here.close();
    elsewhere.close();
    await other.close();
  };
});

const expectEvent = async (change: { readonly kind: string; readonly id: string | null }) => {
  for (const stream of [here, elsewhere])
    await expect.poll(() => stream.data()).toContainEqual(change);
};

describe('an operator’s open screen, in the process of the change and in another one', () => {
  test('has events of orders, members and deliveries', async () => {
    const merchant = await createMerchant(service);
    const { memberId } = await createMember(service);
    await expectEvent({ kind: 'member', id: memberId });
    const order = await createOrder(merchant, { callbackUrl: 'http://127.0.0.1:9/hook' });
    await expectEvent({ kind: 'order', id: order.orderId });
    await operator.post(`/orders/${order.orderId}/cancel`, { note: 'n' });
    const { rows } = await service.database.pool.query(
      'select delivery_id from deliveries where order_id = $1',
      [order.orderId],
    );
    await expectEvent({ kind: 'delivery', id: rows[0].delivery_id });
  });

  test('names a member where one of their accounts has changed by no other id', async () => {
    const { accounts } = await createMember(service);
    const accountId = accounts[0]?.accountId as string;
    const before = here.data().length;
    await operator.patch(`/member-accounts/${accountId}`, { maximumPerOrder: 10 });
    await expect.poll(() => here.data().slice(before)).toContainEqual({ kind: 'member', id: null });
    expect(here.data()).not.toContainEqual({ kind: 'member', id: accountId });
  });

  test('has events of late claims by the customer and by operators', async () => {
    await createMember(service, { float: '10000' });
    const order = await createOrder(await createMerchant(service));
    await openPage(order).data('open');
    await advance(service, 1_000);
    await openPage(order).data('claim', { transactionDigits: '123456' });
    const { data } = await operator.get(`/orders/${order.orderId}`);
    const { claimId } = data.lateClaims[0];
    await expectEvent({ kind: 'claim', id: claimId });
    const before = here.data().length;
    await operator.post(`/late-claims/${claimId}/take`);
    await expect
      .poll(() => here.data().slice(before))
      .toContainEqual({ kind: 'claim', id: claimId });
  });

  test('has events of approvals and settings', async () => {
    await operator.patch('/settings', { payoutWindowSeconds: 3_000 });
    await expectEvent({ kind: 'setting', id: null });
    const { pool } = service.database;
    await pool.query('update settings set require_second_operator = true');
    const { data } = await operator.post(
      `/merchants/${(await createMerchant(service)).merchantId}/adjustments`,
      { kind: 'credit', amount: 1, reason: 'r' },
    );
    await expectEvent({ kind: 'approval', id: data.approvalId });
    await pool.query('update settings set require_second_operator = false');
  });

  test('has no event of a preview, nor of a look at the customer’s data', async () => {
    const order = await createOrder(await createMerchant(service));
    await expectEvent({ kind: 'order', id: order.orderId });
    const before = here.data().length;
    await operator.post(`/orders/${order.orderId}/cancel?preview=true`, { note: 'n' });
    expect((await operator.post(`/orders/${order.orderId}/reveal`)).status).toBe(200);
    await operator.patch('/settings', { payoutWindowSeconds: 3_600 });
    await expect.poll(() => here.data().slice(before)).toEqual([{ kind: 'setting', id: null }]);
  });

  test('has one event where many have changed, without their ids', async () => {
    const ids = Array.from({ length: 21 }, () => id<MemberId>(randomUUID()));
    service.app.deps.notices.changed(ids.map((id) => ({ kind: 'member', id })));
    await expectEvent({ kind: 'member', id: null });
    expect(elsewhere.data()).not.toContainEqual({ kind: 'member', id: ids[0] });
  });
});

describe('the stream', () => {
  test('ends in every process with its session: by signing out, a suspension, a new password, a revoked token, a recovery link, and by time', async () => {
    const signIn = async ({ username, password }: { username: string; password: string }) => {
      const { data } = await send(service, 'POST', '/session', {}, { username, password });
      return data.token as string;
    };
    type Person = Awaited<ReturnType<typeof createOperator>>;
    const endings: readonly ((person: Person, token: string) => Promise<unknown>)[] = [
      (_person, token) => send(service, 'DELETE', '/session', bearer(token)),
      ({ operatorId }) => operator.patch(`/operators/${operatorId}`, { status: 'suspended' }),
      ({ operatorId }) => operator.patch(`/operators/${operatorId}`, { password: 'quite another' }),
      ({ operatorId }) => operator.delete(`/operators/${operatorId}/tokens`),
      ({ operatorId }) => operator.post(`/operators/${operatorId}/recovery-link`),
      () => advance(service, 12 * 3_600),
    ];
    for (const [at, end] of endings.entries()) {
      const person = await createOperator(service, 'support');
      const token = at === 3 ? person.token : await signIn(person);
      const streams = [await follow(token, service), await follow(token)];
      await end(person, token);
      await expect
        .poll(() => streams.map((stream) => stream.ended()), { interval: 20 })
        .toEqual([true, true]);
    }
    expect([here.ended(), elsewhere.ended()]).toEqual([false, false]);
  });

  test('is one of eight at most: one more ends the oldest', async () => {
    const { token } = await createOperator(service, 'viewer');
    const streams: EventStream[] = [];
    for (let at = 0; at < 9; at += 1) streams.push(await follow(token));
    await expect.poll(() => streams[0]?.ended()).toBe(true);
    expect(streams[0]?.text()).toContain('event: replaced');
    expect(streams.slice(1).map((stream) => stream.ended())).toEqual(Array(8).fill(false));
    for (const stream of streams) stream.close();
  });
});
