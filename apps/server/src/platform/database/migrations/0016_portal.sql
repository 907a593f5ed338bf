-- The people of a merchant who sign in to the portal.

create table portal_users (
  portal_user_id uuid primary key,
  merchant_id uuid not null references merchants,
  username text not null unique,
  name text not null,
  password_hash text not null,
  role text not null check (role in ('viewer', 'admin')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  last_sign_in_address text
);
create unique index portal_users_of_merchant on portal_users (merchant_id, portal_user_id);

alter table sessions drop constraint sessions_kind_check;
alter table sessions add constraint sessions_kind_check check (kind in ('operator',
  'operator-token', 'member', 'portal')) not valid;
alter table sessions validate constraint sessions_kind_check;

alter table request_keys drop constraint request_keys_caller_kind_check;
alter table request_keys add constraint request_keys_caller_kind_check check (caller_kind in (
  'operator', 'member', 'portal')) not valid;
alter table request_keys validate constraint request_keys_caller_kind_check;
