import type { Order } from '@munshi/core';
import type pg from 'pg';
import { bytesArray, runPipeline, textArray } from '../platform/database/pipeline.ts';
import type { Row } from '../platform/database/rows.ts';
import { statement } from '../platform/database/statement.ts';

/** What the status endpoints answer from. Amounts and times are the text of the answer. */
export interface OrderStatus
  extends Pick<
    Order,
    'orderId' | 'orderReference' | 'orderType' | 'currency' | 'status' | 'merchantOrderRef'
  > {
  readonly amount: string;
  readonly fee: string | null;
  readonly createdAt: string;
  readonly awaitingAt: string | null;
  readonly assignedAt: string | null;
  readonly sentAt: string | null;
  readonly completedAt: string | null;
  readonly rejectedAt: string | null;
  readonly failedAt: string | null;
  readonly cancelledAt: string | null;
}

/** Amounts and times as the texts that they are answered as. */
const COLUMNS = `x.order_id, x.order_reference, x.merchant_order_ref, x.order_type, x.currency,
     x.status, trim_scale(x.amount) as amount, trim_scale(x.fee) as fee, x.created_at::text,
     x.awaiting_at::text, x.assigned_at::text, x.sent_at::text, x.completed_at::text,
     x.rejected_at::text, x.failed_at::text, x.cancelled_at::text`;

const readStatus = (row: Row): OrderStatus => ({
  orderId: row['order_id'],
  orderReference: row['order_reference'],
  merchantOrderRef: row['merchant_order_ref'],
  orderType: row['order_type'],
  currency: row['currency'],
  status: row['status'],
  amount: row['amount'],
  fee: row['fee'],
  createdAt: isoText(row['created_at']),
  awaitingAt: optionalIsoText(row['awaiting_at']),
  assignedAt: optionalIsoText(row['assigned_at']),
  sentAt: optionalIsoText(row['sent_at']),
  completedAt: optionalIsoText(row['completed_at']),
  rejectedAt: optionalIsoText(row['rejected_at']),
  failedAt: optionalIsoText(row['failed_at']),
  cancelledAt: optionalIsoText(row['cancelled_at']),
});

/**
 * ISO 8601 of a time as Postgres writes it, which leaves zeros out at the end: `2026-01-31
 * 09:30:00.12+00`.
 */
const isoText = (text: string) =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
const optionalIsoText = (text: string | null) => (text === null ? null : isoText(text));

/** Which order: by its id, its reference, or the latest with the merchant's reference. */
export interface StatusQuestion {
  readonly apiKeyHash: string;
  readonly by: 'orderId' | 'orderReference' | 'merchantOrderRef';
  readonly value: string;
}

/** The key is checked by the statement that reads (merchant-api.md#authentication). */
export type StatusAnswer = 'key-not-active' | 'not-found' | OrderStatus;

/** Joins the order `x` to the question q and its key k. */
const statusBy = (by: StatusQuestion['by'], join: string) =>
  statement(
    `status-${by}`,
    `select k.merchant_id is not null and k.revoked_at is null as active,
     x.merchant_id = k.merchant_id as found,
     ${COLUMNS}
   from unnest($1::bytea[], $2::text[]) with ordinality as q (key_hash, value, n)
   left join api_keys k on k.key_hash = q.key_hash and k.key_hash = any($1::bytea[])
   left join ${join}
   order by q.n`,
  );

const STATUS_BY = {
  orderId: statusBy(
    'orderId',
    `orders x on x.order_id = q.value::uuid and x.order_id = any($2::text[]::uuid[])`,
  ),
  orderReference: statusBy(
    'orderReference',
    `orders x on x.order_reference = q.value and x.order_reference = any($2::text[])`,
  ),
  // The one created last of those that have the reference and those that had it.
  merchantOrderRef: statusBy(
    'merchantOrderRef',
    `lateral (
     select *
     from (
       (
         select * from orders o
         where o.live_reference = q.value and o.merchant_id = k.merchant_id
         limit 1
       )
       union all
       (
         select * from orders o
         where o.merchant_order_ref = q.value
           and o.merchant_id = k.merchant_id
           and o.live_reference is null
         order by o.created_at desc, o.order_id desc
         limit 1
       )
     ) o
     order by o.created_at desc, o.order_id desc
     limit 1
   ) x on true`,
  ),
};

/** Answers many status questions, one statement for each way of asking. */
export async function readStatuses(
  lane: pg.Client,
  questions: readonly StatusQuestion[],
): Promise<readonly StatusAnswer[]> {
  const answers: StatusAnswer[] = [];
  const groups = [...Map.groupBy(questions.keys(), (at) => (questions[at] as StatusQuestion).by)];
  const found = await runPipeline(
    lane,
    groups.map(([by, positions]) => {
      const asked = positions.map((at) => questions[at] as StatusQuestion);
      const values = [
        bytesArray(asked.map(({ apiKeyHash }) => apiKeyHash)),
        textArray(asked.map(({ value }) => value)),
      ];
      return { ...STATUS_BY[by], values };
    }),
  );
  groups.forEach(([, positions], group) => {
    positions.forEach((at, n) => {
      const row = found[group]?.[n] as Row;
      if (!row['active']) answers[at] = 'key-not-active';
      else answers[at] = row['found'] ? readStatus(row) : 'not-found';
    });
  });
  return answers;
}
