import { describe, expect, test } from 'vitest';
import type { CreationMessage, Merchant, Order, RefusalCode } from '../index.ts';
import { FACTOR_ONE, money, parseFactor } from '../money.ts';
import { checkInvariants } from '../testing/invariants.ts';
import {
  account,
  creation,
  deposit,
  member,
  merchant,
  message,
  NOW,
  payout,
  withdrawal,
} from '../testing/literals.ts';
import { createWorld, type TimedFeeRule, type World } from '../testing/memory-view.ts';
import type { CreateOrder } from './create-order.ts';

const fee2: TimedFeeRule = {
  feeRuleId: 'f1',
  merchantId: null,
  orderType: 'Withdrawal',
  walletType: 'ProviderA',
  fixed: money('2'),
  percent: 0n,
  minimum: null,
  maximum: null,
  fromAmount: null,
  toAmount: null,
};

/**
 * One thing that is wrong with a request, from the first that is answered to the last
 * (merchant-api.md#order-of-checks, decision 5).
 */
interface Rung {
  readonly code: RefusalCode;
  readonly message: string;
  readonly spoil: (request: CreateOrder, world: World) => CreateOrder;
}

const setMerchant = (world: World, given: Partial<Merchant>) => {
  world.merchants.set('mer1', { ...(world.merchants.get('mer1') as Merchant), ...given });
};
const earlier = (given: Partial<Order>) =>
  deposit({
    orderId: 'old',
    orderReference: 'ORD-20260115100000-00OLD0',
    merchantOrderRef: 'R1',
    liveReference: 'R1',
    ...given,
  });
const REPLAYED =
  'This signed request was already accepted with a different Idempotency-Key. Retry with the original Idempotency-Key.';

const LADDER: readonly Rung[] = [
  {
    code: 'key-not-active',
    message: 'API key not found or inactive.',
    spoil: (request, world) => {
      world.keys.set('hash of key1', { keyId: 'key1', merchantId: 'mer1', revoked: true });
      return request;
    },
  },
  {
    code: 'signature-replayed',
    message: REPLAYED,
    spoil: (request, world) => {
      const { keyId, digest, merchantId } = request;
      world.replays.set(`${keyId} ${digest}`, {
        merchantId,
        keyId,
        digest,
        idempotencyKey: 'another',
        acceptedAt: NOW - 1,
        replaces: null,
      });
      return request;
    },
  },
  {
    code: 'unbound',
    message: 'The request could not be read.',
    spoil: (request) => ({
      ...request,
      content: { kind: 'unbound', errors: { '$.walletType': ['walletType is unknown'] } },
    }),
  },
  {
    code: 'invalid',
    message: "'Amount' must be greater than '0'.; Currency must be one of: PKR, INR, BDT.",
    spoil: (request) =>
      request.content.kind === 'valid'
        ? {
            ...request,
            content: {
              kind: 'invalid',
              messages: [
                "'Amount' must be greater than '0'.",
                'Currency must be one of: PKR, INR, BDT.',
              ],
            },
          }
        : request,
  },
  {
    code: 'terms-differ',
    message: 'This Idempotency-Key was already used for a different order request.',
    spoil: (request, world) => {
      world.orders.set(
        'bound',
        withdrawal({
          orderId: 'bound',
          status: 'Rejected',
          idempotencyKey: 'k1',
          signatureDigest: 'd0',
          termsDigest: 'other terms',
          liveReference: null,
        }),
      );
      return request;
    },
  },
  {
    code: 'merchant-not-active',
    message: 'Merchant account is suspended; new orders are not accepted.',
    spoil: (request, world) => {
      setMerchant(world, { status: 'suspended' });
      return request;
    },
  },
  {
    code: 'address-not-listed',
    message: 'IP not in whitelist.',
    spoil: (request, world) => {
      setMerchant(world, {
        ipWhitelist: { enabled: true, entries: [{ address: '198.51.100.0/24', scope: 'Both' }] },
      });
      return request;
    },
  },
  {
    code: 'method-disabled',
    message: 'ProviderA withdrawals are disabled for this merchant.',
    spoil: (request, world) => {
      setMerchant(world, { withdrawalMethods: ['ProviderB'] });
      return request;
    },
  },
  {
    code: 'reference-live',
    message:
      "merchantOrderRef 'R1' is already used by order ORD-20260115100000-00OLD0. Reuse the same Idempotency-Key to retry a request, or use a new reference for a new payment.",
    spoil: (request, world) => {
      world.orders.set('old', earlier({ status: 'Awaiting' }));
      return request;
    },
  },
  {
    code: 'insufficient-balance',
    message:
      'Insufficient merchant balance: 101.5 PKR available, 102 PKR required for this withdrawal (amount + fee).',
    spoil: (request, world) => {
      world.wallets.set('mer1', {
        merchantId: 'mer1',
        balance: money('101.5'),
        reserved: 0n,
        frozen: money('7'),
        overdrawn: false,
      });
      return request;
    },
  },
];

