-- Amounts are numeric(18,4) and balances numeric(38,4), in wallet currency unless said otherwise.
-- Keys are the ids by which rows are found. Indexes that serve look-ups lead with what tells rows
-- apart; indexes that serve lists lead with whose list it is.

-- Settings of the platform

create table settings (
  singleton boolean primary key default true check (singleton),
  payment_page_ttl_seconds integer not null default 900 check (payment_page_ttl_seconds > 0),
  awaiting_withdrawal_timeout_seconds integer not null default 7200
    check (awaiting_withdrawal_timeout_seconds > 0),
  payout_window_seconds integer not null default 3600 check (payout_window_seconds > 0),
  member_confirmation_window_seconds integer not null default 1800
    check (member_confirmation_window_seconds > 0),
  adjustment_approval_limit numeric(38, 4) check (adjustment_approval_limit >= 0),
  require_second_operator boolean not null default false,
  display_names jsonb not null default '{}',
  -- what a sandbox clock has been advanced by
  clock_offset_ms bigint not null default 0
);
insert into settings default values;

create table exchange_rates (
  currency text not null check (currency in ('INR', 'BDT')),
  valid_from timestamptz not null,
  rate numeric(20, 8) not null check (rate > 0),
  primary key (currency, valid_from)
);

-- A value that follows from each master key in use and tells nothing of it: another key is noticed
-- at the start (D70).
create table master_key_checks (
  check_value text primary key check (check_value ~ '^[0-9a-f]{64}$')
);

-- Merchants

