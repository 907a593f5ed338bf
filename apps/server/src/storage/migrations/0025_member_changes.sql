-- Whom each batch has changed, for the other processes: they read what is new every second, instead of all members (D74). A transaction
-- is told from those that were still open at the reader's last look by its id; times and sequences are not in the order of commits.
-- What is lost with the server is not missed, because every connection is lost with it, and who has a new one reads all members.
create unlogged table member_changes (
  changed_in xid8 not null default pg_current_xact_id(),
  -- a process has no need of its own
  writer integer not null default pg_backend_pid(),
  member_ids uuid[] not null
);
alter table member_changes alter column member_ids set storage external;
create index member_changes_since on member_changes (changed_in);
