-- no transaction
-- A merchant's statement (D170). Each completed order writes one entry, at the end of its
-- merchant's: without the id behind the time it is a third smaller.
create index concurrently postings_of_merchant
  on postings (merchant_id, posted_at);
