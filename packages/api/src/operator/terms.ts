import Type, { type Static } from 'typebox';
import {
  answers,
  dataOf,
  factor,
  id,
  listOf,
  METHODS,
  money,
  ORDER_TYPE,
  optional,
  orNull,
  PAGE,
  PAGE_QUERY,
  params,
  route,
  strict,
  time,
  writeRoute,
} from './schemas.ts';

/** Fee rules and exchange rates. */

const FeeRuleView = Type.Object({
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
});
export type CreateFeeRule = Static<typeof CREATE_FEE_RULE.body>;
export const CREATE_FEE_RULE = writeRoute('Fee rules', 'Set a fee rule', {
  description:
    'The fee is fixed + percent, clamped to minimum and maximum, in the order’s currency; a deposit’s fee never exceeds its amount. A rule for the same merchant, order type, method and band replaces the one before from now on; a band that overlaps another is refused.',
  body: Type.Object(
    {
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
    },
    strict,
  ),
  response: answers('The rule, in force from now on.', dataOf(FeeRuleView), 400, 404, 409),
});
export const END_FEE_RULE = writeRoute('Fee rules', 'End a fee rule', {
  params: params('feeRuleId'),
  response: answers('The rule, which prices no new order.', dataOf(FeeRuleView), 404),
});
export type ListFeeRules = Static<typeof LIST_FEE_RULES.querystring>;
export const LIST_FEE_RULES = route('Fee rules', 'List fee rules', {
  querystring: Type.Object(
    {
      merchantId: optional(id('Only this merchant’s rules.')),
      platform: optional(Type.Boolean({ description: 'Only the platform’s rules.' })),
      ended: optional(Type.Boolean({ description: 'Ended rules too.' })),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Rules, the newest first.', listOf(FeeRuleView), 400),
});

const RateView = Type.Object({
  currency: Type.String(),
  rate: factor('PKR per unit.'),
  validFrom: time,
});
export type SetExchangeRate = Static<typeof SET_EXCHANGE_RATE.body>;
export const SET_EXCHANGE_RATE = writeRoute('Exchange rates', 'Set an exchange rate', {
  description: 'For orders accepted from now on; accepted ones keep theirs.',
  body: Type.Object(
    {
      currency: Type.Enum(['INR', 'BDT'], { type: 'string' }),
      rate: factor('PKR per unit, above 0.'),
    },
    strict,
  ),
  response: answers('The rate in force.', dataOf(RateView), 400),
});
export const LIST_EXCHANGE_RATES = route('Exchange rates', 'List exchange rates', {
  querystring: PAGE_QUERY,
  response: answers('The rates in force, by currency.', listOf(RateView), 400),
});
