import {
  CREATE_FEE_RULE,
  END_FEE_RULE,
  type FeeRuleView,
  type Given,
  LIST_FEE_RULES,
  QUOTE_FEE,
} from '@munshi/api';
import { type AskingOperator, feeRuleActions, parseMoney, WALLET_CURRENCY } from '@munshi/core';
import { type Asked, operatorWrite } from '../door/door.ts';
import type { TimedFeeRule } from '../engine/rows/fee-rule.ts';
import type { OperatorFace } from '../people/access.operator.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { pageAnswer, pageOf } from '../platform/http/lists.ts';
import { factorOrZero, moneyOrZero, readBody } from '../platform/http/values.ts';
import { FieldErrors } from '../platform/refusals.ts';
import {
  checkTerms,
  createFeeRule,
  endRule,
  explainEnd,
  explainRule,
  quoteOrder,
} from './service.ts';
import { listFeeRules, listWinningFeeRules } from './store.ts';

const showTo =
  (who: AskingOperator) =>
  (rule: TimedFeeRule): Given<FeeRuleView> => ({
    ...rule,
    allowedActions: feeRuleActions(rule, who),
  });

/** Fee rules of merchants and of the platform (merchant-api.md#fees). */
export function feeRuleRoutes(face: OperatorFace, deps: Deps): void {
  bind(face, LIST_FEE_RULES, async ({ query }, operator) => {
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
      ...page.place,
    };
    const list = order === 'winning' ? listWinningFeeRules : listFeeRules;
    const rows = await list(deps.database.pool, question);
    return pageAnswer(page, rows, ({ feeRuleId }) => feeRuleId, showTo(operator));
  });

  bind(face, QUOTE_FEE, async ({ query }, operator) => {
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
        fee,
        rule: rule === undefined ? null : showTo(operator)(rule),
        rate: rate ?? null,
        settlementAmount,
      },
    };
  });
}

/** Writes of fee rules that may wait for a second operator. */
export const feeRuleWrites = (deps: Deps) => ({
  CREATE_FEE_RULE: operatorWrite(deps, CREATE_FEE_RULE, {
    read: (asked) => checkTerms(termsOf(asked)),
    explain: explainRule,
    work: (client, terms) => createFeeRule(client, terms, deps),
    show: (rule, who) => showTo(who)(rule),
  }),

  END_FEE_RULE: operatorWrite(deps, END_FEE_RULE, {
    read: ({ params }) => params.feeRuleId,
    explain: explainEnd,
    work: (client, feeRuleId) => endRule(client, feeRuleId, deps),
    show: (rule, who) => showTo(who)(rule),
  }),
});

/** Where a request leaves them out. */
const DEFAULTS = {
  merchantId: null,
  fixed: 0n,
  percent: 0n,
  minimum: null,
  maximum: null,
  fromAmount: null,
  toAmount: null,
};

const termsOf = (asked: Asked<typeof CREATE_FEE_RULE>) => ({
  ...DEFAULTS,
  ...readBody(asked, {
    fixed: moneyOrZero,
    percent: factorOrZero,
    minimum: moneyOrZero,
    maximum: moneyOrZero,
    fromAmount: moneyOrZero,
    toAmount: moneyOrZero,
  }),
});