create table merchants (
  merchant_id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  default_callback_url text,
  deposit_methods text[] not null,
  withdrawal_methods text[] not null,
  currencies text[] not null,
  ip_whitelist jsonb not null default '{"enabled": false, "entries": []}',
  display_name text check (char_length(display_name) between 1 and 60),
  brand_colour text check (brand_colour ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null
);

create table api_keys (
  merchant_id uuid not null references merchants,
  key_id uuid primary key,
  -- SHA-256 of the key; the key itself is never stored
  key_hash bytea not null unique,
  prefix text not null,
  -- AES-256-GCM; null on legacy keys
  sealed_secret bytea,
  seal_key_id text,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create index api_keys_of_merchant on api_keys (merchant_id, key_id);

create table merchant_wallets (
  merchant_id uuid primary key references merchants,
  balance numeric(38, 4) not null default 0,
  reserved numeric(38, 4) not null default 0 check (reserved >= 0),
  frozen numeric(38, 4) not null default 0 check (frozen >= 0),
  -- set by a late confirmation alone, which may take what is available below zero
  overdrawn boolean not null default false,
  constraint merchant_wallets_covered check (balance >= reserved or overdrawn)
) with (fillfactor = 50);

create table fee_rules (
  fee_rule_id uuid primary key,
  -- null: the platform's
  merchant_id uuid references merchants,
  order_type text not null check (order_type in ('Deposit', 'Withdrawal')),
  wallet_type text not null,
  fixed numeric(18, 4) not null default 0 check (fixed >= 0),
  percent numeric(20, 8) not null default 0 check (percent >= 0),
  minimum numeric(18, 4) check (minimum >= 0),
  maximum numeric(18, 4) check (maximum >= 0),
  from_amount numeric(18, 4),
  to_amount numeric(18, 4),
  valid_from timestamptz not null,
  valid_until timestamptz,
  constraint fee_rules_limits check (minimum <= maximum),
  constraint fee_rules_amounts check (from_amount < to_amount)
);
create index fee_rules_of_merchant on fee_rules (merchant_id, valid_until);

-- Members

create table members (
  member_id uuid primary key,
  name text not null,
  username text not null unique,
  password_hash text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  online boolean not null default false,
  max_open_orders integer not null check (max_open_orders >= 0),
  open_orders integer not null default 0 check (open_orders >= 0),
  float_balance numeric(38, 4) not null default 0,
  float_held numeric(38, 4) not null default 0 check (float_held >= 0),
  -- set by a late confirmation alone, which may take the float below what is held
  float_overdrawn boolean not null default false,
  last_assigned_at timestamptz,
  created_at timestamptz not null,
  constraint members_float_covered check (float_balance >= float_held or float_overdrawn)
) with (fillfactor = 70);

create table member_accounts (
  account_id uuid primary key,
  member_id uuid not null references members,
  wallet_type text not null,
  account_number text not null,
  account_title text not null,
  qr_payload text check (octet_length(qr_payload) <= 512),
  status text not null default 'pending' check (status in ('pending', 'approved', 'suspended')),
  minimum_per_order numeric(38, 4),
  maximum_per_order numeric(38, 4),
  maximum_per_day numeric(38, 4),
  -- days since the epoch, UTC, that day_amount counts
  day integer not null default 0,
  day_amount numeric(38, 4) not null default 0 check (day_amount >= 0),
  created_at timestamptz not null,
  -- the operator who added it, whom another one has to approve; null: its member
  created_by text
) with (fillfactor = 70);
create index member_accounts_of_member on member_accounts (member_id, wallet_type);
create index member_accounts_approved on member_accounts (wallet_type, member_id)
  where status = 'approved';

-- Whom each batch has changed: other processes read what is new every second, instead of all
-- members (D74). Transactions that were open at the last look are told by their ids; times and
-- sequences are not in the order of commits. Unlogged: whoever loses the server's connection reads
-- all members again.
create unlogged table member_changes (
  changed_in xid8 not null default pg_current_xact_id(),
  -- a process skips what it has written itself
  writer integer not null default pg_backend_pid(),
  member_ids uuid[] not null
);
alter table member_changes alter column member_ids set storage external;
create index member_changes_since on member_changes (changed_in);

-- Terms: what orders are admitted and priced by. Servers keep them in memory under this version,
-- which every change of them raises in its own transaction. The service's role only reads it.
create table terms_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null default 0
);
insert into terms_version default values;

create function terms_changed() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('update %I.terms_version set version = version + 1', tg_table_schema);
  return null;
end $$;

create trigger terms_changed after insert or update or delete on settings
  execute function terms_changed();
create trigger terms_changed after insert or update or delete on merchants
  execute function terms_changed();
create trigger terms_changed after insert or update or delete on api_keys
  execute function terms_changed();
create trigger terms_changed after insert or update or delete on fee_rules
  execute function terms_changed();
create trigger terms_changed after insert or update or delete on exchange_rates
  execute function terms_changed();

-- A batch shares this lock until it commits. Whoever changes the terms takes it alone just before
-- their own commit: when a revocation is answered, nothing that was decided without it can be
-- committed any more (D69). An advisory lock is fair where a share of a row is not.
--
-- A batch of a process that stands still holds the lock until the database ends its session. The
-- writer lets other batches pass meanwhile, and is told to try again where that takes too long.
create function terms_held() returns trigger language plpgsql as $$
begin
  for attempt in 1..20 loop
    begin
      set local lock_timeout = '500ms';
      perform pg_advisory_xact_lock(hashtext('munshi terms'), hashtext(tg_table_schema));
      return null;
    exception when lock_not_available then
      perform pg_sleep(0.25);
    end;
  end loop;
  raise exception 'the terms are held by a batch that does not end'
    using errcode = 'insufficient_resources';
end $$;

create constraint trigger terms_held after update on terms_version
  deferrable initially deferred for each row execute function terms_held();

-- Orders

-- No foreign keys: their checks would lock the merchant's and the member's row once an order.
-- Merchants are never deleted, and orders are written by commands that have read both.
create table orders (
  merchant_id uuid not null,
  order_id uuid primary key,
  order_reference text not null,
  api_key_id uuid not null,
  idempotency_key text not null,
  -- the MD5 that signed the creating body, and the hash of the terms that a repeat must have; null
  -- on orders from before this service
  signature_digest bytea,
  terms_digest bytea,
  order_type text not null check (order_type in ('Deposit', 'Withdrawal')),
  wallet_type text not null,
  currency text not null check (currency in ('PKR', 'INR', 'BDT')),
  -- in the order's currency
  amount numeric(18, 4) not null check (amount > 0),
  fee numeric(38, 4) check (fee >= 0),
  rate numeric(20, 8) not null check (rate > 0),
  -- what the wallet and the member's float move by when the order completes
  settlement_amount numeric(38, 4) not null check (settlement_amount >= 0),
  float_amount numeric(38, 4) not null check (float_amount >= 0),
  merchant_order_ref text,
  -- merchant_order_ref while this order has it
  live_reference text,
  customer_reference text,
  customer_account_number text,
  customer_account_name text,
  callback_url text,
  success_url text,
  failure_url text,
  metadata text,
  txn_ref_digits_required smallint not null check (txn_ref_digits_required between 4 and 8),
  max_retry_count smallint not null check (max_retry_count between 0 and 10),
  page_origin text not null,
  created_status text not null,
  status text not null check (status in ('Awaiting', 'Queued', 'AwaitingCustomerPayment',
    'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview', 'Completed', 'Rejected',
    'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen',
    'Confirmed')),
  member_id uuid,
  account_id uuid,
  former_member_ids uuid[],
  reassignments smallint not null default 0,
  created_at timestamptz not null,
  awaiting_at timestamptz,
  assigned_at timestamptz,
  holder_since timestamptz,
  sent_at timestamptz,
  completed_at timestamptz,
  rejected_at timestamptz,
  failed_at timestamptz,
  cancelled_at timestamptz,
  expires_at timestamptz not null,
  -- when the clock next has something to do with it
  due_at timestamptz,
  payer_account text,
  transaction_digits text,
  member_transaction_reference text,
  failure_reason text,
  -- the steps of its history, and the customer's changes of method
  moves integer not null default 0,
  method_switches integer not null default 0 check (method_switches between 0 and 20),
  constraint orders_method check (order_type = 'Deposit'
    or wallet_type in ('ProviderA', 'ProviderB', 'TillID', 'BankAccount')),
  constraint orders_deposit_fee check (order_type = 'Withdrawal' or fee <= amount),
  constraint orders_reassignments check (reassignments between 0 and max_retry_count),
  constraint orders_holder check (
    status not in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation',
      'AwaitingMemberPayout')
    or ((member_id is null) = (account_id is null)
      and (member_id is not null or status = 'Queued'))),
  constraint orders_completed check (
    (completed_at is not null) = (status in ('Completed', 'Confirmed'))),
  constraint orders_failed check (
    status not in ('Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto')
    or (failed_at is not null and due_at is null))
) with (autovacuum_analyze_scale_factor = 0.5);
create unique index orders_reference on orders (order_reference);
create unique index orders_idempotency on orders (idempotency_key, api_key_id);
create unique index orders_live_reference on orders (live_reference, merchant_id)
  where live_reference is not null;
