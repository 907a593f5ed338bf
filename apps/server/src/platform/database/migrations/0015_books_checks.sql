-- The nightly check of the books, and what it does about a breach.

-- One row a night. The rules are checked one by one, by whoever does the work of time.
create table books_checks (
  check_id uuid primary key,
  started_at timestamptz not null,
  rules_checked integer not null default 0 check (rules_checked >= 0),
  -- of each broken rule its id, what it says, how many rows and some of them
  broken jsonb not null default '[]',
  -- null: it goes on, or was given up
  finished_at timestamptz
);
create index books_checks_started on books_checks (started_at);

alter table settings add column stop_withdrawals_on_breach boolean not null default false;
