import { formatMoney, isoTime, stageOf } from '@munshi/core';
import type { ListedOrder } from '../storage/orders/order-list.ts';
import type { CsvColumns } from './csv.ts';

/** The columns that exports of orders share, by their header: amounts exact, times UTC. */

export const WHICH_ORDER = {
  orderId: ({ orderId }) => orderId,
  orderReference: ({ orderReference }) => orderReference,
} satisfies CsvColumns<ListedOrder>;

export const WHAT_IS_ORDERED = {
  merchantOrderRef: ({ merchantOrderRef }) => merchantOrderRef,
  customerReference: ({ customerReference }) => customerReference,
  orderType: ({ orderType }) => orderType,
  walletType: ({ walletType }) => walletType,
  currency: ({ currency }) => currency,
  amount: ({ amount }) => formatMoney(amount),
  fee: ({ fee }) => (fee === null ? null : formatMoney(fee)),
  status: ({ status }) => status,
  stage: stageOf,
} satisfies CsvColumns<ListedOrder>;

export const HOW_IT_ENDED = {
  completedAt: ({ completedAt }) => isoTime(completedAt),
  failedAt: ({ failedAt }) => isoTime(failedAt),
  cancelledAt: ({ cancelledAt }) => isoTime(cancelledAt),
  expiresAt: ({ expiresAt }) => isoTime(expiresAt),
} satisfies CsvColumns<ListedOrder>;
