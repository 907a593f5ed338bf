-- Money: numeric(18,4) for amounts, numeric(38,4) for balances, in wallet currency unless said otherwise.
-- Tables that belong to a merchant lead with merchant_id, so that they can be distributed by merchant.

create table settings (
  singleton boolean primary key default true check (singleton),
  payment_page_ttl_seconds integer not null default 900 check (payment_page_ttl_seconds > 0),
  awaiting_withdrawal_timeout_seconds integer not null default 7200 check (awaiting_withdrawal_timeout_seconds > 0),
  payout_window_seconds integer not null default 3600 check (payout_window_seconds > 0),
  member_confirmation_window_seconds integer not null default 1800 check (member_confirmation_window_seconds > 0),
  adjustment_approval_limit numeric(38, 4) check (adjustment_approval_limit >= 0),
  display_names jsonb not null default '{}',
  -- what a sandbox clock has been advanced by
  clock_offset_ms bigint not null default 0
);
insert into settings default values;

create table merchants (
  merchant_id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'closed')),
  default_callback_url text,
  deposit_methods text[] not null,
  withdrawal_methods text[] not null,
  currencies text[] not null,
  ip_whitelist jsonb not null default '{"enabled": false, "entries": []}',
  created_at timestamptz not null
);

create table api_keys (
  merchant_id uuid not null references merchants,
  key_id uuid not null,
  -- SHA-256 of the key; the key itself is never stored
  key_hash bytea not null unique,
  prefix text not null,
  -- AES-256-GCM; null on legacy keys
  sealed_secret bytea,
  seal_key_id text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (merchant_id, key_id)
);

create table merchant_wallets (
  merchant_id uuid primary key references merchants,
  balance numeric(38, 4) not null default 0,
  reserved numeric(38, 4) not null default 0 check (reserved >= 0),
  frozen numeric(38, 4) not null default 0 check (frozen >= 0),
  -- set by a late confirmation alone, which may take available below zero
  overdrawn boolean not null default false,
  check (balance >= reserved or overdrawn)
) with (fillfactor = 50);

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
  check (float_balance >= float_held or float_overdrawn)
) with (fillfactor = 70);

create table member_accounts (
  account_id uuid primary key,
  member_id uuid not null references members,
  wallet_type text not null,
  account_number text not null,
  account_title text not null,
  qr_payload text,
  status text not null default 'pending' check (status in ('pending', 'approved', 'suspended')),
  minimum_per_order numeric(38, 4),
  maximum_per_order numeric(38, 4),
  maximum_per_day numeric(38, 4),
  -- days since the epoch, UTC, that day_amount counts
  day integer not null default 0,
  day_amount numeric(38, 4) not null default 0 check (day_amount >= 0),
  created_at timestamptz not null
) with (fillfactor = 70);
create index member_accounts_member on member_accounts (member_id);
create index member_accounts_method on member_accounts (wallet_type, member_id) where status = 'approved';

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
  check (minimum is null or maximum is null or minimum <= maximum),
  check (from_amount is null or to_amount is null or from_amount < to_amount)
);
create index fee_rules_slot on fee_rules (merchant_id, valid_until);

create table exchange_rates (
  currency text not null check (currency in ('INR', 'BDT')),
  valid_from timestamptz not null,
  rate numeric(20, 8) not null check (rate > 0),
  primary key (currency, valid_from)
);

