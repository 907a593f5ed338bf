-- Orders confirmed late while a newer one had their reference: the reference stays theirs after the newer one has failed.
-- Few orders are; the others are not in it, so that asking it costs a creation next to nothing.
create index orders_late_reference on orders (merchant_id, merchant_order_ref)
  where live_reference is null and completed_at is not null and merchant_order_ref is not null;
