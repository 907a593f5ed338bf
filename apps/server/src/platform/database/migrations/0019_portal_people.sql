-- The people of merchants: invited by a link, with one-time codes; keys that merchants issue.

-- null: invited, and has not chosen one yet
alter table portal_users alter column password_hash drop not null;
alter table portal_users add column email text;

alter table recovery_links drop constraint recovery_links_principal_kind_check;
alter table recovery_links add constraint recovery_links_principal_kind_check check (
  principal_kind in ('operator', 'member', 'portal')) not valid;
alter table recovery_links validate constraint recovery_links_principal_kind_check;

-- as operator_codes
create table portal_codes (
  portal_user_id uuid primary key references portal_users on delete cascade,
  sealed_secret bytea not null,
  seal_key_id text not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  wrong_in_a_row integer not null default 0
);

-- as recovery_codes
create table portal_recovery_codes (
  portal_user_id uuid not null references portal_codes on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (portal_user_id, code_hash)
);

-- whether the merchant's own people may issue its keys
alter table merchants add column own_keys_allowed boolean not null default false;

-- a table of its own: a change of api_keys has every process read the keys again
create table api_key_uses (
  key_id uuid primary key references api_keys,
  last_used_at timestamptz not null,
  address text not null
) with (fillfactor = 70);

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('adjustment',
  'float-adjustment', 'order-confirm', 'order-resolve', 'api-key', 'operator-create',
  'operator-change', 'operator-token', 'member-password', 'settings', 'operator-recovery',
  'member-recovery', 'one-time-code-removal', 'account-change', 'own-keys')) not valid;
alter table approvals validate constraint approvals_kind_check;
