-- An older withdrawal in progress (Assigned, Frozen) counts as reserved, but may have been stored
-- without: the sums of these merchants' wallets are set once. One that does not have that much is
-- marked as overdrawn. Orders begin and end under the lock of their wallet: taken by a statement of
-- its own, so that the next one sees all that was committed before.
select from merchant_wallets
where merchant_id in (
  select merchant_id from orders
  where status in ('Assigned', 'Frozen') and order_type = 'Withdrawal')
order by merchant_id
for update;
-- Found by orders_ended, orders_in_review and orders_due: the locks are held for a moment.
with withdrawals as (
  select merchant_id, settlement_amount, true as older from orders
  where status in ('Assigned', 'Frozen') and order_type = 'Withdrawal'
  union all
  select merchant_id, settlement_amount, false from orders
  where status = 'ManualReview' and order_type = 'Withdrawal'
  union all
  select merchant_id, settlement_amount, false from orders
  where due_at is not null and status in ('Awaiting', 'AwaitingMemberPayout')
    and order_type = 'Withdrawal'
)
update merchant_wallets w
set reserved = o.reserved, overdrawn = w.balance < o.reserved
from (
  select merchant_id, sum(settlement_amount) as reserved
  from withdrawals
  group by merchant_id
  having bool_or(older)
) o
where w.merchant_id = o.merchant_id and w.reserved <> o.reserved;
