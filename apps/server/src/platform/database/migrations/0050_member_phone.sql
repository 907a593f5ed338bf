-- By which operators reach a member.
alter table members add column phone text;
alter table members add constraint members_phone_check check (length(phone) between 1 and 40);

-- What max_open_orders was before it became 0, which pauses new orders: it goes back to it.
alter table members add column capacity_before integer;
alter table members add constraint members_capacity_before_check check (capacity_before > 0);
