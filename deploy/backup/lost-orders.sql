-- What merchants and members knew of the orders that were made or moved since :moment, as one text
-- of JSON. It is asked in the database of before; found-orders.sql compares it with the restored.
select coalesce(json_agg(l order by l.merchant, l.order_id), '[]')
from (
  select m.name as merchant, o.merchant_id, o.order_id, o.order_reference, o.api_key_id,
    o.idempotency_key, o.merchant_order_ref, o.order_type, o.wallet_type, o.amount::text, o.currency,
    o.status as last_told, o.created_at, n.at as last_moved_at, d.event_type as last_webhook,
    p.username as member
  from (select :'moment'::timestamptz - interval '5 seconds' as since) s
  join orders o on o.created_at >= s.since
    or o.order_id in (select w.order_id from order_moves w where w.at >= s.since)
  join merchants m on m.merchant_id = o.merchant_id
  left join members p on p.member_id = o.member_id
  left join lateral (
    select w.at from order_moves w where w.order_id = o.order_id order by w.number desc limit 1
  ) n on true
  left join lateral (
    select e.event_type from deliveries e where e.order_id = o.order_id order by e.sequence desc limit 1
  ) d on true
) l;