-- Orders whose reference is not theirs any more, the one created last first: ids of older orders
-- are not in the order of time.
create index orders_former_reference
  on orders (merchant_order_ref, merchant_id, created_at desc, order_id desc)
  where live_reference is null and merchant_order_ref is not null;
-- Those of them that were confirmed late, while a newer order had the reference (D22). They are
-- few, so that a creation asks this at little cost.
create index orders_late_reference on orders (merchant_order_ref, merchant_id)
  where live_reference is null and completed_at is not null and merchant_order_ref is not null;
create index orders_customer_reference on orders (customer_reference)
  where customer_reference is not null;
create index orders_due on orders (due_at) where due_at is not null;
create index orders_waiting on orders (wallet_type, order_id)
  where status = 'Awaiting' and order_type = 'Withdrawal' and customer_account_number is not null;
-- what an account has in hand: its member's open orders, and open deposits of the same amount
create index orders_in_hand on orders (account_id, amount)
  where account_id is not null
    and status in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation',
      'AwaitingMemberPayout', 'ManualReview');
create index orders_in_review on orders (order_id) where status = 'ManualReview';
-- A merchant's list. The condition holds for every order, and only a range of ids implies it: what
-- looks orders up by another key is planned without this index, whatever is known of the table.
create index orders_of_merchant on orders (merchant_id, order_id)
  where order_id >= '00000000-0000-0000-0000-000000000000';
-- what a member has ended, and what was handed on to another one
create index orders_of_member on orders (member_id, order_id)
  where member_id is not null
    and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
      'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
create index orders_of_former_member on orders using gin (former_member_ids)
  where former_member_ids is not null;
-- Lists of ended orders by kind; an order comes into it once. Open ones are found by orders_due and
-- orders_in_review.
create index orders_ended on orders (status, wallet_type, order_type, order_id)
  where status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
    'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');

