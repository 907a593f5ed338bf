import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Command,
  type CommandKind,
  type CreationMessage,
  covers,
  dayOf,
  hasSucceeded,
  isAvailable,
  isFinal,
  type Member,
  needOf,
  type Order,
  REPLAY_WINDOW_MS,
  type Replay,
  type Status,
  termsText,
  WALLET_TYPES,
  type WalletType,
  WITHDRAWAL_METHODS,
} from './index.ts';
import { FACTOR_ONE, formatMoney, money } from './money.ts';
import { checkInvariants } from './testing/invariants.ts';
import {
  account,
  creation,
  DAY,
  HOUR,
  MINUTE,
  member,
  merchant,
  message,
  OPERATOR,
  OTHER_OPERATOR,
  SECOND,
} from './testing/literals.ts';
import { createWorld, type TimedFeeRule, type World } from './testing/memory-view.ts';

/**
 * What a step picks from: everything is an index or a choice, so that a failing run shrinks to a
 * few steps.
 */
const step = fc.noBias(
  fc.record({
    act: fc.nat(999),
    order: fc.nat(30),
    member: fc.nat(3),
    amount: fc.constantFrom('0.0001', '50', '100', '100', '250.5', '999.9999'),
    method: fc.constantFrom<WalletType>(...WALLET_TYPES),
    flag: fc.boolean(),
    pick: fc.nat(5),
    wait: fc.constantFrom(
      0,
      0,
      0,
      0,
      0,
      0,
      SECOND,
      MINUTE,
      MINUTE,
      10 * MINUTE,
      15 * MINUTE,
      HOUR,
      2 * HOUR,
      DAY,
    ),
    likely: fc.nat(3),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const rule = (given: Partial<TimedFeeRule>): TimedFeeRule => ({
  feeRuleId: 'f',
  merchantId: null,
  orderType: 'Deposit',
  walletType: 'ProviderA',
  fixed: money('1'),
  percent: 150_000_000n,
  minimum: null,
  maximum: money('9'),
  fromAmount: null,
  toAmount: null,
  ...given,
});

/**
 * Four members of little capacity over few methods, so that everything runs short in a few steps.
 */
function smallWorld(): World {
  const accounts = (id: string, ...methods: WalletType[]) =>
    methods.map((walletType) =>
      account({
        accountId: `${id}-${walletType}`,
        walletType,
        maximumPerDay: money('600'),
        maximumPerOrder: money('500'),
      }),
    );
  return createWorld({
    merchants: [merchant({ currencies: ['PKR', 'INR'] })],
    keys: ['key1', 'key2'].map((keyId) => ({
      hash: `hash of ${keyId}`,
      keyId,
      merchantId: 'mer1',
      revoked: false,
    })),
    wallets: [{ balance: money('700') }],
    members: [
      member({
        memberId: 'm0',
        maxOpenOrders: 2,
        floatBalance: money('300'),
        accounts: accounts('m0', 'ProviderA', 'ProviderATillID', 'TillID'),
      }),
      member({
        memberId: 'm1',
        maxOpenOrders: 3,
        floatBalance: money('500'),
        accounts: accounts('m1', 'ProviderA', 'ProviderAQR', 'ProviderB'),
      }),
      member({
        memberId: 'm2',
        maxOpenOrders: 1,
        floatBalance: money('900'),
        accounts: accounts('m2', 'ProviderBQR', 'ProviderB', 'BankAccount'),
      }),
      member({
        memberId: 'm3',
        maxOpenOrders: 4,
        floatBalance: money('900'),
        online: false,
        accounts: accounts('m3', 'ProviderA', 'ProviderB', 'TillID', 'BankAccount'),
      }),
    ],
    feeRules: [
      rule({}),
      rule({ walletType: 'ProviderB', percent: 10_000_000_000n, maximum: null }),
      rule({ orderType: 'Withdrawal' }),
    ],
    rates: { INR: 3n * FACTOR_ONE + 33_333n },
    settings: { adjustmentApprovalLimit: money('200') },
  });
}

function requested({ amount, method, flag, pick }: Step): CreationMessage {
  const shared = {
    amount: money(amount),
    currency: pick === 5 ? 'INR' : 'PKR',
    merchantOrderRef: pick < 2 ? `R${pick}` : null,
  } as const;
  if (flag) return message({ ...shared, walletType: method });
  const walletType = WITHDRAWAL_METHODS.includes(method) ? method : 'ProviderA';
  const to = pick === 3 ? {} : { customerAccountNumber: '0300', customerAccountName: 'C' };
  return message({ ...shared, ...to, orderType: 'Withdrawal', walletType, maxRetryCount: pick });
}

/**
 * What usually happens next: most steps take one of these, so that orders get far; the others take
 * any command.
 */
const USUAL: Partial<Record<Status, readonly CommandKind[]>> = {
  Awaiting: [
    'open-page',
    'switch-method',
    'submit-account',
    'assign-waiting',
    'pass-deadline',
    'update-member',
  ],
  Queued: ['open-page', 'switch-method', 'withdraw-member', 'update-member'],
  AwaitingCustomerPayment: [
    'submit-payer',
    'confirm-payment',
    'switch-method',
    'withdraw-member',
    'cancel-by-customer',
  ],
  AwaitingMemberConfirmation: ['member-confirm', 'member-reject', 'pass-deadline'],
  AwaitingMemberPayout: ['member-confirm', 'member-reject', 'member-report', 'pass-deadline'],
  ManualReview: ['operator-resolve', 'member-report'],
};

function commandOf(world: World, step: Step, number: number): Command {
  const { act, order: at, member: who, amount, method, flag, pick, likely } = step;
  const commandId = `c${number}`;
  const memberId = `m${who}`;
  const operator = flag ? OPERATOR : OTHER_OPERATOR;
  const orders = [...world.orders.values()];
  // Mostly one of the latest orders: the others have ended.
  const order = orders.at(-1 - (at % Math.max(1, Math.min(at > 20 ? 30 : 6, orders.length))));
  if (order === undefined || act % 4 === 0) {
    const content = requested(step);
    const keyId = act % 8 === 0 ? 'key1' : 'key2';
    // Few Idempotency-Keys and few bodies, so that some requests come again, as they were or mixed
    // up.
    const idempotencyKey = `k${act % 97}`;
    const digest = pick === 4 ? 'a common body' : `digest of ${termsText(content)} ${act % 5}`;
    return creation(content, {
      commandId,
      keyId,
      apiKeyHash: `hash of ${keyId}`,
      idempotencyKey,
      digest,
    });
  }
  const { orderId, merchantId } = order;
  const its = { commandId, orderId };
  const need = needOf(order);
  const holder = flag || order.memberId === null ? memberId : order.memberId;
  const commands: readonly Command[] = [
    { kind: 'open-page', ...its, need },
    { kind: 'open-page', ...its, need },
    {
      kind: 'switch-method',
      ...its,
      merchantId,
      walletType: method,
      need: { ...need, walletType: method },
    },
    { kind: 'submit-payer', ...its, accountNumber: '03001', ibanLast4: '1234' },
    { kind: 'confirm-payment', ...its, transactionDigits: '1234' },
    { kind: 'confirm-payment', ...its, transactionDigits: '1234' },
    { kind: 'submit-account', ...its, accountNumber: '0301', accountName: 'D', need },
    { kind: 'cancel-by-customer', ...its },
    {
      kind: 'member-confirm',
      ...its,
      memberId: holder,
      receivedAmount: null,
      transactionReference: null,
    },
    {
      kind: 'member-confirm',
      ...its,
      memberId: holder,
      receivedAmount: null,
      transactionReference: null,
    },
    { kind: 'member-reject', ...its, memberId: holder, reason: 'no' },
    { kind: 'member-report', ...its, memberId: holder, reason: 'odd' },
    { kind: 'member-release', ...its, memberId: holder, reason: 'full' },
    { kind: 'withdraw-member', ...its, need },
    { kind: 'assign-waiting', ...its, need },
    { kind: 'pass-deadline', ...its, need },
    { kind: 'pass-deadline', ...its, need },
    { kind: 'operator-cancel', ...its, note: 'n', actor: operator },
    { kind: 'operator-escalate', ...its, note: 'n', actor: operator },
    {
      kind: 'operator-resolve',
      ...its,
      outcome: flag ? 'Completed' : 'Cancelled',
      note: 'n',
      actor: operator,
    },
    {
      kind: 'operator-confirm',
      ...its,
      note: 'n',
      memberId: pick < 2 ? memberId : null,
      approval: pick === 3,
      actor: operator,
    },
    {
      kind: 'update-member',
      commandId,
      memberId,
      online: flag,
      actor: { kind: 'member', id: memberId },
    },
    {
      kind: 'update-member',
      commandId,
      memberId,
      status: flag ? 'active' : 'suspended',
      maxOpenOrders: pick,
      actor: operator,
    },
    {
      kind: 'update-member',
      commandId,
      memberId,
      account: {
        accountId: world.members.get(memberId)?.accounts[pick % 3]?.accountId ?? '',
        status: flag ? 'approved' : 'suspended',
      },
      actor: operator,
    },
    {
      kind: 'adjust-float',
      commandId,
      memberId,
      amount: flag ? money(amount) : -money(amount),
      reason: 'r',
      actor: operator,
    },
    {
      kind: 'adjust-wallet',
      commandId,
      merchantId,
      adjustment: (['credit', 'debit', 'freeze', 'unfreeze'] as const)[pick % 4] ?? 'credit',
      amount: money(amount),
      reason: 'r',
      actor: operator,
    },
    {
      kind: 'approve-adjustment',
      commandId,
      merchantId,
      adjustmentId: [...world.adjustments.keys()].at(-1) ?? 'none',
      actor: operator,
    },
  ];
  const usual = USUAL[order.status];
  const some = likely > 0 && usual ? commands.filter(({ kind }) => usual.includes(kind)) : commands;
  return some[act % some.length] as Command;
}

interface Before {
  readonly orders: ReadonlyMap<string, Order>;
  readonly members: ReadonlyMap<string, Member>;
  readonly replays: ReadonlyMap<string, Replay>;
  readonly balance: bigint;
}

/**
 * What one command may and may not have done: the invariants that speak of a step rather than of a
 * state.
 */
function checkStep(world: World, before: Before, command: Command): void {
  const wallet = world.wallets.get('mer1');
  const changed = [...world.orders.values()].filter(
    (order) => before.orders.get(order.orderId) !== order,
  );
  expect(changed.length, 'a command changes one order').toBeLessThanOrEqual(1);
  const [after] = changed;
  const was = after && before.orders.get(after.orderId);
  if (command.kind === 'create-order' && after?.orderType === 'Withdrawal' && wallet)
    expect(wallet.balance >= wallet.reserved, 'I6').toBe(true);
  if (command.kind === 'create-order' && after) checkCreation(world, before, after);
  const settles =
    after !== undefined && hasSucceeded(after.status) && !(was && hasSucceeded(was.status));
  const adjusts = command.kind === 'adjust-wallet' || command.kind === 'approve-adjustment';
  if (!settles && !adjusts) expect(wallet?.balance, 'I9').toBe(before.balance);
  if (was && after && (command.kind === 'member-confirm' || command.kind === 'member-reject'))
    expect(was.memberId, 'S9').toBe(command.memberId);
  if (was && after && after.fee !== was.fee)
    expect(command.kind, 'the fee is fixed').toBe('switch-method');
  if (
    after &&
    !isFinal(after.status) &&
    after.memberId !== null &&
    after.holderSince === world.now &&
    after.accountId !== was?.accountId
  ) {
    checkAssignment(before, after, world.now, was);
  }
}

/** S6, S7: one order for each key; one signed body goes with one Idempotency-Key for 24 hours. */
function checkCreation(world: World, before: Before, created: Order): void {
  const others = [...before.orders.values()].filter((order) => order.apiKeyId === created.apiKeyId);
  expect(
    others.filter((order) => order.idempotencyKey === created.idempotencyKey),
    'S6',
  ).toEqual([]);
  const same = others.filter(
    (order) =>
      order.signatureDigest === created.signatureDigest &&
      world.now - order.createdAt < REPLAY_WINDOW_MS,
  );
  expect(same, 'S7').toEqual([]);
}

/** S10: whoever got the order could take it as they were, the order itself given back first. */
function checkAssignment(before: Before, order: Order, at: number, was: Order | undefined): void {
  const own = before.members.get(order.memberId ?? '') as Member;
  const given = was?.memberId === own.memberId && !isFinal(was.status) ? was : undefined;
  const freed: Member = given
    ? {
        ...own,
        openOrders: own.openOrders - 1,
        floatHeld: own.floatHeld - (given.orderType === 'Deposit' ? given.floatAmount : 0n),
        accounts: own.accounts.map((each) =>
          each.accountId === given.accountId && each.day === dayOf(given.holderSince ?? 0)
            ? { ...each, dayAmount: each.dayAmount - given.floatAmount }
            : each,
        ),
      }
    : own;
  const need = needOf(order, order.formerMemberIds);
  const chosen = freed.accounts.find(({ accountId }) => accountId === order.accountId);
  expect(isAvailable(freed, need), 'S10: the member was available').toBe(true);
  expect(chosen && covers(chosen, need, at), 'S10: the account covered it').toBe(true);
}

test('I1–I11, S1–S7, S9, S10 hold after every step of any run of commands', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 90, size: 'max' }), (steps) => {
      const world = smallWorld();
      for (const [number, each] of steps.entries()) {
        world.now += each.wait;
        const before = {
          orders: new Map(world.orders),
          members: new Map(world.members),
          replays: new Map(world.replays),
          balance: world.wallets.get('mer1')?.balance ?? 0n,
        };
        const command = commandOf(world, each, number);
        const decision = world.run(command);
        if (!decision.ok)
          expect(Object.keys(decision.changes).filter((what) => what !== 'replay')).toEqual([]);
        checkInvariants(world);
        checkStep(world, before, command);
      }
      for (const move of world.moves)
        reached.add(
          `${world.orders.get(move.orderId)?.orderType} ${move.from} ${move.trigger} ${move.to}`,
        );
    }),
    { numRuns: 300 },
  );
  expect(reached.size, 'the runs reach most of the moves').toBeGreaterThan(40);
});

