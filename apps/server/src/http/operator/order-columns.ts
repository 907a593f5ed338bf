import { formatMoney, isoTime, stageOf } from '@munshi/core';
import type { ListedOrder } from '../../storage/order-list.ts';
import type { CsvColumns } from '../csv.ts';

/** The columns of orders as CSV, by their header: amounts exact, times UTC. */
export const ORDER_COLUMNS: CsvColumns<ListedOrder> = {
  orderId: ({ orderId }) => orderId,
  orderReference: ({ orderReference }) => orderReference,
  merchantId: ({ merchantId }) => merchantId,
  merchantName: ({ merchantName }) => merchantName,
  merchantOrderRef: ({ merchantOrderRef }) => merchantOrderRef,
  customerReference: ({ customerReference }) => customerReference,
  orderType: ({ orderType }) => orderType,
  walletType: ({ walletType }) => walletType,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => formatMoney(amount),
  fee: ({ fee }) => (fee === null ? null : formatMoney(fee)),
  status: ({ status }) => status,
  stage: stageOf,
  memberId: ({ memberId }) => memberId,
  memberName: ({ memberName }) => memberName,
  createdAt: ({ createdAt }) => isoTime(createdAt),
  assignedAt: ({ assignedAt }) => isoTime(assignedAt),
  sentAt: ({ sentAt }) => isoTime(sentAt),
  completedAt: ({ completedAt }) => isoTime(completedAt),
  failedAt: ({ failedAt }) => isoTime(failedAt),
  cancelledAt: ({ cancelledAt }) => isoTime(cancelledAt),
  expiresAt: ({ expiresAt }) => isoTime(expiresAt),
  dueAt: ({ dueAt }) => isoTime(dueAt),
  failureReason: ({ failureReason }) => failureReason,
};
