import { type Fraction, fraction, units } from './arithmetic.ts';
import { type Asked, actOrAsk, approve, cancelAlone, decline } from './four-eyes.ts';
import {
  type Model,
  type ModelFeeRule,
  type ModelMerchant,
  no,
  ok,
  type Verdict,
} from './state.ts';
import type { Currency, Kind, Method } from './tables.ts';

/** What an operator does with an order; `operator` is its number. */
export type OrderAct =
  | {
      readonly act: 'operator-cancel' | 'operator-escalate';
      readonly order: number;
      readonly operator: number;
    }
  | {
      readonly act: 'operator-resolve';
      readonly order: number;
      readonly outcome: 'Completed' | 'Cancelled';
      readonly member: string | null;
      readonly operator: number;
    }
  | {
      readonly act: 'operator-confirm';
      readonly order: number;
      readonly member: string | null;
      readonly operator: number;
    };

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

/** What an operator sets up, or a member for themselves. */
export type SetupAct =
  | { readonly act: 'presence'; readonly member: string; readonly online: boolean }
  | { readonly act: 'member-status'; readonly member: string; readonly active: boolean }
  | { readonly act: 'capacity'; readonly member: string; readonly maxOpenOrders: number }
  | {
      readonly act: 'member-account';
      readonly member: string;
      readonly account: string;
      readonly approved: boolean;
    }
  | {
      readonly act: 'float';
      readonly member: string;
      readonly amount: string;
      readonly operator: number;
    }
  | {
      readonly act: 'adjust';
      readonly merchant: string;
      readonly change: (Asked & { kind: 'adjustment' })['change'];
      readonly amount: string;
      readonly operator: number;
    }
  | { readonly act: 'approve' | 'decline'; readonly request: number; readonly operator: number }
  | {
      readonly act: 'settings';
      readonly limit?: string | null;
      readonly required?: boolean;
      readonly operator: number;
    }
  | { readonly act: 'operator-status'; readonly active: boolean; readonly operator: number }
  | { readonly act: 'merchant-status'; readonly merchant: string; readonly active: boolean }
  | {
      readonly act: 'merchant-methods';
      readonly merchant: string;
      readonly kind: Kind;
      readonly methods: readonly Method[];
    }
  | { readonly act: 'revoke-key'; readonly merchant: string; readonly key: string }
  | { readonly act: 'fee-rule'; readonly rule: FeeRuleText }
  | { readonly act: 'rate'; readonly currency: Currency; readonly rate: string };

export function onOrder(model: Model, asked: OrderAct): Verdict {
  const order = model.orders[asked.order];
  if (order === undefined) return no('not-found');
  switch (asked.act) {
    case 'operator-cancel':
      // What a customer has paid, and what is in review, is resolved and not cancelled
      // (states.md#cancelled, states.md#manualreview).
      if (
        !['Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberPayout'].includes(
          order.status,
        )
      )
        return no('state');
      return cancelAlone(model, order, asked.operator);
    case 'operator-escalate':
      if (
        ![
          'Queued',
          'AwaitingCustomerPayment',
          'AwaitingMemberConfirmation',
          'AwaitingMemberPayout',
        ].includes(order.status)
      )
        return no('state');
      if (order.member === null) return no('state');
      order.status = 'ManualReview';
      order.dueAt = null;
      return ok(order);
    case 'operator-resolve':
      return actOrAsk(
        model,
        { kind: 'resolve', order: asked.order, outcome: asked.outcome, member: asked.member },
        asked.operator,
      );
    case 'operator-confirm':
      return actOrAsk(
        model,
        { kind: 'confirm', order: asked.order, member: asked.member },
        asked.operator,
      );
  }
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
      return actOrAsk(
        model,
        { kind: 'float', member: asked.member, amount: units(asked.amount) },
        asked.operator,
      );
    case 'adjust': {
      const { merchant, change, amount } = asked;
      return actOrAsk(
        model,
        { kind: 'adjustment', merchant, change, amount: units(amount) },
        asked.operator,
      );
    }
    case 'approve':
      return approve(model, asked.request, asked.operator);
    case 'decline':
      return decline(model, asked.request, asked.operator);
    case 'settings': {
      const { limit, required, operator } = asked;
      const change = {
        ...(limit !== undefined && { limit: limit === null ? null : units(limit) }),
        ...(required !== undefined && { required }),
      };
      return actOrAsk(model, { kind: 'settings', ...change }, operator);
    }
    case 'operator-status':
      return actOrAsk(model, { kind: 'operator', active: asked.active }, asked.operator);
    default:
      return terms(model, asked);
  }
}

type TermsAct = Extract<
  SetupAct,
  { act: 'merchant-status' | 'merchant-methods' | 'revoke-key' | 'fee-rule' | 'rate' }
>;

function terms(model: Model, asked: TermsAct): Verdict {
  switch (asked.act) {
    case 'merchant-status':
      merchantOf(model, asked.merchant).active = asked.active;
      return ok();
    case 'merchant-methods':
      merchantOf(model, asked.merchant)[
        asked.kind === 'Deposit' ? 'depositMethods' : 'withdrawalMethods'
      ] = asked.methods;
      return ok();
    case 'revoke-key': {
      const key = merchantOf(model, asked.merchant).keys[asked.key];
      if (key !== undefined) key.revoked = true;
      return ok();
    }
    case 'fee-rule': {
      const rule = ruleOf(asked.rule, model.now);
      // A new rule for the same slot replaces the old one from now on (merchant-api.md#fees).
      const old = model.feeRules.find(
        (each) => each.until === null && slotOf(each) === slotOf(rule),
      );
      if (old !== undefined) old.until = model.now;
      model.feeRules.push(rule);
      return ok();
    }
    case 'rate':
      model.rates[asked.currency] = fraction(asked.rate);
      return ok();
  }
}

const slotOf = ({ merchant, kind, method, from, to }: ModelFeeRule) =>
  `${merchant} ${kind} ${method} ${from} ${to}`;

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

const memberOf = (model: Model, name: string) => model.members[name] as Model['members'][string];
const merchantOf = (model: Model, name: string) => model.merchants[name] as ModelMerchant;
