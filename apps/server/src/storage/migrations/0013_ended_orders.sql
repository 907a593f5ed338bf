-- Operators' lists by status, stage, method or type: each kind of ended order by itself, the newest first. Open orders are found by
-- orders_due and orders_in_review. An order comes into it once, when it ends.
create index orders_ended on orders (status, wallet_type, order_type, order_id)
  where status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
