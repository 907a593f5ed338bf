-- Which operator works on an order: a courtesy between operators, which changes nothing about it.
create table order_claims (
  order_id uuid primary key,
  operator_id text not null,
  operator_name text not null,
  claimed_until timestamptz not null
) with (fillfactor = 70);
create index order_claims_until on order_claims (claimed_until);
