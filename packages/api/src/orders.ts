import { ORDER_SEARCH_KINDS } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  CURRENCY,
  csvFile,
  listOf,
  METHODS,
  namedEnum,
  namedObject,
  ORDER_TYPE,
  optional,
  orNull,
  STAGE,
  STATUS,
  time,
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

const KIND = namedEnum('OrderSearchKind', ORDER_SEARCH_KINDS);
export type SearchedView = Shown<typeof SearchedView>;
const SearchedView = namedObject('Searched', {
  inAll: Type.Array(KIND, { description: 'What `search` was looked for as in all orders.' }),
  inNewest: Type.Array(KIND, {
    description: 'In the newest 10,000 orders of the merchant and days.',
  }),
  newestFrom: orNull({
    ...time,
    description: 'When the first of the newest was created; null: they are all that there are.',
  }),
});

/** Orders, and what the text of the search was taken for. */
export function foundOrders<Row extends TSchema>(row: Row) {
  const { properties, ...named } = listOf(row, 'Orders, the newest first.');
  const searched = orNull(SearchedView);
  return Type.Object({ ...properties, searched }, named);
}