const good = () => creation(payout({ merchantOrderRef: 'R1' }));
const place = () => createWorld({ members: [member({ memberId: 'm1' })], feeRules: [fee2] });

test.each([
  ['0.0001', '0.49', 'Deposit'],
  ['0.0001', '0.49', 'Withdrawal'],
  ['1', '0.00001', 'Deposit'],
] as const)(
  '%s INR at a rate of %s moves nothing: no %s is made of it',
  (amount, rate, orderType) => {
    const world = createWorld({
      members: [member({ memberId: 'm1' })],
      merchants: [merchant({ currencies: ['PKR', 'INR'] })],
      rates: { INR: parseFactor(rate) as bigint },
    });
    const terms = { amount: money(amount), currency: 'INR' } as const;
    const request = creation(orderType === 'Deposit' ? message(terms) : payout(terms));
    expect(world.run(request)).toMatchObject({
      ok: false,
      refusal: {
        code: 'amount-too-small',
        message: `The amount is too small to settle: at the present exchange rate ${amount} INR is less than half of 0.0001 PKR.`,
      },
    });
    expect(world.orders.size).toBe(0);
  },
);

describe('refusals in the order of the checks', () => {
  test('with nothing wrong the order is created', () => {
    expect(place().run(good())).toMatchObject({
      ok: true,
      result: { status: 'AwaitingMemberPayout', merchantOrderRef: 'R1', liveReference: 'R1' },
    });
  });

  test.each(LADDER)('$code', ({ code, message, spoil }) => {
    const world = place();
    const decision = world.run(spoil(good(), world));
    expect(decision).toMatchObject({ ok: false, refusal: { code, message } });
    expect(Object.keys(decision.changes)).toEqual(
      code === 'key-not-active' || code === 'signature-replayed' ? [] : ['replay'],
    );
    expect(world.wallets.get('mer1')?.reserved).toBe(0n);
    expect(world.members.get('m1')?.openOrders).toBe(0);
  });

  const pairs = LADDER.flatMap((first, at) =>
    LADDER.slice(at + 1).map((second) => ({ first, second })),
  );
  test.each(pairs)('$first.code is answered before $second.code', ({ first, second }) => {
    const world = place();
    // The later fault first, so that the earlier one can overwrite the content.
    const decision = world.run(first.spoil(second.spoil(good(), world), world));
    expect(decision).toMatchObject({ ok: false, refusal: { code: first.code } });
  });

  test('the binding errors by field go with the refusal', () => {
    const decision = place().run({
      ...good(),
      content: {
        kind: 'unbound',
        errors: { '$.orderType': ['missing'], '$.amount': ['not a number'] },
      },
    });
    expect(decision).toMatchObject({
      ok: false,
      refusal: { errors: { '$.orderType': ['missing'], '$.amount': ['not a number'] } },
    });
  });

  test('an unknown key is refused like a revoked one', () => {
    expect(place().run(creation(message(), { apiKeyHash: 'nobody’s' }))).toMatchObject({
      ok: false,
      refusal: { code: 'key-not-active' },
      changes: {},
    });
  });
});

