import Type, { type TSchema } from 'typebox';
import {
  CURRENCY,
  csvFile,
  METHODS,
  ORDER_TYPE,
  optional,
  STAGE,
  STATUS,
} from './contract/schemas.ts';

/** By what lists of orders are filtered, on every face. */

const several = <Choice extends TSchema>(choice: Choice) =>
  optional(Type.Array(choice, { maxItems: 20 }));
export const instantFilter = (description: string) =>
  optional(
    Type.String({
      maxLength: 40,
      description: `${description}, ISO 8601. A date is the start of that day.`,
    }),
  );
const exactAmount = (description: string) =>
  optional(Type.String({ pattern: '^\\d{1,14}(\\.\\d{1,4})?$', description }));

export const ORDER_FILTERS = {
  status: several(STATUS),
  stage: several(STAGE),
  orderType: optional(ORDER_TYPE),
  walletType: several(METHODS),
  currency: several(CURRENCY),
  from: instantFilter('Created at this time or later'),
  to: instantFilter('Created before this time'),
  amountFrom: exactAmount('Of this amount or more, in the order’s currency.'),
  amountTo: exactAmount('Of this amount or less.'),
};

/** All orders of the filters as a file. */
export const ORDERS_FILE = csvFile(
  'All that the filters find, the newest first, each as it was when its row was read.',
);
