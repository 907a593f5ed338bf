import {
  type Command,
  type Decision,
  type FeeRule,
  formatMoney,
  type Member,
  type MemberAccount,
  type Merchant,
  money,
  needOf,
  type Order,
  parseFactor,
  type RefusalCode,
  stageOf,
  usedOn,
} from '@munshi/core';
import { checkInvariants } from '../../packages/core/src/testing/invariants.ts';
import {
  account,
  creation,
  member,
  merchant,
  message,
} from '../../packages/core/src/testing/literals.ts';
import {
  createWorld,
  type TimedFeeRule,
  type World,
} from '../../packages/core/src/testing/memory-view.ts';
import type { Create } from './model/creation.ts';
import { hasAdded, isActive } from './model/four-eyes.ts';
import { type Act, perform } from './model/index.ts';
import type { FeeRuleText } from './model/operator.ts';
import type { Cause, Model, ModelOrder, Verdict } from './model/state.ts';
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
  requestPicture,
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

/**
 * The pure rules in memory beside the model, and which of the service's ids stands for which of the
 * model's numbers.
 */
interface Pair {
  readonly world: World;
  readonly model: Model;
  readonly orderIds: string[];
  /** By the model's number; what is not the engine's has none. */
  readonly requestIds: string[];
  commands: number;
}

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
    requestIds: [],
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
  expectAnswer(verdict, answerOf(decision), decision.ok ? undefined : decision.refusal.message);
  if (model.requests.length > pair.requestIds.length) pair.requestIds.push(command.commandId);
  compareRequests(pair);
  if (act.act === 'create' && verdict.order !== undefined)
    expectOrder(pair.orderIds, verdict.order, orderId);
  const touched = 'order' in act ? model.orders[act.order] : verdict.order;
  if (touched !== undefined) compareOrder(pair, touched);
  comparePeople(pair);
  return verdict;
}

/**
 * Settings, operators, and what is turned down are statements of their own, which the rules in
 * memory find done.
 */
function mirror({ world, model, requestIds }: Pair): void {
  if (model.requests.length > requestIds.length) requestIds.push('');
  for (const [number, { status, decidedBy, decidedAt }] of model.requests.entries()) {
    const approval = world.approvals.get(requestIds[number] ?? '');
    if (approval === undefined || approval.status === status) continue;
    world.approvals.set(approval.approvalId, {
      ...approval,
      status,
      decidedBy: decidedBy === null ? null : operatorOf(decidedBy).id,
      decidedAt,
    });
  }
  Object.assign(world.settings, {
    adjustmentApprovalLimit: model.limit,
    requireSecondOperator: model.fourEyes,
  });
}

const REQUEST_KIND: Readonly<Record<string, string>> = {
  'float-adjustment': 'float',
  'order-confirm': 'confirm',
  'order-resolve': 'resolve',
};

function compareRequests({ world, model, requestIds }: Pair): void {
  const numberOf = (id: string | null) =>
    id === null ? null : OPERATORS.findIndex((one) => one.id === id);
  const known = requestIds.filter((id) => id !== '');
  if (world.approvals.size !== known.length)
    throw new Divergence(`${world.approvals.size} requests, the model has ${known.length}`);
  for (const [number, request] of model.requests.entries()) {
    const row = world.approvals.get(requestIds[number] ?? '');
    if (row === undefined) continue;
    const { kind, requestedBy, requestedAt: at, status, decidedBy, decidedAt } = row;
    const picture = {
      kind: REQUEST_KIND[kind] ?? kind,
      operator: numberOf(requestedBy),
      at,
      status,
      decidedBy: numberOf(decidedBy),
      decidedAt,
    };
    expectSame(`request ${number}`, picture, requestPicture(request));
  }
}

function never(act: Act): never {
  throw new Error(`${act.act} assigns nobody`);
}

function answerOf(decision: Decision<unknown>): 'ok' | 'pending' | Cause {
  if (!decision.ok) return CAUSE[decision.refusal.code] ?? never({ act: 'open', order: -1 });
  const status = (decision.result as { status?: string }).status;
  return status === 'pendingApproval' ? 'pending' : 'ok';
}

