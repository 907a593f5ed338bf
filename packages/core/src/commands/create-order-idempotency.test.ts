import { describe, expect, test } from 'vitest';
import {
  type CreationMessage,
  type Decision,
  type Order,
  REPLAY_WINDOW_MS,
  type Wallet,
} from '../index.ts';
import { money } from '../money.ts';
import { checkInvariants } from '../testing/invariants.ts';
import {
  creation,
  DAY,
  deposit,
  HOUR,
  MINUTE,
  member,
  merchant,
  message,
  NOW,
  payout,
} from '../testing/literals.ts';
import { createWorld, type World } from '../testing/memory-view.ts';
import type { CreateOrder } from './create-order.ts';

/** A request by Idempotency-Key and signed body: one body, one digest. */
const send = (
  world: World,
  idempotencyKey: string,
  body: string,
  given: Partial<CreateOrder> = {},
  content: CreationMessage = message(),
) => world.run(creation(content, { idempotencyKey, digest: `digest of ${body}`, ...given }));

const orderOf = (decision: Decision<Order>): Order => {
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.result;
};
const replayed = { ok: false, refusal: { code: 'signature-replayed' }, changes: {} };
const invalid: CreateOrder['content'] = { kind: 'invalid', messages: ['wrong'] };

describe('idempotency', () => {
  test('new key, order created | 200, key bound permanently to that order (keys do not expire)', () => {
    const world = createWorld();
    const first = orderOf(send(world, 'K1', 'B'));
    for (const later of [1, DAY - 1, DAY, 400 * DAY]) {
      world.now = NOW + later;
      expect(orderOf(send(world, 'K1', 'B')).orderId).toBe(first.orderId);
    }
    expect(world.orders.size).toBe(1);
  });

  test('same key, same API key, same terms | 200 with the original order', () => {
    const world = createWorld();
    const first = orderOf(send(world, 'K1', 'B'));
    const again = send(world, 'K1', 'another body of the same terms');
    expect(orderOf(again)).toBe(world.orders.get(first.orderId));
    expect(Object.keys(again.changes)).toEqual(['replay']);
  });

  test('same key, same API key, different terms | 422, no order created or returned', () => {
    const world = createWorld();
    send(world, 'K1', 'B');
    expect(send(world, 'K1', 'B2', {}, message({ amount: money('101') }))).toMatchObject({
      ok: false,
      refusal: {
        code: 'terms-differ',
        message: 'This Idempotency-Key was already used for a different order request.',
      },
    });
    expect(world.orders.size).toBe(1);
  });

  const refused: [text: string, given: Partial<CreateOrder>, spoil: (world: World) => void][] = [
    ['400 problem details', { content: { kind: 'unbound', errors: {} } }, () => {}],
    ['400', { content: invalid }, () => {}],
    [
      '401',
      {},
      (world) =>
        world.keys.set('hash of key1', { keyId: 'key1', merchantId: 'mer1', revoked: true }),
    ],
    ['403', {}, (world) => world.merchants.set('mer1', merchant({ status: 'suspended' }))],
    [
      '409',
      {},
      (world) => world.orders.set('old', deposit({ orderId: 'old', status: 'Awaiting' })),
    ],
    ['422', {}, (world) => world.merchants.set('mer1', merchant({ depositMethods: [] }))],
  ];
  test.each(refused)(
    'same key, first request was rejected (%s) | treated as a new key',
    (_, given, spoil) => {
      const world = createWorld();
      const content = message({ merchantOrderRef: 'ref1' });
      spoil(world);
      expect(send(world, 'K1', 'B', given, content)).toMatchObject({ ok: false });
      const mended = createWorld();
      for (const [key, replay] of world.replays) mended.replays.set(key, replay);
      expect(send(mended, 'K1', 'B', {}, content)).toMatchObject({
        ok: true,
        changes: { created: { idempotencyKey: 'K1' } },
      });
      expect(send(mended, 'K1', 'a mended body', {}, content)).toMatchObject({ ok: true });
    },
  );

  test('same signed body, different key, same API key, within 24 hours | 401 SIGNATURE_REPLAYED', () => {
    const world = createWorld();
    send(world, 'K1', 'B');
    expect(send(world, 'K2', 'B')).toMatchObject(replayed);
    expect(world.orders.size).toBe(1);
  });

  test('… | applies even if the first attempt was rejected (400, 403, 409, 422 included)', () => {
    for (const given of [
      { content: invalid },
      { content: { kind: 'unbound', errors: {} } as const },
    ]) {
      const world = createWorld();
      expect(send(world, 'K1', 'B', given)).toMatchObject({ ok: false });
      expect(send(world, 'K2', 'B', given)).toMatchObject(replayed);
      expect(send(world, 'K2', 'B')).toMatchObject(replayed);
    }
    const spoilt: Partial<Parameters<typeof merchant>[0]>[] = [
      { status: 'suspended' },
      { depositMethods: [] },
    ];
    for (const given of spoilt) {
      const world = createWorld({ merchants: [merchant(given)] });
      expect(send(world, 'K1', 'B')).toMatchObject({ ok: false });
      world.merchants.set('mer1', merchant());
      expect(send(world, 'K2', 'B')).toMatchObject(replayed);
      expect(send(world, 'K1', 'B')).toMatchObject({ ok: true });
    }
    const poor = createWorld({ wallets: [{ balance: 0n }] });
    expect(send(poor, 'K1', 'B', {}, payout())).toMatchObject({
      ok: false,
      refusal: { code: 'insufficient-balance' },
    });
    expect(send(poor, 'K2', 'B', {}, payout())).toMatchObject(replayed);
    const taken = createWorld({ orders: [deposit({ orderId: 'old', status: 'Awaiting' })] });
    const again = message({ merchantOrderRef: 'ref1' });
    expect(send(taken, 'K1', 'B', {}, again)).toMatchObject({
      refusal: { code: 'reference-live' },
    });
    expect(send(taken, 'K2', 'B', {}, again)).toMatchObject(replayed);
    const bound = createWorld();
    send(bound, 'K1', 'B');
    const other = message({ amount: money('101') });
    expect(send(bound, 'K1', 'B2', {}, other)).toMatchObject({ refusal: { code: 'terms-differ' } });
    expect(send(bound, 'K2', 'B2', {}, other)).toMatchObject(replayed);
  });

  test('same key used with a different API key | treated as a new key (keys are scoped per API key)', () => {
    const keys = ['key1', 'key2'].map((keyId) => ({
      hash: `hash of ${keyId}`,
      keyId,
      merchantId: 'mer1',
      revoked: false,
    }));
    const world = createWorld({ keys });
    const first = orderOf(send(world, 'K1', 'B'));
    const second = orderOf(send(world, 'K1', 'B', { keyId: 'key2', apiKeyHash: 'hash of key2' }));
    expect(second.orderId).not.toBe(first.orderId);
    expect(second.apiKeyId).toBe('key2');
    expect(orderOf(send(world, 'K1', 'B')).orderId).toBe(first.orderId);
  });

  test('concurrent requests with the same key | only one order is created; all get that order', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    const ids = Array.from({ length: 500 }, () => orderOf(send(world, 'K1', 'B')).orderId);
    expect(new Set(ids).size).toBe(1);
    expect(world.members.get('m1')?.openOrders).toBe(1);
    checkInvariants(world);
  });

  test('keys created before the terms check existed are not compared and return the original order under any terms', () => {
    const old = deposit({
      apiKeyId: 'key1',
      idempotencyKey: 'K1',
      termsDigest: null,
      signatureDigest: null,
    });
    const world = createWorld({ orders: [old], members: [member({ memberId: 'm1' })] });
    expect(orderOf(send(world, 'K1', 'B', {}, payout({ amount: money('7') }))).orderId).toBe(
      old.orderId,
    );
  });
});