-- Which signed body came with which Idempotency-Key, for 24 hours.
create table signature_replays (
  merchant_id uuid not null,
  key_id uuid not null,
  digest bytea not null,
  idempotency_key text not null,
  accepted_at timestamptz not null,
  primary key (digest, key_id)
) with (autovacuum_analyze_scale_factor = 0.5);
create index signature_replays_age on signature_replays
  using brin (accepted_at) with (pages_per_range = 16);

-- The steps of an order after its creation, which the order itself records.
create table order_moves (
  merchant_id uuid not null,
  order_id uuid not null,
  number integer not null check (number > 0),
  from_status text not null,
  to_status text not null,
  trigger text not null,
  actor_kind text not null,
  actor_id text,
  member_id uuid,
  note text,
  command_id uuid not null,
  at timestamptz not null,
  primary key (order_id, number)
) with (autovacuum_analyze_scale_factor = 0.5);

create table order_notes (
  merchant_id uuid not null,
  order_id uuid not null,
  note_id uuid primary key,
  -- counts what its actor has said about the order
  number integer not null check (number between 1 and 10),
  actor_kind text not null,
  actor_id text,
  note text not null,
  at timestamptz not null,
  constraint order_notes_of_actor unique (order_id, actor_id, number)
);

-- A customer says that they have paid a deposit whose link has expired: for operators to look into.
-- It changes no order.
create table late_claims (
  merchant_id uuid not null,
  order_id uuid not null,
  -- holds an order to three claims, also when several come at once
  number smallint not null check (number between 1 and 3),
  claim_id uuid primary key,
  transaction_digits text not null check (transaction_digits ~ '^[0-9]{4,20}$'),
  status text not null default 'open' check (status in ('open', 'closed')),
  claimed_at timestamptz not null,
  taken_at timestamptz,
  taken_by text,
  closed_at timestamptz,
  closed_by text,
  note text,
  constraint late_claims_taken check ((taken_at is null) = (taken_by is null)),
  constraint late_claims_number unique (order_id, number),
  constraint late_claims_digits unique (order_id, transaction_digits),
  constraint late_claims_closed check (
    (status = 'closed') = (closed_at is not null and closed_by is not null and note is not null))
);
create index late_claims_open on late_claims (claim_id) where status = 'open';

-- Ends a batch in which a row that was read and guarded has changed: it is decided again.
create function expect_rows(actual bigint, expected bigint) returns void language plpgsql as $$
begin
  if actual <> expected then
    raise exception 'expected % rows to change, % did', expected, actual using errcode = '40001';
  end if;
end $$;

-- Money

-- The ledger: a row is one entry over five accounts that sum to zero. The nil merchant is the
-- platform.
create table postings (
  merchant_id uuid not null,
  posting_id uuid primary key,
  kind text not null
    check (kind in ('settlement', 'credit', 'debit', 'freeze', 'unfreeze', 'float')),
  order_id uuid,
  member_id uuid,
  wallet numeric(38, 4) not null default 0,
  frozen numeric(38, 4) not null default 0,
  member_float numeric(38, 4) not null default 0,
  fees numeric(38, 4) not null default 0,
  adjustments numeric(38, 4) not null default 0,
  note text,
  posted_at timestamptz not null,
  constraint postings_balanced check (wallet + frozen + member_float + fees + adjustments = 0),
  constraint postings_numbers check (wallet <> 'NaN' and frozen <> 'NaN' and member_float <> 'NaN'
    and fees <> 'NaN' and adjustments <> 'NaN'),
  constraint postings_order check ((kind = 'settlement') = (order_id is not null)),
  constraint postings_member check (member_float = 0 or member_id is not null)
) with (autovacuum_analyze_scale_factor = 0.5);
create unique index postings_one_per_order on postings (order_id) where order_id is not null;

create table adjustments (
  merchant_id uuid not null references merchants,
  adjustment_id uuid primary key,
  kind text not null check (kind in ('credit', 'debit', 'freeze', 'unfreeze')),
  amount numeric(38, 4) not null check (amount > 0),
  reason text not null,
  status text not null check (status in ('applied', 'pendingApproval')),
  requested_by text not null,
  requested_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  constraint adjustments_two_operators check (approved_by <> requested_by)
);

-- Webhooks

