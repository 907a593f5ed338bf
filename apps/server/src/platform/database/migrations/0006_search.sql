-- no transaction
-- Search by anything (D150). An order comes into these indexes once, when it ends: those that are
-- open are few, and are looked through. So a creation writes none of them. Each has the id behind
-- its key, so that the newest of a key are next to each other.

-- the end of the reference, which people read aloud
create index concurrently orders_ended_short
  on orders (right(order_reference, 6), order_id)
  where status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
    'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
create index concurrently orders_ended_amount on orders (amount, order_id)
  where status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
    'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
-- the customer's account of a withdrawal, the payer's of a deposit by QR
create index concurrently orders_ended_account
  on orders (
    upper(translate(coalesce(customer_account_number, payer_account), ' -./+', '')), order_id)
  where coalesce(customer_account_number, payer_account) is not null
    and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
      'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
create index concurrently orders_ended_digits on orders (transaction_digits, order_id)
  where transaction_digits is not null
    and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
      'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
create index concurrently orders_ended_transaction
  on orders (upper(translate(member_transaction_reference, ' -./+', '')), order_id)
  where member_transaction_reference is not null
    and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
      'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
-- nearly all orders are in PKR, and not in here
create index concurrently orders_foreign on orders (currency, order_id)
  where currency <> 'PKR';
create index concurrently member_accounts_number
  on member_accounts (upper(translate(account_number, ' -./+', '')));
create index concurrently late_claims_by_digits on late_claims (transaction_digits);

-- Lists of deliveries: a merchant's, and those that were answered with a failure of a kind. What
-- succeeds at once, as nearly everything does, comes into the first alone.
create index concurrently deliveries_of_merchant
  on deliveries (merchant_id, delivery_id);
create index concurrently delivery_attempts_failed
  on delivery_attempts (response_status, delivery_id) where not succeeded;
