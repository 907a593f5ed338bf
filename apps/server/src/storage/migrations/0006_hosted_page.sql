-- What the hosted page shows of a merchant, and what customers leave on it after expiry.

alter table merchants
  add column display_name text check (char_length(display_name) between 1 and 60),
  add column brand_colour text check (brand_colour ~ '^#[0-9a-f]{6}$');

-- A customer says that a deposit was paid whose link has expired: for operators to look into. It changes no order.
create table late_claims (
  merchant_id uuid not null,
  order_id uuid not null,
  -- holds an order to three claims, also when several come at once
  number smallint not null check (number between 1 and 3),
  claim_id uuid not null,
  transaction_digits text not null check (transaction_digits ~ '^[0-9]{4,20}$'),
  status text not null default 'open' check (status in ('open', 'closed')),
  claimed_at timestamptz not null,
  closed_at timestamptz,
  closed_by text,
  note text,
  primary key (merchant_id, order_id, number),
  unique (merchant_id, order_id, transaction_digits),
  check ((status = 'closed') = (closed_at is not null and closed_by is not null and note is not null))
);
create unique index late_claims_by_id on late_claims (claim_id);
create index late_claims_open on late_claims (claim_id) where status = 'open';