-- Written with the outcome that they tell. The body is the bytes that are sent.
create table deliveries (
  merchant_id uuid not null,
  delivery_id uuid primary key,
  order_id uuid not null,
  api_key_id uuid not null,
  event_type text not null check (event_type in ('order.completed', 'order.failed')),
  url text not null,
  body bytea not null,
  created_at timestamptz not null,
  -- host and port of the URL: each destination has a share of the attempts
  host text not null generated always as (coalesce(lower(
    substring(url from '^[A-Za-z][A-Za-z0-9+.-]*:[/\\]*(?:[^/\\?#]*@)?([^/\\?#]*)')), '')) stored,
  -- given up after the last attempt, until an operator asks for one more
  abandoned boolean not null default false,
  -- tells an order's latest: deliveries are written while the order is locked, so that numbers are
  -- in the order of commits. Ids have the times of processes whose clocks differ (D73).
  sequence bigint not null generated always as identity
) with (autovacuum_analyze_scale_factor = 0.5);
create index deliveries_of_order on deliveries (order_id);
create index deliveries_abandoned on deliveries (merchant_id, host) where abandoned;

-- An order's place in the queue while it has something to tell: its latest delivery. A newer event
-- takes the place, which ends the retries of the older one; a claim holds the place, so that no two
-- of one order are sent at once.
create table delivery_queue (
  order_id uuid primary key,
  merchant_id uuid not null,
  delivery_id uuid not null,
  -- of the delivery
  host text not null,
  next_attempt_at timestamptz not null,
  -- made so far
  attempts integer not null default 0,
  -- an operator asked for the next attempt: it does not wait for the minute, and may be beyond the
  -- tenth
  requested boolean not null default false,
  claim_token uuid,
  claimed_until timestamptz,
  -- a retry whose time has not come is not: a claim skips from one destination to the next, and
  -- would go through all that wait for hours (measured: 520 ms at 100,000)
  ready boolean not null default true
) with (fillfactor = 40); -- claims stay in the row's page: at 75 indexes took a third of their time
create index delivery_queue_ready on delivery_queue (host, next_attempt_at) where ready;
create index delivery_queue_later on delivery_queue (next_attempt_at) where not ready;

create table delivery_attempts (
  merchant_id uuid not null,
  delivery_id uuid not null,
  number integer not null check (number > 0),
  started_at timestamptz not null,
  duration_ms integer not null,
  succeeded boolean not null,
  response_status smallint,
  error text,
  requested boolean not null default false,
  -- the first KB
  answer text,
  -- the API key whose secret signed; null when nothing was sent
  key_id uuid,
  primary key (delivery_id, number)
) with (autovacuum_analyze_scale_factor = 0.5);

-- How each delivery stands. A null status is one that was lost: the checker looks for it.
create view delivery_states as
  select d.merchant_id, d.delivery_id, d.order_id, d.event_type, d.url, d.host, d.body,
    d.created_at, d.sequence, made.attempts, q.next_attempt_at, q.claim_token,
    case
      when q.delivery_id is not null then 'pending'
      when made.acknowledged then 'delivered'
      when d.abandoned then 'abandoned'
      when exists (
        select from deliveries newer
        where newer.order_id = d.order_id and newer.sequence > d.sequence) then 'superseded'
    end as status
  from deliveries d
  left join delivery_queue q on q.order_id = d.order_id and q.delivery_id = d.delivery_id
  cross join lateral (
    select count(*)::integer as attempts, coalesce(bool_or(succeeded), false) as acknowledged
    from delivery_attempts a where a.delivery_id = d.delivery_id) made;

-- How a merchant's receiver does, for each destination that anything was sent to.
create table webhook_endpoints (
  merchant_id uuid not null,
  host text not null,
  consecutive_failures integer not null check (consecutive_failures >= 0),
  failing_since timestamptz,
  -- before the last change of this row: tells the changes that make an alert
  was_failing boolean not null default false,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_error text,
  primary key (merchant_id, host)
);

create table webhook_alerts (
  alert_id uuid primary key,
  merchant_id uuid not null,
  host text not null,
  kind text not null check (kind in ('failing', 'recovered')),
  detail text,
  at timestamptz not null
);

-- Operators, and what they do

