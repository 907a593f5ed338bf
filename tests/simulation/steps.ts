import { type ActKind, actOf, againOf } from './acts.ts';
import { type Chance, chanceOf } from './chance.ts';
import { creationOf, keyOf, rushOf } from './creations.ts';
import { OPERATOR_COUNT } from './model/four-eyes.ts';
import type { Act } from './model/index.ts';
import type { Model, ModelOrder } from './model/state.ts';
import { DAY, HOUR, isOver, MINUTE, REPLAY_MS, type Status } from './model/tables.ts';
import { hasCrowd } from './setup.ts';

/**
 * What a step means where the model stands: how long to wait first, in milliseconds, and what to do
 * then.
 */
export interface Step {
  readonly wait: number;
  readonly act: Act;
}

/**
 * What usually happens next: most steps take one of these, so that orders get far; the others take
 * anything.
 */
export const USUAL: Partial<Record<Status, readonly ActKind[]>> = {
  Awaiting: [
    'open',
    'open',
    'switch',
    'account',
    'assign',
    'deadline',
    'presence',
    'presence',
    'capacity',
    'cancel-by-customer',
  ],
  Queued: [
    'open',
    'open',
    'open',
    'switch',
    'switch',
    'fee-rule',
    'withdraw',
    'member-account',
    'member-money-seen',
    'deadline',
  ],
  AwaitingCustomerPayment: [
    'payer',
    'member-money-seen',
    'confirm-payment',
    'confirm-payment',
    'confirm-payment',
    'switch',
    'switch',
    'fee-rule',
    'withdraw',
    'member-release',
    'deadline',
  ],
  AwaitingMemberConfirmation: [
    'member-confirm',
    'member-confirm',
    'member-reject',
    'member-note',
    'customer-note',
    'deadline',
    'operator-escalate',
  ],
  AwaitingMemberPayout: [
    'member-confirm',
    'member-confirm',
    'member-reject',
    'member-report',
    'member-sending',
    'member-sending',
    'deadline',
    'deadline',
    'operator-cancel',
  ],
  ManualReview: [
    'operator-resolve',
    'operator-resolve',
    'member-report',
    'member-confirm',
    'customer-note',
  ],
  Completed: ['member-confirm', 'create', 'operator-confirm', 'confirm-payment', 'create'],
  Rejected: ['operator-confirm', 'create', 'member-confirm'],
  Expired: ['operator-confirm', 'create'],
  CancelledTimeout: ['operator-confirm', 'create'],
  Cancelled: ['operator-confirm', 'create'],
  CancelledAuto: ['operator-confirm', 'create'],
};

const ANY: readonly ActKind[] = [
  'open',
  'switch',
  'payer',
  'confirm-payment',
  'account',
  'cancel-by-customer',
  'member-confirm',
  'member-reject',
  'member-report',
  'member-release',
  'operator-cancel',
  'operator-escalate',
  'operator-resolve',
  'operator-confirm',
  'deadline',
  'assign',
  'withdraw',
  'presence',
  'presence',
  'member-status',
  'capacity',
  'member-account',
  'float',
  'adjust',
  'approve',
  'decline',
  'settings',
  'operator-status',
  'again',
  'merchant-status',
  'merchant-methods',
  'revoke-key',
  'fee-rule',
  'rate',
];

/** What is kept beside an order, wherever it stands. */
const BESIDE: readonly ActKind[] = [
  'customer-note',
  'member-note',
  'member-money-seen',
  'member-sending',
  'member-seen',
  'evidence',
  'evidence',
];

/** Reads a step. */
export function stepOf(model: Model, seed: number): Step {
  const chance = chanceOf(seed);
  if (model.orders.length > 0 && chance.oneIn(60)) return replayed(model, chance);
  const wait = waitOf(model, chance);
  const order = orderOf(model, chance);
  const request = requestOf(model, chance);
  if (request >= 0 && chance.oneIn(8))
    return {
      wait,
      act: {
        act: chance.oneIn(5) ? 'decline' : 'approve',
        request,
        operator: chance.number(OPERATOR_COUNT),
      },
    };
  if (model.writes.length > 0 && chance.oneIn(25)) return { wait, act: againOf(model, chance) };
  if (hasCrowd(model) && model.orders.length % 30 >= 10) return { wait: 0, act: rushOf(chance) };
  if (order === undefined || chance.oneIn(4)) return { wait, act: creationOf(model, chance) };
  if (chance.oneIn(12)) return { wait, act: actOf(model, order, chance.pick(BESIDE), chance) };
  const usual = USUAL[order.status] ?? ANY;
  const kind = chance.oneIn(4) ? chance.pick(ANY) : chance.pick(usual);
  return { wait, act: actOf(model, order, kind, chance) };
}

/** Mostly the latest that waits; sometimes one whose place another has taken. */
function requestOf({ requests }: Model, chance: Chance): number {
  const replaced = requests.findLastIndex(
    ({ does, status }, at) =>
      status === 'withdrawn' &&
      'order' in does &&
      requests.some(
        (later, n) => n > at && 'order' in later.does && later.does.order === does.order,
      ),
  );
  return replaced >= 0 && chance.oneIn(4)
    ? replaced
    : requests.findLastIndex(({ status }) => status === 'pending');
}

/** A signed body again under another key, as its 24 hours end (decision 5). */
function replayed(model: Model, chance: Chance): Step {
  const { asked } = chance.pick(model.orders);
  const guard = model.guards[`${asked.key} ${asked.body}`];
  const end = (guard?.at ?? model.now) + REPLAY_MS + chance.pick([-1, 0, 0, 1]);
  return { wait: Math.max(0, end - model.now), act: { ...asked, idempotencyKey: keyOf(chance) } };
}

/** Mostly nothing; sometimes exactly to a deadline, or a millisecond to either side. */
function waitOf(model: Model, chance: Chance): number {
  if (!chance.oneIn(5)) return chance.pick([0, 0, 1, 1_000, 10_000]);
  const edges = [
    ...model.orders.flatMap((order) => (order.dueAt === null ? [] : [order.dueAt])),
    ...model.orders.flatMap((order) =>
      isOver(order.status) ? [] : [order.createdAt + 15 * MINUTE],
    ),
    ...(chance.oneIn(3)
      ? model.requests.flatMap(({ at, status }) => (status === 'pending' ? [at + DAY] : []))
      : []),
    ...(chance.oneIn(4) ? Object.values(model.guards).map(({ at }) => at + REPLAY_MS) : []),
  ].filter((at) => at > model.now);
  if (edges.length > 0 && !chance.oneIn(4)) {
    const first = Math.min(...edges);
    const edge = chance.oneIn(3) ? chance.pick(edges) : first;
    return Math.max(0, edge - model.now + chance.pick([-1, 0, 0, 0, 1]));
  }
  return chance.pick([MINUTE, MINUTE, 10 * MINUTE, 15 * MINUTE, HOUR, 2 * HOUR, DAY / 2, DAY]);
}

/** Mostly one of the latest orders that are not over. */
export function orderOf({ orders }: Model, chance: Chance): ModelOrder | undefined {
  if (orders.length === 0) return undefined;
  const open = orders.filter(({ status }) => !isOver(status));
  const from = open.length > 0 && !chance.oneIn(5) ? open : orders;
  return from.at(-1 - chance.number(Math.min(from.length, chance.oneIn(5) ? 100 : 5)));
}
