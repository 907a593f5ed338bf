-- Orders that were made or moved since :moment, as their merchants and members knew them.
select m.name as merchant, o.order_id, o.order_reference, o.merchant_order_ref, o.order_type,
  o.wallet_type, o.amount, o.currency, o.status as last_told,
  o.created_at >= l.since as is_gone, o.created_at, n.at as last_moved_at,
  d.event_type as last_webhook, p.username as member
from (select :'moment'::timestamptz - interval '5 seconds' as since) l
join orders o on o.created_at >= l.since
  or o.order_id in (select w.order_id from order_moves w where w.at >= l.since)
join merchants m on m.merchant_id = o.merchant_id
left join members p on p.member_id = o.member_id
left join lateral (
  select w.at from order_moves w where w.order_id = o.order_id order by w.number desc limit 1) n on true
left join lateral (
  select d.event_type from deliveries d where d.order_id = o.order_id order by d.sequence desc limit 1) d on true
order by m.name, o.order_id;
