import {
  CREATE_FEE_RULE,
  type CreateFeeRule,
  END_FEE_RULE,
  LIST_FEE_RULES,
  type ListFeeRules,
} from '@munshi/api';
import {
  type FeeRule,
  formatFactor,
  formatMoney,
  type Instant,
  METHODS,
  type Money,
} from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { uuidV7 } from '../../engine/ids.ts';
import {
  endFeeRule,
  findSlotRules,
  insertFeeRule,
  listFeeRules,
  lockFeeRules,
} from '../../storage/fee-rules.ts';
import { findMerchant } from '../../storage/merchants.ts';
import type { TimedFeeRule } from '../../storage/rows.ts';
import type { Deps } from '../deps.ts';
import {
  exactNumbers,
  factorOrZero,
  fieldError,
  jsonFactor,
  jsonMoney,
  jsonMoneyOrNull,
  jsonTime,
  moneyOrZero,
  pageOf,
  Refused,
  sendData,
  sendList,
} from '../json.ts';
import { found, recordedWrite } from './write.ts';

const show = (rule: TimedFeeRule) => ({
  ...rule,
  fixed: jsonMoney(rule.fixed),
  percent: jsonFactor(rule.percent),
  minimum: jsonMoneyOrNull(rule.minimum),
  maximum: jsonMoneyOrNull(rule.maximum),
  fromAmount: jsonMoneyOrNull(rule.fromAmount),
  toAmount: jsonMoneyOrNull(rule.toAmount),
  validFrom: jsonTime(rule.validFrom),
  validUntil: jsonTime(rule.validUntil),
});

/** Fee rules of merchants and of the platform (D45). Accepted orders keep their fee. */
export function feeRuleRoutes(app: FastifyInstance, deps: Deps): void {
  const { database, clock } = deps;

  app.post<{ Body: CreateFeeRule }>(
    '/fee-rules',
    { schema: CREATE_FEE_RULE },
    async (request, reply) => {
      const terms = readTerms(request);
      const rule = await recordedWrite(deps, request, async (client) => {
        if (terms.merchantId !== null)
          found(await findMerchant(client, terms.merchantId), 'Merchant');
        await lockFeeRules(client);
        const now = clock.now(); // read under the lock, so that rules replace each other in the order of their times
        const created: TimedFeeRule = {
          ...terms,
          feeRuleId: uuidV7(now),
          validFrom: now,
          validUntil: null,
        };
        const replaced = replacedBy(created, await findSlotRules(client, terms, now));
        if (replaced !== undefined) await endFeeRule(client, replaced.feeRuleId, now);
        await insertFeeRule(client, created);
        return {
          result: created,
          answer: show(created),
          action: 'fee-rule.create',
          target: created.feeRuleId,
          detail: auditDetail(created, replaced),
        };
      });
      return sendData(reply, show(rule));
    },
  );

  app.delete<{ Params: { feeRuleId: string } }>(
    '/fee-rules/:feeRuleId',
    { schema: END_FEE_RULE },
    async (request, reply) => {
      const { feeRuleId } = request.params;
      const rule = await recordedWrite(deps, request, async (client, now) => {
        await lockFeeRules(client);
        const result = found(await endFeeRule(client, feeRuleId, now), 'Fee rule');
        return { result, answer: show(result), action: 'fee-rule.end', target: feeRuleId };
      });
      return sendData(reply, show(rule));
    },
  );

  app.get<{ Querystring: ListFeeRules }>(
    '/fee-rules',
    { schema: LIST_FEE_RULES },
    async (request, reply) => {
      const page = pageOf(request.query);
      const { merchantId = null, platform = false, ended = false } = request.query;
      const inForceAt: Instant | null = ended ? null : clock.now();
      const rows = await listFeeRules(database.pool, {
        merchantId,
        platformOnly: platform,
        inForceAt,
        after: page.after,
        limit: page.limit + 1,
      });
      return sendList(reply, page, rows, ({ feeRuleId }) => feeRuleId, show);
    },
  );
}

type Terms = Omit<FeeRule, 'feeRuleId'>;

function readTerms(request: FastifyRequest<{ Body: CreateFeeRule }>): Terms {
  const { merchantId = null, orderType, walletType } = request.body;
  const exact = exactNumbers(request, {
    fixed: moneyOrZero,
    percent: factorOrZero,
    minimum: moneyOrZero,
    maximum: moneyOrZero,
    fromAmount: moneyOrZero,
    toAmount: moneyOrZero,
  });
  const {
    fixed,
    percent,
    minimum = null,
    maximum = null,
    fromAmount = null,
    toAmount = null,
  } = exact;
  if (orderType === 'Withdrawal' && !METHODS[walletType].withdrawal)
    throw fieldError('walletType', 'is a deposit-only payment method.');
  if (minimum !== null && maximum !== null && minimum > maximum)
    throw fieldError('maximum', 'must not be less than minimum.');
  if (fromAmount !== null && toAmount !== null && fromAmount >= toAmount)
    throw fieldError('toAmount', 'must be greater than fromAmount.');
  return {
    merchantId,
    orderType,
    walletType,
    fixed: fixed ?? 0n,
    percent: percent ?? 0n,
    minimum,
    maximum,
    fromAmount,
    toAmount,
  };
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

function auditDetail(rule: TimedFeeRule, replaced: TimedFeeRule | undefined) {
  const { merchantId, orderType, walletType, fixed, percent } = rule;
  const amount = (value: Money | null) => (value === null ? null : formatMoney(value));
  return {
    merchantId,
    orderType,
    walletType,
    fixed: formatMoney(fixed),
    percent: formatFactor(percent),
    minimum: amount(rule.minimum),
    maximum: amount(rule.maximum),
    fromAmount: amount(rule.fromAmount),
    toAmount: amount(rule.toAmount),
    replaces: replaced?.feeRuleId ?? null,
  };
}
