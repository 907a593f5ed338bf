import {
  type Decision,
  formatMoney,
  type Member,
  type Order,
  type RefusalCode,
  stageOf,
  usedOn,
} from '@munshi/core';
import { checkInvariants } from '../../packages/core/src/testing/invariants.ts';
import type { World } from '../../packages/core/src/testing/memory-view.ts';
import { commandOf, type Pair } from './memory-commands.ts';
import { setTerms, worldOf } from './memory-world.ts';
import { hasNoRoom } from './model/four-eyes.ts';
import { type Act, perform } from './model/index.ts';
import type { Cause, ModelNote, ModelOrder, Verdict } from './model/state.ts';
import {
  Divergence,
  expectAnswer,
  expectOrder,
  expectSame,
  followed,
  memberPicture,
  merchantPicture,
  notesPicture,
  orderPicture,
  type Picture,
} from './picture.ts';
import type { Subject } from './run.ts';
import { modelOf, type Setup } from './setup.ts';

const CAUSE: Readonly<Partial<Record<RefusalCode, Cause>>> = {
  'key-not-active': 'key',
  'signature-replayed': 'replayed',
  'terms-differ': 'terms',
  'merchant-not-active': 'inactive',
  'method-disabled': 'method',
  'reference-live': 'reference',
  'amount-too-small': 'small',
  'insufficient-balance': 'funds',
  'not-found': 'not-found',
  'wrong-state': 'state',
  'link-expired': 'expired',
  'no-member': 'nobody',
  'too-many': 'state',
  invalid: 'input',
  unprocessable: 'beyond',
  'second-operator': 'same-operator',
  suspended: 'inactive',
};

export interface MemorySubject extends Subject {
  /** Commands decided so far. */
  commands(): number;
  /** Every kind of step that an order's history has. */
  moves(): readonly string[];
}

/** The pure rules over rows in memory. */
export function memorySubject(setup: Setup): MemorySubject {
  const pair: Pair = {
    world: worldOf(setup),
    model: modelOf(setup),
    orderIds: [],
    asked: [],
    commands: 0,
  };
  const { world, model } = pair;
  return {
    model,
    elapse(until) {
      model.now = until;
      world.now = until;
    },
    perform: (act) => step(pair, act),
    finish() {
      comparePeople(pair);
      for (const order of model.orders) compareOrder(pair, order);
      checkInvariants(world);
    },
    commands: () => pair.commands,
    moves: () =>
      world.moves.map(
        ({ orderId, from, trigger, to }) =>
          `${world.orders.get(orderId)?.orderType} ${from} ${trigger} ${to}`,
      ),
  };
}

function step(pair: Pair, act: Act): Verdict {
  const { world, model } = pair;
  const command = commandOf(pair, act);
  if (command === undefined) {
    setTerms(world, act);
    const verdict = perform(model, act, () => never(act));
    mirror(pair);
    return verdict;
  }
  pair.commands += 1;
  const decision = world.run(command);
  const orderId = orderIdOf(decision);
  const verdict = perform(model, act, (order, allowed) =>
    followed(order, allowed, world.orders.get(pair.orderIds[order.number] ?? orderId ?? '')),
  );
  const isFull = 'operator' in act && hasNoRoom(model, act.operator);
  const answer = answerOf(decision, isFull && !verdict.answers.includes('pending'));
  expectAnswer(verdict, answer, decision.ok ? undefined : decision.refusal.message);
  if (model.requests.length > pair.asked.length) pair.asked.push(command);
  if (act.act === 'create' && verdict.order !== undefined)
    expectOrder(pair.orderIds, verdict.order, orderId);
  const touched = 'order' in act ? model.orders[act.order] : verdict.order;
  if (touched !== undefined) compareOrder(pair, touched);
  comparePeople(pair);
  return verdict;
}

/** Settings are changed by statements of their own, which the rules in memory find done. */
function mirror({ world, model, asked }: Pair): void {
  if (model.requests.length > asked.length) asked.push(undefined);
  Object.assign(world.settings, {
    adjustmentApprovalLimit: model.limit,
    requireSecondOperator: model.fourEyes,
  });
}

function never(act: Act): never {
  throw new Error(`${act.act} assigns nobody`);
}

