import { describe, expect, test } from 'vitest';
import {
  type Approval,
  approvalActions,
  type Command,
  type Fetcher,
  feeRuleActions,
  lateClaimActions,
  newApproval,
  OPERATOR_ROLES,
  ORDER_ACTIONS,
  type OrderAction,
  orderActions,
  refuseGiver,
  STATUS,
  STATUSES,
  type Status,
  stageOf,
} from './index.ts';
import {
  asking,
  BY_OPERATOR,
  BY_OTHER_OPERATOR,
  DAY,
  deposit,
  MINUTE,
  member,
  NOW,
  OPERATOR,
  OTHER_OPERATOR,
  withdrawal,
} from './testing/literals.ts';
import { createWorld } from './testing/memory-view.ts';

const SUPPORT = asking(OPERATOR.id, 'support');
const ADMIN = asking(OPERATOR.id, 'admin');
const OTHER_ADMIN = asking(OTHER_OPERATOR.id, 'admin');

const stampsOf = (status: Status) => ({
  ...(STATUS[status].phase === 'failed' && { failedAt: NOW - 1, dueAt: null, liveReference: null }),
  ...(STATUS[status].phase === 'succeeded' && { completedAt: NOW - 1, dueAt: null }),
});
const NOBODY = { memberId: null, accountId: null, holderSince: null, assignedAt: null } as const;

/** Every status of each type, with and without a holder, and with and without a payment. */
const ORDERS = (['Deposit', 'Withdrawal'] as const).flatMap((orderType) =>
  STATUSES.filter((status) => ['both', orderType].includes(STATUS[status].appliesTo)).flatMap(
    (status) =>
      [true, false].flatMap((held) =>
        [null, NOW - 2 * MINUTE].map((sentAt) => {
          const order = (orderType === 'Deposit' ? deposit : withdrawal)({
            status,
            ...stampsOf(status),
            sentAt,
            ...(held
              ? { memberId: 'm1', accountId: 'm1-a', holderSince: NOW - 5 * MINUTE }
              : NOBODY),
            formerMemberIds: ['m2'],
          });
          return { order, name: `${orderType} ${status} ${stageOf(order)}`, held, sentAt };
        }),
      ),
  ),
);

/** A fresh copy of the same world for each command. */
function run(order: (typeof ORDERS)[number]['order'], command: Command) {
  const members = ['m1', 'm2'].map((memberId) => member({ memberId }));
  const world = createWorld({ orders: [order], members });
  return world.run(command);
}

const about = { commandId: 'c1', orderId: 'ord1', note: 'n', ...BY_OPERATOR } as const;
const _asked = (by: typeof OPERATOR | typeof OTHER_OPERATOR, at = NOW) =>
  newApproval(
    'order-confirm',
    'a1',
    'ord1',
    { note: null, memberId: null },
    { actor: by, asked: null },
    at,
  );

type Decided = Exclude<OrderAction, 'retry-now' | 'resend'>;
const COMMANDS: Readonly<Record<Decided, readonly Command[]>> = {
  resolve: (['Completed', 'Cancelled'] as const).map((outcome) => ({
    kind: 'operator-resolve',
    outcome,
    memberId: null,
    ...about,
  })),
  confirm: [{ kind: 'operator-confirm', memberId: null, ...about }],
  cancel: [{ kind: 'operator-cancel', ...about }],
  escalate: [{ kind: 'operator-escalate', ...about }],
};

describe('an action on an order is listed exactly when its command is accepted', () => {
  test.each(ORDERS)('$name, held: $held, sent: $sentAt', ({ order }) => {
    const listed = orderActions(order, undefined, SUPPORT);
    for (const [action, commands] of Object.entries(COMMANDS))
      for (const command of commands)
        expect([action, run(order, command).ok]).toEqual([
          action,
          listed.includes(action as OrderAction),
        ]);
  });

  test('and every one of them is listed for some order', () => {
    const latestDelivery = { status: 'abandoned', attemptsMade: 10, bodyRemovedAt: null } as const;
    const all = ORDERS.flatMap(({ order }) => orderActions(order, latestDelivery, SUPPORT));
    expect(new Set(all)).toEqual(new Set(ORDER_ACTIONS));
  });

  test('a delivery is retried when it has failed, an outcome resent when there is one', () => {
    const listed = (status: Status, latestDelivery: Parameters<typeof orderActions>[1]) =>
      orderActions(deposit({ status, ...stampsOf(status) }), latestDelivery, SUPPORT).filter(
        (action) => action === 'retry-now' || action === 'resend',
      );
    expect(listed('Queued', undefined)).toEqual([]);
    expect(listed('Completed', undefined)).toEqual(['resend']);
    expect(
      listed('Completed', { status: 'pending', attemptsMade: 0, bodyRemovedAt: null }),
    ).toEqual(['resend']);
    expect(
      listed('Completed', { status: 'pending', attemptsMade: 1, bodyRemovedAt: null }),
    ).toEqual(['retry-now', 'resend']);
    expect(
      listed('Completed', { status: 'abandoned', attemptsMade: 10, bodyRemovedAt: null }),
    ).toEqual(['retry-now', 'resend']);
    expect(
      listed('Completed', { status: 'delivered', attemptsMade: 1, bodyRemovedAt: null }),
    ).toEqual(['resend']);
  });
});

