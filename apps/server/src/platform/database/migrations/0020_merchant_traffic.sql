-- Why requests of merchants were refused in the last 7 days: the last 200 of each, and counts.

create table refused_requests (
  refused_id uuid primary key,
  merchant_id uuid not null references merchants,
  at timestamptz not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text not null,
  fields text[] not null,
  key_prefix text not null,
  address text not null
);
create unique index refused_requests_of_merchant on refused_requests (merchant_id, refused_id);

create table refused_minutes (
  merchant_id uuid not null references merchants,
  minute timestamptz not null,
  status smallint not null,
  code text not null,
  count integer not null,
  primary key (merchant_id, minute, status, code)
) with (fillfactor = 70);
create index refused_minutes_minute on refused_minutes (minute);
