-- Any endpoint may wait for a second operator: its request is kept as it came, and waits in a status
-- of its own, which processes of the version before approve nothing of.
alter table approvals add column asked jsonb;
alter table approvals drop constraint approvals_status_check;
alter table approvals add constraint approvals_status_check check (status in ('pending', 'waiting',
  'approved', 'done', 'declined', 'withdrawn', 'fallen')) not valid;
alter table approvals validate constraint approvals_status_check;
alter table approvals add constraint approvals_asked_check
  check (asked is not null or status <> 'waiting') not valid;
alter table approvals validate constraint approvals_asked_check;
create unique index approvals_one_waiting_write on approvals ((asked ->> 'endpoint'), target)
  where status = 'waiting';
create index approvals_open on approvals (requested_by)
  where status in ('pending', 'waiting', 'approved');
drop index approvals_pending;

create or replace function keep_request() returns trigger language plpgsql as $$
begin
  if row(new.kind, new.target, new.request, new.asked, new.hidden, new.requested_by,
      new.requested_at, new.expires_at)
    is distinct from row(old.kind, old.target, old.request, old.asked, old.hidden,
      old.requested_by, old.requested_at, old.expires_at) then
    raise exception 'what was asked for does not change';
  end if;
  if old.status not in ('pending', 'waiting', 'approved') then
    raise exception 'this request was decided';
  end if;
  return new;
end $$;
