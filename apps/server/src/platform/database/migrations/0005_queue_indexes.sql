-- no transaction
-- Queues of operators. Few rows are in them, however many orders there are.

-- open orders that nobody holds: deposits until somebody does, withdrawals once it is known where
-- to pay
create index concurrently orders_without_member on orders (order_id)
  where (status = 'Awaiting' and (order_type = 'Deposit' or customer_account_number is not null))
    or (status = 'Queued' and member_id is null);
create index concurrently member_accounts_pending on member_accounts (account_id)
  where status = 'pending';
create index concurrently webhook_endpoints_failing
  on webhook_endpoints (failing_since)
  where failing_since is not null;
-- a member's float apart from their orders
create index concurrently postings_float on postings (member_id, posting_id)
  where kind = 'float';
