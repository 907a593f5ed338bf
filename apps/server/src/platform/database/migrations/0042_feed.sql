-- no transaction
-- The feed of a merchant's outcomes (decision 33). Every outcome is a delivery; one of an order
-- without a callback URL is never due, and is in the feed alone.
alter table deliveries alter column url drop not null;

-- By the database's clock, while the transaction is under way. Null: from before the feed. A
-- default that came with its column would rewrite the table.
alter table deliveries add column if not exists recorded_at timestamptz;
alter table deliveries alter column recorded_at set default clock_timestamp();

-- The feed finds deliveries by their ids, which have the time of a process. One whose id is much
-- older than its row is found by this: of a process that stood still, or whose clock is behind.
-- Hardly any is in it.
create index concurrently deliveries_recorded_late on deliveries (merchant_id, recorded_at)
  where recorded_at - created_at > interval '10 seconds';

create or replace view delivery_states as
  select d.merchant_id, d.delivery_id, d.order_id, d.event_type, d.url, d.host, d.body,
    d.created_at, d.sequence, made.attempts, q.next_attempt_at, q.claim_token,
    case
      when q.delivery_id is not null then 'pending'
      when made.acknowledged then 'delivered'
      when d.abandoned then 'abandoned'
      when exists (
        select from deliveries newer
        where newer.order_id = d.order_id and newer.sequence > d.sequence) then 'superseded'
    end as status,
    d.body_removed_at, d.attempts_removed
  from deliveries d
  left join delivery_queue q on q.order_id = d.order_id and q.delivery_id = d.delivery_id
  cross join lateral (
    select count(*)::integer + d.attempts_removed as attempts,
      coalesce(bool_or(succeeded), false) or d.was_acknowledged as acknowledged
    from delivery_attempts a where a.delivery_id = d.delivery_id) made
  where d.url is not null;
