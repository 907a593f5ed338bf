-- Withdrawals that a member has handed on: they stay in the member's list, so that a payment already made can be reported.
-- Few orders have any; the others are not in it.
create index orders_of_former_member on orders using gin (former_member_ids) where former_member_ids is not null;
