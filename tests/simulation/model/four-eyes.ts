import type { Units } from './arithmetic.ts';
import { end } from './endings.ts';
import { heldBy, heldOf } from './matching.ts';
import { availableOf, floatOf, settlementOf } from './money.ts';
import {
  type Cause,
  type Model,
  type ModelMember,
  type ModelMerchant,
  type ModelOrder,
  type ModelRequest,
  no,
  ok,
  type Verdict,
} from './state.ts';
import { hasFailed } from './tables.ts';

/** What one operator does alone or two do together, depending on the limits. */
export type Asked =
  | {
      readonly kind: 'adjustment';
      readonly merchant: string;
      readonly change: 'credit' | 'debit' | 'freeze' | 'unfreeze';
      readonly amount: Units;
    }
  | { readonly kind: 'float'; readonly member: string; readonly amount: Units }
  | { readonly kind: 'confirm'; readonly order: number; readonly member: string | null }
  | {
      readonly kind: 'resolve';
      readonly order: number;
      readonly outcome: 'Completed' | 'Cancelled';
      readonly member: string | null;
    }
  | { readonly kind: 'settings'; readonly limit?: Units | null; readonly required?: boolean }
  | { readonly kind: 'operator'; readonly active: boolean };

/** What is no command. */
const WRITES: ReadonlySet<Asked['kind']> = new Set(['settings', 'operator']);

/** The first two are approvers; the third is suspended and reinstated by others. */
export const OPERATOR_COUNT = 4;
export const THIRD = 2;
export const isApprover = (operator: number): boolean => operator < THIRD;

/** Whose sum of the day it is: operators who are no approvers share one. */
export const sumOf = (operator: number): number => (isApprover(operator) ? operator : THIRD);

const DAY_MS = 86_400_000;
/** How many requests of one operator wait at most. */
const WAITING_MAX = 20;

/** Does it, or makes a request that another operator has to approve. */
export function actOrAsk(model: Model, asked: Asked, operator: number): Verdict {
  const causes = against(model, asked);
  if (causes.length > 0) return no(...causes);
  const order = orderOf(model, asked);
  const mustWait = waits(model, asked, operator);
  // A newer request about an order replaces the asker's own (security.md#two-operators). So does one
  // about the settings or the third operator, where it waits as well.
  const replaced = model.requests.filter(
    ({ status, operator: asker, does }) =>
      status === 'pending' &&
      asker === operator &&
      (isSame(does, asked) || (mustWait && WRITES.has(asked.kind) && does.kind === asked.kind)),
  );
  if (mustWait && hasNoRoom(model, operator, replaced)) return no('state');
  for (const each of replaced) decide(model, each, 'withdrawn', operator);
  if (mustWait) {
    model.requests.push({
      does: asked,
      shown: { limit: model.limit, required: model.fourEyes, active: model.thirdActive },
      operator,
      at: model.now,
      status: 'pending',
      decidedBy: null,
      decidedAt: null,
    });
    return { answers: ['pending'], ...(order && { order }) };
  }
  const amount = amountOf(model, asked);
  if (amount !== null && (asked.kind !== 'resolve' || counts(order, asked)))
    model.alone.push({ operator, at: model.now, amount });
  carryOut(model, asked);
  return ok(order);
}

/** Whether twenty of this operator's requests wait, beside those that one more would replace. */
export const hasNoRoom = (
  model: Model,
  operator: number,
  replaced: readonly ModelRequest[] = [],
): boolean =>
  model.requests.filter(
    (each) => each.operator === operator && isWaiting(model, each) && !replaced.includes(each),
  ).length >= WAITING_MAX;

const isWaiting = ({ now }: Model, { status, at }: ModelRequest) =>
  status === 'pending' && now < at + DAY_MS;

/** Whether this operator may approve it, could it be done now. */
export function mayApprove(model: Model, number: number, operator: number): boolean {
  const request = model.requests[number];
  const isOther = request?.operator !== operator && isApprover(operator);
  return request !== undefined && isWaiting(model, request) && isOther;
}

/** By another operator, within a day, and only if it could be done now. */
export function approve(model: Model, number: number, operator: number): Verdict {
  if (!isApprover(operator)) return no('same-operator');
  const request = model.requests[number];
  if (request === undefined) return no('not-found');
  const causes = against(model, request.does);
  if (!isWaiting(model, request)) causes.push('state');
  if (request.operator === operator) causes.push('same-operator');
  if (isOutdated(model, request)) causes.push('state');
  if (causes.length > 0) return no(...causes);
  decide(model, request, 'done', operator);
  carryOut(model, request.does);
  return ok(orderOf(model, request.does));
}

/** What it would change is other than its second operator was shown. */
const isOutdated = (
  { limit, fourEyes, thirdActive }: Model,
  { does, shown }: ModelRequest,
): boolean =>
  (does.kind === 'operator' && shown.active !== thirdActive) ||
  (does.kind === 'settings' &&
    ((does.limit !== undefined && shown.limit !== limit) ||
      (does.required !== undefined && shown.required !== fourEyes)));

/** A request that is declined by its asker is withdrawn. */
export function decline(model: Model, number: number, operator: number): Verdict {
  const request = model.requests[number];
  if (request === undefined) return no('not-found');
  if (request.status !== 'pending') return no('state');
  decide(model, request, request.operator === operator ? 'withdrawn' : 'declined', operator);
  return ok();
}

function decide(
  model: Model,
  request: ModelRequest,
  status: ModelRequest['status'],
  operator: number,
): void {
  request.status = status;
  request.decidedBy = operator;
  request.decidedAt = model.now;
}

const isSame = (one: Asked, other: Asked) =>
  'order' in one && 'order' in other && one.kind === other.kind && one.order === other.order;

