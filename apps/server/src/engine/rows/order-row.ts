import type {
  Currency,
  MemberId,
  Order,
  OrderId,
  OrderType,
  ReasonCode,
  Status,
  WalletType,
} from '@munshi/core';
import {
  assignedFrom,
  columns,
  insertions,
  type Kind,
  type KindsOf,
  orNull,
  t,
  unnested,
} from '../../platform/database/columns.ts';
import { plainArray } from '../../platform/database/pipeline.ts';

/** Ids as an array that is null where there are none. */
const IDS: Kind<readonly string[]> = {
  sqlType: 'uuid[]',
  read: (ids) => (ids ?? []) as readonly string[],
  write: (ids) => (ids.length === 0 ? null : plainArray(ids)),
};

/** Fixed at creation. */
const FIXED = {
  merchantId: t.uuid,
  orderId: t.id<OrderId>(),
  apiKeyId: t.uuid,
  orderReference: t.text,
  idempotencyKey: t.text,
  orderType: t.oneOf<OrderType>(),
  currency: t.oneOf<Currency>(),
  merchantOrderRef: orNull(t.text),
  customerReference: orNull(t.text),
  callbackUrl: orNull(t.text),
  successUrl: orNull(t.text),
  failureUrl: orNull(t.text),
  metadata: orNull(t.text),
  pageOrigin: t.text,
  createdStatus: t.oneOf<Status>(),
  signatureDigest: orNull(t.hex),
  termsDigest: orNull(t.hex),
  amount: t.amount,
  rate: t.factor,
  txnRefDigitsRequired: t.integer,
  maxRetryCount: t.integer,
  createdAt: t.instant,
  expiresAt: t.instant,
  awaitingAt: orNull(t.instant),
} satisfies Partial<KindsOf<Order>>;

/** Written at creation, and again when the order changes. */
const CHANGING = {
  walletType: t.oneOf<WalletType>(),
  status: t.oneOf<Status>(),
  liveReference: orNull(t.text),
  customerAccountNumber: orNull(t.text),
  customerAccountName: orNull(t.text),
  fee: orNull(t.amount),
  settlementAmount: t.amount,
  floatAmount: t.amount,
  memberId: orNull(t.id<MemberId>()),
  accountId: orNull(t.uuid),
  assignedAt: orNull(t.instant),
  holderSince: orNull(t.instant),
  dueAt: orNull(t.instant),
} satisfies Partial<KindsOf<Order>>;

/**
 * Empty at creation and left to their defaults then: to name them there would cost a third of the
 * insert.
 */
const LATER = {
  payerAccount: orNull(t.text),
  transactionDigits: orNull(t.text),
  memberTransactionReference: orNull(t.text),
  failureReason: orNull(t.text),
  reasonCode: orNull(t.oneOf<ReasonCode>()),
  formerMemberIds: IDS,
  reassignments: t.integer,
  moves: t.integer,
  methodSwitches: t.integer,
  sentAt: orNull(t.instant),
  completedAt: orNull(t.instant),
  rejectedAt: orNull(t.instant),
  failedAt: orNull(t.instant),
  cancelledAt: orNull(t.instant),
} satisfies Partial<KindsOf<Order>>;

/** The orders table, column by column: the one mapping by which orders are read and written. */
const COLUMNS = { ...FIXED, ...CHANGING, ...LATER } satisfies KindsOf<Order>;

/** Whole orders, of a table named `o`. */
export const ORDER = columns('o', COLUMNS);

/** Columns of orders, for a read that does not need them all. */
export const ofOrder = <Property extends keyof Order>(properties: readonly Property[]) =>
  Object.fromEntries(properties.map((property) => [property, COLUMNS[property]])) as unknown as {
    readonly [One in Property]: Kind<Order[One]>;
  };

export const NEW_ORDERS = insertions('orders', { ...FIXED, ...CHANGING });

const CHANGED = { ...CHANGING, ...LATER };
const UPDATED = unnested({ orderId: t.uuid, ...CHANGED });

/** Changes of orders, locked before, from the arrays of `updateArrays`. */
export const UPDATE_ORDERS = `update orders
     set ${assignedFrom('row', CHANGED)}
     from ${UPDATED.rows}
     where orders.order_id = row.order_id and orders.order_id = any($1::uuid[])`;

export const updateArrays = UPDATED.arraysOf;
