import { METHODS, type OrderType, type WalletType } from './method.ts';
import { divideHalfUp, FACTOR_ONE, type Factor, type Money, multiply } from './money.ts';

/**
 * The fee of one order type and method, for one merchant or, with `merchantId` null, the platform
 * (merchant-api.md#fees).
 */
export interface FeeRule {
  readonly feeRuleId: string;
  readonly merchantId: string | null;
  readonly orderType: OrderType;
  readonly walletType: WalletType;
  /** In the order's currency. */
  readonly fixed: Money;
  /** `200_000_000n` is 2 (percent). */
  readonly percent: Factor;
  readonly minimum: Money | null;
  readonly maximum: Money | null;
  /** The range of amounts that the rule prices: from (included) to (excluded). */
  readonly fromAmount: Money | null;
  readonly toAmount: Money | null;
}

interface Quote {
  readonly merchantId: string;
  readonly orderType: OrderType;
  readonly walletType: WalletType;
  readonly amount: Money;
}

/**
 * The merchant fee in the order's currency, null if no rule applies. `rules` are those in force
 * when the order was accepted. The merchant's rules come before the platform's; within each, the
 * method's own beats its family's, which prices deposits only; fixed + percent is clamped, rounded
 * half up once, and capped at a deposit's amount (merchant-api.md#fees, I5).
 */
export function quoteFee(quote: Quote, rules: Iterable<FeeRule>): Money | null {
  const rule = feeRuleFor(quote, rules);
  if (rule === undefined) return null;
  const fee = applyRule(rule, quote.amount);
  return quote.orderType === 'Deposit' && fee > quote.amount ? quote.amount : fee;
}

/** The rule that prices an order; undefined: none does. */
export function feeRuleFor<Rule extends FeeRule>(
  quote: Quote,
  rules: Iterable<Rule>,
): Rule | undefined {
  let best: Rule | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    const rank = inBand(rule, quote.amount) ? feeRank(rule, quote) : undefined;
    if (rank === undefined || rank >= bestRank) continue;
    best = rule;
    bestRank = rank;
  }
  return best;
}

/** The owner of a rule, and the orders that it is for. */
type FeeSlot = Pick<FeeRule, 'merchantId' | 'orderType' | 'walletType'>;

/** Of rules that may price such orders the lowest rank wins; undefined: this one may not. */
export function feeRank(rule: FeeSlot, orders: FeeSlot): number | undefined {
  const { merchantId, orderType, walletType } = orders;
  const family = orderType === 'Deposit' ? METHODS[walletType].feeFamily : undefined;
  if (rule.orderType !== orderType) return undefined;
  if (rule.merchantId !== null && rule.merchantId !== merchantId) return undefined;
  if (rule.walletType !== walletType && rule.walletType !== family) return undefined;
  return (rule.merchantId === null ? 2 : 0) + (rule.walletType === walletType ? 0 : 1);
}

const inBand = (rule: FeeRule, amount: Money) =>
  (rule.fromAmount === null || amount >= rule.fromAmount) &&
  (rule.toAmount === null || amount < rule.toAmount);

function applyRule(rule: FeeRule, amount: Money): Money {
  const fee = rule.fixed + divideHalfUp(amount * rule.percent, FACTOR_ONE * 100n);
  if (rule.minimum !== null && fee < rule.minimum) return rule.minimum;
  if (rule.maximum !== null && fee > rule.maximum) return rule.maximum;
  return fee;
}

/** What an order moves, in wallet currency; each product is rounded once (decision 3). */
export function settlementOf(terms: {
  orderType: OrderType;
  amount: Money;
  fee: Money | null;
  rate: Factor;
}): { settlementAmount: Money; floatAmount: Money } {
  const fee = terms.fee ?? 0n;
  return {
    settlementAmount: multiply(
      terms.orderType === 'Deposit' ? terms.amount - fee : terms.amount + fee,
      terms.rate,
    ),
    floatAmount: multiply(terms.amount, terms.rate),
  };
}
