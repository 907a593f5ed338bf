-- A change of what a member's account may take waits for a second operator.
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('adjustment',
  'float-adjustment', 'order-confirm', 'order-resolve', 'api-key', 'operator-create',
  'operator-change', 'operator-token', 'member-password', 'settings', 'operator-recovery',
  'member-recovery', 'one-time-code-removal', 'account-change')) not valid;
alter table approvals validate constraint approvals_kind_check;
