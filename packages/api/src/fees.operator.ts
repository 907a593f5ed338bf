import { FOREIGN_CURRENCIES } from '@munshi/core';
import Type from 'typebox';
import { TWO } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  CURRENCY,
  dataOf,
  enumOf,
  factor,
  id,
  listOf,
  METHODS,
  money,
  namedEnum,
  namedObject,
  ORDER_TYPE,
  operator,
  optional,
  orNull,
  orWaiting,
  PAGE,
  PAGE_QUERY,
  strictObject,
  time,
} from './contract/operator.ts';

/** Fee rules and exchange rates. */

const feeRules = operator('Fee rules');
const exchangeRates = operator('Exchange rates');

export type FeeRuleView = Shown<typeof FeeRuleView>;
const FeeRuleView = namedObject('FeeRule', {
  feeRuleId: id('The rule.'),
  merchantId: orNull(id('The merchant; null: the platform’s rule.')),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  fixed: money(),
  percent: factor('2 is 2 %.'),
  minimum: orNull(money()),
  maximum: orNull(money()),
  fromAmount: orNull(money()),
  toAmount: orNull(money()),
  validFrom: time,
  validUntil: orNull(time),
  allowedActions: allowedActions(['end']),
});
export const CREATE_FEE_RULE = feeRules.write('POST /fee-rules', {
  summary: 'Set a fee rule',
  needs: 'write',
  decides: TWO,
  audit: ['approval.request', 'fee-rule.create'],
  description:
    'The fee is fixed + percent, clamped to minimum and maximum, in the order’s currency; a deposit’s fee never exceeds its amount. A rule for the same merchant, order type, method and band replaces the one before from now on; a band that overlaps another is refused.',
  body: strictObject({
    merchantId: optional(
      orNull(id('Without it: the platform’s rule, for merchants without one of their own.')),
    ),
    orderType: ORDER_TYPE,
    walletType: METHODS,
    fixed: optional(money('Default 0.')),
    percent: optional(factor('2 is 2 %. Default 0.')),
    minimum: optional(orNull(money())),
    maximum: optional(orNull(money())),
    fromAmount: optional(orNull(money('The band of order amounts, this one included.'))),
    toAmount: optional(orNull(money('The end of the band, not included.'))),
  }),
  answer: orWaiting(FeeRuleView, 'The rule, in force from now on, or `pendingApproval`.'),
  refusals: ['not-found', 'wrong-state'],
});
export const END_FEE_RULE = feeRules.write('DELETE /fee-rules/:feeRuleId', {
  summary: 'End a fee rule',
  needs: 'write',
  decides: TWO,
  audit: ['approval.request', 'fee-rule.end'],
  answer: orWaiting(FeeRuleView, 'The rule, which prices no new order, or `pendingApproval`.'),
  refusals: ['wrong-state'],
});
export const LIST_FEE_RULES = feeRules.endpoint('GET /fee-rules', {
  summary: 'List fee rules',
  needs: 'read',
  querystring: strictObject({
    merchantId: optional(id('Only this merchant’s rules.')),
    platform: optional(Type.Boolean({ description: 'Only the platform’s rules.' })),
    appliesTo: optional(
      id('Rules that can price this merchant’s orders: its own and the platform’s.'),
    ),
    orderType: optional(ORDER_TYPE),
    walletType: optional(METHODS),
    ended: optional(Type.Boolean({ description: 'Ended rules too.' })),
    order: optional(
      enumOf(
        ['newest', 'winning'],
        'winning: for each order type and method the rules of merchants before the platform’s, bands from the lowest amount on. newest by default.',
      ),
    ),
    ...PAGE,
  }),
  answer: listOf(FeeRuleView, 'Rules in the order that was asked for.'),
});
export const QUOTE_FEE = feeRules.endpoint('GET /fee-rules/quote', {
  summary: 'What an order would cost',
  needs: 'read',
  description:
    'By the rules in force now. A merchant’s rules win over the platform’s, and a method’s own over those of its family.',
  querystring: strictObject({
    merchantId: id('Whose order it would be.'),
    orderType: ORDER_TYPE,
    walletType: METHODS,
    amount: Type.String({
      pattern: '^\\d{1,14}(\\.\\d{1,4})?$',
      description: 'In the order’s currency.',
    }),
    currency: optional(CURRENCY),
  }),
  answer: dataOf(
    Type.Object({
      fee: orNull(money('In the order’s currency; null: no rule prices it.')),
      rule: orNull(FeeRuleView),
      rate: orNull(factor('PKR per unit; null: the currency has none.')),
      settlementAmount: orNull(money('What the merchant’s wallet would move by, PKR.')),
    }),
    'The rule that wins, and the fee.',
  ),
  refusals: ['not-found'],
});

const FOREIGN_CURRENCY = namedEnum('ForeignCurrency', FOREIGN_CURRENCIES);
export type ExchangeRateView = Shown<typeof ExchangeRateView>;
const ExchangeRateView = namedObject('ExchangeRate', {
  currency: CURRENCY,
  rate: factor('PKR per unit.'),
  validFrom: time,
});
export const SET_EXCHANGE_RATE = exchangeRates.write('POST /exchange-rates', {
  summary: 'Set an exchange rate',
  needs: 'write',
  decides: TWO,
  audit: ['approval.request', 'exchange-rate.set'],
  description: 'For orders accepted from now on; accepted ones keep theirs.',
  body: strictObject({
    currency: FOREIGN_CURRENCY,
    rate: factor('PKR per unit, above 0.'),
  }),
  answer: orWaiting(ExchangeRateView, 'The rate in force, or `pendingApproval`.'),
  refusals: ['wrong-state'],
});
export const LIST_RATE_HISTORY = exchangeRates.endpoint('GET /exchange-rates/history', {
  summary: 'List exchange rates of before',
  needs: 'read',
  querystring: strictObject({ currency: optional(FOREIGN_CURRENCY), ...PAGE }),
  answer: listOf(ExchangeRateView, 'Every rate that was set, the newest first.'),
});
export const LIST_EXCHANGE_RATES = exchangeRates.endpoint('GET /exchange-rates', {
  summary: 'List exchange rates',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(ExchangeRateView, 'The rates in force, by currency.'),
});
