-- Any endpoint may wait for a second operator: its request is kept as it came.
alter table approvals add column asked jsonb;
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('adjustment',
  'float-adjustment', 'order-confirm', 'order-resolve', 'api-key', 'operator-create',
  'operator-change', 'operator-token', 'member-password', 'settings', 'operator-recovery',
  'member-recovery', 'one-time-code-removal', 'account-change', 'own-keys', 'write')) not valid;
alter table approvals validate constraint approvals_kind_check;
alter table approvals add constraint approvals_asked_check
  check ((kind = 'write') = (asked is not null)) not valid;
alter table approvals validate constraint approvals_asked_check;
create unique index approvals_one_waiting_write on approvals ((asked ->> 'endpoint'), target)
  where status = 'pending' and kind = 'write';

create or replace function keep_request() returns trigger language plpgsql as $$
begin
  if row(new.kind, new.target, new.request, new.asked, new.hidden, new.requested_by,
      new.requested_at, new.expires_at)
    is distinct from row(old.kind, old.target, old.request, old.asked, old.hidden,
      old.requested_by, old.requested_at, old.expires_at) then
    raise exception 'what was asked for does not change';
  end if;
  if old.status not in ('pending', 'approved') then
    raise exception 'this request was decided';
  end if;
  return new;
end $$;
