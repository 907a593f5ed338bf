import { hash, randomUUID } from 'node:crypto';
import { type Command, type CreationMessage, money } from '@munshi/core';
import { afterEach, expect, vi } from 'vitest';
import { findActiveKey } from '../../../apps/server/src/api-keys/store.ts';
import { creationContent } from '../../../apps/server/src/engine/creation-content.ts';
import { search } from '../../../apps/server/src/engine/run-batch.ts';
import { creation, message, standsAlone } from '../../../packages/core/src/testing/literals.ts';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  OPERATOR,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { serviceTest } from '../../support/service-test.ts';
import { expectSound } from '../../support/verify.ts';

/** Commands that are decided in one batch get what they would get one after the other. */

const { test, service } = await serviceTest();
const { engine } = service.app.deps;
const merchant = await createMerchant(service, { balance: '1000000' });
afterEach(async () => {
  await everybodyOffline(service);
  await expectSound(service);
});

/** Decides them in one batch, which is not tried twice. */
async function together(...commands: readonly Command[]) {
  const { batches, retries } = engine.stats;
  const decisions = await Promise.all(commands.map((command) => engine.submit(command)));
  expect(engine.stats).toMatchObject({ batches: batches + 1, retries });
  return decisions;
}

/** A signed request to create this; `digest`: of its body. */
async function create(
  { merchantId }: TestMerchant,
  content: Partial<CreationMessage>,
  request = { digest: hash('md5', randomUUID()), idempotencyKey: randomUUID() },
) {
  const key = await findActiveKey(service.database.pool, merchantId);
  const sent = message(content);
  return creation(sent, {
    ...key,
    ...request,
    merchantId,
    commandId: randomUUID(),
    content: creationContent({ kind: 'valid', message: sent }),
  });
}
const about = (orderId: string) => ({ commandId: randomUUID(), orderId });
const accountOf = async (orderId: string) =>
  (
    await service.database.pool.query('select account_id from orders where order_id = $1', [
      orderId,
    ])
  ).rows[0].account_id;

test('a deposit goes to an account without an equal one, also where a holder has room by the batch alone', async () => {
  const holder = await createMember(service, { methods: ['ProviderA'] });
  const first = await createOrder(merchant, { amount: 500 });
  const equal = await createOrder(merchant, { amount: 1_000 });
  for (let n = 0; n < 5; n += 1) {
    await createMember(service, { methods: ['ProviderA'] });
    await createOrder(merchant, { amount: 2_000 + n });
  }
  await engine.submit({ kind: 'open-page', ...about(first.orderId), need: undefined });
  const transactionDigits = '4821';
  await engine.submit({ kind: 'confirm-payment', ...about(first.orderId), transactionDigits });
  const confirm = {
    kind: 'member-confirm',
    ...about(first.orderId),
    memberId: holder.memberId,
    receivedAmount: money('500'),
    transactionReference: null,
  } as const;
  const [, created] = await together(confirm, await create(merchant, { amount: money('1000') }));
  const { orderId } = (created as { result: { orderId: string } }).result;
  expect(await accountOf(equal.orderId)).toBe(holder.accounts[0]?.accountId);
  expect(await accountOf(orderId)).not.toBe(holder.accounts[0]?.accountId);
});

test('a reference that an order gives back is free for the next one', async () => {
  const merchantOrderRef = randomUUID();
  const { orderId } = await createOrder(merchant, { merchantOrderRef });
  const decisions = await together(
    { kind: 'operator-cancel', ...about(orderId), note: 'test', ...standsAlone(OPERATOR) },
    await create(merchant, { merchantOrderRef }),
  );
  expect(decisions).toMatchObject([{ ok: true }, { ok: true }]);
});

test('a signed body that is refused, and accepted once there is money, is held by the order', async () => {
  const poor = await createMerchant(service);
  const request = { digest: hash('md5', randomUUID()), idempotencyKey: randomUUID() };
  const payout = () =>
    create(
      poor,
      { orderType: 'Withdrawal', walletType: 'TillID', customerAccountNumber: '0300' },
      request,
    );
  const credit = {
    kind: 'adjust-wallet',
    commandId: randomUUID(),
    merchantId: poor.merchantId,
    adjustment: 'credit',
    amount: money('1000'),
    reason: 'top-up',
    ...standsAlone(OPERATOR),
  } as const;
  const decisions = await together(await payout(), credit, await payout());
  expect(decisions).toMatchObject([
    { ok: false, refusal: { code: 'insufficient-balance' } },
    { ok: true },
    { ok: true },
  ]);
  const other = await create(
    poor,
    { orderType: 'Withdrawal', walletType: 'TillID', customerAccountNumber: '0300' },
    { ...request, idempotencyKey: randomUUID() },
  );
  expect(await engine.submit(other)).toMatchObject({ refusal: { code: 'signature-replayed' } });
});

test('members for payouts that pass their window together are searched for once, the holders included', async () => {
  const members = await Promise.all(
    Array.from({ length: 12 }, () => createMember(service, { methods: ['ProviderB'] })),
  );
  const memberIds = members.map(({ memberId }) => memberId);
  const needs = memberIds.map((memberId) => ({
    orderType: 'Withdrawal' as const,
    walletType: 'ProviderB' as const,
    currency: 'PKR' as const,
    amount: money('100'),
    floatAmount: money('100'),
    heldBy: memberId,
    heldBefore: [],
  }));
  const client = await service.database.pool.connect();
  try {
    const asked = vi.spyOn(client, 'query');
    const found = await search(client, needs, service.app.deps.clock.now(), () => true);
    expect(found.toSorted()).toEqual(memberIds.toSorted());
    expect(asked).toHaveBeenCalledTimes(1);
  } finally {
    client.release(true);
  }
});
