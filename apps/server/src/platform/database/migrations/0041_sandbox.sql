-- Whether the instance is a sandbox: set by its first start, for good. A database that has merchants
-- by then is live. Null: no process has started on it yet.
alter table settings add column sandbox boolean;
