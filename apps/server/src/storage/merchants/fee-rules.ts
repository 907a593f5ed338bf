import {
  formatFactor,
  formatMoney,
  type Instant,
  type Money,
  type OrderType,
  type WalletType,
} from '@munshi/core';
import type { Queryable } from '../db.ts';
import { readFeeRule, type TimedFeeRule, time } from '../rows.ts';
import { execute, lockFor, type Page, query, statement, unprepared } from '../statement.ts';

export const FEE_RULE_COLUMNS = `fee_rule_id, merchant_id, order_type, wallet_type, fixed, percent,
     minimum, maximum, from_amount, to_amount, valid_from, valid_until`;

const LOCK = lockFor('lock-fee-rules', `'munshi fee rules'`);

/**
 * Changes of fee rules go one after the other, so that two new rules cannot overlap each other.
 * Until the transaction ends.
 */
export async function lockFeeRules(db: Queryable): Promise<void> {
  await query(db, LOCK);
}

const INSERT = statement(
  'insert-fee-rule',
  `insert into fee_rules (${FEE_RULE_COLUMNS})
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
);

const amount = (value: Money | null) => (value === null ? null : formatMoney(value));

export async function insertFeeRule(db: Queryable, rule: TimedFeeRule): Promise<void> {
  await execute(db, INSERT, [
    rule.feeRuleId,
    rule.merchantId,
    rule.orderType,
    rule.walletType,
    amount(rule.fixed),
    formatFactor(rule.percent),
    amount(rule.minimum),
    amount(rule.maximum),
    amount(rule.fromAmount),
    amount(rule.toAmount),
    time(rule.validFrom),
    time(rule.validUntil),
  ]);
}

/** One merchant (null: the platform), order type and method. */
interface Slot {
  readonly merchantId: string | null;
  readonly orderType: OrderType;
  readonly walletType: WalletType;
}

const IN_FORCE = statement(
  'fee-rules-in-force',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where merchant_id is not distinct from $1
     and order_type = $2
     and wallet_type = $3
     and (valid_until is null or valid_until > $4)
   limit 1000`,
);

/** The rules in force for a slot. */
export async function findSlotRules(
  db: Queryable,
  { merchantId, orderType, walletType }: Slot,
  at: Instant,
): Promise<readonly TimedFeeRule[]> {
  return (await query(db, IN_FORCE, [merchantId, orderType, walletType, time(at)])).map(
    readFeeRule,
  );
}

const AT = statement(
  'fee-rules-at',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where (merchant_id = $1 or merchant_id is null)
     and order_type = $2
     and valid_from <= $3
     and (valid_until is null or valid_until > $3)
   limit 10000`,
);

/** The rules that can price a merchant's orders of a type at a time. */
export async function findRulesAt(
  db: Queryable,
  { merchantId, orderType }: Omit<Slot, 'walletType'>,
  at: Instant,
): Promise<readonly TimedFeeRule[]> {
  return (await query(db, AT, [merchantId, orderType, time(at)])).map(readFeeRule);
}

const FIND = statement(
  'find-fee-rule',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where fee_rule_id = $1`,
);

export async function findFeeRule(
  db: Queryable,
  feeRuleId: string,
): Promise<TimedFeeRule | undefined> {
  const [row] = await query(db, FIND, [feeRuleId]);
  return row && readFeeRule(row);
}

const END = statement(
  'end-fee-rule',
  `update fee_rules
   set valid_until = least(valid_until, $2)
   where fee_rule_id = $1
   returning ${FEE_RULE_COLUMNS}`,
);

/** Ends a rule; one that has ended keeps its time. Undefined when there is no such rule. */
export async function endFeeRule(
  db: Queryable,
  feeRuleId: string,
  at: Instant,
): Promise<TimedFeeRule | undefined> {
  const [row] = await query(db, END, [feeRuleId, time(at)]);
  return row && readFeeRule(row);
}

export interface FeeRuleQuestion extends Page {
  readonly merchantId: string | null;
  readonly platformOnly: boolean;
  /** Rules of this merchant and the platform's. */
  readonly appliesTo: string | null;
  readonly orderType: OrderType | null;
  readonly walletType: WalletType | null;
  /** Rules in force at this time only; null: ended ones too. */
  readonly inForceAt: Instant | null;
}

const ASKED = `($1::uuid is null or merchant_id = $1)
     and (not $2::boolean or merchant_id is null)
     and ($3::timestamptz is null or valid_until is null or valid_until > $3)
     and ($4::uuid is null or merchant_id is null or merchant_id = $4)
     and ($5::text is null or order_type = $5)
     and ($6::text is null or wallet_type = $6)`;

const LIST = unprepared(
  'list-fee-rules',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where ${ASKED}
     and ($7::uuid is null or fee_rule_id < $7)
   order by fee_rule_id desc
   limit $8`,
);

/** A merchant's before the platform's, bands from the lowest amount on. */
const PLACE = `(order_type, wallet_type, merchant_id is null,
       coalesce(merchant_id, '00000000-0000-0000-0000-000000000000'), coalesce(from_amount, 0),
       fee_rule_id)`;

const LIST_WINNING = unprepared(
  'list-winning-fee-rules',
  `select ${FEE_RULE_COLUMNS}
   from fee_rules
   where ${ASKED}
     and (
       $7::uuid is null
       or ${PLACE} > (
         select ${PLACE.slice(1, -1)}
         from fee_rules
         where fee_rule_id = $7
       )
     )
   order by ${PLACE.slice(1, -1)}
   limit $8`,
);

/** Fee rules, the newest first, or those that win before those that they win over. */
export async function listFeeRules(
  db: Queryable,
  question: FeeRuleQuestion,
  order: 'newest' | 'winning',
): Promise<readonly TimedFeeRule[]> {
  const { merchantId, platformOnly, inForceAt, appliesTo, orderType, walletType } = question;
  const values = [
    merchantId,
    platformOnly,
    time(inForceAt),
    appliesTo,
    orderType,
    walletType,
    question.after,
    question.limit,
  ];
  return (await query(db, order === 'winning' ? LIST_WINNING : LIST, values)).map(readFeeRule);
}
