import { type Instant, stageOf } from '@munshi/core';
import { amountCell, type CsvColumns, valueCell } from '../platform/http/csv.ts';
import type { ListedOrder } from './list.store.ts';

/** The columns that exports of orders share, by their header: amounts exact. */

/** A time as a file has it; null where there is none. */
export type TimeText = (at: Instant | null) => string | null;

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
  amount: ({ amount }) => amountCell(amount),
  fee: ({ fee }) => amountCell(fee),
  status: ({ status }) => status,
  stage: stageOf,
} satisfies CsvColumns<ListedOrder>;

export const howItEnded = (time: TimeText) =>
  ({
    completedAt: ({ completedAt }) => valueCell(time(completedAt)),
    failedAt: ({ failedAt }) => valueCell(time(failedAt)),
    cancelledAt: ({ cancelledAt }) => valueCell(time(cancelledAt)),
    expiresAt: ({ expiresAt }) => valueCell(time(expiresAt)),
  }) satisfies CsvColumns<ListedOrder>;