test('the same run gives the same rows: decisions depend on nothing but their inputs', () => {
  const play = (steps: readonly Step[]) => {
    const world = smallWorld();
    for (const [number, each] of steps.entries()) {
      world.now += each.wait;
      world.run(commandOf(world, each, number));
    }
    return [
      world.orders,
      world.members,
      world.wallets,
      world.moves,
      world.postings,
      world.deliveries,
    ];
  };
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      expect(play(steps)).toEqual(play(steps));
    }),
    { numRuns: 20 },
  );
});

test('once every order is final nothing is held or reserved, and the ledger matches the settlements', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const world = smallWorld();
      for (const [number, each] of steps.entries()) {
        world.now += each.wait;
        world.run(commandOf(world, each, number));
      }
      for (let turn = 0; turn < 20; turn += 1) {
        world.now += DAY;
        for (const { orderId, ...order } of world.orders.values()) {
          world.run({
            kind: 'pass-deadline',
            commandId: `last ${turn}`,
            orderId,
            need: needOf(order),
          });
          world.run({
            kind: 'operator-resolve',
            commandId: `resolve ${turn}`,
            orderId,
            outcome: 'Cancelled',
            note: 'n',
            actor: OPERATOR,
          });
        }
      }
      checkInvariants(world);
      expect(
        [...world.orders.values()]
          .filter(({ status }) => !isFinal(status))
          .map(({ status }) => status),
      ).toEqual([]);
      expect(formatMoney(world.wallets.get('mer1')?.reserved ?? -1n)).toBe('0');
      expect(
        [...world.members.values()].map(({ openOrders, floatHeld }) => [openOrders, floatHeld]),
      ).toEqual(Array(4).fill([0, 0n]));
    }),
    { numRuns: 40 },
  );
});