-- No foreign key from orders to merchants: its check would lock the merchant's row once an order. Merchants are never
-- deleted (the trigger below), and an order is only written by a command that has read its merchant.
create table orders (
  merchant_id uuid not null,
  order_id uuid not null,
  order_reference text not null,
  api_key_id uuid not null,
  idempotency_key text not null,
  -- the MD5 that signed the creating body, and the hash of the compared terms; null on older orders
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
  status text not null check (status in ('Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout',
    'ManualReview', 'Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed')),
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
  due_at timestamptz,
  payer_account text,
  transaction_digits text,
  member_transaction_reference text,
  failure_reason text,
  confirm_requested_by text,
  confirm_member_id uuid,
  moves smallint not null default 0,
  primary key (merchant_id, order_id),
  check (order_type = 'Deposit' or wallet_type in ('ProviderA', 'ProviderB', 'TillID', 'BankAccount')),
  check (order_type = 'Withdrawal' or fee is null or fee <= amount),
  check (reassignments between 0 and max_retry_count),
  check ((member_id is null) = (account_id is null) or status not in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout')),
  check (status not in ('AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout') or member_id is not null),
  check ((completed_at is not null) = (status in ('Completed', 'Confirmed'))),
  check (status not in ('Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto') or (failed_at is not null and due_at is null))
);
create unique index orders_reference on orders (merchant_id, order_reference);
create unique index orders_idempotency on orders (merchant_id, api_key_id, idempotency_key);
create unique index orders_live_reference on orders (merchant_id, live_reference) where live_reference is not null;
-- the latest order of a reference is the one created last, also among older orders whose ids are not in the order of time
create index orders_merchant_reference on orders (merchant_id, merchant_order_ref, created_at desc, order_id desc) where merchant_order_ref is not null;
-- pages, members and operators know an order by its id alone
create index orders_by_id on orders (order_id);
create index orders_due on orders (due_at) where due_at is not null;
-- what an account has in hand: a member's open orders, and equal open deposits on one account
create index orders_in_hand on orders (account_id, amount)
  where account_id is not null and status in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview');
create index orders_waiting on orders (wallet_type, order_id) where status = 'Awaiting' and order_type = 'Withdrawal' and customer_account_number is not null;

-- Which signed body came with which Idempotency-Key, for 24 hours.
create table signature_replays (
  merchant_id uuid not null,
  key_id uuid not null,
  digest bytea not null,
  idempotency_key text not null,
  accepted_at timestamptz not null,
  primary key (merchant_id, key_id, digest)
);
create index signature_replays_age on signature_replays using brin (accepted_at) with (pages_per_range = 16);

-- The steps of an order after its creation, which the order itself records.
create table order_moves (
  merchant_id uuid not null,
  order_id uuid not null,
  number smallint not null check (number > 0),
  from_status text not null,
  to_status text not null,
  trigger text not null,
  actor_kind text not null,
  actor_id text,
  member_id uuid,
  note text,
  command_id uuid not null,
  at timestamptz not null,
  primary key (merchant_id, order_id, number)
);

create table order_notes (
  merchant_id uuid not null,
  order_id uuid not null,
  note_id uuid not null,
  actor_kind text not null,
  actor_id text,
  note text not null,
  at timestamptz not null,
  primary key (merchant_id, order_id, note_id)
);

-- Ends a batch whose guarded rows had changed: it is decided again from fresh rows.
create function expect_rows(actual bigint, expected bigint) returns void language plpgsql as $$
begin
  if actual <> expected then
    raise exception 'expected % rows to change, % did', expected, actual using errcode = '40001';
  end if;
end $$;

-- The ledger: one row is one double entry over five accounts. Append-only. The nil merchant is the platform.
create table postings (
  merchant_id uuid not null,
  posting_id uuid not null,
  kind text not null check (kind in ('settlement', 'credit', 'debit', 'freeze', 'unfreeze', 'float')),
  order_id uuid,
  member_id uuid,
  wallet numeric(38, 4) not null default 0,
  frozen numeric(38, 4) not null default 0,
  member_float numeric(38, 4) not null default 0,
  fees numeric(38, 4) not null default 0,
  adjustments numeric(38, 4) not null default 0,
  note text,
  posted_at timestamptz not null,
  primary key (merchant_id, posting_id),
  check (wallet + frozen + member_float + fees + adjustments = 0),
  check (wallet <> 'NaN' and frozen <> 'NaN' and member_float <> 'NaN' and fees <> 'NaN' and adjustments <> 'NaN'),
  check ((kind = 'settlement') = (order_id is not null)),
  check (member_float = 0 or member_id is not null)
);
create unique index postings_one_per_order on postings (merchant_id, order_id, kind) where order_id is not null;
create index postings_member on postings (member_id, posting_id) where member_id is not null;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger postings_append_only before update or delete on postings for each row execute function refuse_change();
create trigger merchants_stay before delete on merchants for each row execute function refuse_change();
create trigger order_moves_append_only before update or delete on order_moves for each row execute function refuse_change();

create table adjustments (
  merchant_id uuid not null references merchants,
  adjustment_id uuid not null,
  kind text not null check (kind in ('credit', 'debit', 'freeze', 'unfreeze')),
  amount numeric(38, 4) not null check (amount > 0),
  reason text not null,
  status text not null check (status in ('applied', 'pendingApproval')),
  requested_by text not null,
  requested_at timestamptz not null,
  approved_by text check (approved_by <> requested_by),
  approved_at timestamptz,
  primary key (merchant_id, adjustment_id)
);
create index adjustments_by_id on adjustments (adjustment_id);

-- Webhook deliveries, written with the outcome they tell. The body is stored as the bytes to send.
create table deliveries (
  merchant_id uuid not null,
  delivery_id uuid not null,
  order_id uuid not null,
  api_key_id uuid not null,
  event_type text not null check (event_type in ('order.completed', 'order.failed')),
  url text not null,
  body bytea not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'abandoned', 'superseded')),
  attempts smallint not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz,
  claim_token uuid,
  claimed_until timestamptz,
  primary key (merchant_id, delivery_id),
  check ((next_attempt_at is not null) = (status = 'pending'))
);
create index deliveries_order on deliveries (merchant_id, order_id);
create index deliveries_due on deliveries (next_attempt_at) where status = 'pending';

create table delivery_attempts (
  merchant_id uuid not null,
  delivery_id uuid not null,
  number smallint not null check (number > 0),
  started_at timestamptz not null,
  duration_ms integer not null,
  succeeded boolean not null,
  response_status smallint,
  error text,
  primary key (merchant_id, delivery_id, number)
);

create table operators (
  operator_id uuid primary key,
  username text not null unique,
  name text not null,
  password_hash text,
  role text not null check (role in ('viewer', 'support', 'admin')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null
);

-- Sign-ins of members and operators, and operators' script tokens. Only hashes of tokens are stored.
create table sessions (
  token_hash bytea primary key,
  kind text not null check (kind in ('operator', 'operator-token', 'member')),
  principal_id uuid not null,
  csrf_token text,
  name text,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index sessions_principal on sessions (principal_id);

create table audit_log (
  audit_id uuid primary key,
  actor_kind text not null,
  actor_id text,
  actor_name text,
  address text,
  action text not null,
  target text not null,
  detail jsonb not null,
  at timestamptz not null
);
create trigger audit_log_append_only before update or delete on audit_log for each row execute function refuse_change();
