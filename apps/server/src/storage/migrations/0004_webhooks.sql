-- Sending webhooks: fair shares by destination, what an attempt met, and the health of endpoints.

-- host and port of the URL: each destination has a bounded share of the attempts on their way
alter table deliveries add column host text not null
  generated always as (coalesce(lower(substring(url from '^[A-Za-z][A-Za-z0-9+.-]*:[/\\]*(?:[^/\\?#]*@)?([^/\\?#]*)')), '')) stored;
-- room for the claim beside the row it is made of: claims touch no index
alter table deliveries set (fillfactor = 75);
-- an operator asked for the next attempt (retry-now): it does not wait for the minute, and may be beyond the tenth
alter table deliveries add column requested boolean not null default false;
drop index deliveries_due;
-- the destinations that have something pending are found by skipping through it, and what is due of each in order of time
create index deliveries_pending on deliveries (host, next_attempt_at) where status = 'pending';
create index deliveries_abandoned on deliveries (merchant_id, host) where status = 'abandoned';

alter table delivery_attempts add column requested boolean not null default false;
-- the first KB of the answer
alter table delivery_attempts add column answer text;
-- the API key whose secret signed; null when nothing was sent
alter table delivery_attempts add column key_id uuid;

-- How a merchant's receiver does: one row for each merchant and destination that anything was sent to.
create table webhook_endpoints (
  merchant_id uuid not null,
  host text not null,
  consecutive_failures integer not null check (consecutive_failures >= 0),
  failing_since timestamptz,
  -- before the last change of this row: tells the changes that an alert is made of
  was_failing boolean not null default false,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  primary key (merchant_id, host)
);

-- An endpoint started to fail, or recovered.
create table webhook_alerts (
  alert_id uuid primary key,
  merchant_id uuid not null,
  host text not null,
  kind text not null check (kind in ('failing', 'recovered')),
  detail text,
  at timestamptz not null
);
