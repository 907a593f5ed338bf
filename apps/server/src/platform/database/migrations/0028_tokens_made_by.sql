-- Who made a script token: it ends with their sign-ins where another operator ends those. Null: made
-- on the server, or by a process of the version before.
alter table sessions add column made_by text;
create index sessions_made_by on sessions (made_by) where made_by is not null;