/** What needs two is asked for, and refused where its asker has no room for one more. */
function answerOf(decision: Decision<unknown>, isFull: boolean): 'ok' | 'pending' | Cause {
  if (!decision.ok) return CAUSE[decision.refusal.code] ?? never({ act: 'open', order: -1 });
  if ((decision.result as { status?: string }).status !== 'needsTwo') return 'ok';
  return isFull ? 'state' : 'pending';
}

function orderIdOf(decision: Decision<unknown>): string | undefined {
  if (!decision.ok) return undefined;
  const result = decision.result as { orderId?: string; order?: Order };
  return result.orderId ?? result.order?.orderId;
}

function compareOrder({ world, model, orderIds }: Pair, order: ModelOrder): void {
  const row = world.orders.get(orderIds[order.number] ?? '');
  if (row === undefined) throw new Divergence(`order ${order.number} is not there`);
  const deliveries = world.deliveries.filter(
    ({ subjectId, url }) => subjectId === row.orderId && url !== null,
  );
  const events = deliveries
    .map(({ eventType, body, createdAt }) => `${eventType} ${JSON.parse(body).status} ${createdAt}`)
    .join(', ');
  const reasons = deliveries
    .map(({ body }, at) => (order.events[at]?.reason === null ? '' : JSON.parse(body).reason))
    .join(', ');
  const settlements = world.postings.filter(({ orderId }) => orderId === row.orderId).length;
  expectSame(
    `order ${order.number}`,
    { ...rowPicture(row), settlements, events, reasons, notes: notesOf(world, row.orderId) },
    orderPicture(order),
  );
  if (model.orders.length !== world.orders.size)
    throw new Divergence(`${world.orders.size} orders, the model has ${model.orders.length}`);
}

const notesOf = ({ notes }: World, orderId: string): string =>
  notesPicture(
    [...notes.values()]
      .filter((note) => note.orderId === orderId && note.actor.kind !== 'operator')
      .map(({ actor, kind, amount, text, at }) => ({
        ...{ kind: kind as ModelNote['kind'], amount, text, at },
        by: actor.kind === 'customer' ? 'customer' : String(actor.id),
      })),
  );

const rowPicture = (row: Order): Picture => ({
  merchant: row.merchantId,
  orderType: row.orderType,
  walletType: row.walletType,
  currency: row.currency,
  amount: formatMoney(row.amount),
  fee: row.fee === null ? null : formatMoney(row.fee),
  settlement: formatMoney(row.settlementAmount),
  float: formatMoney(row.floatAmount),
  reference: row.merchantOrderRef,
  status: row.status,
  stage: stageOf(row),
  member: row.memberId,
  account: row.accountId,
  reassignments: row.reassignments,
  createdAt: row.createdAt,
  expiresAt: row.expiresAt,
  awaitingAt: row.awaitingAt,
  assignedAt: row.assignedAt,
  sentAt: row.sentAt,
  completedAt: row.completedAt,
  rejectedAt: row.rejectedAt,
  failedAt: row.failedAt,
  cancelledAt: row.cancelledAt,
  dueAt: row.dueAt,
  digits: row.transactionDigits,
});

function comparePeople({ world, model }: Pair): void {
  for (const name of Object.keys(model.members)) {
    expectSame(
      name,
      memberRowPicture(world.members.get(name) as Member, world.now),
      memberPicture(model, name),
    );
  }
  for (const name of Object.keys(model.merchants)) {
    const { balance, reserved, frozen } = world.wallets.get(name) as NonNullable<
      ReturnType<World['wallets']['get']>
    >;
    const amounts = {
      balance: formatMoney(balance),
      reserved: formatMoney(reserved),
      available: formatMoney(balance - reserved),
      frozen: formatMoney(frozen),
    };
    expectSame(name, amounts, merchantPicture(model, name));
  }
}

const memberRowPicture = (row: Member, now: number): Picture => ({
  online: row.online,
  active: row.status === 'active',
  maxOpenOrders: row.maxOpenOrders,
  openOrders: row.openOrders,
  float: formatMoney(row.floatBalance),
  held: formatMoney(row.floatHeld),
  lastAssigned: row.lastAssignedAt,
  ...Object.fromEntries(
    row.accounts.map((own) => [
      own.accountId,
      `${own.status === 'approved'} ${formatMoney(usedOn(own, now))}`,
    ]),
  ),
});
