import {
  hasSucceeded,
  type Money,
  type Order,
  payableAmount,
  transactionKey,
  usesCapacity,
} from '@munshi/core';
import type { LoadedRows } from './ledger/batch.ts';
import { createTable, pair } from './table.ts';

const holdsDeposit = (order: Order) =>
  order.orderType === 'Deposit' && order.accountId !== null && usesCapacity(order.status);

/**
 * The orders of a batch, and what they occupy: Idempotency-Keys, references, and accounts with an
 * open deposit of which some amount is payable.
 */
export function createOrders(rows: LoadedRows) {
  const loaded = createTable(rows.orders, ({ orderId }) => orderId);
  const created = new Map<string, Order>();
  const bound = new Map(
    rows.bound.map((order) => [pair(order.apiKeyId, order.idempotencyKey), order]),
  );
  const live = byReference(rows.live);
  const confirmedLate = byReference(rows.confirmedLate);
  const completed = new Map(
    rows.completed.map(({ accountId, transaction, orderReference }) => [
      pair(accountId, transaction),
      orderReference,
    ]),
  );
  /** How many open deposits each account has by what is payable. */
  const openDeposits = new Map<string, Map<Money, number>>();
  for (const { accountId, payable } of rows.depositsInHand) countDeposit(accountId, payable, 1);

  function countDeposit(accountId: string, payable: Money, by: number) {
    const counts = openDeposits.get(accountId) ?? new Map<Money, number>();
    openDeposits.set(accountId, counts.set(payable, (counts.get(payable) ?? 0) + by));
  }

  function leave(before: Order) {
    if (holdsDeposit(before)) countDeposit(before.accountId as string, payableAmount(before), -1);
    if (before.liveReference !== null) live.delete(pair(before.merchantId, before.liveReference));
  }

  function occupy(order: Order) {
    const { merchantId, merchantOrderRef, orderReference, liveReference } = order;
    const { accountId, memberTransactionReference: transaction } = order;
    if (accountId !== null && transaction !== null && hasSucceeded(order.status))
      completed.set(pair(accountId, transactionKey(transaction)), orderReference);
    if (holdsDeposit(order)) countDeposit(order.accountId as string, payableAmount(order), 1);
    if (liveReference !== null) live.set(pair(merchantId, liveReference), orderReference);
    else if (merchantOrderRef !== null && order.completedAt !== null)
      confirmedLate.set(pair(merchantId, merchantOrderRef), orderReference);
  }

  return {
    ...loaded,
    get: (orderId: string) => created.get(orderId) ?? loaded.get(orderId),
    boundTo: (keyId: string, idempotencyKey: string) => bound.get(pair(keyId, idempotencyKey)),
    /** The orderReference of the order that has a merchant's reference (decision 6). */
    holderOf: (merchantId: string, reference: string) =>
      live.get(pair(merchantId, reference)) ?? confirmedLate.get(pair(merchantId, reference)),
    completedBy: ({ accountId }: Pick<Order, 'accountId'>, transaction: string) =>
      accountId === null ? undefined : completed.get(pair(accountId, transaction)),
    hasOpenDeposit: (accountId: string, payable: Money) =>
      (openDeposits.get(accountId)?.get(payable) ?? 0) > 0,
    create(order: Order) {
      created.set(order.orderId, order);
      bound.set(pair(order.apiKeyId, order.idempotencyKey), order);
      occupy(order);
    },
    put(order: Order) {
      // Nobody knows an order's id before its batch is committed.
      if (created.has(order.orderId))
        throw new Error('an order cannot change in the batch that creates it');
      const before = loaded.get(order.orderId);
      if (before !== undefined) leave(before);
      occupy(order);
      loaded.put(order);
    },
    created: () => [...created.values()],
  };
}

const byReference = (holders: LoadedRows['live']) =>
  new Map(
    holders.map((holder) => [pair(holder.merchantId, holder.reference), holder.orderReference]),
  );
