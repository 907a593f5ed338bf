-- What the payment page shows of a merchant, says of a rejection and puts into a QR code.

-- Pictures by the SHA-256 of what they are, in hex: a page that is open goes on to find the one it
-- names after the merchant has another one.
create table logos (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  webp bytea not null check (octet_length(webp) between 1 and 8192),
  created_at timestamptz not null
);

alter table merchants add column logo text references logos;
alter table merchants add column support_email text
  check (char_length(support_email) between 3 and 254);
alter table merchants add column support_phone text
  check (char_length(support_phone) between 3 and 40);
alter table merchants add column support_url text
  check (support_url like 'https://%' and char_length(support_url) <= 500);

-- Why the member rejected the order, as the customer is told it. Not checked for the rows that are
-- there: they have none.
alter table orders add column reason_code text;
alter table orders add constraint orders_reason_code
  check (reason_code in ('notReceived', 'otherAmount', 'otherSender', 'reversed', 'other'))
  not valid;

-- Whether the order's amount is put into the account's QR code, where the code has a place for it.
alter table member_accounts add column qr_amount boolean not null default true;
