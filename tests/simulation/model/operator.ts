import { type Fraction, fraction, units } from './arithmetic.ts';
import { end } from './endings.ts';
import { heldOf, inHands } from './matching.ts';
import { availableOf, settlementOf } from './money.ts';
import { type Cause, type Model, type ModelAdjustment, type ModelFeeRule, type ModelMerchant, type ModelOrder, no, ok, type Verdict } from './state.ts';
import { type Currency, hasFailed, type Kind, type Method } from './tables.ts';

/** What an operator does with an order; `operator` is 0 or 1. */
export type OrderAct =
  | { readonly act: 'operator-cancel' | 'operator-escalate'; readonly order: number; readonly operator: number }
  | { readonly act: 'operator-resolve'; readonly order: number; readonly outcome: 'Completed' | 'Cancelled'; readonly operator: number }
  | { readonly act: 'operator-confirm'; readonly order: number; readonly member: string | null; readonly approval: boolean; readonly operator: number };

export interface FeeRuleText {
  readonly merchant: string | null;
  readonly kind: Kind;
  readonly method: Method;
  readonly fixed: string;
  readonly percent: string;
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** What an operator, or a member about themselves, sets up. */
export type SetupAct =
  | { readonly act: 'presence'; readonly member: string; readonly online: boolean }
  | { readonly act: 'member-status'; readonly member: string; readonly active: boolean }
  | { readonly act: 'capacity'; readonly member: string; readonly maxOpenOrders: number }
  | { readonly act: 'member-account'; readonly member: string; readonly account: string; readonly approved: boolean }
  | { readonly act: 'float'; readonly member: string; readonly amount: string; readonly operator: number }
  | {
      readonly act: 'adjust';
      readonly merchant: string;
      readonly change: ModelAdjustment['change'];
      readonly amount: string;
      readonly operator: number;
    }
  | { readonly act: 'approve'; readonly adjustment: number; readonly operator: number }
  | { readonly act: 'merchant-status'; readonly merchant: string; readonly active: boolean }
  | { readonly act: 'merchant-methods'; readonly merchant: string; readonly kind: Kind; readonly methods: readonly Method[] }
  | { readonly act: 'revoke-key'; readonly merchant: string; readonly key: string }
  | { readonly act: 'fee-rule'; readonly rule: FeeRuleText }
  | { readonly act: 'rate'; readonly currency: Currency; readonly rate: string };

export function onOrder(model: Model, asked: OrderAct): Verdict {
  const order = model.orders[asked.order];
  if (order === undefined) return no('not-found');
  switch (asked.act) {
    case 'operator-cancel':
      // What a customer has paid, and what is in review, is resolved and not cancelled (D38, D59).
      if (!['Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberPayout'].includes(order.status)) return no('state');
      end(model, order, 'Cancelled', 'cancelled by the operator');
      return ok(order);
    case 'operator-escalate':
      if (!['Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout'].includes(order.status)) return no('state');
      if (order.member === null) return no('state');
      order.status = 'ManualReview';
      order.dueAt = null;
      return ok(order);
    case 'operator-resolve':
      if (order.status !== 'ManualReview') return no('state');
      end(model, order, asked.outcome, asked.outcome === 'Cancelled' ? 'resolved by the operator' : null);
      return ok(order);
    case 'operator-confirm':
      return confirmLate(model, order, asked);
  }
}

/** How long a request for approval may wait (D66). */
const DAY_MS = 86_400_000;

/** Spec: a failed order can later be confirmed by the operator after a dispute; two of them where the wallet goes below zero (D42). */
function confirmLate(model: Model, order: ModelOrder, asked: OrderAct & { readonly act: 'operator-confirm' }): Verdict {
  if (!hasFailed(order.status)) return no('state');
  const { member, approval, operator } = asked;
  const { request } = order;
  const causes: Cause[] = [];
  if (approval && (request === null || model.now >= request.at + DAY_MS)) causes.push('state');
  if (approval && request?.operator === operator) causes.push('same-operator');
  if (causes.length > 0) return no(...causes);
  const below = order.terms.kind === 'Withdrawal' && availableOf(model, order.merchant) < settlementOf(order);
  if (below && !approval) {
    order.request = { operator, member, at: model.now };
    return { answers: ['pending'], order };
  }
  end(model, order, 'Completed', null, (approval ? request?.member : member) ?? order.member);
  return ok(order);
}

export function setUp(model: Model, asked: SetupAct): Verdict {
  switch (asked.act) {
    case 'presence': {
      const member = memberOf(model, asked.member);
      if (!member.active) return no('inactive');
      member.online = asked.online;
      return ok();
    }
    case 'member-status':
      memberOf(model, asked.member).active = asked.active;
      return ok();
    case 'capacity':
      memberOf(model, asked.member).maxOpenOrders = asked.maxOpenOrders;
      return ok();
    case 'member-account': {
      const account = memberOf(model, asked.member).accounts[asked.account];
      if (account === undefined) return no('not-found');
      account.approved = asked.approved;
      return ok();
    }
    case 'float':
      return adjustFloat(model, asked.member, units(asked.amount));
    case 'adjust':
      return adjust(model, {
        merchant: asked.merchant,
        change: asked.change,
        amount: units(asked.amount),
        operator: asked.operator,
        at: model.now,
        applied: false,
      });
    case 'approve':
      return approve(model, asked.adjustment, asked.operator);
    default:
      return terms(model, asked);
  }
}

type TermsAct = Extract<SetupAct, { act: 'merchant-status' | 'merchant-methods' | 'revoke-key' | 'fee-rule' | 'rate' }>;

function terms(model: Model, asked: TermsAct): Verdict {
  switch (asked.act) {
    case 'merchant-status':
      merchantOf(model, asked.merchant).active = asked.active;
      return ok();
    case 'merchant-methods':
      merchantOf(model, asked.merchant)[asked.kind === 'Deposit' ? 'depositMethods' : 'withdrawalMethods'] = asked.methods;
      return ok();
    case 'revoke-key': {
      const key = merchantOf(model, asked.merchant).keys[asked.key];
      if (key !== undefined) key.revoked = true;
      return ok();
    }
    case 'fee-rule': {
      const rule = ruleOf(asked.rule, model.now);
      // A new rule for the same slot replaces the old one from now on (D45).
      const old = model.feeRules.find((each) => each.until === null && slotOf(each) === slotOf(rule));
      if (old !== undefined) old.until = model.now;
      model.feeRules.push(rule);
      return ok();
    }
    case 'rate':
      model.rates[asked.currency] = fraction(asked.rate);
      return ok();
  }
}

const slotOf = ({ merchant, kind, method, from, to }: ModelFeeRule) => `${merchant} ${kind} ${method} ${from} ${to}`;

export function ruleOf({ percent, ...text }: FeeRuleText, since: number): ModelFeeRule {
  const optional = (amount: string | null) => (amount === null ? null : units(amount));
  const exact: Fraction = fraction(percent);
  return {
    ...text,
    fixed: units(text.fixed),
    percent: exact,
    minimum: optional(text.minimum),
    maximum: optional(text.maximum),
    from: optional(text.from),
    to: optional(text.to),
    since,
    until: null,
  };
}

function adjustFloat(model: Model, name: string, amount: bigint): Verdict {
  const member = memberOf(model, name);
  if (amount < 0n && member.float - heldOf(inHands(model, name)) + amount < 0n) return no('beyond');
  member.float += amount;
  return ok();
}

/** D46. */
function adjust(model: Model, adjustment: ModelAdjustment): Verdict {
  if (isBeyond(model, adjustment)) return no('beyond');
  model.adjustments.push(adjustment);
  if (adjustment.amount > model.approvalLimit) return no('pending');
  apply(model, adjustment);
  return ok();
}

function approve(model: Model, number: number, operator: number): Verdict {
  const adjustment = model.adjustments[number];
  if (adjustment === undefined) return no('not-found');
  const causes: Cause[] = [];
  if (adjustment.applied || model.now >= adjustment.at + DAY_MS) causes.push('state');
  if (adjustment.operator === operator) causes.push('same-operator');
  if (isBeyond(model, adjustment)) causes.push('beyond');
  if (causes.length > 0) return no(...causes);
  apply(model, adjustment);
  return ok();
}

function isBeyond(model: Model, { merchant, change, amount }: ModelAdjustment): boolean {
  if (change === 'unfreeze') return amount > merchantOf(model, merchant).frozen;
  return change !== 'credit' && amount > availableOf(model, merchant);
}

function apply(model: Model, adjustment: ModelAdjustment): void {
  const merchant = merchantOf(model, adjustment.merchant);
  const { change, amount } = adjustment;
  adjustment.applied = true;
  merchant.balance += change === 'credit' || change === 'unfreeze' ? amount : -amount;
  if (change === 'freeze') merchant.frozen += amount;
  if (change === 'unfreeze') merchant.frozen -= amount;
}

const memberOf = (model: Model, name: string) => model.members[name] as Model['members'][string];
const merchantOf = (model: Model, name: string) => model.merchants[name] as ModelMerchant;