const orderOf = (model: Model, asked: Asked): ModelOrder | undefined =>
  'order' in asked ? model.orders[asked.order] : undefined;

/** Why it would be refused now, by whomever it is asked for. */
function against(model: Model, asked: Asked): Cause[] {
  switch (asked.kind) {
    case 'adjustment': {
      const limit =
        asked.change === 'unfreeze'
          ? merchantOf(model, asked.merchant).frozen
          : availableOf(model, asked.merchant);
      return asked.change !== 'credit' && asked.amount > limit ? ['beyond'] : [];
    }
    case 'float': {
      const free = memberOf(model, asked.member).float - heldOf(heldBy(model, asked.member));
      return asked.amount < 0n && free + asked.amount < 0n ? ['beyond'] : [];
    }
    case 'confirm':
      return hasFailed((model.orders[asked.order] as ModelOrder).status) ? [] : ['state'];
    case 'resolve':
      return (model.orders[asked.order] as ModelOrder).status === 'ManualReview' ? [] : ['state'];
    default:
      return [];
  }
}

/** In wallet currency; null where it is not about money. */
function amountOf(model: Model, asked: Asked): Units | null {
  switch (asked.kind) {
    case 'adjustment':
      return asked.amount;
    case 'float':
      return asked.amount < 0n ? -asked.amount : asked.amount;
    case 'confirm':
    case 'resolve':
      return floatOf(model.orders[asked.order] as ModelOrder);
    default:
      return null;
  }
}

function waits(model: Model, asked: Asked, operator: number): boolean {
  const { limit, fourEyes } = model;
  const amount = amountOf(model, asked) ?? 0n;
  switch (asked.kind) {
    case 'adjustment':
      return fourEyes ? isMuch(model, operator, amount) : limit !== null && amount > limit;
    case 'float':
      return fourEyes && isMuch(model, operator, amount);
    case 'confirm': {
      const order = model.orders[asked.order] as ModelOrder;
      // This needs two operators even where the setting is off (states.md#late-confirmations).
      const below =
        order.terms.kind === 'Withdrawal' &&
        availableOf(model, order.merchant) < settlementOf(order);
      return below || (fourEyes && isMuch(model, operator, amount));
    }
    case 'resolve':
      return (
        fourEyes && counts(model.orders[asked.order], asked) && isMuch(model, operator, amount)
      );
    case 'settings': {
      const raises =
        asked.limit === null || (asked.limit !== undefined && asked.limit > (limit ?? 0n));
      return fourEyes && (raises || asked.required === false);
    }
    case 'operator':
      return fourEyes && asked.active && !isActive(model, THIRD);
  }
}

/** Above the limit, together with what counts in the same sum of this UTC day. */
function isMuch(model: Model, operator: number, amount: Units): boolean {
  const day = (at: number) => Math.floor(at / DAY_MS);
  const today = model.alone.filter(
    (each) => sumOf(each.operator) === sumOf(operator) && day(each.at) === day(model.now),
  );
  return today.reduce((sum, each) => sum + each.amount, amount) > (model.limit ?? 0n);
}

/** A withdrawal that is cancelled though its member may have paid it. */
const mayBePaid = ({ terms, member }: ModelOrder): boolean =>
  terms.kind === 'Withdrawal' && member !== null;

/** A resolution in the day's sum: it completes the order, or gives a payout back. */
const counts = (order: ModelOrder | undefined, asked: Asked): boolean =>
  asked.kind === 'resolve' &&
  (asked.outcome === 'Completed' || (order !== undefined && mayBePaid(order)));

/** Cancels an order that is not in review; one that may be paid only up to the limit. */
export function cancelAlone(model: Model, order: ModelOrder, operator: number): Verdict {
  const amount = floatOf(order);
  if (mayBePaid(order)) {
    if (model.fourEyes && isMuch(model, operator, amount)) return no('same-operator');
    model.alone.push({ operator, at: model.now, amount });
  }
  end(model, order, 'Cancelled', 'cancelled by the operator');
  return ok(order);
}

export const isActive = (model: Model, operator: number): boolean =>
  operator !== THIRD || model.thirdActive;

function carryOut(model: Model, asked: Asked): void {
  switch (asked.kind) {
    case 'adjustment':
      adjust(merchantOf(model, asked.merchant), asked);
      break;
    case 'float':
      memberOf(model, asked.member).float += asked.amount;
      break;
    case 'confirm': {
      const order = model.orders[asked.order] as ModelOrder;
      end(model, order, 'Completed', null, asked.member ?? order.member);
      break;
    }
    case 'resolve': {
      const order = model.orders[asked.order] as ModelOrder;
      end(
        model,
        order,
        asked.outcome,
        asked.outcome === 'Cancelled' ? 'resolved by the operator' : null,
        asked.member ?? order.member,
      );
      break;
    }
    case 'settings':
      if (asked.limit !== undefined) model.limit = asked.limit;
      if (asked.required !== undefined) model.fourEyes = asked.required;
      break;
    case 'operator':
      model.thirdActive = asked.active;
      if (!asked.active) fall(model, THIRD);
  }
}

/** The requests of a suspended operator lapse. */
function fall(model: Model, operator: number): void {
  for (const request of model.requests)
    if (request.operator === operator && request.status === 'pending') request.status = 'fallen';
}

function adjust(merchant: ModelMerchant, { change, amount }: Asked & { kind: 'adjustment' }): void {
  merchant.balance += change === 'credit' || change === 'unfreeze' ? amount : -amount;
  if (change === 'freeze') merchant.frozen += amount;
  if (change === 'unfreeze') merchant.frozen -= amount;
}

const memberOf = (model: Model, name: string) => model.members[name] as ModelMember;
const merchantOf = (model: Model, name: string) => model.merchants[name] as ModelMerchant;
