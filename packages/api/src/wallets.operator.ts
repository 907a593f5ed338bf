import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  dataOf,
  money,
  namedObject,
  operator,
  optional,
  strictObject,
  time,
} from './contract/operator.ts';

/** The balance of a merchant. */

const { endpoint } = operator('Merchants');

export type BalanceView = Shown<typeof BalanceView>;
export const BalanceView = namedObject('Balance', {
  availableBalance: money(),
  reservedBalance: money(),
  frozenBalance: money(),
  walletBalance: money(),
  overdrawn: Type.Boolean({
    description: 'A late confirmation took the available balance below zero.',
  }),
  currency: Type.Literal('PKR'),
});
export type BalanceAtView = Shown<typeof BalanceAtView>;
const BalanceAtView = namedObject(
  'BalanceAt',
  {
    at: time,
    frozenBalance: money(),
    walletBalance: money('What open withdrawals had reserved then is part of it.'),
    currency: Type.Literal('PKR'),
  },
  { description: 'By the ledger, just before `at`.' },
);
/** `?at=` and what answers to it. */
export const AT_TIME = {
  at: optional(
    Type.String({
      maxLength: 40,
      description:
        'As it was just before this time, ISO 8601. A date is the beginning of that day in the merchant’s time zone. Without it: as it is now.',
    }),
  ),
};
export const BALANCE_ANSWER = dataOf(
  Type.Union([BalanceView, BalanceAtView]),
  'Of one moment, in wallet currency. availableBalance = walletBalance − reservedBalance; frozen money has left the wallet balance.',
);
export const READ_BALANCE = endpoint('GET /merchants/:merchantId/balance', {
  summary: "Read a merchant's balance",
  needs: 'read',
  querystring: strictObject(AT_TIME),
  answer: BALANCE_ANSWER,
  refusals: ['too-slow'],
});
