import {
  type BodyOf,
  CREATE_FEE_RULE,
  END_FEE_RULE,
  type FeeRuleView,
  LIST_FEE_RULES,
  QUOTE_FEE,
} from '@munshi/api';
import { feeRuleActions, parseMoney, WALLET_CURRENCY } from '@munshi/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFeeRule, endRule, quoteOrder } from '../../services/fee-rules.ts';
import { FieldErrors } from '../../services/refusals.ts';
import { listFeeRules } from '../../storage/merchants/fee-rules.ts';
import type { TimedFeeRule } from '../../storage/rows.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { pageAnswer, pageOf } from '../lists.ts';
import {
  exactNumbers,
  factorOrZero,
  jsonFactor,
  jsonMoney,
  jsonMoneyOrNull,
  jsonTime,
  moneyOrZero,
} from '../values.ts';
import { askingOperator, callerOf, type Operator } from './access.ts';

const showTo =
  (operator: Operator) =>
  (rule: TimedFeeRule): FeeRuleView => ({
    ...rule,
    fixed: jsonMoney(rule.fixed),
    percent: jsonFactor(rule.percent),
    minimum: jsonMoneyOrNull(rule.minimum),
    maximum: jsonMoneyOrNull(rule.maximum),
    fromAmount: jsonMoneyOrNull(rule.fromAmount),
    toAmount: jsonMoneyOrNull(rule.toAmount),
    validFrom: jsonTime(rule.validFrom),
    validUntil: jsonTime(rule.validUntil),
    allowedActions: feeRuleActions(rule, askingOperator(operator)),
  });

/** Fee rules of merchants and of the platform (D45). */
export function feeRuleRoutes(app: FastifyInstance, deps: Deps): void {
  bind(app, CREATE_FEE_RULE, async (request) => {
    const show = showTo(request.operator);
    return { data: show(await createFeeRule(deps, callerOf(request), termsOf(request), show)) };
  });

  bind(app, END_FEE_RULE, async (request) => {
    const show = showTo(request.operator);
    const { feeRuleId } = request.params;
    return { data: show(await endRule(deps, callerOf(request), feeRuleId, show)) };
  });

  bind(app, LIST_FEE_RULES, async ({ query, operator }) => {
    const page = pageOf(query);
    const { platform = false, ended = false, order = 'newest' } = query;
    const { merchantId = null, appliesTo = null, orderType = null, walletType = null } = query;
    const question = {
      merchantId,
      platformOnly: platform,
      appliesTo,
      orderType,
      walletType,
      inForceAt: ended ? null : deps.clock.now(),
      after: page.after,
      limit: page.limit + 1,
    };
    const rows = await listFeeRules(deps.database.pool, question, order);
    return pageAnswer(page, rows, ({ feeRuleId }) => feeRuleId, showTo(operator));
  });

  bind(app, QUOTE_FEE, async ({ query, operator }) => {
    const amount = parseMoney(query.amount);
    if (amount === undefined || amount <= 0n)
      throw new FieldErrors({ amount: ['must be greater than 0.'] });
    const { currency = WALLET_CURRENCY, ...asked } = query;
    const { fee, rule, rate, settlementAmount } = await quoteOrder(deps, {
      ...asked,
      amount,
      currency,
    });
    return {
      data: {
        fee: jsonMoneyOrNull(fee),
        rule: rule === undefined ? null : showTo(operator)(rule),
        rate: rate === undefined ? null : jsonFactor(rate),
        settlementAmount: jsonMoneyOrNull(settlementAmount),
      },
    };
  });
}

function termsOf(request: FastifyRequest<{ Body: BodyOf<typeof CREATE_FEE_RULE> }>) {
  const { merchantId = null, orderType, walletType } = request.body;
  const exact = exactNumbers(request, {
    fixed: moneyOrZero,
    percent: factorOrZero,
    minimum: moneyOrZero,
    maximum: moneyOrZero,
    fromAmount: moneyOrZero,
    toAmount: moneyOrZero,
  });
  return {
    merchantId,
    orderType,
    walletType,
    fixed: exact.fixed ?? 0n,
    percent: exact.percent ?? 0n,
    minimum: exact.minimum ?? null,
    maximum: exact.maximum ?? null,
    fromAmount: exact.fromAmount ?? null,
    toAmount: exact.toAmount ?? null,
  };
}
