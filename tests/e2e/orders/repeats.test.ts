import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { advance, createMember, createMerchant, signBody } from '../../support/fixtures.ts';
import {
  expectMessage,
  expectSignatureError,
  postBytes,
  type Reply,
} from '../../support/merchant-client.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { serviceTest } from '../../support/service-test.ts';

/**
 * New orders at once with others whose key, body or reference is taken: the service decides them
 * together, and each gets what it would get alone.
 */
const { test, service } = await serviceTest();
const merchant = await createMerchant(service, { balance: '500' });
await createMember(service, { maxOpenOrders: 1_000 });

interface Sent {
  readonly idempotencyKey: string;
  readonly body: string;
  readonly reference: string;
}
const sent = (fields: object = {}, idempotencyKey: string = randomUUID()): Sent => {
  const reference = `ref-${randomUUID()}`;
  const order = {
    orderType: 'Deposit',
    amount: 10,
    walletType: 'ProviderA',
    merchantOrderRef: reference,
    ...fields,
  };
  return { idempotencyKey, reference, body: signBody(order, merchant.signingSecret) };
};
const send = ({ body, idempotencyKey }: Sent) => postBytes(merchant, body, { idempotencyKey });
const WITHDRAWAL = {
  orderType: 'Withdrawal',
  customerAccountNumber: '03001234567',
  customerAccountName: 'Ayesha Khan',
};

/** Interleaved, so that whichever are decided together are of every kind. */
async function atOnce<const Kinds extends readonly (readonly Sent[])[]>(
  ...kinds: Kinds
): Promise<{ [Kind in keyof Kinds]: Reply[] }> {
  const places = kinds
    .flatMap((kind, of) => kind.map((one, at) => ({ one, of, at })))
    .sort((a, b) => a.at - b.at);
  const replies = await Promise.all(places.map(({ one }) => send(one)));
  return kinds.map((_, of) => replies.filter((_reply, n) => places[n]?.of === of)) as never;
}
const ids = (replies: readonly Reply[]) =>
  replies.map(({ status, json }) => [status, json.data?.orderId]);
const many = (make: () => Sent) => Array.from({ length: 8 }, make);

test.each(['decided with others for the first time', 'where others have just met something'])(
  '%s',
  async () => {
    const known = many(() => sent());
    const made = await Promise.all(known.map(send));
    expect(made.map(({ status }) => status)).toEqual(Array(8).fill(200));

    const fresh = many(() => sent());
    const [
      created,
      retried,
      replayed,
      taken,
      otherTerms,
      otherTermsUnfunded,
      unfunded,
      unreadable,
    ] = await atOnce(
      fresh,
      known,
      known.map(({ body, reference }) => ({ body, reference, idempotencyKey: randomUUID() })),
      known.map(({ reference }) => sent({ merchantOrderRef: reference, amount: 11 })),
      known.map(({ idempotencyKey }) => sent({ amount: 12 }, idempotencyKey)),
      known.map(({ idempotencyKey }) => sent({ ...WITHDRAWAL, amount: 100_000 }, idempotencyKey)),
      many(() => sent({ ...WITHDRAWAL, amount: 100_000 })),
      many(() => sent({ amount: -1 })),
    );
    expect(created.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(ids(retried)).toEqual(ids(made));
    for (const reply of replayed) expectSignatureError(reply, 401, 'SIGNATURE_REPLAYED');
    for (const [n, reply] of taken.entries()) {
      expectMessage(
        reply,
        409,
        expect.stringContaining(
          `already used by order ${made[n]?.json.data.orderReference}`,
        ) as never,
      );
    }
    for (const reply of [...otherTerms, ...otherTermsUnfunded]) {
      expectMessage(
        reply,
        422,
        'This Idempotency-Key was already used for a different order request.',
      );
    }
    for (const reply of unfunded)
      expectMessage(reply, 422, expect.stringContaining('Insufficient merchant balance') as never);
    for (const reply of unreadable) expectMessage(reply, 400, "'Amount' must be greater than '0'.");

    // What was refused has left nothing but its replay record, and what was created can be asked
    // for again.
    expect(ids(await Promise.all(fresh.map(send)))).toEqual(ids(created));
  },
);

test('twice in one burst: one order, both answers the same', async () => {
  const twice = many(() => sent());
  const [first, second] = await atOnce(twice, twice);
  expect(ids(first)).toEqual(ids(second));
  expect(new Set(first.map(({ json }) => json.data.orderId)).size).toBe(8);
});

test('a payout that was refused and is made a day later is not made again by another key', async () => {
  const payout = sent({ ...WITHDRAWAL, amount: 100_000, merchantOrderRef: undefined });
  expect((await send(payout)).status).toBe(422); // more than there is
  const operator = operatorClient(service);
  const credit = { kind: 'credit', amount: 1_000_000, reason: 'paid in' };
  await operator.post(`/merchants/${merchant.merchantId}/adjustments`, credit);
  await advance(service, 23 * 3600);
  expect((await send(payout)).status).toBe(200);
  await advance(service, 2 * 3600);
  const again = await send({ ...payout, idempotencyKey: randomUUID() });
  expectSignatureError(again, 401, 'SIGNATURE_REPLAYED');
});
