import { type Fraction, times, type Units } from './arithmetic.ts';
import { isOpenWithdrawal, type Model, type ModelFeeRule, type ModelOrder } from './state.ts';
import { type Kind, METHOD, type Method } from './tables.ts';

interface Priced {
  readonly merchant: string;
  readonly kind: Kind;
  readonly method: Method;
  readonly amount: Units;
}

/** The fee by the rules in force at that time; null where none applies (merchant-api.md#fees). */
export function feeOf(
  model: Model,
  { merchant, kind, method, amount }: Priced,
  at: number,
): Units | null {
  const inForce = model.feeRules.filter(
    (rule) => rule.kind === kind && rule.since <= at && (rule.until === null || at < rule.until),
  );
  const inBand = inForce.filter(
    ({ from, to }) => (from === null || amount >= from) && (to === null || amount < to),
  );
  const family = kind === 'Deposit' ? METHOD[method].pricedLike : undefined;
  for (const owner of [merchant, null]) {
    for (const priced of [method, family]) {
      const rule = inBand.find((each) => each.merchant === owner && each.method === priced);
      if (rule !== undefined) return byRule(rule, kind, amount);
    }
  }
  return null;
}

function byRule(rule: ModelFeeRule, kind: Kind, amount: Units): Units {
  const { numerator, denominator } = rule.percent;
  let fee = rule.fixed + times(amount, { numerator, denominator: denominator * 100n });
  if (rule.minimum !== null && fee < rule.minimum) fee = rule.minimum;
  if (rule.maximum !== null && fee > rule.maximum) fee = rule.maximum;
  return kind === 'Deposit' && fee > amount ? amount : fee;
}

type Settled = {
  readonly kind: Kind;
  readonly amount: Units;
  readonly fee: Units | null;
  readonly rate: Fraction;
};

/** What the merchant's wallet moves by, in PKR (merchant-api.md#balance, decision 3). */
export const settlement = ({ kind, amount, fee, rate }: Settled): Units =>
  times(kind === 'Deposit' ? amount - (fee ?? 0n) : amount + (fee ?? 0n), rate);
export const settlementOf = (order: ModelOrder): Units =>
  settlement({ ...order, kind: order.terms.kind });

/** What people send of an order, in two decimals (states.md#what-is-sent). */
export function payableOf(kind: Kind, amount: Units): Units {
  const up = ((amount + 99n) / 100n) * 100n;
  return kind === 'Deposit' || amount < 100n ? up : (amount / 100n) * 100n;
}

/** What a member says has arrived or was sent: the exact amount, what people send, or neither. */
export type Arrived = 'exact' | 'payable' | 'wrong';

export function arrivedOf(arrived: Arrived, kind: Kind, amount: Units): Units {
  if (arrived === 'exact') return amount;
  return payableOf(kind, amount) + (arrived === 'payable' ? 0n : 100n);
}

/** What the member's float moves by, in PKR (states.md#who-gets-an-order). */
export const floatOf = (order: Pick<ModelOrder, 'amount' | 'rate'>): Units =>
  times(order.amount, order.rate);

/** Amount and fee of every withdrawal neither completed nor failed (merchant-api.md#balance). */
export const reservedOf = (model: Model, merchant: string): Units =>
  model.orders.reduce(
    (sum, order) =>
      order.merchant === merchant && isOpenWithdrawal(order) ? sum + settlementOf(order) : sum,
    0n,
  );

export function availableOf(model: Model, merchant: string): Units {
  return (model.merchants[merchant]?.balance ?? 0n) - reservedOf(model, merchant);
}
