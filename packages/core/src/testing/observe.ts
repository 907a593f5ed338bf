import { expect } from 'vitest';
import {
  type Command,
  formatMoney,
  type Member,
  type Money,
  type Order,
  type RefusalCode,
  stageOf,
} from '../index.ts';
import { checkInvariants } from './invariants.ts';
import { MINUTE } from './literals.ts';
import type { World } from './memory-view.ts';

/**
 * What a command did to one order and around it. What did not change is left out, so that a row of
 * a table names every effect.
 */
export interface Effects {
  readonly status: string;
  readonly stage: string;
  /** The stamps of the order that now show this moment. */
  readonly stamped?: readonly string[];
  /**
   * Minutes until the clock has something to do with it; null: never. Left out where the deadline
   * stays.
   */
  readonly due?: number | null;
  readonly holder?: string | null;
  readonly wallet?: Readonly<Record<string, string>>;
  readonly members?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
  readonly posting?: Readonly<Record<string, string | null>>;
  readonly event?: string;
  readonly reason?: string;
  readonly notices?: readonly string[];
}

const STAMPS = [
  'awaitingAt',
  'assignedAt',
  'sentAt',
  'completedAt',
  'rejectedAt',
  'failedAt',
  'cancelledAt',
] as const;

/** Runs a command that must be accepted and says what it did. The invariants hold afterwards. */
export function effectsOf(world: World, command: Command & { readonly orderId: string }): Effects {
  const before = world.orders.get(command.orderId) as Order;
  const wallet = world.wallets.get(before.merchantId);
  const members = new Map(world.members);
  const [postings, deliveries, notices] = [
    world.postings.length,
    world.deliveries.length,
    world.notices.length,
  ];
  const decision = world.run(command);
  expect(decision).toMatchObject({ ok: true });
  checkInvariants(world);

  const order = world.orders.get(command.orderId) as Order;
  const stamped = STAMPS.filter(
    (stamp) => order[stamp] === world.now && before[stamp] !== world.now,
  );
  const lost = STAMPS.filter((stamp) => before[stamp] !== null && order[stamp] !== before[stamp]);
  expect(lost, 'stamps are kept').toEqual([]);
  const walletAfter = world.wallets.get(before.merchantId);
  const [posting, delivery] = [world.postings[postings], world.deliveries[deliveries]];
  const body = delivery && JSON.parse(delivery.body);
  return strip({
    status: order.status,
    stage: stageOf(order),
    stamped,
    due:
      order.dueAt === before.dueAt
        ? undefined
        : order.dueAt === null
          ? null
          : (order.dueAt - world.now) / MINUTE,
    holder: order.memberId === before.memberId ? undefined : order.memberId,
    wallet:
      wallet &&
      walletAfter &&
      differences({
        balance: walletAfter.balance - wallet.balance,
        reserved: walletAfter.reserved - wallet.reserved,
      }),
    members: Object.fromEntries(
      [...world.members.values()]
        .map(
          (after) =>
            [
              after.memberId,
              memberDifference(members.get(after.memberId) as Member, after),
            ] as const,
        )
        .filter(([, difference]) => Object.keys(difference).length > 0),
    ),
    posting: posting && {
      ...differences({
        wallet: posting.wallet,
        float: posting.memberFloat,
        fees: posting.fees,
        adjustments: posting.adjustments,
      }),
      member: posting.memberId,
    },
    event: delivery?.eventType,
    reason: body?.reason,
    notices: world.notices.slice(notices).map(({ memberId, event }) => `${memberId} ${event}`),
  });
}

const usedBy = (member: Member): Money =>
  member.accounts.reduce((total, { dayAmount }) => total + dayAmount, 0n);

function memberDifference(before: Member, after: Member) {
  const open = after.openOrders - before.openOrders;
  return {
    ...(open !== 0 && { open }),
    ...differences({
      held: after.floatHeld - before.floatHeld,
      float: after.floatBalance - before.floatBalance,
      used: usedBy(after) - usedBy(before),
    }),
  };
}

const differences = (amounts: Readonly<Record<string, Money>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(amounts)
      .filter(([, amount]) => amount !== 0n)
      .map(([name, amount]) => [name, formatMoney(amount)]),
  );

/** Without what is undefined or empty. */
function strip<T extends object>(value: T): Effects {
  const isEmpty = (part: unknown) =>
    part === undefined ||
    (typeof part === 'object' && part !== null && Object.keys(part).length === 0);
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => !isEmpty(part)),
  ) as unknown as Effects;
}

/** Runs a command that must be refused with this code and message and change nothing. */
export function expectRefusal(
  world: World,
  command: Command,
  code: RefusalCode,
  text: string | RegExp,
): void {
  const decision = world.run(command);
  expect(decision).toMatchObject({ ok: false, refusal: { code }, changes: {} });
  if (decision.ok) return;
  if (typeof text === 'string') expect(decision.refusal.message).toBe(text);
  else expect(decision.refusal.message).toMatch(text);
  expect(decision.changes).toEqual({});
  checkInvariants(world);
}
