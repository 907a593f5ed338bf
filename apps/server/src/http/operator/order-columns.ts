import { isoTime } from '@munshi/core';
import type { ListedOrder } from '../../storage/orders/order-list.ts';
import type { CsvColumns } from '../csv.ts';
import { howItEnded, WHAT_IS_ORDERED, WHICH_ORDER } from '../order-columns.ts';

/** An order as operators export it, with its merchant and member. */
export const ORDER_COLUMNS: CsvColumns<ListedOrder> = {
  ...WHICH_ORDER,
  merchantId: ({ merchantId }) => merchantId,
  merchantName: ({ merchantName }) => merchantName,
  ...WHAT_IS_ORDERED,
  memberId: ({ memberId }) => memberId,
  memberName: ({ memberName }) => memberName,
  createdAt: ({ createdAt }) => isoTime(createdAt),
  assignedAt: ({ assignedAt }) => isoTime(assignedAt),
  sentAt: ({ sentAt }) => isoTime(sentAt),
  ...howItEnded(isoTime),
  dueAt: ({ dueAt }) => isoTime(dueAt),
  failureReason: ({ failureReason }) => failureReason,
};
