import { ADJUSTMENT_KINDS, CURRENCIES } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  csvFile,
  dataOf,
  enumOf,
  listOf,
  money,
  namedEnum,
  namedObject,
  PAGE_QUERY,
  time,
  timeOf,
} from './contract/schemas.ts';

/** A merchant's monthly statements, as operators and the merchant's own people read them. */

const count = Type.Integer();
const Balances = namedObject('StatementBalances', {
  walletBalance: money('What open withdrawals had reserved is part of it.'),
  frozenBalance: money(),
});
const moved = {
  count,
  amount: money('Before fees; below zero it left the wallet.'),
  fee: money('What was kept of it.'),
  walletChange: money('`amount` less `fee`.'),
  frozenChange: money(),
};
const month = {
  month: Type.String({ description: 'Such as `2026-10`, in the merchant’s time zone.' }),
  from: time,
  to: timeOf('Its end, which is not part of it.'),
  closed: Type.Boolean({ description: 'It has ended: nothing of it changes any more.' }),
  opening: Balances,
  closing: Balances,
};

export type ListedStatementView = Shown<typeof ListedStatementView>;
const ListedStatementView = namedObject('ListedStatement', { ...month, ...moved });
export type StatementView = Shown<typeof StatementView>;
const StatementView = namedObject('Statement', {
  merchantId: Type.String(),
  merchantName: Type.String(),
  timeZone: Type.String({ description: 'As it is now; months that have ended keep theirs.' }),
  currency: Type.Literal('PKR'),
  ...month,
  kinds: Type.Array(
    Type.Object({
      kind: enumOf(['deposit', 'withdrawal', ...ADJUSTMENT_KINDS]),
      ...moved,
    }),
    { description: 'All six, in this order.' },
  ),
  currencies: Type.Array(
    Type.Object({
      kind: enumOf(['deposit', 'withdrawal']),
      currency: namedEnum('Currency', CURRENCIES, 'Of the orders.'),
      orderAmount: money('In that currency.'),
      orderFee: money('In that currency.'),
      ...moved,
    }),
    {
      description:
        'The deposits and the withdrawals of `kinds` by the currency of their orders, those that there are. Each order came to PKR at its own rate.',
    },
  ),
  total: Type.Object(moved),
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'Such as `2026-10-31`.' }),
      count,
      walletChange: money(),
      frozenChange: money(),
      walletBalance: money('At its end.'),
      frozenBalance: money('At its end.'),
    }),
    { description: 'Those on which something moved.' },
  ),
});

/** What the routes of both faces have in common. */
export const STATEMENTS = {
  list: {
    description: 'From the merchant’s first month to the present one, 12 unless `limit` says more.',
    querystring: PAGE_QUERY,
    answer: listOf(ListedStatementView, 'Months, the newest first.'),
    refusals: ['too-slow'],
  },
  one: {
    description: 'By the time of posting: opening and what moved add up to closing, to the digit.',
    answer: dataOf(StatementView, 'The month, in PKR.'),
    refusals: ['too-slow'],
  },
  summary: {
    answer: csvFile(
      'What moved by kind, that of orders by their currency too, between a row `opening` and a row `closing` with the balances.',
    ),
    refusals: ['too-slow'],
  },
  file: {
    answer: csvFile(
      'Every movement, the oldest first, between a row `opening` and a row `closing` with the balances.',
    ),
    refusals: ['too-slow'],
  },
} as const;
