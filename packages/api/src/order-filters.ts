import { CURRENCIES, ORDER_TYPES, STAGES, STATUSES, WALLET_TYPES } from '@munshi/core';
import Type from 'typebox';
import { csvFile, optional } from './schemas.ts';

/** By what lists of orders are filtered, whoever asks. */

const several = <T extends string>(values: readonly T[]) =>
  optional(Type.Array(Type.Enum([...values], { type: 'string' }), { maxItems: 20 }));
export const instantFilter = (description: string) =>
  optional(Type.String({ maxLength: 40, description: `${description}, ISO 8601.` }));
const exactAmount = (description: string) =>
  optional(Type.String({ pattern: '^\\d{1,14}(\\.\\d{1,4})?$', description }));

export const ORDER_FILTERS = {
  status: several(STATUSES),
  stage: several(STAGES),
  orderType: optional(Type.Enum([...ORDER_TYPES], { type: 'string' })),
  walletType: several(WALLET_TYPES),
  currency: several(CURRENCIES),
  from: instantFilter('Created at this time or later'),
  to: instantFilter('Created before this time'),
  amountFrom: exactAmount('Of this amount or more, in the order’s currency.'),
  amountTo: exactAmount('Of this amount or less.'),
};

/** All orders of the filters as a file. */
export const ORDERS_FILE = csvFile(
  'All that the filters find, the newest first, each as it was when its row was read.',
);
