-- What members say and do in their app.

-- Its member takes no new orders on the account for now; those in hand stay.
alter table member_accounts add column paused boolean not null default false;

-- What a note says: a report of a withdrawal, another amount than the order's, money that came
-- before its customer said so, the start of a payout.
alter table order_notes add column kind text not null default 'report';
alter table order_notes add column amount numeric(18, 4);
alter table order_notes add constraint order_notes_kind
  check (kind in ('report', 'otherAmount', 'moneySeen', 'sending')) not valid;
alter table order_notes validate constraint order_notes_kind;
alter table order_notes add constraint order_notes_amount
  check ((kind = 'otherAmount') = (amount is not null) and amount > 0) not valid;
alter table order_notes validate constraint order_notes_amount;
-- of all kinds together
alter table order_notes drop constraint order_notes_number_check;
alter table order_notes add constraint order_notes_number_check
  check (number between 1 and 20) not valid;
alter table order_notes validate constraint order_notes_number_check;

-- What a withdrawal's deadline moves by once its member says that they are sending.
alter table settings add column sending_grace_seconds integer not null default 0
  check (sending_grace_seconds >= 0);
-- After as many missed alerts in a row a member goes offline; null: never.
alter table settings add column missed_alerts_max integer check (missed_alerts_max > 0);

-- Whom an order called, and how late they saw it. A row is written only for what there is to
-- record: that it was seen, or sent by push or another channel.
create table order_alerts (
  order_id uuid not null,
  member_id uuid not null,
  -- a withdrawal was assigned, or a deposit's customer has confirmed
  kind text not null check (kind in ('assigned', 'customer-confirmed')),
  alerted_at timestamptz not null,
  seen_at timestamptz,
  -- when a push service first took it
  pushed_at timestamptz,
  -- when the other channels were tried, and what went wrong
  second_at timestamptz,
  second_error text,
  third_at timestamptz,
  third_error text,
  -- nobody had seen it in time
  missed_at timestamptz,
  -- when the alert goes on, if nobody has seen it by then; null: it is over
  next_at timestamptz,
  primary key (order_id, member_id)
) with (fillfactor = 70);
create index order_alerts_due on order_alerts (next_at) where next_at is not null;
create index order_alerts_of_member on order_alerts (member_id, alerted_at);

-- Members whom missed alerts took offline, until they come back.
create table missed_alert_stops (
  member_id uuid primary key,
  stopped_at timestamptz not null,
  missed integer not null check (missed > 0)
);

-- HTTPS calls by which members are alerted who have not seen it in their app.
create table alert_channels (
  position text primary key check (position in ('second', 'third')),
  after_seconds integer not null check (after_seconds > 0),
  url text not null,
  body_template text not null,
  -- AES-256-GCM, as signing secrets are; a JSON object
  sealed_headers bytea not null,
  seal_key_id text not null,
  header_names text[] not null,
  changed_at timestamptz not null
);

-- Web Push: the installation's own key pair (RFC 8292), and where members are reached.
create table push_keys (
  singleton boolean primary key default true check (singleton),
  public_key text not null,
  sealed_private_key bytea not null,
  seal_key_id text not null,
  created_at timestamptz not null
);
create table push_subscriptions (
  subscription_id uuid primary key,
  member_id uuid not null,
  -- it ends with this sign-in
  session_id uuid not null,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  user_agent text,
  created_at timestamptz not null,
  last_sent_at timestamptz,
  last_error text,
  -- the last test: when it was sent, and seen on the phone
  test_id uuid,
  test_sent_at timestamptz,
  test_seen_at timestamptz
) with (fillfactor = 70);
create index push_subscriptions_of_member on push_subscriptions (member_id, subscription_id);
