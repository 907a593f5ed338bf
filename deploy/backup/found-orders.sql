-- Where the orders of :lost (the JSON of lost-orders.sql) are in the restored database, one row each.
-- A retry makes an order with another id, so an order is looked for by its API key and
-- Idempotency-Key and by its reference. Of several the one that has paid counts, then the one that
-- may pay yet: if one that failed counted, the order would be paid twice. The Idempotency-Key of
-- another API key comes last: a key that was issued since the moment is gone, and the merchant
-- retries with the one before.
select l.merchant, l.order_id, l.order_reference, l.idempotency_key, l.merchant_order_ref,
  l.order_type, l.wallet_type, l.amount, l.currency, l.last_told, coalesce(f.now, 'gone') as now,
  f.found_by, f.order_id as now_order_id, f.order_reference as now_order_reference,
  f.status as now_status, f.amount as now_amount, l.created_at, l.last_moved_at, l.last_webhook,
  l.member
from json_to_recordset(:'lost'::json) as l (
  merchant text, merchant_id uuid, order_id uuid, order_reference text, api_key_id uuid,
  idempotency_key text, merchant_order_ref text, order_type text, wallet_type text, amount text,
  currency text, last_told text, created_at timestamptz, last_moved_at timestamptz,
  last_webhook text, member text
)
left join lateral (
  select o.order_id, o.order_reference, o.status, o.amount, c.now,
    case when o.order_id = l.order_id then 'order id' else c.found_by end as found_by
  from (
    select 'Idempotency-Key' as found_by, k.order_id
    from orders k
    where k.idempotency_key = l.idempotency_key and k.api_key_id = l.api_key_id
    union all
    select 'reference', r.order_id
    from orders r
    where r.live_reference = l.merchant_order_ref and r.merchant_id = l.merchant_id
    union all
    select 'reference', r.order_id
    from orders r
    where r.merchant_order_ref = l.merchant_order_ref and r.merchant_id = l.merchant_id
      and r.live_reference is null
    union all
    select 'Idempotency-Key of another API key', k.order_id
    from orders k
    where k.idempotency_key = l.idempotency_key and k.merchant_id = l.merchant_id
      and k.api_key_id <> l.api_key_id
  ) g
  join orders o on o.order_id = g.order_id
  cross join lateral (
    select g.found_by,
      case
        when o.status = 'Completed' then 'completed'
        when o.status in ('Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto')
          then 'failed'
        else 'open'
      end as now
  ) c
  order by c.found_by = 'Idempotency-Key of another API key',
    array_position(array['completed', 'open', 'failed'], c.now),
    c.found_by, o.created_at desc, o.order_id desc
  limit 1
) f on true
order by l.merchant, l.order_id;
