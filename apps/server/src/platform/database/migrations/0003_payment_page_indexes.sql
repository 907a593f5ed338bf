-- no transaction

alter table orders validate constraint orders_reason_code;

-- What customers say to have paid with, for duplicates of the last day (D75). An order is in one of
-- them, once its customer has confirmed.
create index concurrently orders_digits on orders (transaction_digits, sent_at)
  where transaction_digits is not null and sent_at is not null;
create index concurrently orders_payer on orders (payer_account, sent_at)
  where payer_account is not null and sent_at is not null;
