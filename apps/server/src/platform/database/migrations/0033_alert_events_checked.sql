-- In a transaction of its own: it reads all deliveries, while others go on writing them.
alter table deliveries validate constraint deliveries_event_type_check;
