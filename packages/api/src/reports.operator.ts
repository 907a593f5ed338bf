import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  csvFile,
  dataOf,
  enumOf,
  id,
  listOf,
  METHODS,
  money,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  PAGE,
  strictObject,
  time,
  timeOf,
} from './contract/operator.ts';

/**
 * What the ledger says of all merchants and members together, in PKR, and how orders have done.
 */

const { endpoint } = operator('Reports');

const MONTH = optional(
  Type.String({
    pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
    description: 'Such as `2026-10`; the present one unless it is said.',
  }),
);
const TIME_ZONE = optional(
  Type.String({
    maxLength: 60,
    description:
      'Where the month begins and ends, such as `Asia/Karachi`. Left out: for merchants each in their own, for members that of the wallets’ currency.',
  }),
);
const OF_A_MONTH = { month: MONTH, timeZone: TIME_ZONE };
const bounds = {
  timeZone: Type.String(),
  from: time,
  to: timeOf('Its end, which is not part of it.'),
};
const FILE = csvFile('The same rows.');

export type MerchantMonthView = Shown<typeof MerchantMonthView>;
const MerchantMonthView = namedObject('MerchantMonth', {
  merchantId: Type.String(),
  merchantName: Type.String(),
  ...bounds,
  opening: money(),
  deposits: money('Before fees.'),
  withdrawals: money('Before fees; below zero.'),
  fees: money('What was kept.'),
  adjustments: money('Credits less debits.'),
  frozen: money('Freezes less unfreezes: what left for the frozen balance.'),
  closing: money('opening + deposits + withdrawals − fees + adjustments − frozen.'),
  frozenOpening: money(),
  frozenClosing: money(),
});
export const REPORT_MERCHANTS = endpoint('GET /reports/merchants', {
  summary: 'What moved merchants’ wallets in a month',
  needs: 'read',
  querystring: strictObject({ ...OF_A_MONTH, ...PAGE }),
  answer: listOf(MerchantMonthView, 'Every merchant, the newest first.'),
  refusals: ['too-slow'],
});
export const EXPORT_MERCHANT_REPORT = endpoint('GET /reports/merchants.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  querystring: strictObject(OF_A_MONTH),
  answer: csvFile('The same rows; fees and what was frozen are below zero, so that a row adds up.'),
  refusals: ['too-slow'],
});

export type MemberMonthView = Shown<typeof MemberMonthView>;
const MemberMonthView = namedObject('MemberMonth', {
  memberId: Type.String(),
  memberName: Type.String(),
  ...bounds,
  opening: money(),
  deposits: money('What deposits took of the float; below zero.'),
  withdrawals: money('What payouts gave.'),
  adjustments: money('What operators gave less what they took.'),
  closing: money(),
});
export const REPORT_MEMBERS = endpoint('GET /reports/members', {
  summary: 'What moved members’ floats in a month',
  needs: 'read',
  querystring: strictObject({ ...OF_A_MONTH, ...PAGE }),
  answer: listOf(MemberMonthView, 'Every member, the newest first.'),
  refusals: ['too-slow'],
});
export const EXPORT_MEMBER_REPORT = endpoint('GET /reports/members.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  querystring: strictObject(OF_A_MONTH),
  answer: FILE,
  refusals: ['too-slow'],
});

const OF_ORDERS = {
  by: optional(
    namedEnum('ReportSpan', ['day', 'week'], 'A week begins on Monday; `day` unless it is said.'),
  ),
  from: optional(Type.String({ maxLength: 10, description: 'The first day, `2026-11-01`.' })),
  to: optional(
    Type.String({
      maxLength: 10,
      description: 'The last day; today unless it is said. At most 92 days or weeks.',
    }),
  ),
  timeZone: optional(
    Type.String({ maxLength: 60, description: 'Whose days; that of the wallets’ currency.' }),
  ),
  merchantId: optional(id('Only orders of this merchant.')),
};
export type OrderSpanView = Shown<typeof OrderSpanView>;
const OrderSpanView = namedObject('OrderSpan', {
  from: Type.String({ description: 'Its first day.' }),
  to: Type.String({ description: 'Its last day.' }),
  walletType: orNull(METHODS),
  created: Type.Integer(),
  completed: Type.Integer({ description: 'Of those created.' }),
  failed: Type.Integer(),
  volume: money('What the completed ones came to, in PKR, before fees.'),
  medianConfirmSeconds: orNull(
    Type.Integer({ description: 'From the customer’s word to completion, of deposits.' }),
  ),
  p95ConfirmSeconds: orNull(Type.Integer({ description: '19 of 20 took no longer.' })),
});
export const REPORT_ORDERS = endpoint('GET /reports/orders', {
  summary: 'Success, volume and time to confirm by day or week',
  needs: 'read',
  querystring: strictObject(OF_ORDERS),
  answer: dataOf(
    namedObject('OrderReport', {
      spans: Type.Array(OrderSpanView, {
        description:
          'The oldest first: of all methods (`walletType` null), then of each. What had no order is left out.',
      }),
    }),
    'By the time of creation.',
  ),
  refusals: ['too-slow'],
});
export const ORDER_FIGURES = ['success', 'volume', 'time-to-confirm'] as const;
export const EXPORT_ORDER_REPORT = endpoint('GET /reports/orders.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  querystring: strictObject({
    ...OF_ORDERS,
    figure: optional(
      namedEnum('OrderFigure', ORDER_FIGURES, 'With its columns alone; all unless it is said.'),
    ),
  }),
  answer: FILE,
  refusals: ['too-slow'],
});

export type TrialBalanceView = Shown<typeof TrialBalanceView>;
const TrialBalanceView = namedObject('TrialBalance', {
  at: orNull(time),
  postings: Type.Integer(),
  accounts: Type.Array(
    Type.Object({
      account: enumOf(['wallets', 'frozen', 'floats', 'fees', 'adjustments']),
      balance: money('The sum of its postings.'),
      projected: orNull(
        money('What wallets and floats say they hold now; null: `at`, or nothing keeps a sum.'),
      ),
    }),
    { description: 'The five accounts of the ledger.' },
  ),
  total: money('0: every posting balances.'),
});
export const READ_TRIAL_BALANCE = endpoint('GET /reports/trial-balance', {
  summary: 'Trial balance',
  needs: 'read',
  querystring: strictObject({
    at: optional(
      Type.String({ maxLength: 40, description: 'Just before this time, ISO 8601; else now.' }),
    ),
  }),
  answer: dataOf(TrialBalanceView, 'Every account of the ledger, which sum to zero.'),
  refusals: ['too-slow'],
});
