import type { Instant, OrderType, WalletType } from '@munshi/core';
import { FEE_RULE, FEE_RULE_COLUMNS } from '../engine/rows/fee-rule.ts';
import { insertion, orNull, parameters, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  lockFor,
  PAGE,
  query,
  readsAll,
  readsOne,
  writes,
} from '../platform/database/statement.ts';

const LOCK = lockFor('lock-fee-rules', `'munshi fee rules'`);

/**
 * Changes of fee rules go one after the other, so that two new rules cannot overlap each other.
 * Until the transaction ends.
 */
export async function lockFeeRules(db: Queryable): Promise<void> {
  await query(db, LOCK);
}

const NEW = insertion('fee_rules', FEE_RULE_COLUMNS);

export const insertFeeRule = writes('insert-fee-rule', NEW.into, NEW.valuesOf);

/** One merchant (null: the platform), order type and method. */
interface Slot {
  readonly merchantId: string | null;
  readonly orderType: OrderType;
  readonly walletType: WalletType;
}

/** The rules in force for a slot. */
export const findSlotRules = readsAll(
  'fee-rules-in-force',
  `select ${FEE_RULE.list}
   from fee_rules
   where merchant_id is not distinct from $1
     and order_type = $2
     and wallet_type = $3
     and (valid_until is null or valid_until > $4)
   limit 1000`,
  FEE_RULE,
  ({ merchantId, orderType, walletType }: Slot, at: Instant) => [
    merchantId,
    orderType,
    walletType,
    time(at),
  ],
);

/** The rules that can price a merchant's orders of a type at a time. */
export const findRulesAt = readsAll(
  'fee-rules-at',
  `select ${FEE_RULE.list}
   from fee_rules
   where (merchant_id = $1 or merchant_id is null)
     and order_type = $2
     and valid_from <= $3
     and (valid_until is null or valid_until > $3)
   limit 10000`,
  FEE_RULE,
  ({ merchantId, orderType }: Omit<Slot, 'walletType'>, at: Instant) => [
    merchantId,
    orderType,
    time(at),
  ],
);

export const findFeeRule = readsOne(
  'find-fee-rule',
  `select ${FEE_RULE.list}
   from fee_rules
   where fee_rule_id = $1`,
  FEE_RULE,
  (feeRuleId: string) => [feeRuleId],
);

/** Ends a rule; one that has ended keeps its time. Undefined when there is no such rule. */
export const endFeeRule = readsOne(
  'end-fee-rule',
  `update fee_rules
   set valid_until = least(valid_until, $2)
   where fee_rule_id = $1
   returning ${FEE_RULE.list}`,
  FEE_RULE,
  (feeRuleId: string, at: Instant) => [feeRuleId, time(at)],
);

const QUESTION = parameters({
  merchantId: orNull(t.uuid),
  platformOnly: t.boolean,
  /** Rules in force at this time only; null: ended ones too. */
  inForceAt: orNull(t.instant),
  /** Rules of this merchant and the platform's. */
  appliesTo: orNull(t.uuid),
  orderType: orNull(t.oneOf<OrderType>()),
  walletType: orNull(t.oneOf<WalletType>()),
  ...PAGE,
});

const ASKED = `($1::uuid is null or merchant_id = $1)
     and (not $2::boolean or merchant_id is null)
     and ($3::timestamptz is null or valid_until is null or valid_until > $3)
     and ($4::uuid is null or merchant_id is null or merchant_id = $4)
     and ($5::text is null or order_type = $5)
     and ($6::text is null or wallet_type = $6)`;

/** Fee rules, the newest first. */
export const listFeeRules = lists(
  'list-fee-rules',
  `select ${FEE_RULE.list}
   from fee_rules
   where ${ASKED}
     and ($7::uuid is null or fee_rule_id < $7)
   order by fee_rule_id desc
   limit $8`,
  FEE_RULE,
  QUESTION,
);

/** A merchant's before the platform's, bands from the lowest amount on. */
const PLACE = `(order_type, wallet_type, merchant_id is null,
       coalesce(merchant_id, '00000000-0000-0000-0000-000000000000'), coalesce(from_amount, 0),
       fee_rule_id)`;

/** Those that win before those that they win over. */
export const listWinningFeeRules = lists(
  'list-winning-fee-rules',
  `select ${FEE_RULE.list}
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
  FEE_RULE,
  QUESTION,
);
