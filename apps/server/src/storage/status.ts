import { type Instant, type Money, money, type Order } from '@munshi/core';
import type pg from 'pg';
import { bytesArray, fly, textArray } from './flight.ts';
import { partOfOrder } from './order-row.ts';
import type { Row } from './rows.ts';

/** What the status endpoints answer from. */
export type OrderStatus = Pick<Order, (typeof STATUS_PROPERTIES)[number]>;

const STATUS_PROPERTIES = [
  'orderId',
  'orderReference',
  'orderType',
  'amount',
  'currency',
  'fee',
  'status',
  'merchantOrderRef',
  'createdAt',
  'awaitingAt',
  'assignedAt',
  'sentAt',
  'completedAt',
  'rejectedAt',
  'failedAt',
  'cancelledAt',
] as const satisfies readonly (keyof Order)[];

const part = partOfOrder('o', STATUS_PROPERTIES);

/** Which order: by its id, its reference, or the latest with the merchant's reference. */
export interface StatusQuestion {
  readonly apiKeyHash: string;
  readonly by: 'orderId' | 'orderReference' | 'merchantOrderRef';
  readonly value: string;
}

/** The key is checked by the statement that reads (D25). */
export type StatusAnswer = 'key-not-active' | 'not-found' | OrderStatus;

const select = (order: string) => `select k.merchant_id, k.revoked_at, ${part.list}
  from unnest($1::bytea[], $2::text[]) with ordinality as q (key_hash, value, n)
  left join api_keys k on k.key_hash = q.key_hash
  left join lateral (${order}) o on true order by q.n`;

const STATEMENTS = {
  orderId: select('select * from orders x where x.merchant_id = k.merchant_id and x.order_id = q.value::uuid limit 1'),
  orderReference: select('select * from orders x where x.order_reference = q.value and (x.merchant_id = k.merchant_id) is true limit 1'),
  // The one created last of those that have the reference and those that had it.
  merchantOrderRef: select(`select * from (
      (select * from orders x where x.live_reference = q.value and (x.merchant_id = k.merchant_id) is true limit 1)
      union all
      (select * from orders x where x.merchant_order_ref = q.value and x.merchant_id = k.merchant_id and x.live_reference is null
        order by x.created_at desc, x.order_id desc limit 1)) x
    order by x.created_at desc, x.order_id desc limit 1`),
};

/** Answers many status questions, one statement for each way of asking. */
export async function readStatuses(lane: pg.Client, questions: readonly StatusQuestion[]): Promise<readonly StatusAnswer[]> {
  const answers: StatusAnswer[] = [];
  const groups = [...Map.groupBy(questions.keys(), (at) => (questions[at] as StatusQuestion).by)];
  const found = await fly(
    lane,
    groups.map(([by, positions]) => {
      const asked = positions.map((at) => questions[at] as StatusQuestion);
      const values = [bytesArray(asked.map(({ apiKeyHash }) => apiKeyHash)), textArray(asked.map(({ value }) => value))];
      return { name: `status-${by}`, text: STATEMENTS[by], values };
    }),
  );
  groups.forEach(([, positions], group) => {
    positions.forEach((at, n) => {
      const row = found[group]?.[n] as Row;
      if (row['merchant_id'] === null || row['revoked_at'] !== null) answers[at] = 'key-not-active';
      else answers[at] = row['order_id'] === null ? 'not-found' : part.read(row);
    });
  });
  return answers;
}

export interface BalanceQuestion {
  readonly apiKeyHash: string;
  readonly askedAt: Instant;
}

/** `revoked-meanwhile`: the key was active when the request came (D25). */
export type BalanceAnswer = 'key-not-active' | 'revoked-meanwhile' | { readonly balance: Money; readonly reserved: Money; readonly frozen: Money };

const BALANCES = `select k.merchant_id, k.revoked_at, w.balance, w.reserved, w.frozen
  from unnest($1::bytea[]) with ordinality as q (key_hash, n)
  left join api_keys k on k.key_hash = q.key_hash
  left join merchant_wallets w on w.merchant_id = k.merchant_id order by q.n`;

export async function readBalances(lane: pg.Client, questions: readonly BalanceQuestion[]): Promise<readonly BalanceAnswer[]> {
  const [rows = []] = await fly(lane, [{ name: 'balances', text: BALANCES, values: [bytesArray(questions.map(({ apiKeyHash }) => apiKeyHash))] }]);
  return rows.map((row, at): BalanceAnswer => {
    if (row['merchant_id'] === null) return 'key-not-active';
    if (row['revoked_at'] !== null) return row['revoked_at'] >= (questions[at] as BalanceQuestion).askedAt ? 'revoked-meanwhile' : 'key-not-active';
    return { balance: money(row['balance']), reserved: money(row['reserved']), frozen: money(row['frozen']) };
  });
}