function orderIdOf(decision: Decision<unknown>): string | undefined {
  if (!decision.ok) return undefined;
  const result = decision.result as { orderId?: string; order?: Order };
  return result.orderId ?? result.order?.orderId;
}

function compareOrder({ world, model, orderIds }: Pair, order: ModelOrder): void {
  const row = world.orders.get(orderIds[order.number] ?? '');
  if (row === undefined) throw new Divergence(`order ${order.number} is not there`);
  const deliveries = world.deliveries.filter(({ orderId }) => orderId === row.orderId);
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
    notes
      .filter((note) => note.orderId === orderId)
      .map(({ actor, kind, amount, text, at }) => ({
        ...{ kind, amount, text, at },
        member: String(actor.id),
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

const optional = (amount: string | null) => (amount === null ? null : money(amount));

function worldOf(setup: Setup): World {
  return createWorld({
    now: setup.startedAt,
    settings: {
      adjustmentApprovalLimit: optional(setup.limit),
      requireSecondOperator: setup.fourEyes,
      sendingGraceMs: setup.graceSeconds * 1_000,
    },
    merchants: Object.entries(setup.merchants).map(([merchantId, given]): Merchant => {
      const { depositMethods, withdrawalMethods, currencies, hook } = given;
      return merchant({
        merchantId,
        depositMethods,
        withdrawalMethods,
        currencies,
        defaultCallbackUrl: hook ? 'https://shop.example/hook' : null,
      });
    }),
    keys: Object.entries(setup.merchants).flatMap(([merchantId, { keys }]) =>
      keys.map((keyId) => ({ hash: keyId, keyId, merchantId, revoked: false })),
    ),
    wallets: Object.entries(setup.merchants).map(([merchantId, { balance }]) => ({
      merchantId,
      balance: money(balance),
    })),
    members: Object.entries(setup.members).map(
      ([memberId, { online, maxOpenOrders, float, accounts }]): Member => {
        const rows = Object.entries(accounts).map(
          ([accountId, { method, minimum, maximum, daily }]): MemberAccount => {
            const limits = {
              minimumPerOrder: optional(minimum),
              maximumPerOrder: optional(maximum),
              maximumPerDay: optional(daily),
            };
            return account({ accountId, walletType: method, ...limits });
          },
        );
        return member({
          memberId,
          online,
          maxOpenOrders,
          floatBalance: money(float),
          accounts: rows,
        });
      },
    ),
    feeRules: setup.feeRules.map((rule) => feeRule(rule, setup.startedAt)),
    rates: Object.fromEntries(
      Object.entries(setup.rates).map(([currency, rate]) => [currency, parseFactor(rate) ?? 0n]),
    ),
  });
}

const feeRule = (rule: FeeRuleText, validFrom: number): TimedFeeRule => ({
  feeRuleId: 'rule',
  merchantId: rule.merchant,
  orderType: rule.kind,
  walletType: rule.method,
  fixed: money(rule.fixed),
  percent: parseFactor(rule.percent) ?? 0n,
  minimum: optional(rule.minimum),
  maximum: optional(rule.maximum),
  fromAmount: optional(rule.from),
  toAmount: optional(rule.to),
  validFrom,
});

/** What is set by statements of its own and not by commands: merchants, keys, rules and rates. */
function setTerms(world: World, asked: Act): void {
  switch (asked.act) {
    case 'merchant-status':
      change(world, asked.merchant, { status: asked.active ? 'active' : 'suspended' });
      break;
    case 'merchant-methods':
      change(
        world,
        asked.merchant,
        asked.kind === 'Deposit'
          ? { depositMethods: asked.methods }
          : { withdrawalMethods: asked.methods },
      );
      break;
    case 'revoke-key':
      world.keys.set(asked.key, { keyId: asked.key, merchantId: asked.merchant, revoked: true });
      break;
    case 'rate':
      world.rates.set(asked.currency, parseFactor(asked.rate) ?? 0n);
      break;
    case 'fee-rule':
      replaceRule(world, feeRule(asked.rule, world.now));
  }
}

function change(world: World, merchantId: string, what: Partial<Merchant>): void {
  world.merchants.set(merchantId, { ...(world.merchants.get(merchantId) as Merchant), ...what });
}

function replaceRule(world: World, rule: TimedFeeRule): void {
  const slot = (each: FeeRule) =>
    [each.merchantId, each.orderType, each.walletType, each.fromAmount, each.toAmount].join(' ');
  const at = world.feeRules.findIndex(
    (each) => each.validUntil === undefined && slot(each) === slot(rule),
  );
  const old = world.feeRules[at];
  if (old !== undefined) world.feeRules[at] = { ...old, validUntil: world.now };
  world.feeRules.push(rule);
}

function creationCommand(asked: Create, commandId: string): Command {
  const { terms, digits, retries, callback } = asked;
  const content = message({
    orderType: terms.kind,
    amount: money(terms.amount),
    walletType: terms.method,
    currency: terms.currency,
    merchantOrderRef: terms.reference,
    customerAccountNumber: terms.account,
    customerAccountName: terms.accountName,
    callbackUrl: callback ? 'https://own.example/hook' : null,
    txnRefDigitsRequired: digits,
    maxRetryCount: retries,
  });
  const { key, merchant: merchantId, body: digest, idempotencyKey } = asked;
  return creation(content, {
    commandId,
    apiKeyHash: key,
    keyId: key,
    merchantId,
    digest,
    idempotencyKey,
  });
}

const OPERATORS = [0, 1, 2].map(
  (number) =>
    ({
      kind: 'operator',
      id: `operator ${number}`,
      name: 'An Operator',
      address: '10.0.0.1',
    }) as const,
);
const operatorOf = (number: number) => OPERATORS[number] as (typeof OPERATORS)[number];

/** The command that does this; undefined where it is no command. */
function commandOf(pair: Pair, asked: Act): Command | undefined {
  // Kept beside the order, by statements of their own.
  if (asked.act === 'evidence' || asked.act === 'member-seen') return undefined;
  const commandId = `command ${pair.commands}`;
  if ('operator' in asked && !isActive(pair.model, asked.operator)) return undefined;
  if (asked.act === 'create') return creationCommand(asked, commandId);
  if (!('order' in asked)) return peopleCommand(pair, asked, commandId);
  const order = pair.world.orders.get(pair.orderIds[asked.order] ?? '') as Order;
  const its = { commandId, orderId: order.orderId };
  const need = needOf(order);
  switch (asked.act) {
    case 'open':
      return { kind: 'open-page', ...its, need };
    case 'switch': {
      const { merchantId } = order;
      return {
        kind: 'switch-method',
        ...its,
        merchantId,
        walletType: asked.method,
        need: { ...need, walletType: asked.method },
      };
    }
    case 'payer':
      return {
        kind: 'submit-payer',
        ...its,
        accountNumber: asked.valid ? '03001234' : 'none',
        ibanLast4: asked.valid ? '1234' : '12',
      };
    case 'confirm-payment':
      return {
        kind: 'confirm-payment',
        ...its,
        transactionDigits: '123456789'.slice(0, asked.digits),
      };
    case 'account':
      return {
        kind: 'submit-account',
        ...its,
        accountNumber: asked.valid ? '0301' : ' ',
        accountName: 'C. Customer',
        need,
      };
    case 'cancel-by-customer':
      return { kind: 'cancel-by-customer', ...its };
    case 'member-confirm': {
      const receivedAmount =
        asked.amount === null ? null : asked.amount === 'right' ? order.amount : order.amount + 1n;
      return {
        kind: 'member-confirm',
        ...its,
        memberId: asked.member,
        receivedAmount,
        transactionReference: null,
      };
    }
    case 'member-reject':
      return {
        kind: 'member-reject',
        ...its,
        memberId: asked.member,
        reason: 'rejected by the member',
      };
    case 'member-report':
      return {
        kind: 'member-report',
        ...its,
        memberId: asked.member,
        reason: 'reported by the member',
      };
    case 'member-release':
      return {
        kind: 'member-release',
        ...its,
        memberId: asked.member,
        reason: 'released by the member',
      };
    case 'member-sending':
      return { kind: 'member-sending', ...its, memberId: asked.member };
    case 'member-money-seen': {
      const about = { kind: 'moneySeen' } as const;
      return { kind: 'member-note', ...its, memberId: asked.member, about, text: null };
    }
    case 'member-note': {
      const amount = order.amount + BigInt(asked.more);
      const about = { kind: 'otherAmount', amount } as const;
      return { kind: 'member-note', ...its, memberId: asked.member, about, text: asked.text };
    }
    case 'operator-cancel':
      return {
        kind: 'operator-cancel',
        ...its,
        note: 'cancelled by the operator',
        actor: operatorOf(asked.operator),
      };
    case 'operator-escalate':
      return {
        kind: 'operator-escalate',
        ...its,
        note: 'escalated',
        actor: operatorOf(asked.operator),
      };
    case 'operator-resolve':
      return {
        kind: 'operator-resolve',
        ...its,
        outcome: asked.outcome,
        note: 'resolved by the operator',
        actor: operatorOf(asked.operator),
      };
    case 'operator-confirm': {
      const waiting = [...pair.world.approvals.values()].find(
        ({ target, status }) => target === order.orderId && status === 'pending',
      );
      const memberId = asked.approval
        ? ((waiting?.request['memberId'] as string | null | undefined) ?? null)
        : asked.member;
      return {
        kind: 'operator-confirm',
        ...its,
        note: 'it came',
        memberId,
        approval: asked.approval,
        actor: operatorOf(asked.operator),
      };
    }
    case 'deadline':
      return { kind: 'pass-deadline', ...its, need };
    case 'assign':
      return { kind: 'assign-waiting', ...its, need };
    case 'withdraw':
      return { kind: 'withdraw-member', ...its, need };
  }
}

function peopleCommand(
  pair: Pair,
  asked: Exclude<Act, Create | { order: number }>,
  commandId: string,
): Command | undefined {
  switch (asked.act) {
    case 'presence':
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        online: asked.online,
        actor: { kind: 'member', id: asked.member },
      };
    case 'member-status':
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        status: asked.active ? 'active' : 'suspended',
        actor: operatorOf(0),
      };
    case 'capacity':
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        maxOpenOrders: asked.maxOpenOrders,
        actor: operatorOf(0),
      };
    case 'member-account': {
      if (asked.approved && hasAdded(pair.model, asked.operator)) return undefined;
      const status = asked.approved ? 'approved' : 'suspended';
      return {
        kind: 'update-member',
        commandId,
        memberId: asked.member,
        account: { accountId: asked.account, status },
        actor: operatorOf(asked.operator),
      };
    }
    case 'float':
      return {
        kind: 'adjust-float',
        commandId,
        memberId: asked.member,
        amount: money(asked.amount),
        reason: 'float',
        actor: operatorOf(asked.operator),
      };
    case 'adjust': {
      const { merchant: merchantId, change: adjustment, amount, operator } = asked;
      return {
        kind: 'adjust-wallet',
        commandId,
        merchantId,
        adjustment,
        amount: money(amount),
        reason: 'adjustment',
        actor: operatorOf(operator),
      };
    }
    case 'approve':
      return approvalCommand(pair, asked.request, { commandId, actor: operatorOf(asked.operator) });
    default:
      return undefined;
  }
}

/** As the operator face submits what was asked for. */
function approvalCommand(
  { world, requestIds }: Pair,
  number: number,
  by: { commandId: string; actor: (typeof OPERATORS)[number] },
): Command | undefined {
  const approval = world.approvals.get(requestIds[number] ?? '');
  if (approval === undefined) return undefined;
  const { approvalId, kind, target, request } = approval;
  const { memberId, amount, reason } = request;
  switch (kind) {
    case 'adjustment':
      return {
        kind: 'approve-adjustment',
        adjustmentId: target,
        merchantId: String(request['merchantId']),
        ...by,
      };
    case 'float-adjustment':
      return {
        kind: 'adjust-float',
        memberId: String(memberId),
        amount: money(String(amount)),
        reason: String(reason),
        approvalId,
        ...by,
      };
    case 'order-confirm':
      return {
        kind: 'operator-confirm',
        orderId: target,
        memberId: memberId as string | null,
        note: null,
        approval: true,
        approvalId,
        ...by,
      };
    case 'order-resolve':
      return {
        kind: 'operator-resolve',
        orderId: target,
        outcome: 'Completed',
        note: null,
        approval: true,
        approvalId,
        ...by,
      };
    default:
      return undefined;
  }
}
