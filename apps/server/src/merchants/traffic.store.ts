import type { Instant } from '@munshi/core';
import {
  answers,
  columns,
  from,
  type Kind,
  type RecordFrom,
  t,
  unnested,
} from '../platform/database/columns.ts';
import { FIRST_ID, firstIdOf } from '../platform/database/first-id.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  execute,
  lists,
  type Page,
  readsAll,
  statement,
  writes,
} from '../platform/database/statement.ts';

/** When keys were last used, and which requests of merchants were refused. */

/** SHA-256 of a key, in hex. */
const BY_KEY = { apiKeyHash: from('hash', t.hex) };
const OWN_KEY = 'join api_keys k on k.key_hash = row.hash and k.key_hash = any($1::bytea[])';

const USE = { ...BY_KEY, at: t.instant, address: t.text };
export type KeyUse = RecordFrom<typeof USE>;
const USES = unnested(USE);

/** Writes the last uses of these keys; unknown keys are nobody's. */
export const putKeyUses = writes(
  'put-key-uses',
  `insert into api_key_uses as u (key_id, last_used_at, address)
   select k.key_id, row.at, row.address
   from ${USES.rows}
   ${OWN_KEY}
   order by k.key_id
   on conflict (key_id) do update
   set last_used_at = excluded.last_used_at,
     address = excluded.address
   where u.last_used_at < excluded.last_used_at`,
  (uses: readonly KeyUse[]) => [...USES.arraysOf(uses)],
);

const REFUSAL = {
  refusedId: t.uuid,
  at: t.instant,
  method: t.text,
  path: t.text,
  status: t.integer,
  code: t.text,
  address: t.text,
};
/** A refused request, without anything of its body or of its headers. */
const REFUSED = columns('', {
  ...REFUSAL,
  /** The fields that were wrong, where one was. */
  fields: t.listOf<string>(),
  keyPrefix: t.text,
});

const NOTED = {
  ...BY_KEY,
  ...REFUSAL,
  /** As JSON: `unnest` would take the lists apart. */
  fields: { sqlType: 'json', write: (fields) => JSON.stringify(fields) } as Kind<readonly string[]>,
};
export type NotedRefusal = RecordFrom<typeof NOTED>;
const REFUSALS = unnested(NOTED);

const insertRefused = readsAll(
  'insert-refused-requests',
  `insert into refused_requests (
     refused_id, merchant_id, at, method, path, status, code, fields, key_prefix, address
   )
   select row.refused_id, k.merchant_id, row.at, row.method, row.path, row.status, row.code,
     array(select json_array_elements_text(row.fields)), k.prefix, row.address
   from ${REFUSALS.rows}
   ${OWN_KEY}
   returning merchant_id`,
  answers({ merchantId: t.uuid }),
  (refused: readonly NotedRefusal[]) => [...REFUSALS.arraysOf(refused)],
);
const FORGET_OLDER = statement(
  'forget-older-refused-requests',
  `delete from refused_requests r
   using unnest($1::uuid[]) as m (merchant_id)
   where r.merchant_id = m.merchant_id
     and r.merchant_id = any($1::uuid[])
     and r.refused_id < (
       select newest.refused_id
       from refused_requests newest
       where newest.merchant_id = m.merchant_id
       order by newest.refused_id desc
       offset $2
       limit 1
     )`,
);

/**
 * Writes refused requests, and forgets all but the newest `kept` of their merchants, whose ids it
 * answers.
 */
export async function putRefusedRequests(
  db: Queryable,
  refused: readonly NotedRefusal[],
  kept: number,
): Promise<readonly string[]> {
  const written = await insertRefused(db, refused);
  const merchants = [...new Set(written.map(({ merchantId }) => merchantId))];
  if (merchants.length > 0) await execute(db, FORGET_OLDER, [merchants, kept - 1]);
  return merchants;
}

const COUNT = {
  ...BY_KEY,
  /** Its beginning. */
  minute: t.instant,
  status: t.integer,
  code: t.text,
  count: t.integer,
};
/** How many requests were refused for one reason in one minute. */
export type RefusedCount = Omit<RecordFrom<typeof COUNT>, 'apiKeyHash'>;
const COUNTED = unnested(COUNT);

export const addRefusedCounts = writes(
  'count-refused-requests',
  `insert into refused_minutes as m (merchant_id, minute, status, code, count)
   select k.merchant_id, row.minute, row.status, row.code, sum(row.count)::integer
   from ${COUNTED.rows}
   ${OWN_KEY}
   group by 1, 2, 3, 4
   order by 1, 2, 3, 4
   on conflict (merchant_id, minute, status, code) do update
   set count = m.count + excluded.count`,
  (counts: readonly RecordFrom<typeof COUNT>[]) => [...COUNTED.arraysOf(counts)],
);

/** Of a merchant since a time, the newest first. */
export const listRefusedRequests = lists(
  'list-refused-requests',
  `select ${REFUSED.list}
   from refused_requests
   where merchant_id = $1
     and refused_id >= $2
     and ($3::uuid is null or refused_id < $3)
   order by refused_id desc
   limit $4`,
  REFUSED,
  ({
    merchantId,
    since,
    after,
    limit,
  }: Page & { readonly merchantId: string; readonly since: Instant }) => [
    merchantId,
    firstIdOf(since),
    after,
    limit,
  ],
);

/** Counts by minute or hour, the newest first. */
export const readRefusedCounts = readsAll(
  'refused-counts',
  `select date_trunc($4, minute, 'UTC') as from, status, code, sum(count)::integer as count
   from refused_minutes
   where merchant_id = $1
     and minute >= $2
     and minute < $3
   group by 1, 2, 3
   order by 1 desc, 2, 3
   limit $5`,
  answers({ from: t.instant, status: t.integer, code: t.text, count: t.integer }),
  (asked: {
    readonly merchantId: string;
    readonly from: Instant;
    readonly to: Instant;
    readonly per: 'minute' | 'hour';
    readonly limit: number;
  }) => [asked.merchantId, time(asked.from), time(asked.to), asked.per, asked.limit],
);

const FORGET_REQUESTS = statement(
  'forget-refused-requests-before',
  `delete from refused_requests
   where refused_id in (
     select refused_id
     from refused_requests
     where refused_id >= $1 and refused_id < $2
     order by refused_id
     limit $3
   )`,
);
const FORGET_COUNTS = statement(
  'forget-refused-counts-before',
  `delete from refused_minutes
   where (merchant_id, minute, status, code) in (
     select merchant_id, minute, status, code
     from refused_minutes
     where minute < $1
     order by minute
     limit $2
   )`,
);

/** Forgets what is older, at most `limit` of each; answers whether there is more. */
export async function forgetRefusedBefore(
  db: Queryable,
  before: Instant,
  limit: number,
): Promise<boolean> {
  const requests = await execute(db, FORGET_REQUESTS, [FIRST_ID, firstIdOf(before), limit]);
  const counts = await execute(db, FORGET_COUNTS, [time(before), limit]);
  return requests === limit || counts === limit;
}
