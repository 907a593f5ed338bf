-- A check constraint is read from the catalogue and prepared anew by every statement that writes its table: sixteen of them for each batch
-- of orders. A function's expressions are kept by the session. The rules are the same; what breaks one is refused as it was, by
-- orders_hold, members_hold or member_accounts_hold.
create function order_holds(order_type text, wallet_type text, currency text, status text, amount numeric, fee numeric, rate numeric, settlement_amount numeric,
  float_amount numeric, txn_ref_digits_required smallint, max_retry_count smallint, reassignments smallint, member_id uuid, account_id uuid,
  completed_at timestamptz, failed_at timestamptz, due_at timestamptz)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return order_type in ('Deposit', 'Withdrawal')
    and currency in ('PKR', 'INR', 'BDT')
    and status in ('Awaiting', 'Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout', 'ManualReview',
      'Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed')
    and (order_type = 'Deposit' or wallet_type in ('ProviderA', 'ProviderB', 'TillID', 'BankAccount'))
    and amount > 0 and fee >= 0 and rate > 0 and settlement_amount >= 0 and float_amount >= 0
    and (order_type = 'Withdrawal' or fee is null or fee <= amount)
    and txn_ref_digits_required between 4 and 8
    and max_retry_count between 0 and 10 and reassignments between 0 and max_retry_count
    and ((member_id is null) = (account_id is null)
      or status not in ('Queued', 'AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout'))
    and (status not in ('AwaitingCustomerPayment', 'AwaitingMemberConfirmation', 'AwaitingMemberPayout') or member_id is not null)
    and (completed_at is not null) = (status in ('Completed', 'Confirmed'))
    and (status not in ('Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto') or (failed_at is not null and due_at is null));
end $$;

create function member_holds(status text, max_open_orders integer, open_orders integer, float_balance numeric, float_held numeric, float_overdrawn boolean)
returns boolean language plpgsql immutable parallel safe as $$
begin
  return status in ('active', 'suspended') and max_open_orders >= 0 and open_orders >= 0 and float_held >= 0
    -- a late confirmation alone may take the float below what is held
    and (float_balance >= float_held or float_overdrawn);
end $$;

create function member_account_holds(status text, day_amount numeric) returns boolean language plpgsql immutable parallel safe as $$
begin
  return status in ('pending', 'approved', 'suspended') and day_amount >= 0;
end $$;

do $$
declare old record;
begin
  for old in select conrelid::regclass as relation, conname from pg_constraint
    where contype = 'c' and conrelid in ('orders'::regclass, 'members'::regclass, 'member_accounts'::regclass)
  loop
    execute format('alter table %s drop constraint %I', old.relation, old.conname);
  end loop;
end $$;

alter table orders add constraint orders_hold check (order_holds(order_type, wallet_type, currency, status, amount, fee, rate, settlement_amount,
  float_amount, txn_ref_digits_required, max_retry_count, reassignments, member_id, account_id, completed_at, failed_at, due_at));
alter table members add constraint members_hold check (member_holds(status, max_open_orders, open_orders, float_balance, float_held, float_overdrawn));
alter table member_accounts add constraint member_accounts_hold check (member_account_holds(status, day_amount));
