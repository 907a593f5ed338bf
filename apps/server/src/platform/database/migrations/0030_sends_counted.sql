-- Mails and test pushes that somebody had sent to others, counted over all processes: each is held
-- to so many of a day or a minute.
create table counted_sends (
  send_id uuid primary key,
  kind text not null check (kind in ('mail', 'push-test')),
  -- the merchant or member whose doing it was
  sender_id uuid not null,
  -- SHA-256 of the mailbox; null for a push
  mailbox bytea,
  sent_at timestamptz not null,
  constraint counted_sends_mailbox check ((kind = 'mail') = (mailbox is not null))
);
create index counted_sends_of_sender on counted_sends (sender_id, kind, sent_at);
create index counted_sends_to_mailbox on counted_sends (mailbox, sent_at)
  where mailbox is not null;
