import type { Chance } from './chance.ts';
import { AMOUNTS, creationOf, methodOf } from './creations.ts';
import type { CustomerNoteAbout } from './model/customer-says.ts';
import { OPERATOR_COUNT } from './model/four-eyes.ts';
import type { Act } from './model/index.ts';
import type { FeeRuleText } from './model/operator.ts';
import type { Model, ModelOrder } from './model/state.ts';
import { ALL_METHODS, PAYOUT_METHODS } from './model/tables.ts';

export type ActKind = Act['act'];

/** Different ones that members hand in: more than one may of an order. */
export const PICTURES = 7;

/** An act of this kind about an order, or beside it; the rest of it is chance. */
export function actOf(model: Model, order: ModelOrder, kind: ActKind, chance: Chance): Act {
  const its = { order: order.number };
  const operator = chance.number(OPERATOR_COUNT);
  const names = Object.keys(model.members);
  const name = chance.pick(names);
  const holders = [
    ...order.takes.map(({ member }) => member),
    ...(order.member === null ? [] : Array(4).fill(order.member)),
  ];
  const member = holders.length === 0 || chance.oneIn(6) ? name : chance.pick(holders);
  switch (kind) {
    case 'create':
      return creationOf(model, chance);
    case 'switch':
      return { act: kind, ...its, method: methodOf(chance) };
    case 'payer':
    case 'account':
      return { act: kind, ...its, valid: !chance.oneIn(6) };
    case 'confirm-payment':
      return { act: kind, ...its, digits: chance.oneIn(6) ? 3 : order.asked.digits };
    case 'member-confirm':
      return {
        act: kind,
        ...its,
        member,
        amount: chance.pick(['exact', 'payable', null, null, null, 'wrong'] as const),
      };
    case 'member-reject':
    case 'member-report':
    case 'member-release':
    case 'member-money-seen':
    case 'member-sending':
    case 'member-seen':
      return { act: kind, ...its, member };
    case 'member-note': {
      const text = chance.pick(['', 'short', 'late']);
      return { act: kind, ...its, member, more: chance.number(3), text };
    }
    case 'customer-note':
      return { act: kind, ...its, about: customerNoteOf(order, chance) };
    case 'evidence':
      return { act: kind, ...its, member, picture: chance.number(PICTURES) };
    case 'operator-cancel':
    case 'operator-escalate':
      return { act: kind, ...its, operator };
    case 'operator-resolve': {
      const outcome = chance.pick(['Completed', 'Cancelled'] as const);
      const member = outcome === 'Completed' && chance.oneIn(3) ? name : null;
      return { act: kind, ...its, outcome, member, operator };
    }
    case 'operator-confirm':
      return { act: kind, ...its, member: chance.oneIn(3) ? name : null, operator };
    case 'open':
    case 'cancel-by-customer':
    case 'deadline':
    case 'assign':
    case 'withdraw':
      return { act: kind, ...its };
    default:
      return setUpOf(model, kind, name, chance);
  }
}

function customerNoteOf({ asked }: ModelOrder, chance: Chance): CustomerNoteAbout {
  const kind = chance.pick(['correctedDigits', 'amountSent', 'paidBy'] as const);
  if (kind === 'amountSent') return { kind, more: chance.pick([0, 1, 100, 5_000]) };
  if (kind === 'paidBy') return { kind, name: chance.pick(['', 'Asif', 'Asif', '4321']) };
  const digits = chance.pick(['123456789', '987654321', '987654321']);
  return { kind, digits: digits.slice(0, asked.digits - (chance.oneIn(6) ? 1 : 0)) };
}

type SetUpKind =
  | 'presence'
  | 'member-status'
  | 'capacity'
  | 'member-account'
  | 'float'
  | 'adjust'
  | 'approve'
  | 'decline'
  | 'settings'
  | 'operator-status'
  | 'again';
type TermsKind = 'merchant-status' | 'merchant-methods' | 'revoke-key' | 'fee-rule' | 'rate';

