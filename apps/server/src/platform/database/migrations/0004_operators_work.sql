-- Which operator works on an order: a courtesy between operators, which changes nothing about it.
create table order_claims (
  order_id uuid primary key,
  operator_id text not null,
  operator_name text not null,
  claimed_until timestamptz not null
) with (fillfactor = 70);
create index order_claims_until on order_claims (claimed_until);

-- Lists that operators keep under a name: which page, and its query string.
create table saved_views (
  view_id uuid primary key,
  -- whose it is; operators of the environment have no row of their own
  owner_id text not null,
  owner_name text not null,
  page text not null check (page in ('orders', 'deliveries')),
  name text not null check (char_length(name) between 1 and 60),
  query text not null check (char_length(query) <= 2000),
  -- for every operator
  shared boolean not null default false,
  -- counts those of its owner
  number smallint not null check (number between 1 and 50),
  created_at timestamptz not null,
  constraint saved_views_of_owner unique (owner_id, number)
);
create index saved_views_shared on saved_views (view_id) where shared;
