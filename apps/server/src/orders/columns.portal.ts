import { type CsvColumns, valueCell } from '../platform/http/csv.ts';
import { howItEnded, type TimeText, WHAT_IS_ORDERED, WHICH_ORDER } from './columns.ts';
import type { ListedOrder } from './list.store.ts';

/** An order as its merchant exports it, without anything of members. */
export const orderColumns = (time: TimeText): CsvColumns<ListedOrder> => ({
  ...WHICH_ORDER,
  ...WHAT_IS_ORDERED,
  createdAt: ({ createdAt }) => valueCell(time(createdAt)),
  ...howItEnded(time),
  failureReason: ({ failureReason }) => failureReason,
});
