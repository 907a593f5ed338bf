import {
  type Currency,
  formatFactor,
  money,
  type Order,
  type OrderType,
  parseFactor,
  type Status,
  type WalletType,
} from '@munshi/core';
import type { Kind } from '../../platform/database/columns.ts';
import { blankOf, copyLine, plainArray, textArray } from '../../platform/database/pipeline.ts';
import { numeric, time } from '../../platform/database/rows.ts';

/** A row as the driver gives it: numeric as text, timestamps as milliseconds, bytea as a Buffer. */
type Raw = Record<string, unknown>;

interface Column {
  readonly name: string;
  readonly sqlType: string;
  readonly property: keyof Order;
  /** Written again when the order changes; the rest is fixed at creation. */
  readonly changes: boolean;
  read(value: unknown): unknown;
  /** To a field of a copied line, or an element of an array; undefined is null. */
  write(value: never): unknown;
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const same = (value: unknown) => value;
const orUndefined = (value: unknown) => value ?? undefined;

const kinds = {
  uuid: { sqlType: 'uuid', read: same, write: orUndefined },
  text: { sqlType: 'text', read: same, write: orUndefined },
  int: { sqlType: 'integer', read: same, write: same },
  uuids: {
    sqlType: 'uuid[]',
    read: (value: unknown) => value ?? [],
    write: (value: readonly string[]) => (value.length === 0 ? undefined : plainArray(value)),
  },
  money: {
    sqlType: 'numeric',
    read: (value: unknown) => (value === null ? null : money(value as string)),
    write: (value: bigint | null) => (value === null ? undefined : numeric(value)),
  },
  factor: {
    sqlType: 'numeric',
    read: (value: unknown) => parseFactor(value as string),
    write: (value: bigint) => formatFactor(value),
  },
  time: {
    sqlType: 'timestamptz',
    read: same,
    write: (value: number | null) => time(value) ?? undefined,
  },
  bytes: {
    sqlType: 'bytea',
    read: (value: unknown) => (value === null ? null : (value as Buffer).toString('hex')),
    write: (value: string | null) => (value === null ? undefined : `\\x${value}`),
  },
};

const fixed = (kind: keyof typeof kinds, ...properties: (keyof Order)[]): Column[] =>
  columnsOf(kind, properties, false);
const changing = (kind: keyof typeof kinds, ...properties: (keyof Order)[]): Column[] =>
  columnsOf(kind, properties, true);
const columnsOf = (
  kind: keyof typeof kinds,
  properties: (keyof Order)[],
  changes: boolean,
): Column[] =>
  properties.map((property) => ({
    ...(kinds[kind] as Omit<Column, 'name' | 'property' | 'changes'>),
    name: snakeCase(property),
    property,
    changes,
  }));

/**
 * Empty at creation and left to their defaults then: to name them there would cost a third of the
 * insert.
 */
const LATER: readonly Column[] = [
  ...changing(
    'text',
    'payerAccount',
    'transactionDigits',
    'memberTransactionReference',
    'failureReason',
    'reasonCode',
  ),
  ...changing('uuids', 'formerMemberIds'),
  ...changing('int', 'reassignments', 'moves', 'methodSwitches'),
  ...changing('time', 'sentAt', 'completedAt', 'rejectedAt', 'failedAt', 'cancelledAt'),
];

/** The orders table, column by column: the one mapping by which orders are read and written. */
const COLUMNS: readonly Column[] = [
  ...fixed('uuid', 'merchantId', 'orderId', 'apiKeyId'),
  ...fixed(
    'text',
    'orderReference',
    'idempotencyKey',
    'orderType',
    'currency',
    'merchantOrderRef',
    'customerReference',
  ),
  ...fixed(
    'text',
    'callbackUrl',
    'successUrl',
    'failureUrl',
    'metadata',
    'pageOrigin',
    'createdStatus',
  ),
  ...fixed('bytes', 'signatureDigest', 'termsDigest'),
  ...fixed('money', 'amount'),
  ...fixed('factor', 'rate'),
  ...fixed('int', 'txnRefDigitsRequired', 'maxRetryCount'),
  ...fixed('time', 'createdAt', 'expiresAt', 'awaitingAt'),
  ...changing(
    'text',
    'walletType',
    'status',
    'liveReference',
    'customerAccountNumber',
    'customerAccountName',
  ),
  ...changing('money', 'fee', 'settlementAmount', 'floatAmount'),
  ...changing('uuid', 'memberId', 'accountId'),
  ...changing('time', 'assignedAt', 'holderSince', 'dueAt'),
  ...LATER,
];

const CREATED = COLUMNS.filter((column) => !LATER.includes(column));
const CHANGING = COLUMNS.filter(({ changes }) => changes);
const UPDATED = [
  ...COLUMNS.filter(({ property }) => property === 'merchantId' || property === 'orderId'),
  ...CHANGING,
];

export const orderColumns = (alias: string) =>
  COLUMNS.map(({ name }) => `${alias}.${name}`).join(', ');

/**
 * New orders, copied in as lines: half the time of an insert from JSON, in which every row repeats
 * the names of its columns.
 */
export const COPY_ORDERS = `copy orders (${CREATED.map(({ name }) => name).join(', ')}) from stdin`;

/**
 * `unnest` would take an array of arrays apart: lists of ids are given as text, and not cast, which
 * Citus takes for something that a setting may change.
 */
const arrayOf = ({ sqlType }: Column) => (sqlType === 'uuid[]' ? 'text[]' : `${sqlType}[]`);
const assignment = ({ name, sqlType }: Column) =>
  sqlType === 'uuid[]'
    ? `${name} = string_to_array(btrim(row.${name}, '{}'), ',')::uuid[]`
    : `${name} = row.${name}`;

/**
 * Changes of orders, locked before, from one array for each column, of which the second is the ids:
 * from JSON every row repeats the names of its columns.
 */
export const UPDATE_ORDERS = `update orders
     set ${CHANGING.map(assignment).join(',\n       ')}
     from unnest(${UPDATED.map((column, at) => `$${at + 1}::${arrayOf(column)}`).join(', ')})
       as row (${UPDATED.map(({ name }) => name).join(', ')})
     where orders.order_id = row.order_id and orders.order_id = any($2::uuid[])`;

/** Columns of orders, for a read that does not need them all. */
export const ofOrder = <Property extends keyof Order>(properties: readonly Property[]) =>
  Object.fromEntries(
    COLUMNS.filter(({ property }) => (properties as readonly string[]).includes(property)).map(
      ({ name, sqlType, property, read }) => [
        property,
        { sql: name, sqlType: TYPES[sqlType] ?? sqlType, ...(read !== same && { read }) },
      ],
    ),
  ) as unknown as { readonly [One in Property]: Kind<Order[One]> };

/** As `format_type` has them. */
const TYPES: Readonly<Record<string, string>> = { timestamptz: 'timestamp with time zone' };

const BLANK = blankOf(COLUMNS.map(({ property }) => property));

export function readOrder(row: Raw): Order {
  const order: Record<string, unknown> = { ...BLANK };
  for (const { name, property, read } of COLUMNS) order[property] = read(row[name]);
  return order as unknown as Order & {
    orderType: OrderType;
    walletType: WalletType;
    currency: Currency;
    status: Status;
  };
}

/** A new order as a line of COPY_ORDERS. */
export const orderLine = (order: Order) =>
  copyLine(
    CREATED.map(
      ({ property, write }) => write(order[property] as never) as string | number | undefined,
    ),
  );
/**
 * Changed orders as the arrays of UPDATE_ORDERS. A column without any value is an empty array,
 * which `unnest` fills with nulls.
 */
export const updateArrays = (orders: readonly Order[]): readonly string[] =>
  UPDATED.map(({ property, sqlType, write }) => {
    const elements = orders.map(
      (order) => (write(order[property] as never) ?? null) as string | null,
    );
    if (elements.every((element) => element === null)) return '{}';
    return sqlType === 'text' || sqlType === 'uuid[]' ? textArray(elements) : plainArray(elements);
  });
