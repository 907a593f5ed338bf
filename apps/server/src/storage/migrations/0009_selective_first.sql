-- Indexes by which one order is found lead with what tells orders apart, and the merchant comes second. Led by the merchant, each of
-- them could serve a look-up by another one's key, by reading all of that merchant's orders; a plan made while the table was
-- small chose so now and then, and kept it. Comparing is cheaper too: most pages differ in the first column.
drop index orders_reference, orders_idempotency, orders_live_reference, orders_late_reference, orders_merchant_reference, deliveries_order;
create unique index orders_reference on orders (order_reference, merchant_id);
create unique index orders_idempotency on orders (idempotency_key, api_key_id, merchant_id);
create unique index orders_live_reference on orders (live_reference, merchant_id) where live_reference is not null;
-- Orders whose reference is no longer, or not again, theirs: with the live one of it, all that ever had it. The latest is the one
-- created last, also among older orders whose ids are not in the order of time.
create index orders_former_reference on orders (merchant_order_ref, merchant_id, created_at desc, order_id desc)
  where live_reference is null and merchant_order_ref is not null;
create index orders_late_reference on orders (merchant_order_ref, merchant_id)
  where live_reference is null and completed_at is not null and merchant_order_ref is not null;
create index deliveries_order on deliveries (order_id, merchant_id);

alter table signature_replays drop constraint signature_replays_pkey, add primary key (digest, key_id, merchant_id);
