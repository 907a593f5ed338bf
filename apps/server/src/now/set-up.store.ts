import { type Instant, SET_UP_ORDERS_MAX } from '@munshi/core';
import { answers, orNull, t } from '../platform/database/columns.ts';
import { FIRST_ID } from '../platform/database/first-id.ts';
import { time } from '../platform/database/rows.ts';
import { readsRow } from '../platform/database/statement.ts';

/** What a new installation has. Settled is an order of the first few. */
export const readFirst = readsRow(
  'read-first-of-each',
  `select (
       select merchant_id from merchants order by merchant_id limit 1
     ) as merchant_id,
     (
       select member_id from members order by member_id limit 1
     ) as member_id,
     exists (
       select from api_keys where revoked_at is null
     ) as has_key,
     exists (
       select from merchants where default_callback_url is not null
     ) as has_callback,
     exists (
       select from portal_users where status = 'active'
     ) as has_person,
     exists (
       select from member_accounts where status = 'approved'
     ) as has_account,
     exists (
       select from members where float_balance > 0
     ) as has_float,
     exists (
       select from fee_rules where valid_until is null or valid_until > $1
     ) as has_fee,
     orders.count as orders,
     orders.settled as has_settled
   from (
     select count(*)::integer, coalesce(bool_or(status = 'Completed'), false) as settled
     from (
       select status
       from orders
       where order_id >= '${FIRST_ID}'
       order by order_id
       limit ${SET_UP_ORDERS_MAX + 1}
     ) first
   ) orders`,
  answers({
    merchantId: orNull(t.uuid),
    memberId: orNull(t.uuid),
    hasKey: t.boolean,
    hasCallback: t.boolean,
    hasPerson: t.boolean,
    hasAccount: t.boolean,
    hasFloat: t.boolean,
    hasFee: t.boolean,
    orders: t.integer,
    hasSettled: t.boolean,
  }),
  (now: Instant) => [time(now)],
);
