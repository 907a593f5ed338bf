import { describe, expect, test } from 'vitest';
import {
  type Command,
  type CommandKind,
  type OrderType,
  STATUS,
  STATUSES,
  type Status,
} from '../index.ts';
import {
  BY_OPERATOR,
  DAY,
  deposit,
  member,
  NOW,
  withdrawal,
  withdrawalWithoutAccount,
} from '../testing/literals.ts';
import { createWorld } from '../testing/memory-view.ts';

type OrderCommand = Command & { readonly orderId: string };

const given = { commandId: 'c1', orderId: 'ord1' } as const;
const needs = (orderType: OrderType) =>
  ({
    orderType,
    walletType: 'ProviderA',
    currency: 'PKR',
    amount: 1_000_000n,
    floatAmount: 1_000_000n,
    heldBy: null,
    heldBefore: [],
  }) as const;

const commandsFor = (orderType: OrderType): readonly OrderCommand[] => {
  const need = needs(orderType);
  return [
    { kind: 'open-page', ...given, need },
    { kind: 'switch-method', ...given, merchantId: 'mer1', walletType: 'ProviderA', need },
    { kind: 'submit-payer', ...given, accountNumber: '03001', ibanLast4: '1234' },
    { kind: 'confirm-payment', ...given, transactionDigits: '1234' },
    { kind: 'submit-account', ...given, accountNumber: '0300', accountName: 'C', need },
    { kind: 'cancel-by-customer', ...given },
    { kind: 'customer-note', ...given, about: { kind: 'paidBy', paidBy: 'A' } },
    {
      kind: 'member-confirm',
      ...given,
      memberId: 'm1',
      receivedAmount: null,
      transactionReference: null,
    },
    { kind: 'member-reject', ...given, memberId: 'm1', reason: 'no' },
    { kind: 'member-release', ...given, memberId: 'm1', reason: 'no' },
    { kind: 'member-report', ...given, memberId: 'm1', reason: 'odd' },
    { kind: 'member-note', ...given, memberId: 'm1', about: { kind: 'moneySeen' }, text: null },
    { kind: 'member-sending', ...given, memberId: 'm1' },
    { kind: 'withdraw-member', ...given, need },
    { kind: 'assign-waiting', ...given, need },
    { kind: 'pass-deadline', ...given, need },
    { kind: 'operator-cancel', ...given, note: 'n', ...BY_OPERATOR },
    { kind: 'operator-escalate', ...given, note: 'n', ...BY_OPERATOR },
    {
      kind: 'operator-resolve',
      ...given,
      outcome: 'Cancelled',
      memberId: null,
      note: 'n',
      ...BY_OPERATOR,
    },
    {
      kind: 'operator-confirm',
      ...given,
      note: 'n',
      memberId: null,
      ...BY_OPERATOR,
    },
  ];
};

/** The statuses from which a command moves an order; from every other it changes nothing. */
type Movers = Partial<Record<CommandKind, readonly Status[]>>;

const FAILED: readonly Status[] = [
  'Rejected',
  'Expired',
  'CancelledTimeout',
  'Cancelled',
  'CancelledAuto',
];
/** Open orders of the older statuses (states.md#assigned). */
const LEGACY: readonly Status[] = ['Assigned', 'Frozen'];
const UNPAID: readonly Status[] = ['Awaiting', 'Queued', 'AwaitingCustomerPayment'];

const DEPOSIT: Movers = {
  'open-page': ['Awaiting', 'Queued'],
  'switch-method': ['Awaiting', 'Queued'],
  'confirm-payment': ['AwaitingCustomerPayment'],
  'cancel-by-customer': UNPAID,
  'member-confirm': ['AwaitingMemberConfirmation'],
  'member-reject': ['AwaitingMemberConfirmation'],
  'member-release': ['Queued', 'AwaitingCustomerPayment'],
  'operator-cancel': [...UNPAID, ...LEGACY],
  'operator-escalate': ['Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation'],
  'operator-resolve': ['ManualReview', ...LEGACY],
  'operator-confirm': FAILED,
};

const WITHDRAWAL: Movers = {
  'assign-waiting': ['Awaiting'],
  'member-confirm': ['AwaitingMemberPayout'],
  'member-reject': ['AwaitingMemberPayout'],
  'member-report': ['AwaitingMemberPayout'],
  'operator-cancel': ['Awaiting', 'AwaitingMemberPayout', ...LEGACY],
  'operator-escalate': ['AwaitingMemberPayout'],
  'operator-resolve': ['ManualReview', ...LEGACY],
  'operator-confirm': FAILED.filter((status) => status !== 'Expired'),
};

const WITHOUT_ACCOUNT: Movers = {
  'submit-account': ['Awaiting'],
  'cancel-by-customer': ['Awaiting'],
  'operator-cancel': ['Awaiting'],
};

const stamps = (status: Status) => ({
  ...(STATUS[status].phase === 'failed' && { failedAt: NOW - 1, dueAt: null, liveReference: null }),
  ...(STATUS[status].phase === 'succeeded' && { completedAt: NOW - 1, dueAt: null }),
});

const KINDS = [
  {
    name: 'deposit',
    orderType: 'Deposit',
    movers: DEPOSIT,
    statuses: STATUSES,
    order: (status: Status) => deposit({ status, ...stamps(status) }),
  },
  {
    name: 'withdrawal',
    orderType: 'Withdrawal',
    movers: WITHDRAWAL,
    statuses: STATUSES,
    order: (status: Status) => withdrawal({ status, ...stamps(status) }),
  },
  {
    name: 'withdrawal without account',
    orderType: 'Withdrawal',
    movers: WITHOUT_ACCOUNT,
    statuses: ['Awaiting'],
    order: () => withdrawalWithoutAccount(),
  },
] as const;

describe.each(KINDS)(
  'a $name moves only where the tables let it (S1, S2, merchant-api.md#statuses)',
  ({ orderType, movers, statuses, order }) => {
    const rows = commandsFor(orderType).flatMap((command) =>
      statuses
        .filter(
          (status) => STATUS[status].appliesTo === 'both' || STATUS[status].appliesTo === orderType,
        )
        .map((status) => ({
          command,
          status,
          moves: movers[command.kind]?.includes(status) === true,
        })),
    );
    test.each(rows)('$command.kind from $status: moves $moves', ({ command, status, moves }) => {
      const world = createWorld({ orders: [order(status)], members: [member({ memberId: 'm1' })] });
      const decision = world.run(command);
      expect(world.moves).toHaveLength(moves ? 1 : 0);
      if (moves) expect(decision).toMatchObject({ ok: true });
      else expect(world.orders.get('ord1')).toEqual(order(status));
    });
  },
);

describe('final is final (S2): the clock never takes an order out of review or back from its end', () => {
  test.each(
    STATUSES.filter((status) => STATUS[status].phase !== 'open' || status === 'ManualReview'),
  )('%s', (status) => {
    const world = createWorld({
      orders: [deposit({ status, ...stamps(status), dueAt: null })],
      members: [member({ memberId: 'm1' })],
      now: NOW + 30 * DAY,
    });
    expect(world.run({ kind: 'pass-deadline', ...given, need: undefined })).toMatchObject({
      ok: true,
      changes: {},
    });
    expect(world.orders.get('ord1')?.status).toBe(status);
  });
});

test('no command finds an order that is not there', () => {
  for (const command of [...commandsFor('Deposit'), ...commandsFor('Withdrawal')]) {
    expect(createWorld().run(command)).toEqual({
      ok: false,
      refusal: { code: 'not-found', message: 'Order not found.' },
      changes: {},
    });
  }
});
