import type { Instant, Status } from '@munshi/core';
import { ORDER } from '../engine/rows/order-row.ts';
import { only, t } from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import { time } from '../platform/database/rows.ts';
import { lockFor, readsAll, readsRow } from '../platform/database/statement.ts';

/** In these a member who plays themselves may act. */
const PLAYED: readonly Status[] = [
  'AwaitingMemberConfirmation',
  'AwaitingMemberPayout',
  'ManualReview',
  'Rejected',
];

/** Orders made since then of members who are not signed in. A sandbox has no index for them. */
export const findPlayed = readsAll(
  'find-played',
  `select ${ORDER.list}
   from orders o
   where o.order_id >= $1
     and o.status = any($2::text[])
     and not exists (
       select from sessions s
       where s.principal_id = o.member_id and s.expires_at > $3
     )
   order by o.order_id`,
  ORDER,
  ({ since, now }: { readonly since: Instant; readonly now: Instant }) => [
    firstIdOf(since),
    PLAYED,
    time(now),
  ],
);

export const hasMembers = readsRow(
  'has-members',
  `select exists (select from members) as found`,
  only('found', t.boolean),
  () => [],
);

/** Until the transaction ends no other process makes members of a sandbox. */
export const HOLD_MEMBERS = lockFor('hold-sandbox-members', `'munshi sandbox members'`);