test.each([
  ['the same terms', {}, true],
  ['another account', { customerAccountNumber: '0301' }, false],
  ['another name', { customerAccountName: 'D' }, false],
])('a masked order answers a repeat with %s as before: %s', (_, changed, same) => {
  const terms = { customerAccountNumber: '0300', customerAccountName: 'C' };
  const world = createWorld({ wallets: [{ balance: money('1000') }] });
  const first = orderOf(send(world, 'K1', 'B', {}, payout(terms)));
  const masked = {
    ...first,
    customerAccountNumber: '…',
    customerAccountName: 'C…',
    termsDigest: `keyed ${first.termsDigest}`,
  };
  const later = createWorld({ orders: [masked], wallets: [{ balance: money('1000') }] });
  const repeat = send(later, 'K1', 'B', {}, payout({ ...terms, ...changed }));
  expect(repeat.ok ? repeat.result.orderId : repeat.refusal.code).toBe(
    same ? first.orderId : 'terms-differ',
  );
});

describe('compared terms', () => {
  const account = { customerAccountNumber: '0300', customerAccountName: 'C' };
  const rows: [field: string, content: CreationMessage, same: boolean][] = [
    ['orderType', message(account), false],
    ['amount', payout({ ...account, amount: money('100.0001') }), false],
    ['walletType', payout({ ...account, walletType: 'ProviderB' }), false],
    ['currency', payout({ ...account, currency: 'INR' }), false],
    ['merchantOrderRef', payout({ ...account, merchantOrderRef: 'R2' }), false],
    ['customerAccountNumber', payout({ ...account, customerAccountNumber: '0301' }), false],
    ['customerAccountName', payout({ ...account, customerAccountName: 'D' }), false],
    ['callbackUrl', payout({ ...account, callbackUrl: 'https://x.example' }), true],
    ['metadata', payout({ ...account, metadata: 'm' }), true],
    ['customerReference', payout({ ...account, customerReference: 'c' }), true],
    ['maxRetryCount', payout({ ...account, maxRetryCount: 0 }), true],
  ];
  test.each(rows)('another %s: the original order is answered: %s', (_, content, same) => {
    const world = createWorld();
    const first = orderOf(send(world, 'K1', 'B', {}, payout(account)));
    const again = send(world, 'K1', 'B2', {}, content);
    expect(again).toMatchObject(
      same
        ? { ok: true, result: { orderId: first.orderId } }
        : { ok: false, refusal: { code: 'terms-differ' } },
    );
  });

  test('terms are those of creation: a switched method and a submitted account do not change them', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    const wanted = message({ walletType: 'BankAccount' });
    const bank = orderOf(send(world, 'K1', 'B', {}, wanted));
    const need = {
      orderType: 'Deposit',
      walletType: 'ProviderA',
      currency: 'PKR',
      amount: bank.amount,
      floatAmount: bank.amount,
      heldBy: null,
      heldBefore: [],
    } as const;
    const { orderId, merchantId } = bank;
    expect(
      world.run({
        kind: 'switch-method',
        commandId: 'c2',
        orderId,
        merchantId,
        walletType: 'ProviderA',
        need,
      }),
    ).toMatchObject({ ok: true });
    expect(orderOf(send(world, 'K1', 'B', {}, wanted))).toMatchObject({
      orderId,
      walletType: 'ProviderA',
    });

    const open = payout({ customerAccountNumber: null, customerAccountName: null });
    const payoutOrder = orderOf(send(world, 'K2', 'B2', {}, open));
    const asked = { ...need, orderType: 'Withdrawal' } as const;
    const submit = {
      kind: 'submit-account',
      commandId: 'c3',
      orderId: payoutOrder.orderId,
      accountNumber: '0300',
      accountName: 'C',
      need: asked,
    } as const;
    expect(world.run(submit)).toMatchObject({ ok: true });
    expect(orderOf(send(world, 'K2', 'B2', {}, open))).toMatchObject({
      orderId: payoutOrder.orderId,
      customerAccountNumber: '0300',
    });
    expect(
      send(
        world,
        'K2',
        'B3',
        {},
        payout({ customerAccountNumber: '0300', customerAccountName: 'C' }),
      ),
    ).toMatchObject({ ok: false });
  });
});

