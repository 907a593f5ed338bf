-- The currencies of the orders that an account takes (states.md#who-gets-an-order); null: every one.
alter table member_accounts add column currencies text[];
alter table member_accounts add constraint member_accounts_currencies_check
  check (cardinality(currencies) > 0 and currencies <@ array['PKR', 'INR', 'BDT']) not valid;
alter table member_accounts validate constraint member_accounts_currencies_check;