function setUpOf(model: Model, kind: SetUpKind | TermsKind, member: string, chance: Chance): Act {
  const operator = chance.number(OPERATOR_COUNT);
  const row = model.members[member] as Model['members'][string];
  switch (kind) {
    case 'presence':
      return { act: kind, member, online: !row.online || chance.oneIn(4) };
    case 'member-status':
      return { act: kind, member, active: !row.active || chance.oneIn(4) };
    case 'capacity':
      return { act: kind, member, maxOpenOrders: 1 + chance.number(5) };
    case 'member-account': {
      const account = chance.pick(Object.keys(row.accounts));
      return {
        act: kind,
        member,
        account,
        approved: row.accounts[account]?.approved === false || chance.oneIn(4),
      };
    }
    case 'float':
      return {
        act: kind,
        member,
        amount: `${chance.oneIn(3) ? '-' : ''}${chance.pick(AMOUNTS)}`,
        operator,
      };
    case 'adjust':
      return {
        act: kind,
        merchant: chance.oneIn(4) ? 'stall' : 'shop',
        change: chance.pick(['credit', 'debit', 'freeze', 'unfreeze'] as const),
        amount: chance.pick(AMOUNTS),
        operator,
      };
    case 'approve':
    case 'decline':
      return {
        act: kind,
        request: Math.max(0, model.requests.length - 1 - chance.number(3)),
        operator,
      };
    case 'settings':
      return { act: kind, ...changeOf(chance), operator };
    case 'operator-status':
      return { act: kind, active: !model.thirdActive, operator: chance.number(2) };
    case 'again':
      return againOf(model, chance);
    default:
      return termsActOf(model, kind, chance);
  }
}

/** One of the latest writes under its key once more. */
export function againOf({ writes }: Model, chance: Chance): Act {
  const write = Math.max(0, writes.length - 1 - chance.number(4));
  return {
    act: 'again',
    write,
    changed: HAVE_WORDS.includes(writes[write]?.act.act ?? 'again') && chance.oneIn(3),
  };
}

/** These say why: with another reason they are another request. */
const HAVE_WORDS: readonly ActKind[] = [
  'member-reject',
  'member-report',
  'member-release',
  'operator-cancel',
  'operator-escalate',
  'operator-resolve',
  'operator-confirm',
  'float',
  'adjust',
  'decline',
];

/** Four eyes on or off, or another limit. */
function changeOf(chance: Chance): { readonly limit?: string | null; readonly required?: boolean } {
  const limit = { limit: chance.pick(['0', '100', '200', '500', '1000', null]) };
  const required = { required: !chance.oneIn(3) };
  return chance.pick([limit, required, { ...limit, ...required }]);
}

function termsActOf(model: Model, kind: TermsKind, chance: Chance): Act {
  const merchant = chance.oneIn(4) ? 'stall' : 'shop';
  switch (kind) {
    case 'merchant-status':
      return { act: kind, merchant, active: model.merchants[merchant]?.active === false };
    case 'merchant-methods': {
      const all = chance.oneIn(2) ? ALL_METHODS : PAYOUT_METHODS;
      const some = chance.oneIn(2) ? all : all.filter(() => !chance.oneIn(4));
      return {
        act: kind,
        merchant,
        kind: all === ALL_METHODS ? 'Deposit' : 'Withdrawal',
        methods: some,
      };
    }
    case 'revoke-key':
      return chance.oneIn(4)
        ? { act: kind, merchant: 'shop', key: 'shop 2' }
        : { act: 'presence', member: 'dina', online: true };
    case 'fee-rule':
      return { act: kind, rule: feeRuleOf(model, chance) };
    case 'rate':
      return { act: kind, currency: 'INR', rate: chance.pick(['3.00033333', '2.5', '0.33333333']) };
  }
}

/**
 * A rule for a slot that has one, or for one that has none; never one whose band overlaps
 * another's.
 */
function feeRuleOf(model: Model, chance: Chance): FeeRuleText {
  const slots = model.feeRules.filter(({ until, from }) => until === null && from === null);
  const { merchant, kind, method } = chance.pick(slots);
  const percent = chance.pick(['0', '0.5', '2', '12.34567891']);
  return {
    merchant,
    kind,
    method,
    fixed: chance.pick(['0', '0.0001', '3']),
    percent,
    minimum: chance.oneIn(3) ? '1' : null,
    maximum: null,
    from: null,
    to: null,
  };
}
