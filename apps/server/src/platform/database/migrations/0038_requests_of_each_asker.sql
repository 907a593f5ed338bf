-- Each asker has one request about the same thing: it takes the place of no one else's.
create unique index approvals_one_pending_each on approvals (kind, target, requested_by)
  where status = 'pending'
    and kind in ('adjustment', 'float-adjustment', 'order-confirm', 'order-resolve');
create unique index approvals_one_waiting_write_each
  on approvals ((asked ->> 'endpoint'), target, requested_by)
  where status = 'waiting';
drop index approvals_one_pending;
drop index approvals_one_waiting_write;
