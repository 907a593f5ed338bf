import { isoTime } from '@munshi/core';
import { type CsvColumns, valueCell } from '../platform/http/csv.ts';
import { howItEnded, WHAT_IS_ORDERED, WHICH_ORDER } from './columns.ts';
import type { ListedOrder } from './list.store.ts';

/** An order as operators export it, with its merchant and member. */
export const ORDER_COLUMNS: CsvColumns<ListedOrder> = {
  ...WHICH_ORDER,
  merchantId: ({ merchantId }) => merchantId,
  merchantName: ({ merchantName }) => merchantName,
  ...WHAT_IS_ORDERED,
  memberId: ({ memberId }) => memberId,
  memberName: ({ memberName }) => memberName,
  createdAt: ({ createdAt }) => valueCell(isoTime(createdAt)),
  assignedAt: ({ assignedAt }) => valueCell(isoTime(assignedAt)),
  sentAt: ({ sentAt }) => valueCell(isoTime(sentAt)),
  ...howItEnded(isoTime),
  dueAt: ({ dueAt }) => valueCell(isoTime(dueAt)),
  failureReason: ({ failureReason }) => failureReason,
};
