-- In which zones a merchant's days and months are counted, each since a time: the first for all
-- that was before it. Empty: that of the currency.
alter table merchants add column time_zones jsonb not null default '[]';
