-- The chain of hashes over the audit log. Entries are chained after their transaction by one job
-- (storage/audit-chain.ts), so that nobody who writes waits for it.

create table audit_chain (
  position bigint primary key check (position > 0),
  audit_id uuid not null unique,
  -- SHA-256 over the hash before and the digest of the entry
  hash bytea not null check (octet_length(hash) = 32)
);

-- Entries that wait to be chained.
create table audit_unchained (
  audit_id uuid primary key,
  written_by xid8 not null,
  -- by the database's clock: a sandbox clock jumps
  since timestamptz not null default clock_timestamp()
);

create function queue_for_chain() returns trigger language plpgsql
  security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('insert into %I.audit_unchained (audit_id, written_by) values ($1, $2)',
    tg_table_schema) using new.audit_id, pg_current_xact_id();
  return null;
end $$;
create trigger audit_log_chained after insert on audit_log
  for each row execute function queue_for_chain();

-- The trigger keeps writers out until here, so that this has every older entry.
insert into audit_unchained (audit_id, written_by)
select audit_id, pg_current_xact_id()
from audit_log;

create trigger audit_chain_append_only before update or delete on audit_chain
  for each row execute function refuse_change();
create trigger audit_chain_stay before truncate on audit_chain
  for each statement execute function refuse_change();

-- How far the chain has been checked, again and again, and what was found.
create table audit_checks (
  singleton boolean primary key default true check (singleton),
  next_position bigint not null default 1,
  -- entries up to this one are in the chain or wait for it
  after_audit_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- in this round, and in the one before where nothing was found in this yet
  found jsonb,
  broken jsonb,
  -- when the last whole round ended
  checked_at timestamptz
);
insert into audit_checks default values;

-- One-time codes

create table operator_codes (
  operator_id uuid primary key references operators,
  -- AES-256-GCM, as signing secrets are
  sealed_secret bytea not null,
  seal_key_id text not null,
  created_at timestamptz not null,
  -- null: not asked for at sign-in until a first code has shown that the app has the secret
  confirmed_at timestamptz,
  -- of the last code that was taken: none is taken twice
  last_step bigint not null default 0,
  -- wrong codes since the last right one: after some, only a recovery code helps
  wrong_in_a_row integer not null default 0
);

create table recovery_codes (
  operator_id uuid not null references operator_codes on delete cascade,
  -- SHA-256 of 80 random bits
  code_hash bytea not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);

alter table settings add column require_one_time_code boolean not null default false;

-- Links by which somebody chooses a new password who has forgotten theirs, or lost their codes.

create table recovery_links (
  link_id uuid primary key,
  -- SHA-256 of the token, which is never stored
  token_hash bytea not null unique,
  principal_kind text not null check (principal_kind in ('operator', 'member')),
  principal_id uuid not null,
  made_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
-- a new link takes the place of the one before
create unique index recovery_links_one on recovery_links (principal_id) where used_at is null;

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('adjustment',
  'float-adjustment', 'order-confirm', 'order-resolve', 'api-key', 'operator-create',
  'operator-change', 'operator-token', 'member-password', 'settings', 'operator-recovery',
  'member-recovery', 'one-time-code-removal')) not valid;
alter table approvals validate constraint approvals_kind_check;

-- Sign-ins: from where, and the one before

alter table operators add column last_sign_in_at timestamptz;
alter table operators add column last_sign_in_address text;
alter table sessions add column address text;
alter table sessions add column user_agent text;
alter table sessions add column previous_sign_in_at timestamptz;
alter table sessions add column previous_sign_in_address text;
