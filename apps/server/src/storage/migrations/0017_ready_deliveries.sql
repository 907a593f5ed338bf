-- A claim goes from one destination to the next in an index. It went through every destination that something waits for, also where
-- nothing is due for hours: one merchant with very many of them slowed everybody's webhooks (measured: 520 ms a claim at 100,000). What
-- waits for its retry leaves that index, and comes into it again when its time has come.
alter table delivery_queue add column ready boolean not null default true;
update delivery_queue set ready = false where attempts > 0 and not requested and claimed_until is null;
create index delivery_queue_ready on delivery_queue (host, next_attempt_at) where ready;
create index delivery_queue_later on delivery_queue (next_attempt_at) where not ready;
drop index delivery_queue_due;
