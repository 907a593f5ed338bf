-- Wrong one-time codes since the last right one: after some, only a recovery code helps.
alter table operator_codes add column wrong_in_a_row integer not null default 0;
