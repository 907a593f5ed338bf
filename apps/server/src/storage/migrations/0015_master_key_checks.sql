-- By which master keys this database was made: a value that follows from each and tells nothing of it. Another key is noticed at the start (D70).
create table master_key_checks (
  check_value text primary key check (check_value ~ '^[0-9a-f]{64}$')
);
