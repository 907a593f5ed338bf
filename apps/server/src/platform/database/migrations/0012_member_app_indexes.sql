-- no transaction

-- What members tell operators of deposits; reports are looked for by their orders.
create index concurrently order_notes_told on order_notes (kind, at)
  where kind in ('otherAmount', 'moneySeen');
