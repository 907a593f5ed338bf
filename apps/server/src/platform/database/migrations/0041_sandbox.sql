-- Whether the instance is a sandbox: set by its first start, for good. A database that has merchants
-- is live; null: no process has started on it yet.
alter table settings add column sandbox boolean;
update settings set sandbox = false where exists (select from merchants);