describe('an account that is not active', () => {
  test.each(['suspended', 'closed'] as const)('%s', (status) => {
    const world = createWorld({ merchants: [merchant({ status })] });
    expect(world.run(creation(message()))).toMatchObject({
      ok: false,
      refusal: {
        code: 'merchant-not-active',
        message: `Merchant account is ${status}; new orders are not accepted.`,
      },
    });
  });

  test('a suspended merchant still gets the order of a repeated request', () => {
    const world = place();
    const first = world.run(good());
    setMerchant(world, { status: 'suspended' });
    expect(world.run(good())).toMatchObject({
      ok: true,
      result: first.ok && { orderId: first.result.orderId },
    });
  });
});

describe('the whitelist is by order type', () => {
  const listed = (scope: 'Deposit' | 'Withdrawal' | 'Both') =>
    createWorld({
      merchants: [
        merchant({ ipWhitelist: { enabled: true, entries: [{ address: '203.0.113.7', scope }] } }),
      ],
    });
  test.each([
    ['Deposit', true, false],
    ['Withdrawal', false, true],
    ['Both', true, true],
  ] as const)('an entry for %s', (scope, deposits, withdrawals) => {
    expect(listed(scope).run(creation(message())).ok).toBe(deposits);
    expect(listed(scope).run(creation(payout())).ok).toBe(withdrawals);
  });

  test('a whitelist that is not enabled lists nobody and refuses nobody', () => {
    const world = createWorld({
      merchants: [
        merchant({
          ipWhitelist: { enabled: false, entries: [{ address: '198.51.100.1', scope: 'Both' }] },
        }),
      ],
    });
    expect(world.run(creation(message())).ok).toBe(true);
  });
});

describe('methods and currencies', () => {
  const rows: [
    text: string,
    given: Partial<Merchant>,
    content: CreationMessage,
    message: string | null,
  ][] = [
    [
      'a disabled deposit method',
      { depositMethods: ['ProviderB'] },
      message(),
      'ProviderA deposits are disabled for this merchant.',
    ],
    [
      'a method enabled for the other type alone',
      { withdrawalMethods: [] },
      payout(),
      'ProviderA withdrawals are disabled for this merchant.',
    ],
    [
      'the walletType, no display name',
      { depositMethods: [] },
      message({ walletType: 'ProviderBQR' }),
      'ProviderBQR deposits are disabled for this merchant.',
    ],
    [
      'a currency that is not enabled',
      {},
      message({ currency: 'INR' }),
      'ProviderA deposits are disabled for this merchant.',
    ],
    [
      'withdrawals alike',
      {},
      payout({ currency: 'INR' }),
      'ProviderA withdrawals are disabled for this merchant.',
    ],
    [
      'a currency without a rate',
      { currencies: ['PKR', 'BDT'] },
      message({ currency: 'BDT' }),
      'ProviderA deposits are disabled for this merchant.',
    ],
    [
      'a currency that is enabled',
      { currencies: ['PKR', 'INR'] },
      message({ currency: 'INR' }),
      null,
    ],
    [
      'a BankAccount deposit is accepted (merchant-api.md#payment-methods)',
      {},
      message({ walletType: 'BankAccount' }),
      null,
    ],
  ];
  test.each(rows)('%s', (_, given, content, refusal) => {
    const decision = createWorld({
      merchants: [merchant(given)],
      rates: { INR: 3n * FACTOR_ONE },
    }).run(creation(content));
    if (refusal === null) expect(decision).toMatchObject({ ok: true });
    else
      expect(decision).toMatchObject({
        ok: false,
        refusal: { code: 'method-disabled', message: refusal },
      });
  });

  test.each<[Partial<Merchant>, Parameters<typeof message>[0], string]>([
    [{ depositMethods: ['ProviderB'] }, {}, 'the method ProviderA is not enabled for deposits'],
    [{}, { currency: 'INR' }, 'the currency INR is not enabled'],
    [{ currencies: ['BDT'] }, { currency: 'BDT' }, 'no exchange rate is set for BDT'],
    [
      { depositMethods: [] },
      { currency: 'BDT' },
      'the method ProviderA is not enabled for deposits; the currency BDT is not enabled; no exchange rate is set for BDT',
    ],
  ])('operators see which of method, currency and rate it was: %j %j', (given, content, detail) => {
    const decision = createWorld({
      merchants: [merchant(given)],
      rates: { INR: 3n * FACTOR_ONE },
    }).run(creation(message(content)));
    expect(decision).toMatchObject({
      ok: false,
      refusal: { message: 'ProviderA deposits are disabled for this merchant.', detail },
    });
  });
});

