-- What a customer says of a payment after they have confirmed it: the digits are others (the note has
-- the former ones), another amount was sent, whose account it came from.
alter table order_notes drop constraint order_notes_kind;
alter table order_notes add constraint order_notes_kind
  check (kind in ('report', 'otherAmount', 'moneySeen', 'sending', 'correctedDigits', 'amountSent',
    'paidBy')) not valid;
alter table order_notes validate constraint order_notes_kind;
alter table order_notes drop constraint order_notes_amount;
alter table order_notes add constraint order_notes_amount
  check ((kind = 'otherAmount' or kind = 'amountSent') = (amount is not null) and amount > 0)
  not valid;
alter table order_notes validate constraint order_notes_amount;

-- Their pictures have no member.
alter table evidence alter column member_id drop not null;
alter table evidence drop constraint evidence_kind_check;
alter table evidence add constraint evidence_kind_check
  check (kind in ('confirm', 'reject', 'report', 'paid')) not valid;
alter table evidence validate constraint evidence_kind_check;
alter table evidence add constraint evidence_of_customer
  check ((kind = 'paid') = (member_id is null) and (kind <> 'paid' or number <= 2)) not valid;
alter table evidence validate constraint evidence_of_customer;
