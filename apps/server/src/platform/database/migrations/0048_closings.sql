-- no transaction
-- Days and shifts that are closed (decision 35). A closing says where a stretch of the ledger ends;
-- its figures are stored when a second operator signs them.
create table if not exists closings (
  closing_id uuid primary key,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  status text not null default 'open' check (status in ('open', 'signed', 'discarded')),
  counted_by text not null,
  counted_name text not null,
  begun_at timestamptz not null,
  -- of the last count that was typed in
  counted_at timestamptz,
  -- who signed or discarded it
  decided_by text,
  decided_name text,
  decided_at timestamptz,
  note text,
  constraint closings_period check (starts_at < ends_at),
  constraint closings_decided check ((status = 'open') = (decided_by is null)
    and (decided_by is null) = (decided_at is null)),
  constraint closings_two_operators check (status <> 'signed' or decided_by <> counted_by)
);
create unique index if not exists closings_one_open on closings (status) where status = 'open';
create unique index if not exists closings_ends on closings (ends_at) where status = 'signed';

-- What the counter has typed in; kept apart, because it changes until the closing is signed.
create table if not exists closing_counts (
  closing_id uuid not null references closings,
  member_id uuid not null references members,
  -- null: the float could not be counted
  counted numeric(38, 4) check (counted >= 0),
  note text,
  primary key (closing_id, member_id),
  constraint closing_counts_explained check (counted is not null or note is not null)
);

-- Names are those of the day of signing.
create table if not exists closing_merchants (
  closing_id uuid not null references closings,
  merchant_id uuid not null references merchants,
  name text not null,
  opening numeric(38, 4) not null,
  deposits numeric(38, 4) not null,
  withdrawals numeric(38, 4) not null,
  fees numeric(38, 4) not null,
  adjustments numeric(38, 4) not null,
  frozen numeric(38, 4) not null,
  closing numeric(38, 4) not null,
  frozen_closing numeric(38, 4) not null,
  primary key (closing_id, merchant_id),
  constraint closing_merchants_sum check (
    closing = opening + deposits + withdrawals - fees + adjustments - frozen)
);
create table if not exists closing_members (
  closing_id uuid not null references closings,
  member_id uuid not null references members,
  name text not null,
  opening numeric(38, 4) not null,
  deposits numeric(38, 4) not null,
  withdrawals numeric(38, 4) not null,
  adjustments numeric(38, 4) not null,
  closing numeric(38, 4) not null,
  counted numeric(38, 4),
  note text,
  primary key (closing_id, member_id),
  constraint closing_members_sum check (
    closing = opening + deposits + withdrawals + adjustments),
  constraint closing_members_explained check (note is not null or counted = closing)
);

-- Batches read the end of the last closing with the terms, so that none posts before it.
create or replace trigger terms_changed after insert on closings
  execute function terms_changed();

create or replace function keep_closing() returns trigger language plpgsql as $$
begin
  if old.status <> 'open' then
    raise exception 'this closing is %', old.status;
  end if;
  if row(new.closing_id, new.starts_at, new.ends_at, new.counted_by, new.begun_at)
    is distinct from row(old.closing_id, old.starts_at, old.ends_at, old.counted_by, old.begun_at) then
    raise exception 'the period of a closing does not change';
  end if;
  return new;
end $$;
create or replace trigger closings_stay_as_signed before update on closings
  for each row execute function keep_closing();
create or replace trigger closings_stay before delete on closings
  for each row execute function refuse_change();
create or replace trigger closings_not_emptied before truncate on closings
  for each statement execute function refuse_change();

create or replace function only_while_open() returns trigger language plpgsql as $$
begin
  if not exists (
    select from closings where closing_id = new.closing_id and status = 'open' for share) then
    raise exception 'this closing is not open';
  end if;
  return new;
end $$;
create or replace trigger closing_counts_while_open before insert or update on closing_counts
  for each row execute function only_while_open();
create or replace trigger closing_merchants_while_open before insert on closing_merchants
  for each row execute function only_while_open();
create or replace trigger closing_merchants_append_only before update or delete on closing_merchants
  for each row execute function refuse_change();
create or replace trigger closing_merchants_stay before truncate on closing_merchants
  for each statement execute function refuse_change();
create or replace trigger closing_members_while_open before insert on closing_members
  for each row execute function only_while_open();
create or replace trigger closing_members_append_only before update or delete on closing_members
  for each row execute function refuse_change();
create or replace trigger closing_members_stay before truncate on closing_members
  for each statement execute function refuse_change();

-- The engine posts nothing before the end of a closing. This holds old rows that come another way;
-- the condition spares the engine's own rows the look-up.
create or replace function refuse_closed() returns trigger language plpgsql as $$
begin
  if exists (select from closings where status = 'signed' and ends_at > new.posted_at) then
    raise exception 'the day of this posting is closed';
  end if;
  return new;
end $$;
create or replace trigger postings_after_closings before insert on postings
  for each row when (new.posted_at < now() - interval '1 minute')
  execute function refuse_closed();

-- A closing reads the postings since its start.
create index concurrently postings_posted on postings using brin (posted_at)
  with (pages_per_range = 16);
