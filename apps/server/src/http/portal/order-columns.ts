import { isoTime } from '@munshi/core';
import type { ListedOrder } from '../../storage/orders/order-list.ts';
import type { CsvColumns } from '../csv.ts';
import { HOW_IT_ENDED, WHAT_IS_ORDERED, WHICH_ORDER } from '../order-columns.ts';

/** An order as its merchant exports it, without anything of members. */
export const ORDER_COLUMNS: CsvColumns<ListedOrder> = {
  ...WHICH_ORDER,
  ...WHAT_IS_ORDERED,
  createdAt: ({ createdAt }) => isoTime(createdAt),
  ...HOW_IT_ENDED,
  failureReason: ({ failureReason }) => failureReason,
};