describe('a repeated request answers the present state and the original link', () => {
  test('the status moves on, pageOrigin and expiresAt stay', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    const first = orderOf(send(world, 'K1', 'B'));
    const need = {
      orderType: 'Deposit',
      walletType: 'ProviderA',
      currency: 'PKR',
      amount: first.amount,
      floatAmount: first.amount,
      heldBy: null,
      heldBefore: [],
    } as const;
    world.run({ kind: 'open-page', commandId: 'c2', orderId: first.orderId, need });
    world.now = NOW + HOUR;
    const again = orderOf(send(world, 'K1', 'B', { pageOrigin: 'https://elsewhere.example' }));
    expect(again).toMatchObject({
      status: 'AwaitingCustomerPayment',
      pageOrigin: 'https://pay.example',
      expiresAt: NOW + 15 * MINUTE,
    });
  });
});

describe('the replay guard', () => {
  test('holds until 24 hours after the first acceptance, and no longer', () => {
    const world = createWorld();
    send(world, 'K1', 'B');
    world.now = NOW + REPLAY_WINDOW_MS - 1;
    expect(send(world, 'K2', 'B')).toMatchObject(replayed);
    world.now = NOW + REPLAY_WINDOW_MS;
    expect(send(world, 'K2', 'B')).toMatchObject({
      ok: true,
      changes: {
        created: { idempotencyKey: 'K2' },
        replay: { replaces: NOW, acceptedAt: world.now },
      },
    });
  });

  test('the same key again is no replay and does not lengthen the window', () => {
    const world = createWorld();
    send(world, 'K1', 'B');
    world.now = NOW + DAY - 1;
    expect(send(world, 'K1', 'B')).toMatchObject({ ok: true, changes: {} });
    world.now = NOW + DAY;
    expect(send(world, 'K2', 'B')).toMatchObject({ ok: true });
  });

  test('a body that was refused and makes an order later is held for 24 hours from that order', () => {
    const world = createWorld({ wallets: [{ balance: 0n }] });
    expect(send(world, 'K1', 'B', {}, payout())).toMatchObject({ ok: false });
    world.wallets.set('mer1', { ...(world.wallets.get('mer1') as Wallet), balance: money('1000') });
    world.now = NOW + 23 * HOUR;
    expect(send(world, 'K1', 'B', {}, payout())).toMatchObject({
      ok: true,
      changes: { replay: { replaces: NOW, acceptedAt: world.now } },
    });
    world.now += REPLAY_WINDOW_MS - 1;
    expect(send(world, 'K2', 'B', {}, payout())).toMatchObject(replayed);
    expect(world.orders.size).toBe(1);
  });

  test('a replayed request records nothing', () => {
    const world = createWorld();
    send(world, 'K1', 'B');
    const before = new Map(world.replays);
    world.now = NOW + HOUR;
    send(world, 'K2', 'B');
    expect(world.replays).toEqual(before);
  });

  test('a key bound to an order long ago gets that order, although its body has gone with another key since (K1, K2, B)', () => {
    const world = createWorld();
    const first = orderOf(send(world, 'K1', 'B'));
    world.now = NOW + DAY + MINUTE;
    const second = orderOf(send(world, 'K2', 'B'));
    expect(second.orderId).not.toBe(first.orderId);
    expect(orderOf(send(world, 'K1', 'B')).orderId).toBe(first.orderId);
    expect(orderOf(send(world, 'K2', 'B')).orderId).toBe(second.orderId);
    expect(send(world, 'K3', 'B')).toMatchObject(replayed);
  });

  test('a key bound to an order is held against the guard for another order’s body', () => {
    const world = createWorld();
    send(world, 'K1', 'B1');
    send(world, 'K2', 'B2');
    expect(send(world, 'K1', 'B2')).toMatchObject(replayed);
  });

  test('of two keys with one body only the first is accepted', () => {
    for (const [first, second] of [
      ['K1', 'K2'],
      ['K2', 'K1'],
    ] as const) {
      const world = createWorld();
      expect(send(world, first, 'B')).toMatchObject({ ok: true });
      expect(send(world, second, 'B')).toMatchObject(replayed);
    }
  });

  test('the guard is each API key’s own', () => {
    const keys = ['key1', 'key2'].map((keyId) => ({
      hash: `hash of ${keyId}`,
      keyId,
      merchantId: 'mer1',
      revoked: false,
    }));
    const world = createWorld({ keys });
    send(world, 'K1', 'B');
    expect(send(world, 'K2', 'B', { keyId: 'key2', apiKeyHash: 'hash of key2' })).toMatchObject({
      ok: true,
    });
  });

  test('a revoked key records nothing', () => {
    const world = createWorld({
      keys: [{ hash: 'hash of key1', keyId: 'key1', merchantId: 'mer1', revoked: true }],
    });
    send(world, 'K1', 'B');
    expect(world.replays.size).toBe(0);
  });
});
