-- What people can make longer is counted by integers, and its limit is a rule of its own. A smallint that overflowed ended every command
-- of that order: 32,768 switches of its method, and nobody could confirm, cancel or expire it.
alter table orders
  alter column moves type integer,
  -- changes of method by the customer
  add column method_switches integer not null default 0 check (method_switches between 0 and 20);
alter table orders alter column method_switches set statistics 10;
alter table order_moves alter column number type integer;
alter table delivery_attempts alter column number type integer;
alter table delivery_queue alter column attempts type integer;

-- Which of its speaker's words on this order a note is: null on those written before they were counted.
alter table order_notes add column number integer check (number between 1 and 10);
create unique index order_notes_of_actor on order_notes (order_id, actor_id, number);
