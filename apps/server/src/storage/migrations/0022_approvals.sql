-- What waits for a second operator, and what became of it.
alter table settings add column require_second_operator boolean not null default false;

create table approvals (
  approval_id uuid primary key,
  kind text not null check (kind in ('adjustment', 'float-adjustment', 'order-confirm', 'order-resolve',
    'api-key', 'operator-create', 'operator-change', 'operator-token', 'member-password', 'settings')),
  target text not null,
  -- what will be done, shown to whoever decides; amounts as exact text
  request jsonb not null,
  -- hashes of passwords, shown to nobody
  hidden jsonb,
  requested_by text not null,
  requested_name text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  status text not null check (status in ('pending', 'approved', 'done', 'declined', 'withdrawn', 'fallen')),
  decided_by text,
  decided_name text,
  decided_at timestamptz,
  note text,
  check (status not in ('approved', 'done') or (decided_by <> requested_by and decided_at is not null)),
  check (status not in ('approved', 'done') or decided_by is not null)
);
create index approvals_target on approvals (target);
create index approvals_pending on approvals (requested_by) where status in ('pending', 'approved');
create unique index approvals_one_pending on approvals (kind, target)
  where status = 'pending' and kind in ('adjustment', 'float-adjustment', 'order-confirm', 'order-resolve');

create function keep_request() returns trigger language plpgsql as $$
begin
  if row(new.kind, new.target, new.request, new.hidden, new.requested_by, new.requested_at, new.expires_at)
    is distinct from row(old.kind, old.target, old.request, old.hidden, old.requested_by, old.requested_at, old.expires_at) then
    raise exception 'what was asked for does not change';
  end if;
  if old.status not in ('pending', 'approved') then
    raise exception 'this request was decided';
  end if;
  return new;
end $$;
create trigger approvals_stay_as_asked before update on approvals for each row execute function keep_request();
create trigger approvals_stay before delete on approvals for each row execute function refuse_change();

insert into approvals (approval_id, kind, target, request, requested_by, requested_name, requested_at, expires_at, status)
  select adjustment_id, 'adjustment', adjustment_id::text,
    jsonb_build_object('adjustmentId', adjustment_id, 'merchantId', merchant_id, 'kind', kind, 'amount', amount::text, 'reason', reason),
    requested_by, requested_by, requested_at, requested_at + interval '24 hours', 'pending'
  from adjustments where status = 'pendingApproval';

-- the request for a late confirmation is one of the approvals
alter table orders drop column confirm_requested_by, drop column confirm_member_id;

-- What each operator has moved alone on a day (days since the epoch, UTC).
create table operator_sums (
  operator_id text primary key,
  day integer not null,
  amount numeric(38, 4) not null check (amount >= 0)
) with (fillfactor = 70);

-- Who added an account: another operator approves it. Null: its member.
alter table member_accounts add column created_by text;
