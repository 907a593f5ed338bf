import { ADJUSTMENT_KINDS, CURRENCIES } from '@munshi/core';
import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  csvFile,
  enumOf,
  factor,
  id,
  listOf,
  money,
  namedEnum,
  namedObject,
  ORDER_TYPE,
  operator,
  optional,
  orNull,
  PAGE,
  strictObject,
  time,
} from './contract/operator.ts';

/** What moved merchants' wallets. */

const { endpoint } = operator('Merchants');

export type WalletMovementView = Shown<typeof WalletMovementView>;
export const WalletMovementView = namedObject('WalletMovement', {
  movementId: id('The ledger entry.'),
  kind: enumOf(
    ['settlement', ...ADJUSTMENT_KINDS],
    '`settlement`: an order completed; the others are adjustments by operators.',
  ),
  at: time,
  amount: money('Before the fee; below zero it left the wallet. PKR.'),
  fee: money('What was kept of it, PKR.'),
  walletChange: money('`amount` less `fee`: what the wallet balance moved by.'),
  frozenChange: money('What the frozen balance moved by.'),
  walletBalance: money('After it. What open withdrawals reserve is part of it.'),
  frozenBalance: money('After it.'),
  orderId: orNull(Type.String()),
  orderReference: orNull(Type.String()),
  orderType: orNull(ORDER_TYPE),
  currency: orNull(namedEnum('Currency', CURRENCIES, 'Of the order; null: an adjustment.')),
  orderAmount: orNull(money('In the currency of the order.')),
  orderFee: orNull(money('In the currency of the order; null: no fee applies.')),
  rate: orNull(factor('PKR per unit of that currency, fixed when the order was accepted.')),
  note: orNull(Type.String({ description: 'Why an operator adjusted it.' })),
});

export const MOVEMENT_TIMES = {
  from: optional(
    Type.String({
      maxLength: 40,
      description:
        'Moved at this time or later, ISO 8601. A date is the beginning of that day in the merchant’s time zone.',
    }),
  ),
  to: optional(
    Type.String({ maxLength: 40, description: 'Moved before this time, written the same way.' }),
  ),
};

export const STATEMENT_FILE = csvFile(
  'The oldest first: the balances of the last row are those at the end of the time.',
);

export const LIST_WALLET_MOVEMENTS = endpoint('GET /merchants/:merchantId/movements', {
  summary: "List what moved a merchant's wallet",
  needs: 'read',
  querystring: strictObject({ ...MOVEMENT_TIMES, ...PAGE }),
  answer: listOf(WalletMovementView, 'The newest first, each with the balances after it.'),
  refusals: ['too-slow'],
});

export const EXPORT_WALLET_MOVEMENTS = endpoint('GET /merchants/:merchantId/movements.csv', {
  summary: 'The same as a CSV file',
  needs: 'read',
  querystring: strictObject(MOVEMENT_TIMES),
  answer: STATEMENT_FILE,
  refusals: ['too-slow'],
});
