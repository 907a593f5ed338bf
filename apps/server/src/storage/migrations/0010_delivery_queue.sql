-- What changes about a delivery leaves its row: a claim and a record wrote the whole of it anew, body, URL and index entries, of
-- which they change nothing. An order has one row in the queue while it has something to tell: its newest delivery. A newer event
-- takes that place, so the retries of the older one are over; a claim holds the place, so two of one order are never on their way.
create table delivery_queue (
  order_id uuid not null,
  merchant_id uuid not null,
  delivery_id uuid not null,
  -- of the delivery, so that what is due of each destination is found here
  host text not null,
  next_attempt_at timestamptz not null,
  -- made so far
  attempts smallint not null default 0,
  -- an operator asked for the next attempt (retry-now): it does not wait for the minute, and may be beyond the tenth
  requested boolean not null default false,
  claim_token uuid,
  claimed_until timestamptz,
  primary key (order_id, merchant_id)
) with (fillfactor = 75); -- room for the claim beside the row it is made of: claims touch no index

insert into delivery_queue (order_id, merchant_id, delivery_id, host, next_attempt_at, attempts, requested)
  select distinct on (order_id, merchant_id) order_id, merchant_id, delivery_id, host, next_attempt_at, attempts, requested
  from deliveries where status = 'pending' order by order_id, merchant_id, delivery_id desc;
-- the destinations that have something waiting are found by skipping through it, and what is due of each in order of time
create index delivery_queue_due on delivery_queue (host, next_attempt_at);

-- given up after the last attempt, until an operator asks for one more
alter table deliveries add column abandoned boolean not null default false;
update deliveries set abandoned = true where status = 'abandoned';
alter table deliveries drop column status, drop column attempts, drop column next_attempt_at, drop column requested,
  drop column claim_token, drop column claimed_until, reset (fillfactor);
create index deliveries_abandoned on deliveries (merchant_id, host) where abandoned;

-- How each delivery stands, from what is written of it. A null status is a delivery that was lost: the checker looks for it.
create view delivery_states as
  select d.merchant_id, d.delivery_id, d.order_id, d.event_type, d.url, d.host, d.body, d.created_at, made.attempts, q.next_attempt_at, q.claim_token,
    case when q.delivery_id is not null then 'pending'
      when made.acknowledged then 'delivered'
      when d.abandoned then 'abandoned'
      when exists (select from deliveries newer
        where newer.order_id = d.order_id and newer.merchant_id = d.merchant_id and newer.delivery_id > d.delivery_id) then 'superseded'
    end as status
  from deliveries d
  left join delivery_queue q on q.order_id = d.order_id and q.merchant_id = d.merchant_id and q.delivery_id = d.delivery_id
  cross join lateral (
    select count(*)::integer as attempts, coalesce(bool_or(succeeded), false) as acknowledged from delivery_attempts a
    where a.merchant_id = d.merchant_id and a.delivery_id = d.delivery_id) made;
