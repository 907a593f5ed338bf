-- Which of an order's deliveries is the latest: they are written while the order is locked, so that the sequence is in the order of their
-- commits. Ids have the times of the processes that made them, whose clocks differ (D73). Older deliveries have no number and come before.
alter table deliveries add column sequence bigint;
create sequence deliveries_sequence owned by deliveries.sequence;
alter table deliveries alter column sequence set default nextval('deliveries_sequence');

-- Whether the first of two deliveries of an order is the newer one.
create function delivery_is_newer(sequence bigint, delivery_id uuid, than_sequence bigint, than_delivery_id uuid) returns boolean
  language sql immutable parallel safe
  return (coalesce(sequence, 0), delivery_id) > (coalesce(than_sequence, 0), than_delivery_id);

create or replace view delivery_states as
  select d.merchant_id, d.delivery_id, d.order_id, d.event_type, d.url, d.host, d.body, d.created_at, made.attempts, q.next_attempt_at, q.claim_token,
    case when q.delivery_id is not null then 'pending'
      when made.acknowledged then 'delivered'
      when d.abandoned then 'abandoned'
      when exists (select from deliveries newer
        where newer.order_id = d.order_id and newer.merchant_id = d.merchant_id
          and delivery_is_newer(newer.sequence, newer.delivery_id, d.sequence, d.delivery_id)) then 'superseded'
    end as status, d.sequence
  from deliveries d
  left join delivery_queue q on q.order_id = d.order_id and q.merchant_id = d.merchant_id and q.delivery_id = d.delivery_id
  cross join lateral (
    select count(*)::integer as attempts, coalesce(bool_or(succeeded), false) as acknowledged from delivery_attempts a
    where a.merchant_id = d.merchant_id and a.delivery_id = d.delivery_id) made;
