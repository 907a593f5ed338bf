-- What is deleted some time after orders are over, and their personal data masked (D214 to D217).

-- The key of the hashes that stand in place of the hashes of compared terms once an order is
-- masked: sealed, so that it can be sealed anew while the hashes stay.
create table terms_key (
  singleton boolean primary key default true check (singleton),
  sealed_key bytea not null,
  seal_key_id text not null,
  created_at timestamptz not null
);

-- What a day's work has removed of each kind, and how far it came: all up to this id, orders or
-- deliveries, but for those in retention_left.
create table retention_days (
  kind text not null check (kind in ('history', 'attempts', 'bodies', 'late-claims',
    'personal-data', 'sessions')),
  day date not null,
  through uuid not null,
  removed bigint not null default 0 check (removed >= 0),
  -- when the work had last come to its end
  finished_at timestamptz,
  primary key (kind, day)
);

-- What was passed over: its order was not over, or somebody waited for an answer about it.
create table retention_left (
  kind text not null,
  id uuid not null,
  primary key (kind, id)
);

alter table orders add column masked_at timestamptz;

alter table deliveries alter column body drop not null;
alter table deliveries add column body_removed_at timestamptz;
-- attempts that are not in delivery_attempts any more, and whether one of them was acknowledged
alter table deliveries add column attempts_removed smallint not null default 0;
alter table deliveries add column was_acknowledged boolean not null default false;

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
    from delivery_attempts a where a.delivery_id = d.delivery_id) made;

-- Steps of an order go when all of it is over, in a transaction that says so: nobody deletes them
-- by accident, their owner included.
create function refuse_deletion() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('munshi.removes', true), '') <> tg_table_name then
    raise exception '% is append-only', tg_table_name;
  end if;
  if not exists (
    select from orders
    where order_id = old.order_id
      and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
        'CancelledAuto', 'Confirmed')) then
    raise exception 'the order % is not over', old.order_id;
  end if;
  return old;
end $$;
drop trigger order_moves_append_only on order_moves;
create trigger order_moves_append_only before update on order_moves
  for each row execute function refuse_change();
create trigger order_moves_kept before delete on order_moves
  for each row execute function refuse_deletion();
