import { type Fraction, plain, units } from './arithmetic.ts';
import { eligible, take } from './matching.ts';
import { availableOf, feeOf, floatOf, reservedOf, settlement } from './money.ts';
import {
  type Follow,
  type Model,
  type ModelOrder,
  no,
  ok,
  type Terms,
  type Verdict,
} from './state.ts';
import { hasFailed, LINK_MS, PAYOUT_MS, REPLAY_MS, WAIT_MS } from './tables.ts';

/** A creation request. `body` stands for the signed bytes: equal bodies have one signature. */
export interface Create {
  readonly act: 'create';
  readonly merchant: string;
  readonly key: string;
  readonly idempotencyKey: string;
  readonly body: string;
  readonly terms: Terms;
  readonly digits: number;
  readonly retries: number;
  /** An address for this order's own webhooks. */
  readonly callback: boolean;
}

const sameTerms = (left: Terms, right: Terms): boolean =>
  JSON.stringify({ ...left, amount: 0 }) === JSON.stringify({ ...right, amount: 0 }) &&
  units(left.amount) === units(right.amount);

/** Refuses in the order of merchant-api.md#order-of-checks. */
export function create(model: Model, asked: Create, follow: Follow): Verdict {
  const merchant = model.merchants[asked.merchant];
  if (merchant === undefined || merchant.keys[asked.key]?.revoked !== false) return no('key');

  const bound = model.orders.find(
    (order) => order.asked.key === asked.key && order.asked.idempotencyKey === asked.idempotencyKey,
  );
  const guardKey = `${asked.key} ${asked.body}`;
  const guard = model.guards[guardKey];
  const guarded = guard !== undefined && model.now < guard.at + REPLAY_MS;
  if (guarded && guard.idempotencyKey !== asked.idempotencyKey && bound?.asked.body !== asked.body)
    return no('replayed');
  const hold = () => {
    model.guards[guardKey] = { idempotencyKey: asked.idempotencyKey, at: model.now };
  };
  if (!guarded) hold();

  const { terms } = asked;
  if (bound !== undefined)
    return sameTerms(bound.terms, terms)
      ? ok(bound)
      : {
          ...no('terms'),
          message: 'This Idempotency-Key was already used for a different order request.',
        };
  if (!merchant.active)
    return {
      ...no('inactive'),
      message: 'Merchant account is suspended; new orders are not accepted.',
    };
  const methods = terms.kind === 'Deposit' ? merchant.depositMethods : merchant.withdrawalMethods;
  const rate = model.rates[terms.currency];
  if (
    !methods.includes(terms.method) ||
    !merchant.currencies.includes(terms.currency) ||
    rate === undefined
  ) {
    return {
      ...no('method'),
      message: `${terms.method} ${terms.kind === 'Deposit' ? 'deposits' : 'withdrawals'} are disabled for this merchant.`,
    };
  }
  const live = model.orders.some(
    (order) =>
      order.merchant === asked.merchant &&
      order.terms.reference === terms.reference &&
      !hasFailed(order.status),
  );
  if (terms.reference !== null && live) return no('reference');

  const amount = units(terms.amount);
  const fee = feeOf(
    model,
    { merchant: asked.merchant, kind: terms.kind, method: terms.method, amount },
    model.now,
  );
  if (floatOf({ amount, rate }) === 0n) return no('small');
  if (terms.kind === 'Withdrawal') {
    const required = settlement({ kind: terms.kind, amount, fee, rate });
    const available = availableOf(model, asked.merchant);
    if (available < required)
      return {
        ...no('funds'),
        message: insufficient(available, required, reservedOf(model, asked.merchant)),
      };
  }
  hold();
  return ok(
    place(model, asked, { amount, fee, rate, hook: asked.callback || merchant.hook }, follow),
  );
}

function insufficient(available: bigint, required: bigint, reserved: bigint): string {
  const shortfall = `Insufficient merchant balance: ${plain(available)} PKR available, ${plain(required)} PKR required for this withdrawal (amount + fee).`;
  return reserved === 0n
    ? shortfall
    : `${shortfall} ${plain(reserved)} PKR is reserved by withdrawals in progress.`;
}

type Accepted = {
  readonly amount: bigint;
  readonly fee: bigint | null;
  readonly rate: Fraction;
  readonly hook: boolean;
};

function place(model: Model, asked: Create, accepted: Accepted, follow: Follow): ModelOrder {
  const { now } = model;
  const { merchant, terms } = asked;
  const order: ModelOrder = {
    number: model.orders.length,
    merchant,
    asked,
    terms,
    ...accepted,
    createdAt: now,
    method: terms.method,
    switches: 0,
    status: 'Awaiting',
    account: terms.account !== null,
    accountByPage: false,
    payer: false,
    digits: null,
    member: null,
    memberAccount: null,
    takes: [],
    former: [],
    notes: [],
    evidence: {},
    seen: {},
    reassignments: 0,
    awaitingAt: now,
    assignedAt: null,
    sentAt: null,
    completedAt: null,
    rejectedAt: null,
    failedAt: null,
    cancelledAt: null,
    dueAt: terms.kind === 'Withdrawal' && terms.account !== null ? now + WAIT_MS : now + LINK_MS,
    events: [],
  };
  model.orders.push(order);
  if (terms.kind === 'Withdrawal' && !order.account) return order;
  const holders = eligible(model, order);
  if (holders.length === 0) return order;
  take(model, order, follow(order, holders));
  order.awaitingAt = null;
  order.status = terms.kind === 'Deposit' ? 'Queued' : 'AwaitingMemberPayout';
  order.dueAt = terms.kind === 'Deposit' ? now + LINK_MS : now + PAYOUT_MS;
  return order;
}
