import {
  type Currency,
  FACTOR_ONE,
  type FeeRule,
  feeRuleFor,
  formatFactor,
  formatMoney,
  METHODS,
  type Money,
  type OrderType,
  quoteFee,
  settlementOf,
  WALLET_CURRENCY,
  type WalletType,
} from '@munshi/core';
import { listExchangeRates } from '../storage/merchants/exchange-rates.ts';
import {
  endFeeRule,
  findRulesAt,
  findSlotRules,
  insertFeeRule,
  lockFeeRules,
} from '../storage/merchants/fee-rules.ts';
import { findMerchant } from '../storage/merchants/merchants.ts';
import type { TimedFeeRule } from '../storage/rows.ts';
import type { ServiceDeps } from './deps.ts';
import { fieldError, found, Refused } from './refusals.ts';
import { type OperatorCaller, recordedWrite } from './write.ts';

/** Fee rules of merchants and of the platform (D45). Accepted orders keep their fee. */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type Terms = Omit<FeeRule, 'feeRuleId'>;
type Show = (rule: TimedFeeRule) => unknown;

/**
 * Sets a rule from now on, in place of the one in force for the same band. Throws FieldErrors,
 * `not-found` for the merchant, and `wrong-state` where its band overlaps another one.
 */
export async function createFeeRule(
  deps: Deps,
  caller: OperatorCaller,
  terms: Terms,
  show: Show,
): Promise<TimedFeeRule> {
  checkTerms(terms);
  return recordedWrite(
    deps,
    caller,
    async (client, _at, ids) => {
      const { merchantId } = terms;
      if (merchantId !== null) found(await findMerchant(client, merchantId), 'Merchant');
      await lockFeeRules(client);
      // Read under the lock, so that rules replace each other in the order of their times.
      const now = deps.clock.now();
      const rule = { ...terms, feeRuleId: ids.uuid(now), validFrom: now, validUntil: null };
      const replaced = replacedBy(rule, await findSlotRules(client, terms, now));
      if (replaced !== undefined) await endFeeRule(client, replaced.feeRuleId, now);
      await insertFeeRule(client, rule);
      const detail = { ...auditDetail(terms), replaces: replaced?.feeRuleId ?? null };
      return { result: rule, action: 'fee-rule.create', target: rule.feeRuleId, detail };
    },
    show,
  );
}

/** Ends a rule now; one that has ended keeps its time. */
export function endRule(
  deps: Deps,
  caller: OperatorCaller,
  feeRuleId: string,
  show: Show,
): Promise<TimedFeeRule> {
  return recordedWrite(
    deps,
    caller,
    async (client, now) => {
      await lockFeeRules(client);
      const result = found(await endFeeRule(client, feeRuleId, now), 'Fee rule');
      return { result, action: 'fee-rule.end', target: feeRuleId };
    },
    show,
  );
}

interface Quoted {
  readonly merchantId: string;
  readonly orderType: OrderType;
  readonly walletType: WalletType;
  readonly amount: Money;
  readonly currency: Currency;
}

/** What an order would cost now, by the rule of creations. Throws `not-found` for the merchant. */
export async function quoteOrder(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  quote: Quoted,
) {
  const now = clock.now();
  found(await findMerchant(database.pool, quote.merchantId), 'Merchant');
  const rules = await findRulesAt(database.pool, quote, now);
  const rates = await listExchangeRates(database.pool, { at: now, after: null, limit: 10 });
  const fee = quoteFee(quote, rules);
  const rate =
    quote.currency === WALLET_CURRENCY
      ? FACTOR_ONE
      : rates.find(({ currency }) => currency === quote.currency)?.rate;
  const settlementAmount =
    rate === undefined ? null : settlementOf({ ...quote, fee, rate }).settlementAmount;
  return { fee, rule: feeRuleFor(quote, rules), rate, settlementAmount };
}

function checkTerms(terms: Terms): void {
  const { orderType, walletType, minimum, maximum, fromAmount, toAmount } = terms;
  if (orderType === 'Withdrawal' && !METHODS[walletType].withdrawal)
    throw fieldError('walletType', 'is a deposit-only payment method.');
  if (minimum !== null && maximum !== null && minimum > maximum)
    throw fieldError('maximum', 'must not be less than minimum.');
  if (fromAmount !== null && toAmount !== null && fromAmount >= toAmount)
    throw fieldError('toAmount', 'must be greater than fromAmount.');
}

type Band = Pick<FeeRule, 'fromAmount' | 'toAmount'>;

/**
 * The rule in force for the same band, which the new one replaces. Any other band must not overlap
 * (D45).
 */
function replacedBy(created: Band, inForce: readonly TimedFeeRule[]): TimedFeeRule | undefined {
  const same = inForce.find(
    (rule) => rule.fromAmount === created.fromAmount && rule.toAmount === created.toAmount,
  );
  const overlapping = inForce.find((rule) => rule !== same && overlap(rule, created));
  if (overlapping !== undefined)
    throw new Refused(
      'wrong-state',
      `The band overlaps that of fee rule ${overlapping.feeRuleId}. End that rule first, or use its band.`,
    );
  return same;
}

/** Bands include their first amount and exclude their last; null is no bound. */
const overlap = (a: Band, b: Band) =>
  startsBefore(a.fromAmount, b.toAmount) && startsBefore(b.fromAmount, a.toAmount);
const startsBefore = (from: Money | null, to: Money | null) =>
  from === null || to === null || from < to;

function auditDetail({ percent, fixed, ...rule }: Terms) {
  const amount = (value: Money | null) => (value === null ? null : formatMoney(value));
  return {
    ...rule,
    fixed: formatMoney(fixed),
    percent: formatFactor(percent),
    minimum: amount(rule.minimum),
    maximum: amount(rule.maximum),
    fromAmount: amount(rule.fromAmount),
    toAmount: amount(rule.toAmount),
  };
}
