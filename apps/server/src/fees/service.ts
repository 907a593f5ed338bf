import {
  type Currency,
  FACTOR_ONE,
  type FeeRule,
  feeRuleFor,
  formatFactor,
  formatMoney,
  type Instant,
  METHODS,
  type Money,
  money,
  type OrderType,
  quoteFee,
  settlementOf,
  WALLET_CURRENCY,
  type WalletType,
} from '@munshi/core';
import { listExchangeRates } from '../engine/rows/exchange-rates.ts';
import type { TimedFeeRule } from '../engine/rows/fee-rule.ts';
import { timeOfChange } from '../engine/rows/terms.ts';
import { findMerchant, type MerchantRecord } from '../merchants/store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { fieldError, found, Refused } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import type { Written } from '../writes/write.ts';
import {
  endFeeRule,
  findFeeRule,
  findRulesAt,
  findSlotRules,
  insertFeeRule,
  lockFeeRules,
} from './store.ts';

/** Fee rules of merchants and of the platform. Accepted orders keep their fee. */

type Terms = Omit<FeeRule, 'feeRuleId'>;

/** Throws FieldErrors. */
export function checkTerms(terms: Terms): Terms {
  const { orderType, walletType, minimum, maximum, fromAmount, toAmount } = terms;
  if (orderType === 'Withdrawal' && !METHODS[walletType].withdrawal)
    throw fieldError('walletType', 'is a deposit-only payment method.');
  if (minimum !== null && maximum !== null && minimum > maximum)
    throw fieldError('maximum', 'must not be less than minimum.');
  if (fromAmount !== null && toAmount !== null && fromAmount >= toAmount)
    throw fieldError('toAmount', 'must be greater than fromAmount.');
  return terms;
}

/**
 * The rule and what an order would cost by it and before. Throws `not-found` for the merchant, and
 * `wrong-state` where its band overlaps another one.
 */
export async function explainRule(db: Queryable, terms: Terms, now: Instant): Promise<Explained> {
  const merchant = await findMerchantOf(db, terms);
  await lockFeeRules(db);
  const replaced = await findReplaced(db, terms, now);
  const rules = await findRulesAt(db, { ...terms, merchantId: merchantOf(terms) }, now);
  const after = rules.filter(({ feeRuleId }) => feeRuleId !== replaced?.feeRuleId);
  return {
    target: slotOf(terms),
    shown: {
      ...explainedTerms(terms, merchant),
      replaces: replaced?.feeRuleId ?? null,
      ...feeChange(terms, rules, [...after, { ...terms, feeRuleId: '' }]),
    },
  };
}

/** Sets a rule from now on, in place of the one in force for the same band. Throws as above. */
export async function createFeeRule(
  db: Queryable,
  terms: Terms,
  { clock, ids }: Pick<ServiceDeps, 'clock' | 'ids'>,
): Promise<Written<TimedFeeRule>> {
  await findMerchantOf(db, terms);
  await lockFeeRules(db);
  const now = await timeOfChange(db, clock.now);
  const replaced = await findReplaced(db, terms, now);
  const rule = { ...terms, feeRuleId: ids.uuid(now), validFrom: now, validUntil: null };
  if (replaced !== undefined) await endFeeRule(db, replaced.feeRuleId, now);
  await insertFeeRule(db, rule);
  const detail = { ...shownTerms(terms), replaces: replaced?.feeRuleId ?? null };
  return { result: rule, action: 'fee-rule.create', target: rule.feeRuleId, detail };
}

/** The rule and what an order would cost without it. Throws `not-found`. */
export async function explainEnd(
  db: Queryable,
  feeRuleId: string,
  now: Instant,
): Promise<Explained> {
  const { validFrom: _, validUntil, ...rule } = found(await findFeeRule(db, feeRuleId), 'Fee rule');
  const rules = await findRulesAt(db, { ...rule, merchantId: merchantOf(rule) }, now);
  const after = rules.filter((one) => one.feeRuleId !== feeRuleId);
  const merchant = await findMerchantOf(db, rule);
  return {
    target: feeRuleId,
    shown: {
      ...explainedTerms(rule, merchant),
      ended: validUntil !== null && validUntil <= now,
      ...feeChange(rule, rules, after),
    },
  };
}

/** Ends a rule now; one that has ended keeps its time. Throws `not-found`. */
export async function endRule(
  db: Queryable,
  feeRuleId: string,
  { clock }: Pick<ServiceDeps, 'clock'>,
): Promise<Written<TimedFeeRule>> {
  await lockFeeRules(db);
  const now = await timeOfChange(db, clock.now);
  const result = found(await endFeeRule(db, feeRuleId, now), 'Fee rule');
  return { result, action: 'fee-rule.end', target: feeRuleId };
}

const findReplaced = async (db: Queryable, terms: Terms, at: Instant) =>
  replacedBy(terms, await findSlotRules(db, terms, at));

/** Null for a rule of the platform. Throws `not-found`. */
const findMerchantOf = async (db: Queryable, { merchantId }: Pick<Terms, 'merchantId'>) =>
  merchantId === null ? null : found(await findMerchant(db, merchantId), 'Merchant');

/** What is set of a rule, and for whom. */
function explainedTerms(terms: Terms, merchant: MerchantRecord | null): Explained['shown'] {
  const set = Object.entries(shownTerms(terms)).filter(([, value]) => value !== null);
  const whose = merchant === null ? { everyMerchant: true } : { merchant: merchant.name };
  return { ...whose, ...Object.fromEntries(set) };
}

/** A merchant without rules of its own pays by the platform's. */
const merchantOf = ({ merchantId }: Pick<Terms, 'merchantId'>) =>
  merchantId ?? '00000000-0000-0000-0000-000000000000';
const slotOf = ({ merchantId, orderType, walletType, fromAmount }: Terms) =>
  [merchantId ?? 'platform', orderType, walletType, fromAmount ?? 0n].join(' ');

/** The fee of an order of 10,000, or of the nearest amount that the rule prices. */
function feeChange(terms: Terms, before: readonly FeeRule[], after: readonly FeeRule[]) {
  const { fromAmount, toAmount } = terms;
  const usual = money('10000');
  const above = fromAmount !== null && usual < fromAmount ? fromAmount : usual;
  const amount = toAmount !== null && above >= toAmount ? toAmount - 1n : above;
  const quote = { ...terms, merchantId: merchantOf(terms), amount };
  return {
    exampleAmount: formatMoney(amount),
    exampleFee: formatOrNull(quoteFee(quote, after)),
    exampleFeeBefore: formatOrNull(quoteFee(quote, before)),
  };
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

type Band = Pick<FeeRule, 'fromAmount' | 'toAmount'>;

/**
 * The rule in force for the same band, which the new one replaces. Any other band must not overlap
 * (merchant-api.md#fees).
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

const formatOrNull = (value: Money | null) => (value === null ? null : formatMoney(value));

function shownTerms({ percent, fixed, ...rule }: Terms & { readonly feeRuleId?: string }) {
  return {
    ...rule,
    fixed: formatMoney(fixed),
    percent: formatFactor(percent),
    minimum: formatOrNull(rule.minimum),
    maximum: formatOrNull(rule.maximum),
    fromAmount: formatOrNull(rule.fromAmount),
    toAmount: formatOrNull(rule.toAmount),
  };
}