describe('merchantOrderRef', () => {
  const statuses: [status: Order['status'], live: boolean][] = [
    ['Awaiting', true],
    ['Queued', true],
    ['AwaitingCustomerPayment', true],
    ['AwaitingMemberConfirmation', true],
    ['ManualReview', true],
    ['Completed', true],
    ['Rejected', false],
    ['Expired', false],
    ['CancelledTimeout', false],
    ['Cancelled', false],
    ['CancelledAuto', false],
  ];
  test.each(statuses)('the reference of an order that is %s: live %s', (status, live) => {
    const world = createWorld({
      members: [member({ memberId: 'm1' })],
      orders: [earlier({ status, ...(live ? {} : { liveReference: null }) })],
    });
    const decision = world.run(
      creation(message({ merchantOrderRef: 'R1' }), { idempotencyKey: 'k2' }),
    );
    expect(decision).toMatchObject(
      live
        ? { ok: false, refusal: { code: 'reference-live' } }
        : { ok: true, result: { liveReference: 'R1' } },
    );
  });

  test('references are each merchant’s own', () => {
    const world = createWorld({ orders: [earlier({ merchantId: 'mer2', status: 'Awaiting' })] });
    expect(world.run(creation(message({ merchantOrderRef: 'R1' })))).toMatchObject({ ok: true });
  });

  test('orders without a reference never conflict', () => {
    const world = createWorld();
    expect(world.run(creation(message()))).toMatchObject({ ok: true });
    expect(world.run(creation(message(), { idempotencyKey: 'k2' }))).toMatchObject({ ok: true });
  });
});

describe('the funds of a withdrawal', () => {
  test('available exactly amount + fee is enough, a ten-thousandth less is not', () => {
    const funded = (balance: string) =>
      createWorld({ wallets: [{ balance: money(balance) }], feeRules: [fee2] }).run(
        creation(payout()),
      );
    expect(funded('102')).toMatchObject({ ok: true });
    expect(funded('101.9999')).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('101.9999 PKR available, 102 PKR required') },
    });
  });

  test('what withdrawals in progress reserve is not available, and the message says how much it is', () => {
    const world = createWorld({
      wallets: [{ balance: money('200.5') }],
      orders: [withdrawal({ status: 'Awaiting' })],
      feeRules: [fee2],
    });
    expect(world.run(creation(payout(), { idempotencyKey: 'k2' }))).toMatchObject({
      ok: false,
      refusal: {
        message:
          'Insufficient merchant balance: 98.5 PKR available, 102 PKR required for this withdrawal (amount + fee). 102 PKR is reserved by withdrawals in progress.',
      },
    });
  });

  test('I6: of many withdrawals as many are accepted as the balance covers', () => {
    const world = createWorld({
      wallets: [{ balance: money('1000') }],
      feeRules: [{ ...fee2, fixed: money('1') }],
    });
    const accepted = Array.from({ length: 50 }, (_, at) =>
      world.run(creation(payout(), { idempotencyKey: `k${at}` })),
    ).filter(({ ok }) => ok);
    expect(accepted).toHaveLength(9);
    expect(world.wallets.get('mer1')).toMatchObject({ reserved: money('909') });
    checkInvariants(world);
  });

  test('an order in INR is funded and reserved in PKR', () => {
    const world = createWorld({
      wallets: [{ balance: money('300') }],
      merchants: [merchant({ currencies: ['INR'] })],
      rates: { INR: parseFactor('3.3') as bigint },
      feeRules: [fee2],
    });
    const inr = (amount: string, idempotencyKey: string) =>
      world.run(creation(payout({ currency: 'INR', amount: money(amount) }), { idempotencyKey }));
    expect(inr('100', 'k1')).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('300 PKR available, 336.6 PKR required') },
    });
    expect(inr('50', 'k2')).toMatchObject({
      ok: true,
      result: { amount: money('50'), fee: money('2'), settlementAmount: money('171.6') },
    });
    expect(world.wallets.get('mer1')?.reserved).toBe(money('171.6'));
  });

  test('deposits need no funds in the wallet', () => {
    expect(createWorld({ wallets: [{ balance: 0n }] }).run(creation(message()))).toMatchObject({
      ok: true,
    });
  });
});

