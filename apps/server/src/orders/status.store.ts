import type pg from 'pg';
import { ofOrder } from '../engine/rows/order-row.ts';
import {
  columns,
  from,
  type Kind,
  made,
  optional,
  orNull,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { bytesArray, runPipeline, textArray } from '../platform/database/pipeline.ts';
import { statement } from '../platform/database/statement.ts';

/**
 * ISO 8601 of a time as Postgres writes it, which leaves zeros out at the end: `2026-01-31
 * 09:30:00.12+00`.
 */
const isoText = (text: string) =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`;
/** Amounts and times are read as the text that they are answered as. */
const DECIMAL: Kind<string> = { sqlType: 'numeric' };
const timeOf = (column: string) => from(`x.${column}::text`, made(t.text, isoText));
const STATUS = columns('x', {
  ...ofOrder(['orderId', 'orderReference', 'merchantOrderRef', 'orderType', 'currency', 'status']),
  amount: from('trim_scale(x.amount)', DECIMAL),
  fee: from('trim_scale(x.fee)', orNull(DECIMAL)),
  createdAt: timeOf('created_at'),
  awaitingAt: orNull(timeOf('awaiting_at')),
  assignedAt: orNull(timeOf('assigned_at')),
  sentAt: orNull(timeOf('sent_at')),
  completedAt: orNull(timeOf('completed_at')),
  rejectedAt: orNull(timeOf('rejected_at')),
  failedAt: orNull(timeOf('failed_at')),
  cancelledAt: orNull(timeOf('cancelled_at')),
});
/** What the status endpoints answer from. */
export type OrderStatus = RecordOf<typeof STATUS>;

/** Which order: by its id, its reference, or the latest with the merchant's reference. */
export interface StatusQuestion {
  readonly apiKeyHash: string;
  readonly by: 'orderId' | 'orderReference' | 'merchantOrderRef';
  readonly value: string;
}

/** The key is checked by the statement that reads (merchant-api.md#authentication). */
export type StatusAnswer = 'key-not-active' | 'not-found' | OrderStatus;

const ANSWERED = columns('', {
  isActive: from('k.merchant_id is not null and k.revoked_at is null', t.boolean),
  isTheirs: from('x.merchant_id = k.merchant_id', orNull(t.boolean)),
  order: optional(STATUS, 'orderId'),
});

/** Joins the order `x` to the question q and its key k. */
const statusBy = (by: StatusQuestion['by'], join: string) =>
  statement(
    `status-${by}`,
    `select ${ANSWERED.list}
   from unnest($1::bytea[], $2::text[]) with ordinality as q (key_hash, value, n)
   left join api_keys k on k.key_hash = q.key_hash and k.key_hash = any($1::bytea[])
   left join ${join}
   order by q.n`,
    ANSWERED,
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

export interface StatusReader {
  status(question: StatusQuestion): Promise<StatusAnswer>;
}

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
      const answer = found[group]?.[n];
      if (!answer?.isActive) answers[at] = 'key-not-active';
      else answers[at] = (answer.isTheirs && answer.order) || 'not-found';
    });
  });
  return answers;
}
