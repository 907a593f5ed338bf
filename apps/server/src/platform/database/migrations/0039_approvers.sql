-- Approvers are made on the server alone (security.md#two-operators).
alter table operators drop constraint operators_role_check;
alter table operators add constraint operators_role_check
  check (role in ('viewer', 'support', 'admin', 'approver')) not valid;
alter table operators validate constraint operators_role_check;

-- Which operator last gave them a way to sign in, and when a member last used a recovery link or was
-- given a password.
alter table operators add column credential_by text;
alter table members add column credential_by text;
alter table members add column recovered_at timestamptz;
alter table portal_users add column credential_by text;
update operators o
set credential_by = (
  select nullif(coalesce(a.detail ->> 'requestedBy', a.actor_id), 'server')
  from audit_log a
  where a.target = o.operator_id::text
    and (a.action in ('operator.create', 'operator.recovery-link', 'operator.token',
        'operator.one-time-code-remove')
      or (a.action = 'operator.update' and a.detail ->> 'fields' ~ 'password'))
    and coalesce(a.detail ->> 'requestedBy', a.actor_id) <> o.operator_id::text
  order by a.audit_id desc
  limit 1
);
update members m
set credential_by = (
  select coalesce(a.detail ->> 'requestedBy', a.actor_id)
  from audit_log a
  where a.target = m.member_id::text
    and (a.action in ('member.create', 'member.recovery-link')
      or (a.action = 'member.identity' and a.detail ->> 'fields' ~ 'password'))
  order by a.audit_id desc
  limit 1
);
update portal_users u
set credential_by = (
  select coalesce(a.detail ->> 'requestedBy', a.actor_id)
  from audit_log a
  where a.target = u.portal_user_id::text
    and (a.action in ('portal-user.create', 'portal-user.invite', 'portal-user.invitation',
        'portal-user.recovery-link')
      or (a.action = 'portal-user.update' and a.detail ->> 'fields' ~ 'password|email'))
  order by a.audit_id desc
  limit 1
);
-- let in by another person of the merchant: by whoever let that one in
update portal_users u
set credential_by = other.credential_by
from portal_users other
where u.credential_by = other.portal_user_id::text;
-- by an operator who was let in by another: by that one
update operators o
set credential_by = other.credential_by
from operators other
where o.credential_by = other.operator_id::text and other.credential_by is not null;
update members m
set credential_by = o.credential_by
from operators o
where m.credential_by = o.operator_id::text and o.credential_by is not null;
update portal_users u
set credential_by = o.credential_by
from operators o
where u.credential_by = o.operator_id::text and o.credential_by is not null;

alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check check (kind in ('adjustment',
  'float-adjustment', 'order-confirm', 'order-resolve', 'api-key', 'operator-create',
  'operator-change', 'operator-token', 'operator-recovery', 'member-recovery',
  'one-time-code-removal', 'member-password', 'settings', 'account-change', 'own-keys',
  'portal-link')) not valid;
alter table approvals validate constraint approvals_kind_check;
-- The rule is another one: what waits is asked for again.
update approvals
set status = 'declined',
  note = 'Declined by the upgrade: approvers decide from now on. Ask for it again.'
where status in ('pending', 'waiting', 'approved');
