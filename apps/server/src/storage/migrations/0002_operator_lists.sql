-- What operators look for. None of these costs a creation anything, save the third where a customer reference is sent.

-- the queue of orders to decide
create index orders_in_review on orders (order_id) where status = 'ManualReview';
-- a member's history; what they have in hand is found by orders_in_hand
create index orders_of_member on orders (member_id, order_id)
  where member_id is not null and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled', 'CancelledAuto', 'Assigned', 'Frozen', 'Confirmed');
create index orders_customer_reference on orders (customer_reference) where customer_reference is not null;