create table operators (
  operator_id uuid primary key,
  username text not null unique,
  name text not null,
  -- null: by script token alone
  password_hash text,
  role text not null check (role in ('viewer', 'support', 'admin')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null
);

-- What each operator has moved alone on a day (days since the epoch, UTC).
create table operator_sums (
  operator_id text primary key,
  day integer not null,
  amount numeric(38, 4) not null check (amount >= 0)
) with (fillfactor = 70);

-- What waits for a second operator, and what became of it.
create table approvals (
  approval_id uuid primary key,
  kind text not null check (kind in ('adjustment', 'float-adjustment', 'order-confirm',
    'order-resolve', 'api-key', 'operator-create', 'operator-change', 'operator-token',
    'member-password', 'settings')),
  target text not null,
  -- what will be done, shown to whoever decides; amounts as exact text
  request jsonb not null,
  -- hashes of passwords, shown to nobody
  hidden jsonb,
  requested_by text not null,
  requested_name text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  status text not null
    check (status in ('pending', 'approved', 'done', 'declined', 'withdrawn', 'fallen')),
  decided_by text,
  decided_name text,
  decided_at timestamptz,
  note text,
  constraint approvals_two_operators check (status not in ('approved', 'done')
    or (decided_by is not null and decided_by <> requested_by and decided_at is not null))
);
create index approvals_target on approvals (target);
create index approvals_pending on approvals (requested_by) where status in ('pending', 'approved');
create unique index approvals_one_pending on approvals (kind, target)
  where status = 'pending'
    and kind in ('adjustment', 'float-adjustment', 'order-confirm', 'order-resolve');

create function keep_request() returns trigger language plpgsql as $$
begin
  if row(new.kind, new.target, new.request, new.hidden, new.requested_by, new.requested_at,
      new.expires_at)
    is distinct from row(old.kind, old.target, old.request, old.hidden, old.requested_by,
      old.requested_at, old.expires_at) then
    raise exception 'what was asked for does not change';
  end if;
  if old.status not in ('pending', 'approved') then
    raise exception 'this request was decided';
  end if;
  return new;
end $$;
create trigger approvals_stay_as_asked before update on approvals
  for each row execute function keep_request();

-- Kept for ever: entries of a filter are found by it, however many there are of others.
create table audit_log (
  audit_id uuid primary key,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  address text,
  action text not null,
  target text not null,
  detail jsonb not null,
  at timestamptz not null,
  -- a repeat of the command is told by it
  command_id uuid
);
create unique index audit_log_command on audit_log (command_id) where command_id is not null;
create index audit_log_of_target on audit_log (target, audit_id);
create index audit_log_of_actor on audit_log (actor_id, audit_id);
create index audit_log_of_action on audit_log (action, audit_id);

-- Sign-ins of members and operators, and operators' script tokens. Tokens are stored as hashes.
create table sessions (
  token_hash bytea primary key,
  -- names a script token where it is listed and ended
  session_id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('operator', 'operator-token', 'member')),
  principal_id uuid not null,
  csrf_token text,
  name text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create unique index sessions_of_principal on sessions (principal_id, session_id);

-- What the Idempotency-Keys of operators and members are bound to.
create table request_keys (
  caller_kind text not null check (caller_kind in ('operator', 'member')),
  caller_id text not null,
  key text not null,
  -- HMAC of the route, its parameters and the body, which may hold a password
  digest bytea not null,
  -- every try of the request is this one command
  command_id uuid not null,
  -- nothing came of it: the key may be used for another request
  refused boolean not null default false,
  -- the first answer, without secrets; null until it is known
  status smallint,
  answer text,
  created_at timestamptz not null,
  primary key (caller_kind, caller_id, key),
  constraint request_keys_answer check ((status is null) = (answer is null))
) with (fillfactor = 70);
create index request_keys_age on request_keys (created_at);

-- What only grows is neither changed nor emptied, by its owner either. What the service's role may
-- do stands in storage/grants.ts.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger postings_append_only before update or delete on postings
  for each row execute function refuse_change();
create trigger postings_stay before truncate on postings
  for each statement execute function refuse_change();
create trigger order_moves_append_only before update or delete on order_moves
  for each row execute function refuse_change();
create trigger order_moves_stay before truncate on order_moves
  for each statement execute function refuse_change();
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_stay before truncate on audit_log
  for each statement execute function refuse_change();
create trigger merchants_stay before delete on merchants
  for each row execute function refuse_change();
create trigger approvals_stay before delete on approvals
  for each row execute function refuse_change();
