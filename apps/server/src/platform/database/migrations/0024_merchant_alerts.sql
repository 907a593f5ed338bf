-- Alerts to merchants, to a URL of their own and by e-mail (D244 to D246).

create table merchant_alert_settings (
  merchant_id uuid primary key references merchants,
  alert_url text,
  alert_emails text[] not null,
  low_balance numeric(38, 4) check (low_balance >= 0),
  failing_webhooks boolean not null,
  refused_requests integer check (refused_requests > 0),
  failed_orders boolean not null,
  changed_at timestamptz not null
);

-- What has begun, and tests, which are over at once.
create table merchant_alerts (
  alert_id uuid primary key,
  merchant_id uuid not null references merchants,
  kind text not null check (kind in (
    'webhook-failing', 'low-balance', 'many-failures', 'many-refusals', 'test')),
  -- a receiver's host, where a merchant may have several; else empty
  subject text not null,
  -- as it was when it began; null for a test
  condition jsonb,
  began_at timestamptz not null,
  held_at timestamptz not null,
  ended_at timestamptz
);
create index merchant_alerts_of_merchant on merchant_alerts (merchant_id, alert_id);
create unique index merchant_alerts_open on merchant_alerts (merchant_id, kind, subject)
  where ended_at is null;

-- To whom an alert was told. What goes to a URL is a delivery, with its alert in the place of an
-- order; a mail is due here.
create table merchant_alert_messages (
  alert_id uuid not null references merchant_alerts,
  state text not null check (state in ('begun', 'over')),
  channel text not null check (channel in ('url', 'email')),
  target text not null,
  delivery_id uuid,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  sent_at timestamptz,
  error text,
  primary key (alert_id, state, channel, target)
);
create index merchant_alert_messages_due on merchant_alert_messages (next_attempt_at)
  where next_attempt_at is not null;

alter table deliveries drop constraint deliveries_event_type_check;
alter table deliveries add constraint deliveries_event_type_check check (event_type in (
  'order.completed', 'order.failed', 'webhook.test', 'alert.webhook_failing', 'alert.low_balance',
  'alert.many_failures', 'alert.many_refusals', 'alert.test')) not valid;