describe('an action on a request for approval', () => {
  const request = (kind: Approval['kind'], change: Partial<Approval> = {}): Approval => ({
    ...newApproval(kind, 'a1', 't1', {}, BY_OTHER_OPERATOR, NOW),
    ...change,
  });

  const APPROVER = asking(OPERATOR.id, 'approver');
  const fetched = { status: 'approved', decidedAt: NOW } as const;
  const FETCHER: Partial<Record<Approval['kind'], Fetcher>> = {
    'api-key': 'approver',
    'member-recovery': 'asker',
  };

  test.each([
    ['an approver', 'settings', {}, APPROVER, NOW, ['approve', 'decline']],
    ['an admin', 'settings', {}, ADMIN, NOW, ['decline']],
    ['its asker', 'settings', {}, { ...APPROVER, id: OTHER_OPERATOR.id }, NOW, ['decline']],
    ['support, of an order', 'order-confirm', {}, SUPPORT, NOW, ['decline']],
    ['an approver after a day', 'settings', {}, APPROVER, NOW + DAY, ['decline']],
    ['anybody once it is done', 'settings', { status: 'done' }, APPROVER, NOW, []],
    ['its asker, of a link', 'member-recovery', fetched, OTHER_ADMIN, NOW, ['decline', 'fetch']],
    ['an approver, of a link', 'member-recovery', fetched, APPROVER, NOW, ['decline']],
    ['an approver, of a key', 'api-key', fetched, APPROVER, NOW, ['decline', 'fetch']],
    ['an approver, of a key a day later', 'api-key', fetched, APPROVER, NOW + DAY, ['decline']],
  ] as const)('for %s', (_, kind, change, who, at, actions) => {
    const needed = kind === 'order-confirm' ? 'decide' : 'administer';
    const fetcher = FETCHER[kind] ?? null;
    const rules = { fetcher, giver: undefined };
    expect(approvalActions(request(kind, change), needed, rules, who, at)).toEqual(actions);
  });

  test('needs what asking for it needs', () => {
    const rules = { fetcher: null, giver: undefined };
    expect(approvalActions(request('settings'), 'administer', rules, SUPPORT, NOW)).toEqual([]);
  });

  test('is not to approve what is about a person whom the operator let in', () => {
    const rules = { fetcher: null, giver: refuseGiver([APPROVER.id], APPROVER) };
    expect(approvalActions(request('settings'), 'administer', rules, APPROVER, NOW)).toEqual([
      'decline',
    ]);
  });

  test('is not to fetch a key that an admin of its merchant fetches', () => {
    const rules = { fetcher: 'merchant', giver: undefined } as const;
    const key = request('api-key', fetched);
    expect(approvalActions(key, 'administer', rules, APPROVER, NOW)).toEqual(['decline']);
  });
});

test('a viewer is listed no action at all', () => {
  const viewer = asking(OPERATOR.id, 'viewer');
  for (const { order } of ORDERS) expect(orderActions(order, undefined, viewer)).toEqual([]);
  expect(lateClaimActions({ status: 'open', takenBy: null }, viewer)).toEqual([]);
  expect(feeRuleActions({ validUntil: null }, viewer)).toEqual([]);
});

test('open late claims are taken up once and closed by support, fee rules in force ended by admins', () => {
  const roles = OPERATOR_ROLES.map((role) => asking('op1', role));
  expect(roles.map((who) => lateClaimActions({ status: 'open', takenBy: null }, who))).toEqual([
    [],
    ['take', 'close'],
    ['take', 'close'],
    ['take', 'close'],
  ]);
  expect(lateClaimActions({ status: 'open', takenBy: 'op2' }, ADMIN)).toEqual([
    'take-over',
    'close',
  ]);
  expect(lateClaimActions({ status: 'open', takenBy: ADMIN.id }, ADMIN)).toEqual(['close']);
  expect(roles.map((who) => feeRuleActions({ validUntil: null }, who))).toEqual([
    [],
    [],
    ['end'],
    ['end'],
  ]);
  expect(lateClaimActions({ status: 'closed', takenBy: null }, ADMIN)).toEqual([]);
  expect(feeRuleActions({ validUntil: NOW }, ADMIN)).toEqual([]);
});