describe('what a new order holds', () => {
  test('the fields of the request, the terms of the moment and nothing reached yet', () => {
    const world = createWorld({ feeRules: [{ ...fee2, orderType: 'Deposit' }] });
    const decision = world.run(
      creation(
        message({
          merchantOrderRef: 'R1',
          customerReference: 'c7',
          metadata: '{"a":1}',
          successUrl: 'https://s.example',
          txnRefDigitsRequired: 6,
        }),
      ),
    );
    expect(decision).toMatchObject({
      ok: true,
      result: {
        apiKeyId: 'key1',
        idempotencyKey: 'k1',
        signatureDigest: 'digest of k1',
        fee: money('2'),
        rate: FACTOR_ONE,
        settlementAmount: money('98'),
        floatAmount: money('100'),
        customerReference: 'c7',
        metadata: '{"a":1}',
        successUrl: 'https://s.example',
        txnRefDigitsRequired: 6,
        pageOrigin: 'https://pay.example',
        createdStatus: 'Awaiting',
        createdAt: NOW,
        expiresAt: NOW + 900_000,
        moves: 0,
        methodSwitches: 0,
      },
    });
    expect(world.moves).toEqual([]);
    expect(world.deliveries).toEqual([]);
  });

  test.each([
    ['its own', 'https://own.example', 'https://own.example'],
    ['the merchant’s default', null, 'https://shop.example/hook'],
  ])('the callback URL: %s, fixed at creation', (_, callbackUrl, expected) => {
    const world = createWorld();
    const decision = world.run(creation(message({ callbackUrl })));
    setMerchant(world, { defaultCallbackUrl: 'https://later.example' });
    expect(decision).toMatchObject({ ok: true, result: { callbackUrl: expected } });
  });

  test('an outcome without any callback URL is for the feed alone', () => {
    const world = createWorld({ merchants: [merchant({ defaultCallbackUrl: null })] });
    const decision = world.run(creation(message()));
    world.now = NOW + 900_000;
    world.run({
      kind: 'pass-deadline',
      commandId: 'c2',
      orderId: decision.ok ? decision.result.orderId : '',
      need: undefined,
    });
    expect([...world.orders.values()]).toMatchObject([
      { status: 'CancelledTimeout', callbackUrl: null },
    ]);
    expect(world.deliveries).toMatchObject([{ eventType: 'order.failed', url: null }]);
  });

  test('no fallback between methods: a deposit by ProviderATillID is not given a ProviderA account', () => {
    const world = createWorld({ members: [member({ memberId: 'm1' })] });
    expect(world.run(creation(message({ walletType: 'ProviderATillID' })))).toMatchObject({
      ok: true,
      result: { status: 'Awaiting' },
    });
  });

  test('withdrawals are paid within one provider: a Till ID account pays a ProviderB withdrawal', () => {
    const world = createWorld({
      members: [
        member({
          memberId: 'm1',
          accounts: [account({ accountId: 'm1-t', walletType: 'TillID' })],
        }),
      ],
    });
    expect(world.run(creation(payout({ walletType: 'ProviderB' })))).toMatchObject({
      ok: true,
      result: { accountId: 'm1-t' },
    });
    expect(
      world.run(creation(payout({ walletType: 'ProviderA' }), { idempotencyKey: 'k2' })),
    ).toMatchObject({ ok: true, result: { status: 'Awaiting' } });
  });
});
