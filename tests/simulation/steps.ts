import { type Chance, chanceOf } from './chance.ts';
import type { Create } from './model/creation.ts';
import { confirmationOf } from './model/four-eyes.ts';
import type { Act } from './model/index.ts';
import type { FeeRuleText } from './model/operator.ts';
import type { Model, ModelOrder, Terms } from './model/state.ts';
import {
  ALL_METHODS,
  DAY,
  HOUR,
  isOver,
  type Method,
  MINUTE,
  PAYOUT_METHODS,
  REPLAY_MS,
  type Status,
} from './model/tables.ts';
import { hasCrowd } from './setup.ts';

/**
 * What a step means where the model stands: how long to wait first, in milliseconds, and what to do
 * then.
 */
export interface Step {
  readonly wait: number;
  readonly act: Act;
}

export type ActKind = Act['act'];

/** Different ones that members hand in: more than one may of an order. */
export const PICTURES = 7;

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
  ManualReview: ['operator-resolve', 'operator-resolve', 'member-report', 'member-confirm'],
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
      act: { act: chance.oneIn(5) ? 'decline' : 'approve', request, operator: chance.number(3) },
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

/** A signed body again under another key, as its 24 hours end (D7). */
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

const AMOUNTS = [
  '0.0001',
  '50',
  '100',
  '100',
  '100.00',
  '250.5',
  '333.3333',
  '499.9999',
  '999.9999',
];

export function creationOf(model: Model, chance: Chance): Act {
  const merchant = chance.oneIn(5) ? 'stall' : 'shop';
  const key = merchant === 'stall' ? 'stall 1' : chance.oneIn(4) ? 'shop 2' : 'shop 1';
  const before = model.orders.filter((order) => order.asked.key === key);
  // While hardly anybody is there, payouts queue up.
  const queues = Object.values(model.members).filter(({ online }) => online).length < 2;
  if (before.length > 0 && chance.oneIn(6)) return repeatOf(chance.pick(before), chance);
  return {
    act: 'create',
    merchant,
    key,
    idempotencyKey: keyOf(chance),
    ...contentOf(termsOf(chance, queues && chance.oneIn(2)), chance),
  };
}

/** One of many equal deposits, of the method that many members serve. */
function rushOf(chance: Chance): Act {
  const terms = {
    kind: 'Deposit',
    amount: '100',
    currency: 'PKR',
    reference: null,
    method: 'ProviderA',
    account: null,
    accountName: null,
  } as const;
  return {
    act: 'create',
    merchant: 'shop',
    key: 'shop 1',
    idempotencyKey: keyOf(chance),
    ...contentOf(terms, chance),
  };
}

const keyOf = (chance: Chance) => `key ${chance.number(1_000_000)}`;

/** Few bodies carry no mark of their own, so that some are alike by chance. */
function contentOf(terms: Terms, chance: Chance) {
  const details = {
    digits: 4 + chance.number(5),
    retries: chance.number(4),
    callback: chance.oneIn(4),
  };
  const mark = chance.oneIn(6) ? 'same' : `${chance.number(1_000_000)}`;
  return bodied({ terms, ...details }, mark);
}

/** The request with the name of its body: two are alike where all that is signed is. */
export const bodied = <Content extends Pick<Create, 'terms' | 'digits' | 'retries' | 'callback'>>(
  content: Content,
  mark: string,
): Content & Pick<Create, 'body'> => {
  const { terms, digits, retries, callback } = content;
  return {
    ...content,
    body: `${[...Object.values(terms), digits, retries, callback].join('|')} ${mark}`,
  };
};

/**
 * A request sent again: as it was, under another key, or with the key alone, and terms that are the
 * same, other or written otherwise.
 */
function repeatOf({ asked }: ModelOrder, chance: Chance): Act {
  const { terms } = asked;
  switch (chance.number(5)) {
    case 0:
      return asked;
    case 1:
      return { ...asked, idempotencyKey: keyOf(chance) };
    case 2:
      return {
        ...asked,
        ...contentOf(
          {
            ...terms,
            amount: terms.amount.includes('.') ? `${terms.amount}0` : `${terms.amount}.00`,
          },
          chance,
        ),
      };
    case 3:
      return { ...asked, ...contentOf(terms, chance) };
    default:
      return { ...asked, ...contentOf(termsOf(chance), chance) };
  }
}

function termsOf(chance: Chance, payouts = false): Terms {
  const shared = {
    amount: chance.pick(AMOUNTS),
    currency: chance.oneIn(6) ? 'INR' : chance.oneIn(20) ? 'BDT' : 'PKR',
    reference: chance.oneIn(3) ? `R${chance.number(3)}` : null,
  } as const;
  if (!payouts && !chance.oneIn(3))
    return {
      kind: 'Deposit',
      ...shared,
      method: methodOf(chance),
      account: null,
      accountName: null,
    };
  const given = chance.oneIn(3)
    ? { account: null, accountName: null }
    : { account: '03007654321', accountName: 'C. Customer' };
  return { kind: 'Withdrawal', ...shared, method: chance.pick(PAYOUT_METHODS), ...given };
}

const methodOf = (chance: Chance): Method =>
  chance.oneIn(2)
    ? chance.pick(['ProviderA', 'ProviderB', 'ProviderAQR'])
    : chance.pick(ALL_METHODS);

export function actOf(model: Model, order: ModelOrder, kind: ActKind, chance: Chance): Act {
  const its = { order: order.number };
  const operator = chance.number(3);
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
        amount: chance.pick(['right', null, null, null, 'wrong'] as const),
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
    case 'evidence':
      return { act: kind, ...its, member, picture: chance.number(PICTURES) };
    case 'operator-cancel':
    case 'operator-escalate':
      return { act: kind, ...its, operator };
    case 'operator-resolve':
      return {
        act: kind,
        ...its,
        outcome: chance.pick(['Completed', 'Cancelled'] as const),
        operator,
      };
    case 'operator-confirm': {
      const approval = confirmationOf(model, order.number) >= 0 && !chance.oneIn(3);
      return {
        act: kind,
        ...its,
        member: !approval && chance.oneIn(3) ? name : null,
        approval,
        operator,
      };
    }
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
  const operator = chance.number(3);
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
        operator,
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
function againOf({ writes }: Model, chance: Chance): Act {
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
