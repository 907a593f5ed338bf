import {
  formatFactor,
  formatMoney,
  type Instant,
  type Money,
  type OrderType,
  type WalletType,
} from '@munshi/core';
import type { Queryable } from './db.ts';
import { readFeeRule, type TimedFeeRule, time } from './rows.ts';

const COLUMNS =
  'fee_rule_id, merchant_id, order_type, wallet_type, fixed, percent, minimum, maximum, from_amount, to_amount, valid_from, valid_until';
const amount = (value: Money | null) => (value === null ? null : formatMoney(value));

/**
 * Changes of fee rules go one after the other, so that two new rules cannot overlap each other.
 * Until the transaction ends.
 */
export async function lockFeeRules(db: Queryable): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtext('munshi fee rules'))`);
}

export async function insertFeeRule(db: Queryable, rule: TimedFeeRule): Promise<void> {
  const text = `insert into fee_rules (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
  const {
    feeRuleId,
    merchantId,
    orderType,
    walletType,
    fixed,
    percent,
    minimum,
    maximum,
    fromAmount,
    toAmount,
    validFrom,
    validUntil,
  } = rule;
  const terms = [
    formatMoney(fixed),
    formatFactor(percent),
    amount(minimum),
    amount(maximum),
    amount(fromAmount),
    amount(toAmount),
  ];
  await db.query({
    text,
    values: [
      feeRuleId,
      merchantId,
      orderType,
      walletType,
      ...terms,
      time(validFrom),
      time(validUntil),
    ],
  });
}

/** The rules in force for a slot: one merchant (null: the platform), order type and method. */
export async function findSlotRules(
  db: Queryable,
  slot: {
    readonly merchantId: string | null;
    readonly orderType: OrderType;
    readonly walletType: WalletType;
  },
  at: Instant,
): Promise<readonly TimedFeeRule[]> {
  const text = `select ${COLUMNS} from fee_rules
    where merchant_id is not distinct from $1 and order_type = $2 and wallet_type = $3 and (valid_until is null or valid_until > $4) limit 1000`;
  const { rows } = await db.query({
    text,
    values: [slot.merchantId, slot.orderType, slot.walletType, time(at)],
  });
  return rows.map(readFeeRule);
}

/** Ends a rule; one that has ended keeps its time. Undefined when there is no such rule. */
export async function endFeeRule(
  db: Queryable,
  feeRuleId: string,
  at: Instant,
): Promise<TimedFeeRule | undefined> {
  const text = `update fee_rules set valid_until = least(valid_until, $2) where fee_rule_id = $1 returning ${COLUMNS}`;
  const { rows } = await db.query({ text, values: [feeRuleId, time(at)] });
  return rows[0] && readFeeRule(rows[0]);
}

export interface FeeRuleQuestion {
  readonly merchantId: string | null;
  readonly platformOnly: boolean;
  /** Rules in force at this time only; null: ended ones too. */
  readonly inForceAt: Instant | null;
  readonly after: string | null;
  readonly limit: number;
}

/** Fee rules, the newest first. */
export async function listFeeRules(
  db: Queryable,
  { merchantId, platformOnly, inForceAt, after, limit }: FeeRuleQuestion,
): Promise<readonly TimedFeeRule[]> {
  const text = `select ${COLUMNS} from fee_rules
    where ($1::uuid is null or merchant_id = $1) and (not $2::boolean or merchant_id is null)
      and ($3::timestamptz is null or valid_until is null or valid_until > $3) and ($4::uuid is null or fee_rule_id < $4)
    order by fee_rule_id desc limit $5`;
  const { rows } = await db.query({
    text,
    values: [merchantId, platformOnly, time(inForceAt), after, limit],
  });
  return rows.map(readFeeRule);
}
